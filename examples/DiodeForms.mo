package DiodeForms "Three ways to write an ideal diode (Otter, Remelhe, Engell, Mosterman 2000, section 3.1)"
  partial model Circuit "Source, resistor, diode, capacitor"
    Real v = 10*sin(6.283185307179586*time) "Source";
    Real u, i "Of the diode";
    Real uC(start = 2, fixed = true);
  equation
    v = i + u + uC;
    der(uC) = i/0.5 - uC/10;
  end Circuit;

  model Curve "As a parameterised curve"
    extends Circuit;
    Real s;
    Boolean off(start = true);
  equation
    off = s < 0;
    u = if off then s else 0;
    i = if off then 0 else s;
  end Curve;

  model Transitions "As two states with transitions"
    extends Circuit;
    Boolean off(start = true, fixed = true);
  equation
    off = if pre(off) then not u > 0 else i < 0;
    0 = if off then i else u;
  end Transitions;

  model Complementarity "i >= 0, -u >= 0, i*u = 0 in one equation"
    extends Circuit;
  equation
    0 = if i < -u then i else -u;
  end Complementarity;

  model Three
    Curve curve;
    Transitions transitions;
    Complementarity complementarity;
    Real apart2 = transitions.uC - curve.uC, apart3 = complementarity.uC - curve.uC;
    annotation(experiment(StopTime = 2, Tolerance = 1e-9, Interval = 0.01));
  end Three;
  // expect time(#1) = 0.03189 +- 1e-4
  // expect min(apart2) >= -1e-8
  // expect max(apart2) <= 1e-8
  // expect min(apart3) >= -1e-8
  // expect max(apart3) <= 1e-8
  // expect curve.off(0.1) = 0
  // expect curve.off(0.6) = 1
  // expect min(curve.i) >= -1e-9
  // expect max(curve.u) <= 1e-9
end DiodeForms;
