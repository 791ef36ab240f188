// A saturation so steep that the tolerance cannot tell it from a jump: the run says what limits its steps as soon as they are many.
// One that is not (`gentle`) limits stiff methods nowhere. A method that goes on with the Jacobian of the steep place would be content
// with any slope afterwards.
// run: --stop 0.02
// solvers: auto rosenbrock cvode
// expect v(0.02) = 0 +- 1e-7
// expect gentle(0.02) = 0.4/3e6 +- 1e-10
// expect error R634 at 14
// expect message max(-2, 3000000000000*v)
model SteepSaturation
  Real v(start = 1e-3, fixed = true);
  Real gentle(start = 1e-3, fixed = true);
equation
  der(v) = 0.4 - min(2, max(-2, 3e12*v));
  der(gentle) = 0.4 - min(2, max(-2, 3e6*gentle));
end SteepSaturation;
