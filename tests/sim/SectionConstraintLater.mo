// Constraints through algorithm sections that hold in a later mode only: what the sections compute is prescribed from 1 s on, and
// the rates, given before, follow from it.
// run: --stop 2 --rtol 1e-8
// solvers: rk45 ida
// expect x(0.5) = 1 + 0.5*0.5 +- 1e-7
// expect f(0.5) = 0 +- 1e-12
// expect x(1.6) = 1.5 + 0.4*(1.6 - 1) +- 1e-7
// expect u(1.6) = 0.4 +- 1e-7
// expect p(1.5) = 2*exp(-1.5) +- 1e-7
// expect q(1.5) = -2*exp(-1.5) +- 1e-7
// expect p(0.5) = 2*exp(-1.5) +- 1e-7
model SectionConstraintLater
  Real x(start=1, fixed=true), d, u, f;
  Real p(start=2*exp(-2), fixed=true), r, q;
algorithm
  d := 3*x;
  d := d - 1;
algorithm
  r := 4*p + 1;
equation
  der(x) = u;
  f = if time < 1 then 0 else u - 0.5;
  if time < 1 then
    u = 0.5;
  else
    d = 3*1.5 - 1 + 1.2*(time - 1);
  end if;
  der(p) = q;
  if time < 1 then
    q = p;
  else
    r = 8*exp(-time) + 1;
  end if;
end SectionConstraintLater;
