// A mass on a thread with the guards that anyone would write: tight while the thread pulls, loose until it is stretched. Where it
// becomes loose it is still as far away as the thread is long, and leaves that distance with its third derivative only: the guard
// of the loose mode begins false there. It is loose for 4*v*sin(phi)/g, v^2 = g*L*c, c = -cos(phi) = (q - 2)/3, q = v0^2/(g*L).
// run: --stop 3.5 --rtol 1e-9
// solvers: auto rk45 rosenbrock cvode ida
// expect span(3.5) = 4*sqrt(9.81*2*2/3)*sqrt(1 - 4/9)/9.81 +- 1e-6
// expect max(far) <= 5e-7
// expect steps <= 3000
// expect state_events = 2
model NaturalGuard
  parameter Real L = 2, g = 9.81, m = 3, q = 4;
  Real x(start = 0, fixed = true), y(start = -L), vx(start = sqrt(q*g*L), fixed = true), vy(start = 0), F;
  Real far = x^2 + y^2 - L^2;
  Boolean tight(start = true, fixed = true);
  discrete Real loose(start = 0, fixed = true), span(start = 0, fixed = true);
equation
  tight = if pre(tight) then F >= 0 else x^2 + y^2 >= L^2;
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  if tight then
    x^2 + y^2 = L^2;
  else
    F = 0;
  end if;
  when not tight then
    loose = time;
  end when;
  when tight then
    span = time - pre(loose);
  end when;
end NaturalGuard;
