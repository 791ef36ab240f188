// A mass on a thread that becomes loose: its equations change with the mode. V is the unit of length; A is not used.
// On the thread its distance from the fixed point is on the limit of a relation but for rounding: units are powers of 2, so that
// roundings are the same.
// units: binary
// stop: 3
model Thread
  parameter Real V = 1, A = 1, S = 1;
  parameter Real L = V, g = 9.81*V/S^2, m = 1;
  Real x(start = 0, fixed = true, nominal = V), y(start = -L, nominal = V);
  Real vx(start = sqrt(3.7*g*L), fixed = true, nominal = V/S), vy(start = 0, nominal = V/S), F(nominal = V/S^2);
  Real radial = (x*vx + y*vy)/L;
  Boolean tight(start = true, fixed = true), pushing(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  pushing = F < 0;
  tight = if pre(tight) then not pre(pushing) else x^2 + y^2 >= L^2 and pre(radial) > 1e-6*V/S;
  if tight then
    x^2 + y^2 = L^2;
  else
    F = 0;
  end if;
end Thread;
