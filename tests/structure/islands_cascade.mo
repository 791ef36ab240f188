// Each tank feeds the next; what flows out of the last is only shown. The order of declaration is against the flow.
model Cascade
  Real low(start = 0, fixed = true), middle(start = 0, fixed = true), top(start = 1, fixed = true);
  Real out = 2*low, both = middle + low;
  Real source = 1 + sin(time);
equation
  der(top) = source - top;
  der(middle) = top - middle;
  der(low) = middle - low;
end Cascade;
