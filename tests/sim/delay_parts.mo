// Three parts that read what another one delays, each with steps of its own: none goes further than the past is known. Between its
// events x[j] rises by (1.834 + 0.37*j)*t + 0.12*(integral of y), from -0.1*j at its last event, whose instant follows from that.
// run: --stop 1.9 --rtol 1e-9 --intervals 1
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect x[1](1.9) = -0.060530728083788 +- 1e-6
// expect x[2](1.9) = 0.192469271916212 +- 1e-6
// expect x[3](1.9) = 0.445469271916211 +- 1e-6
// expect z(1.9) = 0.4*(sin(2.336)*0.307 + (cos(2.336) - cos(1.537*(1.9 - 0.307) + 2.336))/1.537) +- 1e-6
// expect state_events = 15
model DelayParts
  Real y, a, z(start = 0, fixed = true);
  Real x[3](start = {0.05*j for j in 1:3}, each fixed = true);
equation
  y = delay(sin(1.537*time + 2.336), 0.307);
  a = 0.4*y;
  der(z) = a;
  for j in 1:3 loop
    der(x[j]) = 1.834 + 0.37*j + 0.3*a;
    when x[j] > 0.753 then
      reinit(x[j], -0.1*j);
    end when;
  end for;
end DelayParts;
