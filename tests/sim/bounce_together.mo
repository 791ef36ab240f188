// Two balls that fall side by side, and act on each other a little: they touch the floor at the same instants but for a rounding, so
// that in some events the second one finds itself on the floor, falling, when the first one has bounced. It bounces then, too, and
// leaves the floor; it does not fall through it.
// run: --stop 5
// solvers: auto rk45 rosenbrock
// expect h[1](5) = 0 +- 1e-9
// expect h[2](5) = 0 +- 1e-9
// expect min(h[1]) >= -1e-9
// expect min(h[2]) >= -1e-9
// expect h[3](5) = 0 +- 1e-9
// expect min(h[4]) >= -1e-9
model BounceTogether
  parameter Real e[2] = {0.6, 0.8};
  Real h[4](start = {0.5, 0.5, 0.35, 0.35}, each fixed = true), v[4](each start = 0, each fixed = true);
equation
  for i in 1:4 loop
    der(h[i]) = v[i];
    der(v[i]) = -9.81 - 0.01*(v[i] - v[if mod(i, 2) == 1 then i + 1 else i - 1]);
    when h[i] <= 0 then
      reinit(v[i], -e[div(i + 1, 2)]*pre(v[i]));
    end when;
  end for;
end BounceTogether;
