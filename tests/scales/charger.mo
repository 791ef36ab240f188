// A charge that a current source fills up and a breaker takes away again, in different proportions; a clutch of two currents whose
// difference decides.
// stop: 6
model Charger
  parameter Real V = 1, A = 1, S = 1;
  Real q(start = 0, fixed = true, nominal = A*S), j1(start = A, fixed = true, nominal = A), j2(start = 0, fixed = true, nominal = A);
  Real d = j1 - j2;
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(q) = 0.7*A + 0.1*A*sin(3*time/S);
  when q > 0.5*A*S then
    n = pre(n) + 1;
    reinit(q, pre(q)*0.2);
  end when;
  S*der(j1) = -j1 + 0.8*A*cos(2*time/S);
  S*der(j2) = if d > 0 then -0.3*A - 2*j2 else 0.4*A - j2;
  when d > 0 then
    m = pre(m) + 1;
  end when;
end Charger;
