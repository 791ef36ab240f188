// What the equations at the start find for discrete variables is what holds from then on, in each part of the model; also
// where it comes from a nonlinear equation, and where later events solve one.
// run: --stop 2 --rtol 1e-9 --intervals 20
// solvers: rk45 ida
model parts_when_initial
  type Gear = enumeration(low, high, off);
  model Cell
    parameter Real a = 1;
    Real x(start = 0, fixed = true);
    discrete Real d(start = 4, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(x) = d;
    when initial() then
      d = a + 0.5*tanh(d - a - 0.1); // d = a + c, c = 0.5*tanh(c - 0.1)
    end when;
    when x > 1 then
      n = pre(n) + 1;
    end when;
  end Cell;
  Cell p(a = 1), q(a = 2);
  Real y(start = 0, fixed = true), z(start = 0, fixed = true);
  Integer k(start = 2, fixed = true);
  Boolean b(start = false, fixed = true);
  Gear g(start = Gear.low, fixed = true);
  String s(start = "a", fixed = true);
  discrete Real e(start = 3, fixed = true), f(start = 9, fixed = true), w(start = 9, fixed = true), h(start = 9, fixed = true);
  discrete Real c(start = 2, fixed = true) "a part of its own, which y and z read";
equation
  der(y) = c + k + (if b then 10 else 0);
  der(z) = e + c + (if g == Gear.off and s == "ab" then 100 else 0);
  when initial() then
    k = pre(k) + 5;
    b = not pre(b);
    c = 0.5*tanh(c - 0.1);
  end when;
  when y > 100 then
    g = Gear.high;
    s = pre(s);
  elsewhen initial() then
    g = Gear.off;
    s = pre(s) + "b";
  end when;
  when z > 1e3 and y > 1e3 then
    h = pre(h) - 1;
  end when;
  when time > 1.25 then
    e = 2 + 0.25*cos(f) - 0.25; // 2 and 0 with the next
    f = sinh(e - 2);
  end when;
algorithm
  when {initial(), z > 1000} then
    w := pre(w) - 1;
  end when;
end parts_when_initial;
// expect p.d(0) = 1 - 0.09747257407912209 +- 1e-9
// expect p.d(2) = 1 - 0.09747257407912209 +- 1e-9
// expect p.x(2) = 2 - 2*0.09747257407912209 +- 1e-8
// expect q.d(2) = 2 - 0.09747257407912209 +- 1e-9
// expect q.x(1) = 2 - 0.09747257407912209 +- 1e-8
// expect c(0) = -0.09747257407912209 +- 1e-9
// expect c(2) = -0.09747257407912209 +- 1e-9
// expect k(2) = 7
// expect b(2) = 1
// expect g(2) = 3
// expect y(2) = 34 - 2*0.09747257407912209 +- 1e-8
// expect z(2) = 200 - 2*0.09747257407912209 + 3*1.25 + 2*0.75 +- 1e-7
// expect e(1.2) = 3
// expect e(2) = 2 +- 1e-9
// expect f(2) = 0 +- 1e-9
// expect w(2) = 8
// expect h(2) = 9
