// Forty parts slide at once, from 0.001 i on, a quarter of the time above, and a sum is read: each of them is varied alone. As one
// part, so many surfaces would not be followed.
// islands: on
// run: --stop 1
// solvers: rk45 cvode
// expect total(1) = 40*(2 + 8/4) + exp(-1) +- 1e-4
// expect shown(1) = 3*40*(2 + 8/4) +- 1e-3
// expect energy(1) = 40*4 + (10 - 4)*0.82 + 1 - exp(-1) +- 1e-3
// expect slides = 40
model SlideReaderMany
  parameter Integer n = 40;
  Real x[n](start = {0.003*i for i in 1:n}, each fixed = true), power[n], total, shown;
  Real energy(start = 0, fixed = true), y(start = 1, fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = if x[i] > 0 then -3 else 1;
    power[i] = if x[i] > 0 then 10 else 2;
  end for;
  der(y) = -y;
  total = sum(power) + y;
  der(energy) = total;
  shown = 3*(total - y);
end SlideReaderMany;
