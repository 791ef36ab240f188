// A line of 150 resistors and capacitors, both ends grounded: one shape that decays with a rate known in closed form.
// run: --rtol 1e-7
// expect middle(0.1) = exp(-0.1*2*151**2*(1 - cos(pi/151)))*sin(pi*75/151) +- 1e-5
// expect steps <= 1200
// expect rhs_evaluations <= 6000
model SolverRcLine
  constant Integer n = 150;
  constant Real pi = 3.14159265358979323846;
  Real u[n](start = {sin(pi*k/(n + 1)) for k in 1:n}, each fixed = true);
  Real middle = u[75];
equation
  for k in 1:n loop
    der(u[k]) = (n + 1)^2*((if k > 1 then u[max(k - 1, 1)] else 0) - 2*u[k] + (if k < n then u[min(k + 1, n)] else 0));
  end for;
  annotation(experiment(StopTime = 0.1));
end SolverRcLine;
