model Events
  Real x(start = 0, fixed = true);
  Real a = noEvent(if x > 0.5 then x else 0);
  Real b = smooth(0, if x > 0.5 then x else 0.5);
  Real c = homotopy(actual = x^3, simplified = x);
  Real d = delay(x, 0.1);
  Real e = floor(x) + mod(x, 0.3) + abs(x) + sign(x - 1) + div(x, 0.2) + integer(x);
  Real f = semiLinear(x - 0.5, 2, 3);
  Boolean g = initial() or x > 0.25 and not x > 0.75;
equation
  der(x) = 1;
end Events;
