model Heater "a stray character from a word processor"
  Real T(start = 293, fixed = true);
equation
  der(T) = 0.1 × (350 - T);
end Heater;
// expect P001 at 4:16
