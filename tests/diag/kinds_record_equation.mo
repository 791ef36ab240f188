model Shape
  record Point
    Real x;
    Real y;
  equation
    y = 2*x;
  end Point;
  Point p(x = time);
end Shape;
// expect N010 at 5:3
