// In a mode whose constraint binds states (p = s), a reinit of another state is checked against the constraint: what the
// when-clause has assigned in the same pass stays, also where the state that is set is bound itself.
// run: --stop 3 --rtol 1e-9
// solvers: rk45 rosenbrock cvode ida
// expect k(0.6) = 0 +- 0
// expect k(1) = 1 +- 0
// expect k(3) = 4 +- 0
// expect last(3) = 2.8 +- 1e-7
// expect odd(3) = 0 +- 0
// expect more(3) = 14 +- 0
// expect c(2.5) = 0.4 +- 1e-7
// expect p(3) = 0.375 + 0.5*2.75 +- 1e-6
// expect s(3) = 0.375 + 0.5*2.75 +- 1e-6
// expect s(0.7-) = 0.6 +- 1e-6
// expect hits(3) = 1 +- 0
model ReinitBesideConstraint
  Real c(start = 0, fixed = true) "a clock that is set back each 0.7 s";
  Integer k(start = 0, fixed = true);
  Boolean odd(start = false, fixed = true);
  discrete Real last(start = 0, fixed = true);
  Integer more(start = 10, fixed = true) "counts, too";
  Real p(start = 0.25, fixed = true), s(start = 0.25, fixed = true), F;
  Integer hits(start = 0, fixed = true);
equation
  der(c) = 1;
  when c >= 0.7 then
    reinit(c, 0);
    k = pre(k) + 1;
    odd = not pre(odd);
    last = time;
    more = pre(more) + 1;
  end when;
  der(p) = 1 - F;
  der(s) = F;
  if time > 0.25 then p = s; else F = 0; end if;
  when time > 1.75 then
    hits = pre(hits) + 1;
  end when;
end ReinitBesideConstraint;
