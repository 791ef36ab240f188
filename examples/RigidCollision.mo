package RigidCollision "Bodies that meet: the contact is a constraint, the speeds after it follow from conservation alone"
  // Mosterman 2000, sections 4.4 and 4.6, appendix A, without any reinit. While they touch, Newton's rule binds the speeds; the force
  // has a Dirac pulse. The mode is left in the same instant if the bodies separate; with e = 0 they stay together.
  model Pair
    parameter Real m1(unit = "kg") = 2, m2(unit = "kg") = 1;
    parameter Real e(unit = "1", min = 0, max = 1) = 0.5 "Restitution";
    Real x1(unit = "m", start = 0, fixed = true), x2(unit = "m", start = 1, fixed = true);
    Real v1(unit = "m/s", start = 3, fixed = true), v2(unit = "m/s", start = 0, fixed = true);
    Real F(unit = "N") "Between them";
    Real momentum(unit = "kg.m/s") = m1*v1 + m2*v2;
    Boolean contact(start = false, fixed = true);
    discrete Real dv(unit = "m/s", start = 0, fixed = true) "Before the last impact";
    discrete Real area(unit = "N.s", start = 0, fixed = true) "Of the pulse of F";
  equation
    der(x1) = v1;
    der(x2) = v2;
    m1*der(v1) = -F;
    m2*der(v2) = F;
    contact = x1 >= x2 and (pre(v1) > pre(v2) or pre(contact) and not pre(v1) < pre(v2));
    when contact then
      dv = pre(v1) - pre(v2);
      area = impulse(F);
    end when;
    if contact then
      v1 - v2 = -e*dv;
    else
      F = 0;
    end if;
  end Pair;

  model Impacts "Different masses and restitutions"
    Pair half(e = 0.5), plastic(e = 0), elastic(e = 1);
    Pair equal(m1 = 1, m2 = 1, e = 0, v1(start = 1));
    Pair heavy(m1 = 1e3, m2 = 1e-3, e = 0.3, v2(start = -7));
    annotation(experiment(StopTime = 2, Tolerance = 1e-9, Interval = 0.01));
  end Impacts;
  // solvers: auto rk45 cvode ida rosenbrock
  // expect half.v1(2) = 1.5 +- 1e-12
  // expect half.v2(2) = 3 +- 1e-12
  // expect half.area(2) = 3 +- 1e-12
  // expect half.contact(2) = 0
  // expect plastic.v1(2) = 2 +- 1e-12
  // expect plastic.v2(2) = 2 +- 1e-12
  // expect plastic.area(2) = 2 +- 1e-12
  // expect plastic.contact(2) = 1
  // expect elastic.v1(2) = 1 +- 1e-12
  // expect elastic.v2(2) = 4 +- 1e-12
  // expect elastic.area(2) = 4 +- 1e-12
  // expect equal.v1(2) = 0.5 +- 1e-12
  // expect equal.v2(2) = 0.5 +- 1e-12
  // expect heavy.v1(2) = 3 - 1.3*1e-3/1000.001*10 +- 1e-12
  // expect heavy.v2(2) = -7 + 1.3*1e3/1000.001*10 +- 1e-11
  // expect heavy.area(2) = 1.3/1000.001*10 +- 1e-12
  // momentum
  // expect min(half.momentum) >= 6 - 1e-12
  // expect max(half.momentum) <= 6 + 1e-12
  // expect min(plastic.momentum) >= 6 - 1e-12
  // expect max(plastic.momentum) <= 6 + 1e-12
  // expect min(elastic.momentum) >= 6 - 1e-12
  // expect max(elastic.momentum) <= 6 + 1e-12
end RigidCollision;
