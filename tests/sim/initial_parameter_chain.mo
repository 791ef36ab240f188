// A parameter with fixed = false that equations see only by way of other parameters: the stiffness that holds a mass in equilibrium
// at s = 0.5 is m*g/s = 19.62, and what is computed from it follows.
// run: --stop 1
// expect inner_c(0) = 39.24 +- 1e-9
// expect s(1) = 0.5 +- 1e-9
// expect k(1) = 19.62 +- 1e-9
model ParameterChain
  parameter Real c(fixed = false, start = 100);
  parameter Real twice = 2*c;
  final parameter Real once = twice/2;
  Real s(start = 0.5, fixed = true), v(start = 0, fixed = true), a(start = 0, fixed = true);
  Real inner_c = twice, k = once;
equation
  der(s) = v;
  der(v) = a;
  a = 9.81 - once*s;
end ParameterChain;
