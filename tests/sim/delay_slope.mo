// A delayed value moves with time also while the states stand still: methods with a Jacobian know how fast (rosenbrock took a step
// of 1e-4 else). x by the method of steps; z with a delay that grows: (cos(2.7*t - 0.9) - 1)/2.7 from t = 1/3 on.
// run: --stop 1.4 --intervals 14 --rtol 1e-7
// solvers: rk45 rosenbrock cvode ida auto
// expect x(0.4) = 1 - 2*0.4 +- 1e-6
// expect x(1) = 1 - 2*1 + 2*0.5**2 +- 1e-5
// expect x(1.4) = 1 - 2*1.4 + 2*0.9**2 - 8*0.4**3/6 +- 1e-5
// expect z(1) = (cos(1.8) - 1)/2.7 +- 1e-5
// expect z(1.4) = (cos(2.88) - 1)/2.7 +- 1e-5
// expect steps <= 800
model DelaySlope
  Real x(start = 1, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = -2*delay(x, 0.5);
  der(z) = -delay(sin(3*time), 0.3 + 0.1*time, 1);
end DelaySlope;
