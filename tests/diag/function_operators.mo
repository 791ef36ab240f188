// What a function gives depends on its arguments alone (MLS 3.6 section 12.2): no operators that look at the model.
model FunctionOperators
  function a input Real x; output Real y; algorithm y := if sample(0, 0.1) then x else 1; end a;
  function b input Boolean x; output Boolean y; algorithm y := pre(x); end b;
  function c input Boolean x; output Boolean y; algorithm y := edge(x); end c;
  function d input Boolean x; output Boolean y; algorithm y := change(x); end d;
  function e input Real x; output Real y; algorithm y := delay(x, 1); end e;
  function f input Real x; output Real y; algorithm y := if initial() then x else 2; end f;
  function g input Real x; output Real y; algorithm y := if terminal() then x else 2; end g;
  function h input Real x; output Real y; algorithm y := der(x); end h;
  Boolean u = time > 0.5, v = b(u), w = c(u), z = d(u);
  Real y = a(time) + e(time) + f(time) + g(time) + h(time);
end FunctionOperators;
// expect D404 at 3:61
// expect D404 at 4:64
// expect D404 at 5:64
// expect D404 at 6:64
// expect D404 at 7:58
// expect D404 at 8:61
// expect D404 at 9:61
// expect D404 at 10:58
