// With --bounds error the run ends at the first violation.
// run: --bounds error --stop 2 --step 0.01
// expect exit 4
// expect error R631 at 8
// expect message at time 0.6345
// expect time(0.6) = 0.6 +- 1e-9
model BoundsError
  Real temperature(start = 10, fixed = true, min = 6.001 - 2.6);
  parameter Real drop = 10.4;
equation
  der(temperature) = -drop;
end BoundsError;
