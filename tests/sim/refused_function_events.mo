// GenerateEvents = true of functions whose bodies cannot be written as expressions, where events are made: inside noEvent and when
// they are as good as any.
// expect exit 1
// expect error X001 at 26
// expect error X001 at 29
// expect message GenerateEvents = true of function `RefusedFunctionEvents.f`
model RefusedFunctionEvents
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
    while y > 1 loop
      y := y - 1;
    end while;
    annotation(GenerateEvents = true);
  end f;
  function g
    input Real u;
    output Real y;
  algorithm
    assert(u < 7, "too large");
    y := if u > 1 then 1 else u;
    annotation(GenerateEvents = true);
  end g;
  Real a = f(time), b = noEvent(f(time)), c;
  discrete Real d;
equation
  c = g(time);
  when time > 1 then
    d = f(time);
  end when;
end RefusedFunctionEvents;
