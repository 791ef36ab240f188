// A chain of cells each of which has an event: T of cell i follows sin(t)/2 through i cells of gain 1/sqrt(1 + w^2). Parts that
// stand one behind the other are one; each took the steps of all before it (17,000 for some hundred).
// run: --stop 12 --rtol 1e-7 --intervals 120
// solvers: rk45 auto
// expect steps <= 1500
// expect T[1](12) = 0.5*(sin(12) - cos(12)/5)/(1 + 1/25) +- 1e-6
// expect T[30](12) = 0.5*(1 + 1/25)**(-15)*sin(12 - 30*atan(1/5)) +- 1e-3
// expect hot[1](12) = 1 +- 0
// expect hot[30](12) = 1 +- 0
model CascadeAlarms
  parameter Integer n = 30;
  Real T[n](each start = 0, each fixed = true), u(start = 0, fixed = true);
  Boolean hot[n](each start = false, each fixed = true);
equation
  der(u) = 0.5*cos(time);
  der(T[1]) = 5*(u - T[1]);
  for i in 2:n loop
    der(T[i]) = 5*(T[i - 1] - T[i]);
  end for;
  for i in 1:n loop
    when T[i] > 0.1 then
      hot[i] = true;
    end when;
  end for;
end CascadeAlarms;
