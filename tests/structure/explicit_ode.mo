// Everything can be assigned: two states, an auxiliary variable, an alias, an output nobody needs.
model ExplicitOde
  parameter Real k = 2 "stiffness";
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), f, g, energy;
equation
  der(x) = v;
  der(v) = f;
  f = -k*x;
  g = -f;
  energy = (v^2 + k*x^2)/2;
end ExplicitOde;
