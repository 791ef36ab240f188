// The same parameter with another value gives another structure: vc is a state, vc' = (sin(t) - vc)/(R*C).
// run: --stop 2 --rtol 1e-9 -p R=0.5
// expect vc(2) = (sin(2) - cos(2) + exp(-2))/2 +- 1e-7
model ZeroResistance
  parameter Real R = 0;
  parameter Real C = 2;
  Real i, vc(start = 0, fixed = true);
equation
  R*i = sin(time) - vc;
  C*der(vc) = i;
end ZeroResistance;
