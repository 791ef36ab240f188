// A model that says itself what follows its last bounce, when that cannot be told from contact any more: no accumulation is reported.
// run: --stop 12
// solvers: rk45 cvode ida rosenbrock
// expect v(12) = 0 +- 0
// expect flying(12) = 0 +- 0
// expect h(12) = 0 +- 1e-8
// expect h(0.24) = 0.8 - 9.81/2*0.0576 +- 1e-5
model ZenoOwnRest
  parameter Real e = 0.6;
  Real h(start = 0.8, fixed = true), v(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true), impact = h <= 0;
  discrete Real w;
equation
  der(h) = v;
  der(v) = if flying then -9.81 else 0;
  when {h <= 0 and v <= 0, impact} then
    w = if edge(impact) then -e*pre(v) else 0;
    flying = w > 0;
    reinit(v, w);
  end when;
end ZenoOwnRest;
