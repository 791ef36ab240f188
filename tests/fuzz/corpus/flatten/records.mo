package Points
  record Point
    Real x;
    Real y;
  end Point;
  record Segment
    Point a;
    Point b;
  end Segment;
  function middle
    input Segment s;
    output Point m;
  algorithm
    m := Point((s.a.x + s.b.x)/2, (s.a.y + s.b.y)/2);
  end middle;
  model Test
    parameter Point origin = Point(0, 0);
    Segment s(a = origin, b = Point(time, 2*time));
    Point m = middle(s);
    Point path[2] = {m, s.b};
  end Test;
end Points;
