model PiecewiseLinearLoop "Two equations whose slopes depend on the sign of their solution"
  Real x = sin(time), y, z;
equation
  x + (if y > 0 then 2*y else y) - z = 0;
  3*x + y - 1 + z = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-9, Interval = 0.1));
  // y = (1 - 4 x)/3 where x < 1/4, else (1 - 4 x)/2
  // expect time(#1) = asin(0.25) +- 1e-10
  // expect time(#2) = pi - asin(0.25) +- 1e-10
  // expect y(0) = 1/3 +- 1e-12
  // expect y(1) = (1 - 4*sin(1))/2 +- 1e-12
  // expect y(4) = (1 - 4*sin(4))/3 +- 1e-12
  // expect z(1) = 1 - 3*sin(1) - (1 - 4*sin(1))/2 +- 1e-12
  // expect state_events = 4
end PiecewiseLinearLoop;
