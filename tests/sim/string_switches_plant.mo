// A String that is decided by what it switches is iterated like Integers and Booleans.
// expect v(0.25) = 0.25 +- 1e-9
// expect v(1) = 3 +- 1e-9
model string_switches_plant
  String level(start = "low", fixed = true);
  Real x(start = 0, fixed = true), v;
equation
  der(x) = 1;
  v = x + (if level == "high" then 2 elseif level == "mid" then 0.6 else 0);
  when x > 0.5 then
    level = if v > 1 then "high" else "mid";
  end when;
end string_switches_plant;
