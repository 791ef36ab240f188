// Twisting control: x'' = -a sign(x) - b sign(x'), a > b. From x0 at rest it takes sqrt(2 x0/(a - b)) to x = 0, then
// sqrt(2 (a - b) x0)/(a + b) to the next point of rest, at q x0 with q = (a - b)/(a + b); such turns take sqrt(q) times as long each
// time, so that all of them end at T = (the first two)/(1 - sqrt(q)) = 4.558725.
// run: --stop 4.5
// solvers: auto rk45 rkf45 rosenbrock ida
// expect slides = 0
// expect events <= 40
// expect time(#6) = (sqrt(2*0.6/0.7) + sqrt(2*0.7*0.6)/1.9)*(1 + (0.7/1.9)**0.5) + sqrt(2*0.6/0.7)*0.7/1.9 +- 1e-8
model TwistTimes
  parameter Real a = 1.3, b = 0.6;
  Real x(start = 0.6, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -a*sign(x) - b*sign(v);
end TwistTimes;
