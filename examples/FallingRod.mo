package FallingRod "A rod falls on its end and sticks to the ground or slips"
  // Mosterman 2000, chapter 2 and section 7: whether it slips depends on the areas of the pulses, not on forces that stay finite.
  // With P for areas, v the speed and th the angle from the horizontal at the impact: it sticks while Pt = 3/4*m*v*sin(th)*cos(th) is
  // at most mu*Pn, Pn = m*v*(1 + 3*sin(th)^2)/4: at 45 degrees from mu = 0.6 on.
  model Rod
    parameter Real m(unit = "kg") = 2, l(unit = "m") = 0.5 "Half of the length", mu(unit = "1") = 0.7, g(unit = "m/s2") = 9.81;
    parameter Real J(unit = "kg.m2") = m*l^2/3;
    Real x(unit = "m", start = 0, fixed = true), y(unit = "m", start = l*sqrt(0.5) + 0.03, fixed = true) "Of the middle";
    Real th(unit = "rad", start = 0.7853981633974483, fixed = true);
    Real vx(unit = "m/s", start = 0, fixed = true), vy(unit = "m/s", start = -3, fixed = true), w(unit = "rad/s", start = 0, fixed = true);
    Real Fn(unit = "N"), Ft(unit = "N") "On the lower end";
    Real s "Curve parameter of the friction: force at rest, force and speed when it slips";
    Real height(unit = "m") = y - l*sin(th);
    Real ux(unit = "m/s") = vx + l*w*sin(th), uy(unit = "m/s") = vy - l*w*cos(th) "Speed of the lower end";
    Boolean contact(start = false, fixed = true), pulling(start = false, fixed = true);
    Boolean forward(start = false), backward(start = false);
    discrete Real Pn(unit = "N.s", start = 0, fixed = true), Pt(unit = "N.s", start = 0, fixed = true);
    discrete Real v(unit = "m/s", start = 0, fixed = true) "Downwards, before the impact";
  equation
    der(x) = vx;
    der(y) = vy;
    der(th) = w;
    m*der(vx) = Ft;
    m*der(vy) = Fn - m*g;
    J*der(w) = Ft*l*sin(th) - Fn*l*cos(th);
    pulling = Fn < 0;
    contact = if pre(contact) then not pre(pulling) else height <= 0 and pre(uy) < 0;
    forward = s > mu*Fn;
    backward = s < -mu*Fn;
    if contact then
      uy = 0;
      if forward then
        Ft = -mu*Fn;
        ux = s - mu*Fn;
      elseif backward then
        Ft = mu*Fn;
        ux = s + mu*Fn;
      else
        Ft = -s;
        ux = 0;
      end if;
    else
      Fn = 0;
      Ft = 0;
      s = 0;
    end if;
    when contact then
      Pn = impulse(Fn);
      Pt = impulse(Ft);
      v = -pre(vy);
    end when;
  end Rod;

  model Rods
    Rod sticks(mu = 0.7), slips(mu = 0.5);
    Real stuck = sticks.Pn/max(1e-9, sticks.m*sticks.v), slipped = slips.Pn/max(1e-9, slips.m*slips.v);
    annotation(experiment(StopTime = 0.02, Tolerance = 1e-9, Interval = 1e-3));
  end Rods;
  // expect stuck(0.02) = 0.625 +- 1e-9
  // expect slipped(0.02) = 1/1.75 +- 1e-9
  // expect sticks.v(0.02) = sqrt(9 + 2*9.81*0.03) +- 1e-8
  // expect sticks.Pt(0.02) = 0.375*2*sqrt(9 + 2*9.81*0.03) +- 1e-8
  // expect slips.Pt(0.02) = 0.5*2*sqrt(9 + 2*9.81*0.03)/1.75 +- 1e-8
  // expect sticks.ux(0.02) = 0 +- 1e-9
  // expect max(slips.ux) <= 1e-9
  // expect slips.backward(0.02) = 1
end FallingRod;
