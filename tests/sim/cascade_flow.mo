// Cells of a heat exchanger behind each other, all of which read the flow, heated by a thermostat: each read two parts, took the steps
// of all of those before it, and there were 22,000 of them in place of some hundred. With a constant flow the chain of
// equal cells would have closed form; here the heat that goes through is balanced.
// run: --stop 10 --intervals 100
// solvers: rk45 auto
// expect steps <= 1200
// expect balance(10) = 0 +- 1e-4
model CascadeFlow
  parameter Integer n = 40;
  Real T[n](each start = 0, each fixed = true), u(start = 0, fixed = true), m(start = 1, fixed = true);
  Real through(start = 0, fixed = true), balance;
  Boolean on(start = true, fixed = true);
equation
  der(u) = (if on then 2 else 0) - u;
  on = u < 0.6 or pre(on) and u < 1;
  der(m) = 0.5*(1 + 0.5*sin(time) - m);
  der(T[1]) = 5*m*(u - T[1]);
  for i in 2:n loop
    der(T[i]) = 5*m*(T[i - 1] - T[i]);
  end for;
  der(through) = 5*m*(u - T[n]);
  balance = through - sum(T);
end CascadeFlow;
