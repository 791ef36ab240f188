// Balls that do not know of each other: each has steps and events of its own, whatever the others do.
// solvers: auto rk45 cvode
// expect b[3].h(0.4) = 3 - 0.5*9.81*0.16 +- 1e-5
// expect b[1].n(0.5) = 1 +- 0
// expect b[2].n(0.5) = 0 +- 0
// expect b[1].v(0.5) = 9.81*(0.7*sqrt(2/9.81) - (0.5 - sqrt(2/9.81))) +- 1e-4
// expect b[2].v(1) = 9.81*(0.7*sqrt(4/9.81) - (1 - sqrt(4/9.81))) +- 1e-4
// expect b[3].v(1) = 9.81*(0.7*sqrt(6/9.81) - (1 - sqrt(6/9.81))) +- 1e-4
model PartsBalls
  model Ball
    parameter Real h0 = 1;
    Real h(start = h0, fixed = true), v(start = 0, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81;
    when h < 0 then
      reinit(v, -0.7*pre(v));
      n = pre(n) + 1;
    end when;
  end Ball;
  Ball b[3](h0 = {1, 2, 3});
  annotation(experiment(StopTime = 1));
end PartsBalls;
