// While one part slides, another has events. What such an event only reads stays as it was, to the last bit: values computed from the
// record are those of the run.
// run: --stop 3 --intervals 500
// solvers: auto rk45
// expect s(3) = 0.05 +- 1e-9
// expect slides = 1
model SlideElsewhere
  "An event of one part while another slides: what it only reads stays as it is, to the last bit"
  Real u[4](start = {0.15*k for k in 1:4}, each fixed = true);
  Real y(start = 0.2), z(start = 0.2) "solved together, by iteration";
  Real w = 0.83*z "nobody reads it where steps are made";
  Real x(start = 0, fixed = true);
  Real s(start = 0.6, fixed = true) "slides";
equation
  for k in 1:4 loop
    der(u[k]) = -1.7*u[k] + tanh(u[mod(k, 4) + 1]) + 0.3/k;
  end for;
  y + 0.25*y^3 + 0.3*sin(z) = 0.5;
  z - 0.4*cos(y) = u[4]/3;
  der(x) = 2 + 0.4*sin(y + u[4]);
  when x > 0.31 then
    reinit(x, 0.2*tanh(w));
  end when;
  der(s) = if s > 0.05 then -2.2 else 1.9;
end SlideElsewhere;
