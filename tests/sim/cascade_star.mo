// Thermostats in one weather stay parts of their own: an event of one begins nothing anew in the others. Steps are those of parts,
// one state each: with one step size there would be fewer, of fifty states each.
// islands: on
// run: --stop 10 --intervals 50 --event-rows none
// solvers: rk45
// expect w(10) = sin(10) +- 1e-4
// expect events >= 1000
// expect steps >= 5000
// expect min(T[7]) >= 0
model CascadeStar
  parameter Integer n = 50;
  Real T[n](each start = 1.5, each fixed = true), w(start = 0, fixed = true), z(start = 1, fixed = true);
  Boolean on[n](each start = true, each fixed = true);
equation
  der(w) = z;
  der(z) = -w;
  for i in 1:n loop
    der(T[i]) = (1 + 0.01*i)*(w - T[i] + (if on[i] then 3 else 0));
    on[i] = T[i] < 1.4 + 0.001*i or pre(on[i]) and T[i] < 1.6 + 0.001*i;
  end for;
end CascadeStar;
