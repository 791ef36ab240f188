// A call without result in a when-equation happens at each event.
// expect exit 4
// expect error R605 at 10
// expect message say was called with 0.75
// expect x(0.7) = 0.7 +- 1e-9
model WhenCall
  function say
    input Real x;
  algorithm
    assert(x < 0.6, "say was called with " + String(x));
  end say;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0, 0.25) then
    say(x);
  end when;
end WhenCall;
