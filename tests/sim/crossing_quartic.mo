// Two windows in one step, and the whole run is one step: x = -(t - a)^2 (t - b)^2 is above -1e-8 for 29 us around a and b.
// run: --stop 6 --intervals 1 --rtol 1e-10 --step 6
// solvers: auto rk45 rkf45 rk4 rosenbrock
// expect n(6) = 2
// expect events = 4
// expect time(#1) = (6.19 - sqrt(3.45**2 + 4e-4))/2 +- 2e-7
// expect time(#2) = (6.19 - sqrt(3.45**2 - 4e-4))/2 +- 2e-7
// expect time(#3) = (6.19 + sqrt(3.45**2 - 4e-4))/2 +- 2e-7
// expect time(#4) = (6.19 + sqrt(3.45**2 + 4e-4))/2 +- 2e-7
model CrossingQuartic
  constant Real a = 1.37, b = 4.82;
  Real x(start = -(a*b)^2, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -2*(time - a)*(time - b)*(2*time - a - b);
  when x > -1e-8 then
    n = pre(n) + 1;
  end when;
end CrossingQuartic;
