// Many parts under one function of time, each with events of its own: der(x) = sin(time) - k*x, and a count of its rises through 0.
// solvers: auto rk45 cvode
// expect p[1].x(6) = (1*sin(6) - cos(6) + exp(-1*6))/(1 + 1**2) +- 1e-5
// expect p[4].x(6) = (4*sin(6) - cos(6) + exp(-4*6))/(1 + 4**2) +- 1e-5
// expect p[1].n(12) = 1 +- 0
// expect p[4].n(12) = 1 +- 0
// expect total(12) = 4 +- 0
model PartsCommon
  model P
    parameter Real k = 1;
    input Real u;
    Real x(start = 0, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(x) = u - k*x;
    when x > 0.01 and time > 4 then
      n = pre(n) + 1;
    end when;
  end P;
  Real u = sin(time);
  P p[4](k = {1, 2, 3, 4}, each u = u);
  Integer total = sum(p.n);
  annotation(experiment(StopTime = 12));
end PartsCommon;
