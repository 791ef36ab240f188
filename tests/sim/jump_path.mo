// Two capacitors are connected until the second one has 3 V: on the way from 2 V to 6 V the jump ends there.
// Charge is conserved: 1 F * 10 V + 1 F * 2 V = 9 + 3.
// run: --stop 1 --intervals 10 --jump-path
// solvers: auto rk45 rosenbrock cvode ida
// expect u1(0.4) = 10 +- 1e-12
// expect u1(1) = 9 +- 1e-8
// expect u2(1) = 3 +- 1e-8
// expect sum(1) = 12 +- 1e-12
model JumpPath
  Real u1(start = 10, fixed = true), u2(start = 2, fixed = true), i, sum;
  Boolean closed(start = false, fixed = true);
equation
  der(u1) = -i;
  der(u2) = i;
  sum = u1 + u2;
  closed = time > 0.5 and u2 < 3;
  if closed then
    u1 = u2;
  else
    i = 0;
  end if;
end JumpPath;
