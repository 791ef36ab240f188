// expect n(1) = 6 +- 0
// expect b(1) = 1 +- 0
// expect z(0) = 7 +- 0
// expect x(1) = 12 +- 1e-12
model ParameterChain "parameters of all types that follow from one with fixed = false"
  parameter Integer s(fixed = false);
  parameter Integer t = s + 1;
  parameter Boolean c = t > 5;
  parameter Real r = 2 * t;
  Integer n = t;
  Boolean b = c;
  Real x = r;
  Integer z;
initial equation
  s = 5;
  pre(z) = t;
equation
  when sample(0, 2) then
    z = pre(z) + 1;
  end when;
end ParameterChain;
