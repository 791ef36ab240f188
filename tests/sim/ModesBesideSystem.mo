// Three if-equations that bind states at times of their own, beside a linear system that has nothing to do with their
// conditions: it is solved in every mode. Each condition that decides about the structure is one that the model has.
// run: --stop 2
// solvers: rk45 cvode rosenbrock
// expect max(wrong) <= 1e-12
// expect min(wrong) >= -1e-12
// expect v1(0.5) = 3 +- 1e-12
// expect v1(2) = 2 +- 1e-9
// expect v2(2) = 2 +- 1e-9
// expect w1(2) = 1 +- 1e-9
// expect w2(2) = 1 +- 1e-9
// expect gap(2) = 0 +- 1e-12
model ModesBesideSystem
  Real x(start = -0.5, fixed = true), u, z, y(start = 0), q(start = 0.3, fixed = true);
  Real gap = y - z;
  Real wrong = 0.5*u + 0.8*z - 0.3;
  Real v1(start = 3, fixed = true), v2(start = 0, fixed = true), F;
  Real w1(start = 0, fixed = true), w2(start = 4, fixed = true), G;
equation
  if time < 0.77 then
    der(x) = -1.1*x + 0.2;
  else
    x = 0.8*sin(3*time + 1);
  end if;
  0.5*u + 0.8*z = 0.3;
  0.5*u - (2 + sin(2*time)^2)*z = x;
  if time > 0.61 then
    y = z;
  else
    der(y) = -2*y + 0.1;
  end if;
  if not time > 0.49 then
    der(q) = -q;
  else
    q = 0.45;
  end if;
  2*der(v1) = -F;
  der(v2) = F;
  if time >= 1.1 then
    v1 = v2;
  else
    F = 0;
  end if;
  3*der(w1) = -G;
  der(w2) = G;
  if time >= 1.3 then
    w1 = w2;
  else
    G = 0;
  end if;
end ModesBesideSystem;
