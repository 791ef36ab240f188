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
    Real s;
    flow Real f;
    Orientation R;
  end Frame;
  model Bar
    Frame a;
    Frame b;
  equation
    Connections.branch(a.R, b.R);
    Connections.branch(b.R, a.R);
    a.R = b.R;
    a.s = b.s;
    a.f + b.f = 0;
  end Bar;
  model Truss
    Bar bar;
  equation
    Connections.root(bar.a.R);
    bar.a.R = 0;
    bar.a.s = 0;
  end Truss;
end Frames;
// expect C003 at 22:5
