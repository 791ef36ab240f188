// Factors of 0 that are computed from parameters (a record from a function), or stand in a variable of their own.
// The damper without mass moves with v = f/d; the mass with inertia 0 does not delay w.
// run: --stop 1 --rtol 1e-8
// expect v(1) = sin(1)/2 +- 1e-9
// expect w(1) = 0.25 +- 1e-9
// expect x(1) = (1 - cos(1))/2 +- 1e-7
model ZeroMass
  record Data
    Real m, d;
  end Data;
  function data
    input Real size, density;
    output Data out;
  algorithm
    out.m := size^3*density;
    out.d := 2;
  end data;
  parameter Real density = 0;
  final parameter Data p = data(0.1, density);
  Real x(start = 0, fixed = true), v, w, J;
equation
  der(x) = v;
  p.m*der(v) = sin(time) - p.d*v;
  J = density*3;
  J*der(w) = time - 4*w;
end ZeroMass;
