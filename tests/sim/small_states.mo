// States of 2e-4 and 3e-7 beside one of 500, none with a nominal value: each is as good as its own size and the tolerance allow.
// One that is smaller than the rounding of 1 is not followed.
model small_states
  Real i(unit = "A", start = 0, fixed = true) "500*sin(t)";
  Real flux(unit = "Wb", start = 0, fixed = true) "2e-4*sin(3*t)";
  Real lag(unit = "Wb", start = 0, fixed = true) "flux, 0.01 s later";
  Real charge(unit = "C", start = 0, fixed = true) "3e-7*(1 - cos(2*t))";
  Real noise(unit = "V", start = 0, fixed = true);
equation
  der(i) = 500*cos(time);
  der(flux) = 6e-4*cos(3*time);
  der(lag) = 100*(flux - lag);
  der(charge) = 6e-7*sin(2*time);
  der(noise) = 1e-20*cos(50*time) - 1000*noise;
  annotation(experiment(StopTime = 10, Tolerance = 1e-5));
end small_states;
// solvers: rk45 rkf45 rosenbrock cvode ida auto
// expect i(10) = 500*sin(10) +- 0.1
// expect flux(10) = 2e-4*sin(30) +- 2e-7
// expect lag(10) = 2e-4*(sin(30) - 0.03*cos(30))/(1 + 0.03**2) +- 2e-7
// expect charge(10) = 3e-7*(1 - cos(20)) +- 6e-10
// expect max(noise) <= 1e-12
