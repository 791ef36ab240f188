// terminate() ends the run in an event; the last event of all, for terminal(), follows it at the same time.
// run: --stop 5
// instants: 2
model Finish
  Real x(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
  Boolean done(start = false, fixed = true);
equation
  der(x) = 1;
  done = x > 2;
  when done then
    terminate("far enough");
  end when;
  when terminal() then
    last = time;
  end when;
end Finish;
