// In a mode that binds two speeds an event of something else moves them by roundings: these are no jumps that a contact could follow from.
// run: --stop 2 --rtol 1e-9 --intervals 700
// solvers: rk45 rosenbrock
// expect v(2) = 0.8/1.3 + ((0.955*(0.4/0.9 + (0.666 - 0.4/0.9)*exp(-0.9*0.611/0.955)) + 1.125*(1 - 1.008*exp(-0.4*0.611/1.125)))/2.08 - 0.8/1.3)*exp(-1.3/2.08*1.389) +- 1e-6
// expect contacts = 0
// expect both(2) = 0 +- 1e-9
model NoContactOfRounding
  Real v(start = 0.666, fixed = true), w(start = -0.008, fixed = true), f, both = if time > 0.611 then v - w else 0;
  Real T(start = 0.2, fixed = true), x(start = 0.197, fixed = true), p = 0.955*v + 1.125*w;
equation
  0.955*der(v) = 0.4 - 0.9*v - f;
  1.125*der(w) = 0.4 - 0.4*w + f;
  if time > 0.611 then v = w; else f = 0; end if;
  der(T) = 0.8*cos(sqrt(0.3 + v^2)) - T;
  if sin(4.263*time + 1.737) > 0.003 then
    der(x) = -1.2*x + 0.4;
  else
    x = 0.9*integer(2.7*T);
  end if;
end NoContactOfRounding;
