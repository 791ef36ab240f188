package Collision "Two bodies on a line meet; speeds after the impact by Newton's rule"
  // Mosterman 2000, section 4.4 and appendix A: contact where the distance is used up and the bodies approach. Momentum is kept.
  model Pair
    parameter Real m1(unit = "kg") = 2, m2(unit = "kg") = 1;
    parameter Real e(unit = "1", min = 0, max = 1) = 0.5 "Restitution";
    parameter Real distance(unit = "m") = 1;
    Real x1(unit = "m", start = 0, fixed = true), x2(unit = "m", start = distance, fixed = true);
    Real v1(unit = "m/s", start = 3, fixed = true), v2(unit = "m/s", start = 0, fixed = true);
    Real momentum(unit = "kg.m/s") = m1*v1 + m2*v2;
    discrete Real area(unit = "N.s", start = 0, fixed = true) "Of the force during the last impact";
  equation
    der(x1) = v1;
    der(x2) = v2;
    der(v1) = 0;
    der(v2) = 0;
    when x1 >= x2 and v1 > v2 then
      area = (1 + e)*m1*m2/(m1 + m2)*(v1 - v2);
      reinit(v1, v1 - area/m1);
      reinit(v2, v2 + area/m2);
    end when;
  end Pair;

  model Impacts "Different masses and restitutions"
    Pair half(e = 0.5), plastic(e = 0), elastic(e = 1);
    Pair equal(m1 = 1, m2 = 1, e = 0, v1(start = 1));
    annotation(experiment(StopTime = 2, Tolerance = 1e-9, Interval = 0.01));
  end Impacts;
  // expect time(#1) = 1/3 +- 1e-10
  // expect half.v1(2) = 1.5 +- 1e-12
  // expect half.v2(2) = 3 +- 1e-12
  // expect half.area(2) = 3 +- 1e-12
  // expect plastic.v1(2) = 2 +- 1e-12
  // expect plastic.v2(2) = 2 +- 1e-12
  // expect plastic.area(2) = 2 +- 1e-12
  // expect elastic.v1(2) = 1 +- 1e-12
  // expect elastic.v2(2) = 4 +- 1e-12
  // expect elastic.area(2) = 4 +- 1e-12
  // expect time(#2) = 1 +- 1e-10
  // expect equal.v1(2) = 0.5 +- 1e-12
  // expect equal.v2(2) = 0.5 +- 1e-12
  // expect min(half.momentum) >= 6 - 1e-12
  // expect max(half.momentum) <= 6 + 1e-12
end Collision;
