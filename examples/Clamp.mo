model Clamp "A variable runs freely, then its value is prescribed: a state less, and a jump"
  Real x(start = 0, fixed = true);
equation
  if time < 0.5 then
    der(x) = 10;
  else
    x = -5;
  end if;
  annotation(experiment(StopTime = 1, Interval = 0.1));
  // expect x(0.5-) = 5 +- 1e-9
  // expect x(0.5) = -5 +- 1e-12
  // expect x(1) = -5 +- 1e-12
end Clamp;
