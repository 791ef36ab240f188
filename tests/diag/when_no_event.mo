// MLS 3.6 sections 8.3.5 and 8.5: the condition of a when is a discrete-time expression; under noEvent a relation is none.
// expect V001 at 10:3
// expect V001 at 14:3
// says: of this when changes between events
model WhenNoEvent
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = 1;
  when noEvent(x > 1) then
    n = 1;
  end when;
algorithm
  when {x > 2, noEvent(x > 3)} then
    m := 1;
  end when;
end WhenNoEvent;
