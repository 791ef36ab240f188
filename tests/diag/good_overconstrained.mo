package Phasor "overconstrained connectors: a ring of three nodes with one reference"
  type Angle
    extends Real(unit = "rad");
    function equalityConstraint
      input Angle a;
      input Angle b;
      output Real residue[0];
    algorithm
    end equalityConstraint;
  end Angle;
  connector Terminal
    Real v;
    flow Real i;
    Angle theta;
  end Terminal;
  model Source
    Terminal t;
  equation
    Connections.root(t.theta);
    t.theta = 314*time;
    t.v = 1;
  end Source;
  model Line
    parameter Real R = 1;
    Terminal a, b;
  equation
    Connections.branch(a.theta, b.theta);
    a.theta = b.theta;
    a.v - b.v = R*a.i;
    a.i + b.i = 0;
  end Line;
  model Load
    Terminal t;
  equation
    Connections.potentialRoot(t.theta);
    t.v = 10*t.i;
    if Connections.isRoot(t.theta) then
      t.theta = 0;
    end if;
  end Load;
  model Ring
    Source s;
    Line l1, l2(R = 2), l3(R = 3);
    Load p, q;
  equation
    connect(s.t, l1.a);
    connect(l1.b, l2.a);
    connect(l2.b, l3.a);
    connect(l3.b, s.t);
    connect(l1.b, p.t);
    connect(l2.b, q.t);
  end Ring;
end Phasor;
// expect nothing
