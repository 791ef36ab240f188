// expect exit 4
// expect error R604 at 9
// expect message `1.0/(time - 0.5)` has no value: division by zero
// expect y(0.25) = -4 +- 1e-9
// expect y(0.5) = -4 +- 1e-9
model BadDiscrete
  discrete Real y(start = 0, fixed = true);
equation
  when sample(0.25, 0.25) then
    y = 1/(time - 0.5);
  end when;
end BadDiscrete;
