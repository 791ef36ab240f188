// Parameters outside of their min and max are refused, wherever the value comes from.
// class: BoundsParameter
// run: -p gap=-0.25
// expect exit 1
// expect error V005 at 23
// expect message `gap` = -0.25 is less than its min = 0
// expect error V005 at 24
// expect message `twice` = -0.5 is less than its min = -0.25
// expect error V005 at 25
// expect message `n` = 9 is more than its max = 8
// expect error V005 at 27
// expect message `k` = c is more than its max = b
// expect error V005 at 28
// expect message `a[2]` = 3.5 is more than its max = 3
// expect error V005 at 19
// expect message `part.share` = 1.25 is more than its max = 1
// expect message its values lie between 0 and 1
model Part
  parameter Real share(min = 0, max = 1) = 0.5;
end Part;

model BoundsParameter
  parameter Real gap(min = 0) = 0.25;
  parameter Real twice(min = -0.25) = 2*gap;
  parameter Integer n(min = 1, max = 8) = 9;
  type K = enumeration(a, b, c);
  parameter K k(max = K.b) = K.c;
  parameter Real a[2](max = {2, 3}) = {2, 3.5};
  Part part(share(max = 1) = 1.25);
  Real x = gap*time;
end BoundsParameter;
