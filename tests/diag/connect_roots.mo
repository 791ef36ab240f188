package Frames
  type Orientation
    extends Real;
    function equalityConstraint
      input Orientation a;
      input Orientation b;
      output Real residue[0];
    algorithm
      residue := fill(0.0, 0);
    end equalityConstraint;
  end Orientation;
  connector Frame
    Orientation R;
    flow Real t;
  end Frame;
  model Fixed
    Frame f;
  equation
    Connections.root(f.R);
    f.R = 0;
  end Fixed;
  model Bar
    Frame a;
    Frame b;
  equation
    Connections.branch(a.R, b.R);
    Connections.branch(b.R, a.R);
    a.R = b.R;
    a.t + b.t = 0;
  end Bar;
  model Truss
    Fixed left;
    Fixed right;
    Bar bar;
  equation
    connect(left.f, bar.a);
    connect(bar.b, right.f);
  end Truss;
end Frames;
// expect C003 at 27:5
