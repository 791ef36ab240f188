// class: Pump
partial model Pump
  Real q;
end Pump;
// expect M006 at 2:15
