// MLS 3.6 section 8.6: during initialisation only whens with initial() as a condition of their own are active; elsewhere v = pre(v).
// A fixed start value of a discrete variable fixes pre(v). If then v differs from pre(v), the event iteration goes on.
// run: --stop 1 --intervals 2
// expect a(0) = 5 +- 0
// expect b(0) = 2 +- 0
// expect c(0) = 8 +- 0
// expect d(0) = 3 +- 0
// expect e(0) = 7 +- 0
// expect x(0) = 4 +- 0
// expect x(1) = 4*exp(-1) +- 1e-6
model WhenInitial
  Real a, c, d;
  Integer b(start = 2, fixed = true), e(start = 6, fixed = true);
  Real x(start = 1);
equation
  when initial() then
    a = 5;
  end when;
  when time >= 0 then
    b = 9;
  end when;
  when {time >= 10, initial()} then
    c = a + 3;
  end when;
  when time >= 10 then
    d = 1;
  elsewhen initial() then
    d = 3;
  end when;
  e = if pre(e) < 7 then pre(e) + 1 else pre(e);
  der(x) = -x;
  when initial() then
    reinit(x, 4);
  end when;
end WhenInitial;
