// What terminate says is in the list, beside what fired: a text that is computed, and two of them in one pass.
// run: --stop 5
// instants: 0.75, 1.5
model Terminate
  Real level(start = 3, fixed = true);
  discrete Real seen(start = 0, fixed = true);
equation
  der(level) = -2;
  when level < 1.5 then
    seen = level;
  end when;
  when level < 0 then
    terminate("empty after " + String(seen, significantDigits = 3));
  end when;
algorithm
  when time >= 1.5 then
    terminate("time is up");
  end when;
end Terminate;
