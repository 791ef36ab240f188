// A relation of a mixed system, for which there is no formula, is true for a short time in a step that ends at a later event of one
// for which there is: q is sin(7*time) - 0.95 where that is positive, from 1/7*asin(0.95) = 0.17897 to 0.26983, and floor(2*sin(1.2*time))
// changes at 0.43633.
// run: --stop 0.9 --intervals 3
// solvers: auto rk45 rosenbrock cvode
// expect state_events = 3
// expect n(0.9) = 1
model CrossingBesideFormula
  Real s(start = -0.1), q, u;
  Boolean blocks(start = true);
  Real f = floor(2*sin(1.2*time));
  Integer n(start = 0, fixed = true);
equation
  blocks = s < 0;
  u = if blocks then s else 0;
  q = if blocks then 0 else s;
  sin(7*time) - 0.95 - 0.001*f = u + q;
  when not blocks then
    n = pre(n) + 1;
  end when;
end CrossingBesideFormula;
