package ParallelSprings "masses with two springs between the same two, and one between each two of three"
  connector Flange
    Real s;
    flow Real f;
  end Flange;

  model Mass
    Flange a, b;
    parameter Real m = 1;
    Real s, v, acc;
  equation
    s = a.s;
    s = b.s;
    v = der(s);
    acc = der(v);
    m*acc = a.f + b.f;
  end Mass;

  model Spring "states of its own, as far as possible"
    Flange a, b;
    parameter Real c = 1, d = 0;
    Real s_rel(stateSelect = StateSelect.prefer), v_rel(stateSelect = StateSelect.prefer), a_rel, f;
  equation
    s_rel = b.s - a.s;
    v_rel = der(s_rel);
    a_rel = der(v_rel);
    f = c*s_rel + d*v_rel;
    b.f = f;
    a.f = -f;
  end Spring;

  model Two "masses 1 and 2: the relative motion is that of one mass 2/3 on a spring 2 + 4"
    Mass p(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true));
    Mass q(m = 2, s(start = 3, fixed = true), v(start = 0, fixed = true));
    Spring x(c = 2), y(c = 4);
  equation
    connect(p.b, x.a);
    connect(x.b, q.a);
    connect(y.a, q.a);
    connect(p.b, y.b);
  end Two;

  model Three "one between each two, with equal masses: every difference swings with w^2 = 3 c/m"
    Mass p(m = 2, s(start = 1, fixed = true), v(start = 0, fixed = true));
    Mass q(m = 2, s(start = 0, fixed = true), v(start = 0.5, fixed = true));
    Mass r(m = 2, s(start = -4, fixed = true), v(start = 0.5, fixed = true));
    Spring x(c = 6), y(c = 6), z(c = 6);
  equation
    connect(r.b, z.a);
    connect(z.b, p.a);
    connect(q.b, y.a);
    connect(p.b, x.a);
    connect(y.b, r.a);
    connect(x.b, q.a);
  end Three;

  model All
    Two two;
    Three three;
    annotation(experiment(StopTime = 2));
  end All;
end ParallelSprings;
// class: ParallelSprings.All
// run: --rtol 1e-9
// solvers: rk45 ida rosenbrock
// expect two.p.s(2) = 2 - 2*cos(3*2) +- 1e-5
// expect two.q.s(2) = 2 + cos(3*2) +- 1e-5
// expect two.q.v(1) = -3*sin(3) +- 1e-5
// expect two.y.s_rel(1) = -3*cos(3) +- 1e-5
// expect three.p.s(2) = -1 + 2/3 + 2*cos(6) - 1/9*sin(6) +- 1e-5
// expect three.q.s(2) = -1 + 2/3 + cos(6) + 1/18*sin(6) +- 1e-5
// expect three.r.s(2) = -1 + 2/3 - 3*cos(6) + 1/18*sin(6) +- 1e-5
