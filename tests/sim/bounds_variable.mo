// A variable that leaves its bounds is told once, with the first point at which that is seen: level = 2 - 5*t just after 0.4,
// the discrete count at its event, the state only at a step, further elements of an array together.
// run: --stop 1 --step 0.002
// expect exit 0
// expect error R630 at 18
// expect message at time 0.4000
// expect message is less than its min = 0
// expect error R630 at 19
// expect message at time 0.6: `count` = 4 is more than its max = 3
// expect error R630 at 20
// expect message at time 0.402: `half[1]` =
// expect message 2 more variables left their bounds: `half[2]`, `half[3]`
// expect message at time 0.402: `of.m` =
// expect level(1) = -3 +- 1e-6
model Of
  Real m(max = 1); end Of;
model BoundsVariable
  Real level(start = 2, fixed = true, min = 0);
  Integer count(max = 3, start = 0, fixed = true);
  Real half[3](each min = 0) = {level/k for k in 2:4};
  Real same(min = 0) = level;
  Of of(m = 1 - level);
equation
  der(level) = -5;
  when sample(0.15, 0.15) then
    count = pre(count) + 1;
  end when;
end BoundsVariable;
