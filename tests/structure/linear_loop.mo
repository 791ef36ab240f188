// A voltage divider with a capacitor: currents and voltages determine each other.
model LinearLoop
  parameter Real R1 = 1, R2 = 2, C = 1;
  Real i1, i2, v, u(start = 0, fixed = true);
equation
  R1*i1 + v = 10;
  R2*i2 = v - u;
  i1 = i2 + v/5;
  C*der(u) = i2;
end LinearLoop;
