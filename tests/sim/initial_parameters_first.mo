// Parameters that initial equations and algorithms determine are known to all that is set up from them: samples, events in time,
// external objects and what follows from these, delays, start values that are fixed or left free, functions that refuse 0.
// run: --stop 2 --rtol 1e-9 --intervals 20
// solvers: rk45 ida
model initial_parameters_first
  class Table
    extends ExternalObject;
    function constructor
      input Real table[:, 2];
      output Table t;
      external "C" t = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", table, size(table, 1), 2, {2}, 1, 1, 1, false);
    end constructor;
    function destructor
      input Table t;
      external "C" ModelicaStandardTables_CombiTable1D_close(t);
    end destructor;
  end Table;
  function value
    input Table t;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, 1, u);
  end value;
  function root
    input Real u;
    output Real y;
  algorithm
    assert(u > 0, "no root");
    y := sqrt(u);
  end root;
  parameter Real t0(fixed = false), T(fixed = false), r(fixed = false, start = 1), q = root(T), tt = t0 + 0.125;
  parameter Integer k(fixed = false);
  parameter Boolean b(fixed = false);
  parameter Table tab = Table([0, 0; T, t0; 1, q]);
  parameter Real mid = value(tab, T/2);
  Real x(start = q, fixed = true), y(start = tt), z(start = 0, fixed = true, nominal = T);
  discrete Real d(start = T), e(start = mid, fixed = true);
  Integer n(start = k, fixed = true), m(start = k + 1), late(start = 0, fixed = true);
  Real w = delay(x, T, 2*T), u = value(tab, time);
  Boolean on;
initial equation
  t0 = 0.3;
  T = 0.25*r - 0.25;
  r^2 = 4;
  pre(on) = false;
initial algorithm
  k := 3;
  b := true;
equation
  assert(T > 0.1, "T is too small");
  der(x) = if time > t0 then 1 else 0;
  der(y) = if b then k else 0;
  der(z) = if time >= tt then T else 0;
  when sample(t0, 2*T) then
    n = pre(n) + 1;
    on = true;
  elsewhen sample(t0 + T, 2*T) then
    n = pre(n);
    on = false;
  end when;
  when time > 1.5 then
    d = pre(d) + 1;
    e = pre(e) + 1;
    m = pre(m) + 1;
  end when;
  when value(tab, time) > 0.4 then
    late = pre(late) + 1;
  end when;
end initial_parameters_first;
// expect x(0) = 0.5
// expect x(2) = 2.2 +- 1e-8
// expect y(0) = 0.425
// expect y(1) = 3.425 +- 1e-8
// expect z(2) = 0.25*(2 - 0.425) +- 1e-8
// expect d(1) = 0.25
// expect d(2) = 1.25
// expect e(0) = 0.15 +- 1e-12
// expect e(2) = 1.15 +- 1e-12
// expect m(1) = 4
// expect m(2) = 5
// expect n(0.2) = 3
// expect n(0.4) = 4
// expect n(2) = 7
// expect on(0.2) = 0
// expect on(0.4) = 1
// expect on(0.7) = 0
// expect on(1) = 1
// expect w(0) = 0.5
// expect w(2) = 1.95 +- 1e-8
// expect u(0.1) = 0.12 +- 1e-9
// expect u(1) = 0.5 +- 1e-9
// expect late(2) = 1
// expect time_events = 9
