// How large the sides of a relation are follows from the equations that determine them: at the start from the initial
// system, where p and d come after h. What was computed of them too early would also be taken for u: 0/1 instead of 4/4.
// run: --stop 2 --rtol 1e-9
// solvers: rk45 ida
// expect h(0) = 10 +- 1e-12
// expect u(0) = 9 +- 1e-12
// expect U(0) = 18 +- 1e-12
// expect m(0) = 2 +- 1e-12
// expect h(2) = 1 + 9*exp(-2) +- 1e-7
// expect p(2) = 4 +- 1e-7
// expect time(#1) = log(4.5) +- 1e-7
// expect state_events = 1
// expect warm(1) = 1 +- 0
// expect warm(2) = 0 +- 0
model InitialSizes
  parameter Real V = 0.5;
  Real m, U, p, h, u;
  Real d(start = 1);
  Boolean warm;
initial equation
  p = 4;
  h = 10;
equation
  warm = h > 3;
  d = 2 + 0.5*p;
  u = h - p/d;
  m = V*d;
  U = m*u;
  der(m) = 0;
  der(U) = -U;
end InitialSizes;
