package StringPendulum "A mass on a thread that goes slack and tight again"
  // Enge-Rosenblatt, Bastian, Clauss, Schwarz: Numerical simulation of continuous systems with structural dynamics, section 5. In
  // Cartesian coordinates: nothing says what happens where the thread becomes tight, the jump of the speed and the pulse of the
  // force follow from the constraint.
  model Thread
    parameter Real L(unit = "m") = 1, g(unit = "m/s2") = 9.81, m(unit = "kg") = 1;
    parameter Real q(unit = "1") = 3.5 "Square of the speed at the start over g*L";
    Real x(unit = "m", start = 0, fixed = true), y(unit = "m", start = -L);
    Real vx(unit = "m/s", start = sqrt(q*g*L), fixed = true), vy(unit = "m/s", start = 0), F(unit = "N") "Of the thread";
    Real r(unit = "m") = sqrt(x^2 + y^2) "Distance from the fixed point";
    Real phi(unit = "rad", displayUnit = "deg", start = 0, fixed = true) "From the lowest point, counted on through full turns";
    Real radial(unit = "m/s") = (x*vx + y*vy)/L, w(unit = "rad/s") = (x*vy - y*vx)/(x^2 + y^2);
    Boolean tight(start = true, fixed = true), pushing(start = false, fixed = true) "The thread would have to push";
    discrete Real loose(unit = "s", start = 0, fixed = true), caught(unit = "s", start = 0, fixed = true) "When it last became so";
    discrete Real turn(unit = "rad/s", start = 0, fixed = true) "w when it last became tight";
    discrete Real area(unit = "N.s", start = 0, fixed = true) "Of the pulse of F then";
  equation
    der(x) = vx;
    der(y) = vy;
    der(phi) = w;
    m*der(vx) = -F*x/L;
    m*der(vy) = -F*y/L - m*g;
    pushing = F < 0;
    tight = if pre(tight) then not pre(pushing) else x^2 + y^2 >= L^2 and pre(radial) > 1e-6;
    if tight then
      x^2 + y^2 = L^2;
    else
      F = 0;
    end if;
    when not tight then
      loose = time;
    end when;
    when tight then
      caught = time;
      turn = w;
      area = impulse(F);
    end when;
  end Thread;

  model TwoTurns "Goes round twice and becomes loose each time, then swings"
    extends Thread(q = 4.5);
    annotation(experiment(StopTime = 5, Tolerance = 1e-10, Interval = 0.01), Documentation(figures = {
      Figure(title = "String pendulum: path", identifier = "path", plots = {
        Plot(x = Axis(label = "x"), y = Axis(label = "y"), curves = {Curve(x = x, y = y, legend = "")})}),
      Figure(title = "String pendulum: coordinates", identifier = "coordinates", plots = {
        Plot(y = Axis(label = "position"), curves = {Curve(y = x, legend = "x"), Curve(y = y, legend = "y")})}),
      Figure(title = "String pendulum: angle", identifier = "angle", plots = {
        Plot(y = Axis(label = "angle", unit = "deg"), curves = {Curve(y = phi, legend = "")})}),
      Figure(title = "String pendulum: force of the thread", identifier = "force", plots = {
        Plot(y = Axis(label = "force"), curves = {Curve(y = F, legend = "")})}),
      Figure(title = "String pendulum: distance from the fixed point", identifier = "distance", plots = {
        Plot(y = Axis(label = "distance"), curves = {Curve(y = r, legend = "")})})}));
  end TwoTurns;

  model Threads
    Thread slow(q = 3.5) "Lands at the lowest point", fast(q = 4.5) "Becomes loose twice";
    annotation(experiment(StopTime = 5, Tolerance = 1e-10, Interval = 0.01));
  end Threads;
  // closed forms: cos(phi) = (2 - q)/3 where it becomes loose, 4*v*sin(phi)/g until it is tight
  // solvers: auto rk45 rosenbrock cvode ida
  // expect slow.caught(1.5) = 0.4819942835 + 0.7820618870 +- 2e-8
  // expect slow.turn(1.5) = -1.107362 +- 1e-6
  // expect slow.loose(5) = 0.4819942835 +- 1e-8
  // expect fast.loose(1) = 0.5199399633 +- 1e-8
  // expect fast.caught(1.5) = 1.1643762059 +- 3e-8
  // expect fast.turn(1.5) = 4.21819611 +- 2e-6
  // expect fast.loose(2) = 1.9104325641 +- 3e-8
  // expect fast.caught(3) = 2.6870081444 +- 5e-8
  // expect fast.turn(3) = -1.41389652 +- 2e-6
  // it becomes loose at cos(phi) = -5/6, and where it did so for the last time; afterwards it swings by so much
  // expect max(fast.r) <= 1 + 1e-8
  // expect fast.x(1) = sin(acos(-5/6)) + sqrt(9.81*5/6)*(-5/6)*(1 - 0.5199399633) +- 1e-6
  // tracks: structure; slow.tight; fast.tight
  // track slow.tight | not tight | total = 0.7820618870 +- 2e-8
  // track fast.tight | not tight | total = 0.6444362426 + 0.7765755803 +- 6e-8
  // track structure | not slow.tight, not fast.tight | total = 0.6444362426 +- 3e-8
  // track structure | slow.tight, not fast.tight | total = 0.7765755803 +- 6e-8
  // speed towards the outside before it is tight: 8*v*c*s^3, c = -cos(phi), s = sin(phi), v = sqrt(g*L*c)
  // expect slow.area(1.5) = 8*sqrt(9.81*0.5)*0.5*0.75**1.5 +- 1e-6
end StringPendulum;
