// A motion that slides from the start on, here the floor that follows a sine, is led back to its surface as fast as it moves, not as
// fast as is guessed before the first step: the stiff coupling to the ball that rests on it took 30,000 steps, or the ball fell
// through. A relay follows the speed of the ball; another one does not see it.
// run: --stop 3 --intervals 300
// solvers: cvode ida
// expect f(3) = 0.04*sin(7.5) +- 2e-6
// expect h(3) = 0.04*sin(7.5) +- 2e-6
// expect v(3) = 0.1*cos(7.5) +- 5e-6
// expect r(3) = 0.1*cos(7.5) +- 5e-6
// expect rhs_evaluations = 4000 +- 4000
model ContactSlidesFloorLed
  Real h(start = 0.4, fixed = true), v(start = 0, fixed = true), r(start = 0.3, fixed = true);
  Real f(start = 0, fixed = true), q(start = 1, fixed = true);
equation
  der(h) = v;
  der(v) = -10;
  der(f) = 0.35*sign(0.04*sin(2.5*time) - f);
  when h <= f then
    reinit(v, 0.1*cos(2.5*time) - 0.3*(pre(v) - 0.1*cos(2.5*time)));
  end when;
  der(r) = 2*sign(v - r);
  der(q) = -q;
end ContactSlidesFloorLed;
