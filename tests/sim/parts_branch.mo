// An implicit equation between parts of the model, which has no steps of its own, follows the branch that it began on,
// however far that leads from the last event: z = x + y, not x + y + k*2*pi.
// run: --stop 2 --rtol 1e-9 --intervals 20
// solvers: rk45 ida
model parts_branch
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0);
  Real v(start = 0, fixed = true), u(start = 0, fixed = true);
  Integer n[4](each start = 0, each fixed = true);
equation
  der(x) = 12;
  der(y) = 7;
  0 = sin(z - x - y) + 0.5*tanh(z - x - y);
  der(v) = z - v;
  der(u) = z - 2*u;
  when x > 6 then
    n[1] = pre(n[1]) + 1;
  end when;
  when y > 5 then
    n[2] = pre(n[2]) + 1;
  end when;
  when v > 1 then
    n[3] = pre(n[3]) + 1;
  end when;
  when u > 2 then
    n[4] = pre(n[4]) + 1;
  end when;
end parts_branch;
// expect z(1) = 19 +- 1e-6
// expect z(2) = 38 +- 1e-6
// expect v(2) = 19*(2 - 1 + exp(-2)) +- 1e-5
// expect u(2) = 19*(2/2 - 1/4 + exp(-4)/4) +- 1e-5
// expect n[1](2) = 1
// expect n[4](2) = 1
// expect events = 4
