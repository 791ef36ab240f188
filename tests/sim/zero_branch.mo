// While it is locked, the equation says nothing about s, which then keeps its value (MLS has no rule; nearest to the last one).
// run: --stop 2 --rtol 1e-8
// expect s(0.5) = 3 +- 1e-9
// expect a(0.5) = 0 +- 1e-12
// expect s(2) = 2 +- 1e-9
// expect a(2) = 2 +- 1e-9
model ZeroBranch
  Boolean locked = time < 1;
  Real a = if time < 1 then 0 else time, s(start = 3);
equation
  a = if locked then 0 else s;
end ZeroBranch;
