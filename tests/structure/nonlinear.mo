// A diode behind a resistor: one iteration variable with start and nominal value.
model Nonlinear
  parameter Real R = 100;
  Real v(start = 0.6, nominal = 0.5), i(nominal = 1e-3), u(start = 5, fixed = true);
equation
  i = 1e-12*(exp(v/0.025) - 1);
  R*i = u - v;
  der(u) = -i;
end Nonlinear;
