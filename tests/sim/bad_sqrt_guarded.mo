// The branch that is not taken is not evaluated.
// expect y(1) = 0 +- 0
// expect y(0.3) = sqrt(0.2) +- 1e-6
model BadSqrtGuarded
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = if noEvent(x > 0.5) then sqrt(x - 0.5) else 0;
end BadSqrtGuarded;
