// Contact at the levels that have a compliance, against closed forms.
// solvers: rk45 cvode ida rosenbrock
model ContactLevels
  import NuSim.Translational.*;
  import NuSim.Level;
  Fixed ground;
  Mass a(m = 2, s(start = 1, fixed = true), v(start = -3, fixed = true));
  Contact linear(level = Level.PiecewiseLinear, c = 1e4, d = 50);
  Mass b(m = 2, s(start = 1, fixed = true), v(start = -3, fixed = true));
  Contact smooth(level = Level.Smooth, c = 1e6, slowing = 0.2);
  Mass m1(m = 2, s(start = 0, fixed = true), v(start = 3, fixed = true)), m2(m = 1, s(start = 1, fixed = true), v(fixed = true));
  Contact hit(level = Level.PiecewiseLinear, c = 1e6, s_rel0 = 0.1);
  Mass c(m = 1, s(start = 0, fixed = true), v(start = 1, fixed = true));
  Stops stops(level = Level.PiecewiseLinear, low = -0.5, high = 0.5, c = 1e6);
equation
  connect(ground.flange, linear.a);
  connect(linear.b, a.a);
  connect(ground.flange, smooth.a);
  connect(smooth.b, b.a);
  connect(m1.b, hit.a);
  connect(hit.b, m2.a);
  connect(ground.flange, stops.a);
  connect(stops.b, c.a);
  annotation(experiment(StopTime = 2, Tolerance = 1e-9, Interval = 0.01));
end ContactLevels;
// the spring pushes until its force and that of the damper cancel: exp(-b/w*(pi - atan(2*b*w/(w^2 - b^2)))), b = 12.5, w^2 = 5000 - b^2
// expect a.v(1.99) = 1.8188439801753 +- 1e-6
// Hunt and Crossley: slowing*v - log(1 + slowing*v) is the same before (v = 3) and after
// expect b.v(1.99) = 2.1358505387336 +- 1e-6
// without a damper nothing is lost
// expect m1.v(1.99) = 1 +- 1e-6
// expect m2.v(1.99) = 4 +- 1e-6
// expect hit.before(1) = -3 +- 1e-7
// expect time(#2) = 0.3 + pi*sqrt(2/3*1e-6) +- 1e-7
// expect c.s(1.99) = -0.5 + 0.49 - 2*pi*1e-3 +- 1e-6
// expect max(c.s) <= 0.501 + 1e-6
// expect min(c.s) >= -0.501 - 1e-6
