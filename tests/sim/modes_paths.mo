package Paths "states that meet by way of other equations: charge is kept, whatever makes them equal"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Node
    Pin p;
    parameter Real C = 1;
  equation
    C*der(p.v) = p.i;
  end Node;
  model Edge
    Pin a, b;
  equation
    a.i + b.i = 0;
    a.v = b.v;
  end Edge;
  model Connections "edges hang on their nodes at one end"
    Real u[3](start = {-6, 5, 2}, each fixed = true);
    Node n[3](C = {2.5, 1, 1});
    Edge e[2];
    Boolean on[2] = {time > 0.6 and time < 0.9, time > 0.2 and time < 0.5};
    discrete Real q[2](each start = 0, each fixed = true) "charge that went through the edges";
  equation
    for k in 1:3 loop
      n[k].p.v = u[k];
    end for;
    for k in 1:2 loop
      if on[k] then
        connect(n[1].p, e[k].a);
      end if;
      connect(e[k].b, n[k + 1].p);
      when abs(impulse(e[k].a.i)) > 0 then
        q[k] = pre(q[k]) + impulse(e[k].a.i);
      end when;
    end for;
  end Connections;
  model Difference "the voltage of a switch, which is 0 in one mode"
    Real u1(start = 10, fixed = true), u2(start = 2, fixed = true), u3, i, d;
  equation
    der(u1) = -i;
    3*der(u2) = i;
    u3 = u1 - d;
    u3 = u2;
    if time > 0.5 then
      d = 0;
    else
      i = 0;
    end if;
  end Difference;
  model All
    Connections c;
    Difference d;
  end All;
end Paths;
// class: Paths.All
// run: --rtol 1e-8
// solvers: rk45 ida rosenbrock euler
// expect c.u[1](0.3) = (-15 + 2)/3.5 +- 1e-12
// expect c.u[3](0.3) = (-15 + 2)/3.5 +- 1e-12
// expect c.q[2](1) = -8 + 8/3.5 +- 1e-12
// expect c.u[1](0.7) = ((-15 + 2)/3.5*2.5 + 5)/3.5 +- 1e-12
// expect c.u[2](1) = ((-15 + 2)/3.5*2.5 + 5)/3.5 +- 1e-12
// expect c.u[3](1) = (-15 + 2)/3.5 +- 1e-12
// expect d.u1(1) = 4 +- 1e-12
// expect d.u2(1) = 4 +- 1e-12
