// At the start, too.
// run: --stop 2
model TerminateInitial
  parameter Real room = 0;
  Real x(start = 1, fixed = true);
equation
  der(x) = 1;
  when initial() and room <= 0 then
    terminate("no room at all");
  end when;
end TerminateInitial;
