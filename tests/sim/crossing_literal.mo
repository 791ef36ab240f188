// Relations of time alone, with any number of periods in a step: nothing else moves.
// run: --stop 0.4 --intervals 1
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect waves(0.4) = floor((5000*0.4 - asin(0.3))/(2*pi)) + 1
// expect chirps(0.4) = floor((40*exp(2) - pi/2)/(2*pi)) - floor((40 - pi/2)/(2*pi))
// expect first(0.4) = asin(0.3)/5000 +- 1e-15
// expect products(0.4) = 2
model CrossingLiteral
  Integer waves(start = 0, fixed = true), chirps(start = 0, fixed = true), products(start = 0, fixed = true);
  discrete Real first(start = 0, fixed = true);
equation
  when sin(5000*time) > 0.3 then
    waves = pre(waves) + 1;
    first = if pre(waves) == 0 then time else pre(first);
  end when;
  // above its top less 1e-9 around 40 exp(5 t) = pi/2 + 2 pi k
  when sin(40*exp(5*time)) > 1 - 1e-9 then
    chirps = pre(chirps) + 1;
  end when;
  // a burst of 900 waves under a bell of width 2 ms at 0.2: two of them reach 0.996
  when cos(2000*pi*(time - 0.1995))*exp(-((time - 0.2)/2e-3)^2) > 0.9 then
    products = pre(products) + 1;
  end when;
protected
  constant Real pi = 3.141592653589793;
end CrossingLiteral;
