// Loops through algorithm sections: a linear one, one through an if that switches on its way and a for, two sections behind each
// other, and one that only a later mode closes.
// run: --stop 2 --rtol 1e-8
// solvers: rk45 rosenbrock ida
// expect x(2) = 30/13 + (1 - 30/13)*exp(-13/18*2) +- 1e-7
// expect z(2) = 3 - 0.1*(6 + 30/13 + (1 - 30/13)*exp(-13/18*2))/1.2 +- 1e-7
// expect max(wrong) <= 1e-7
// expect min(wrong) >= -1e-7
// expect state_events = 1
// expect q(1) = 0.75*3.4 +- 1e-7
// expect q(2) = 0.1*2.7/(1 - 0.5*0.35) +- 1e-7
model SectionLoop
  Real x(start = 1, fixed = true), y, z, w;
  Real p(start = 1), s[3], u(start = 1), wrong;
  Real a, b, q;
algorithm
  y := 2*z + x;
  w := y/3;
algorithm
  s[1] := u;
  for i in 2:3 loop
    s[i] := s[i - 1]*u/2 + 0.1;
  end for;
  if u > 1 then
    p := s[3] + 1.5*u;
  else
    p := s[3] + 1.5;
  end if;
algorithm
  a := 0.5*b + 0.7 + time;
algorithm
  b := 0.25*a + q;
equation
  z = 3 - 0.1*y;
  der(x) = -x + w;
  u^3 + 0.4*p = 1.1 + time;
  wrong = u^3 + 0.4*((u*u/2 + 0.1)*u/2 + 0.1 + (if u > 1 then 1.5*u else 1.5)) - 1.1 - time;
  if time > 1.5 then
    q = 0.1*a;
  else
    b = a;
  end if;
end SectionLoop;
