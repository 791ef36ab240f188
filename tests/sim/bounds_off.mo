// With --bounds off nobody looks, not even at parameters.
// run: --bounds off -p share=2
// expect exit 0
// expect no R630
// expect x(1) = -3 +- 1e-6
model BoundsOff
  parameter Real share(min = 0, max = 1) = 0.5;
  Real x(start = 1, fixed = true, min = 0);
equation
  der(x) = -2*share;
end BoundsOff;
