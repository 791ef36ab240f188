package Circuit
  model Resistor
    parameter Real R = 1;
    Real v = R*time;
  end Resistor;
  model Net
    Resitor r1;
  end Net;
end Circuit;
// expect N001 at 7:5
