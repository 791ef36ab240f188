// Several balls, each with its own gravity, and their load: sums of forces, and what one of them does to another body.
// run: --stop 4
// solvers: rk45 rosenbrock ida
// expect load(4) = 9 + 18 + 27 +- 1e-5
// expect impulse(4) = 9*(4 - sqrt(2*0.5/9)*1.4/0.6) + 18*(4 - sqrt(2*1.3/18)*1.4/0.6) + 27*(4 - sqrt(2*1.1/27)*1.4/0.6) +- 1e-4
// expect x(4) = 27/4*(1 - cos(2*(4 - sqrt(2*1.1/27)*1.4/0.6))) +- 1e-4
// expect contacts = 3
model ContactForceSeveral
  Real h[3](start = {0.5, 1.3, 1.1}, each fixed = true), v[3](each start = 0, each fixed = true), force[3], load;
  Real impulse(start = 0, fixed = true), x(start = 0, fixed = true), u(start = 0, fixed = true);
equation
  for i in 1:3 loop
    der(h[i]) = v[i];
    der(v[i]) = -9*i;
    when h[i] <= 0 then
      reinit(v[i], -0.4*pre(v[i]));
    end when;
    force[i] = der(v[i]) + 9*i;
  end for;
  load = sum(force);
  der(impulse) = load;
  der(x) = u;
  der(u) = -4*x + force[3];
end ContactForceSeveral;
