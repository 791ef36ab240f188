// Where the last bounces are left out the speed jumps to 0, in the instant of the last one that is made: relations of it change there,
// so that the row after it agrees with all equations.
// run: --stop 2 --intervals 100
// solvers: rk45 rosenbrock
// expect max(wrong) = 0 +- 0
// expect up(2) = 0 +- 0
model ContactRestRelation
  Real h(start = 0.35, fixed = true), v(start = 0, fixed = true);
  Boolean up = v > 2e-5;
  Real wrong = if up then (if noEvent(abs(v) < 1e-9) then 1 else 0) else 0;
equation
  der(h) = v;
  der(v) = -10;
  when h <= 0 then
    reinit(v, -0.4*pre(v));
  end when;
end ContactRestRelation;
