atomic Hold
  parameter Real period = 0.1;
  input Real x;
  output Real y;
  discrete Real held(start = 0);
hfss
  timeToInput = period;
  transition
    held := x;
  end transition;
  y = held;
end Hold;
// expect X001 at 6:1
