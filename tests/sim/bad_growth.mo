// The solution 1/(1 - t) ends at t = 1.
// run: --stop 2
// expect exit 4
// expect error R604
// expect message states with the largest part of the error: `x`
// expect x(0.5) = 2 +- 1e-4
// expect time = 1 +- 1e-4
model BadGrowth
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
end BadGrowth;
