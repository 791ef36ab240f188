model Slope
  discrete Real d(start = 0, fixed = true);
  Real s = der(d);
equation
  when time > 1 then
    d = 2;
  end when;
end Slope;
// expect D404 at 3:12
