package Frames "a ring of bars: one connection becomes a constraint"
  record Orientation
    Real c;
    Real s;
    encapsulated function equalityConstraint
      import Frames.Orientation;
      input Orientation a;
      input Orientation b;
      output Real residue[1];
    algorithm
      residue[1] := a.c*b.s - a.s*b.c;
    end equalityConstraint;
  end Orientation;
  connector Frame
    Real x;
    flow Real f;
    Orientation R;
    flow Real t;
  end Frame;
  model World
    Frame f;
  equation
    Connections.root(f.R);
    f.R = Orientation(1, 0);
    f.x = 0;
  end World;
  model Bar
    Frame a, b;
  equation
    Connections.branch(a.R, b.R);
    a.R = b.R;
    a.x = b.x + 1e-3*b.f;
    a.f + b.f = 0;
    a.t + b.t = 0;
  end Bar;
  model Joint
    Frame a, b;
    Real phi;
  equation
    Connections.branch(a.R, b.R);
    b.R.c = a.R.c*cos(phi) - a.R.s*sin(phi);
    b.R.s = a.R.s*cos(phi) + a.R.c*sin(phi);
    a.x = b.x;
    a.f + b.f = 0;
    a.t = 0;
    b.t = 0;
  end Joint;
  model Spring "carries no orientation: its ends may be roots of their own"
    Frame a, b;
  equation
    Connections.potentialRoot(a.R);
    Connections.potentialRoot(b.R, 2);
    a.f = 5*(a.x - b.x);
    a.f + b.f = 0;
    a.t = 0;
    b.t = 0;
  end Spring;
  model Floating "its orientation is its own business unless somebody else gives it"
    Frame f;
  equation
    Connections.potentialRoot(f.R);
    f.x = 1;
    if Connections.isRoot(f.R) then
      f.R = Orientation(0, 1);
    end if;
  end Floating;
  model Ring
    World w, v;
    Bar p, q;
    Joint j;
    Spring s;
    Floating alone;
  equation
    connect(w.f, p.a);
    connect(p.b, q.a);
    connect(q.b, j.a);
    connect(j.b, w.f);
    connect(s.a, p.b);
    connect(s.b, v.f);
  end Ring;
end Frames;
