// Start values of a constraint that is kept as an invariant: speeds give way to the constraint on speeds, places to that on places, and
// what is solved for is what the constraint says something about with the start values.
// class: InvariantStarts.All
// run: --stop 1 --rtol 1e-9 --intervals 20
// solvers: rk45 ida
package InvariantStarts
  model Pendulum
    Real x, y, vx(start = 0), vy(start = 0), F;
  equation
    x^2 + y^2 = 2.25;
    der(x) = vx;
    der(y) = vy;
    der(vx) = -F*x;
    der(vy) = -F*y - 9.81;
  end Pendulum;
  model Angle
    parameter Real at, speed = 0;
    Real phi(start = at, fixed = true), w(start = speed, fixed = true);
  equation
    der(phi) = w;
    der(w) = -9.81/1.5*sin(phi);
  end Angle;
  model All
    parameter Real pi = 2*asin(1.0);
    Pendulum beside(x(start = 1.5), y(start = 0)) "nothing is fixed";
    Angle beside_phi(at = pi/2);
    Pendulum below(x(start = 0, fixed = true), y(start = -1.5), vx(start = 3));
    Angle below_phi(at = 0, speed = 2);
    Pendulum round(x(start = 1.5*cos(pi/2), fixed = true), y(start = -1.5), vx(start = -3)) "0 but for rounding";
    Pendulum still(x(start = 0.9, fixed = true), y(start = -1.2)) "at rest";
    Angle still_phi(at = asin(0.6));
    Pendulum all(x(start = 1.5, fixed = true), y(start = 0, fixed = true), vx(start = 0, fixed = true), vy(start = 0, fixed = true));
    Pendulum speeds(x(start = 0.9), y(start = 1.2), vx(start = -4), vy(start = 1, fixed = true)) "the places stay";
    Real z;
    Real error[6] = {beside.y + 1.5*cos(beside_phi.phi), all.x - 1.5*sin(beside_phi.phi), below.x - 1.5*sin(below_phi.phi),
      round.x + 1.5*sin(below_phi.phi), still.x - 1.5*sin(still_phi.phi), still.vx - 1.5*still_phi.w*cos(still_phi.phi)};
    Real worst = max(abs(error[k]) for k in 1:6);
  initial equation
    z = 3;
  equation
    if time < 0.4 then
      der(z) = -1;
    else
      z = 5;
    end if;
  end All;
end InvariantStarts;
// expect max(worst) <= 1e-6
// expect speeds.x(0) = 0.9 +- 1e-12
// expect speeds.y(0) = 1.2 +- 1e-12
// expect speeds.vx(0) = -4/3 +- 1e-12
// expect z(0.3) = 2.7 +- 1e-9
