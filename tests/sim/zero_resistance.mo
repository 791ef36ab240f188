// A resistance of 0: the equation R*i = v says v = 0, the voltage of the capacitor is no state, and i follows by differentiation.
// run: --stop 2 --rtol 1e-8
// expect vc(2) = sin(2) +- 1e-9
// expect i(2) = 3*cos(2) +- 1e-9
// expect i(0) = 3 +- 1e-9
model ZeroResistance
  parameter Real R = 0;
  parameter Real C = 3;
  Real i, vc;
equation
  R*i = sin(time) - vc;
  C*der(vc) = i;
end ZeroResistance;
