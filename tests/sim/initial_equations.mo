// MLS 3.6 section 8.6: initial equations, an initial algorithm, a parameter with fixed = false, steady state, pre values.
// run: --stop 1 --intervals 2 --rtol 1e-9
// expect x(0) = 2 +- 1e-12
// expect r(1) = 3 +- 1e-12
// expect y(0) = 5 +- 1e-12
// expect w(0) = 12 +- 1e-12
// expect n(0) = 4 +- 0
// expect n(1) = 5 +- 0
// expect q(0) = 6 +- 1e-12
model InitialEquations
  parameter Real p(fixed = false, start = 1);
  Real x, y(start = 7), z = p*x + y, w, r = p;
  Integer n;
  discrete Real q;
initial equation
  der(x) = 0;
  z = 11;
  p^2 = 9;
  pre(q) = p*x;
initial algorithm
  n := 3;
  n := n + 1;
  w := 12;
equation
  der(x) = 4 - 2*x;
  der(y) = -y;
  der(w) = 0;
  when time >= 0.5 then
    n = pre(n) + 1;
    q = 0;
  end when;
end InitialEquations;
