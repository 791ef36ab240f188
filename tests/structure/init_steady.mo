// Steady state, a parameter that the initial equations determine, and a nonlinear system.
// options: --init
model InitSteady
  parameter Real level = 2;
  parameter Real opening(fixed = false, start = 0.5);
  Real h(start = 1), m(start = 0.2, fixed = true);
equation
  der(h) = 1 - opening*sqrt(h);
  der(m) = exp(-m) - m*h;
initial equation
  der(h) = 0;
  h = level;
end InitSteady;
