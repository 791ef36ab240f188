// A diode and a nonlinear equation driven by the time alone, with one output interval: no error of a state limits the step. s changes its
// sign where sin(40 t) = -0.2, 12 times in 1 s, and y crosses 0.5 where cos(40 t) = 0.525, 13 times.
// run: --stop 1 --intervals 1
// solvers: auto rk45 rosenbrock cvode
// expect state_events = 25
// expect n(1) = 12
model CrossingWithoutStates
  Real s, u, i, v, y;
  Boolean off;
  Integer n(start = 0, fixed = true);
equation
  off = s < 0;
  u = if off then s else 0;
  i = if off then 0 else s;
  sin(40*time) + 0.3 - v = u + 0.8*i;
  v = 0.9*i + 0.1;
  y + 0.2*y^3 = cos(40*time);
  when {off, y > 0.5} then
    n = pre(n) + 1;
  end when;
end CrossingWithoutStates;
