model Way
  parameter Real goal = 2;
  discrete Real target(start = 1, fixed = true);
equation
  when time > target then
    target = target + goal;
  end when;
end Way;
// expect D401 at 5:3
