// pre, edge and change of all types and of arrays (MLS 3.6 section 3.7.5), in when-clauses and in equations.
// run: --stop 6.5 --intervals 13
// solvers: rk45 cvode ida rosenbrock euler
// expect n_boolean(6) = 3 +- 0
// expect n_edge(6) = 2 +- 0
// expect n_fall(6) = 1 +- 0
// expect n_integer(6) = 6 +- 0
// expect n_real(6) = 3 +- 0
// expect n_enumeration(6) = 3 +- 0
// expect n_string(6) = 6 +- 0
// expect n_array(6) = 4 +- 0
// expect n_vector(6) = 3 +- 0
// expect sum_pre(6) = 15 +- 0
// pre of a discrete Real, of an enumeration, of a Boolean: what was before the last tick
// expect r_was(6) = 4 +- 0
// expect e_was(6) = 2 +- 0
// expect s_was(6) = 1 +- 0
// expect any_was(5) = 1 +- 0
// section 3.7.5: inside of a when pre applies to any variable; the left limit of a continuous one
// expect x_was(6) = 6 +- 1e-9
model RulesPre
  type Light = enumeration(red, yellow, green);
  Integer k(start = 0, fixed = true);
  discrete Real r(start = 0, fixed = true), r_was(start = 0, fixed = true), x_was(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
  Boolean b(start = false, fixed = true), v[3](each start = false, each fixed = true);
  Light e(start = Light.red, fixed = true);
  Integer e_was(start = 0, fixed = true), a[2](each start = 0, each fixed = true);
  String s(start = "k0", fixed = true);
  Boolean s_was(start = false, fixed = true), any_was;
  Integer n_boolean(start = 0, fixed = true), n_edge(start = 0, fixed = true), n_fall(start = 0, fixed = true), n_integer(start = 0, fixed = true);
  Integer n_real(start = 0, fixed = true), n_enumeration(start = 0, fixed = true), n_string(start = 0, fixed = true);
  Integer n_array(start = 0, fixed = true), n_vector(start = 0, fixed = true), sum_pre(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(1, 1) then
    k = pre(k) + 1;
    r = if mod(k, 2) == 0 then k else pre(r);
    r_was = pre(r);
    b = k == 1 or k == 2 or k == 6;
    e = if k >= 6 then Light.red elseif k >= 4 then Light.green elseif k >= 2 then Light.yellow else pre(e);
    e_was = Integer(pre(e)) - (if e == pre(e) then 10 else 1);
    s = "k" + String(k);
    s_was = pre(s) == "k" + String(k - 1);
    x_was = pre(x);
    a = {if k > 1 then 1 else 0, if k > 3 then k else 0};
    v = {k >= 2, k >= 4, k >= 5};
    sum_pre = pre(sum_pre) + pre(k);
  end when;
  any_was = pre(v[1]) and pre(v[2]);
  when change(b) then
    n_boolean = pre(n_boolean) + 1;
  end when;
  when edge(b) then
    n_edge = pre(n_edge) + 1;
  end when;
  when not b then
    n_fall = pre(n_fall) + 1;
  end when;
  when change(k) then
    n_integer = pre(n_integer) + 1;
  end when;
  when change(r) then
    n_real = pre(n_real) + 1;
  end when;
  when change(e) then
    n_enumeration = pre(n_enumeration) + 1;
  end when;
  when change(s) then
    n_string = pre(n_string) + 1;
  end when;
  when {change(a[1]), change(a[2])} then
    n_array = pre(n_array) + 1;
  end when;
  when edge(v) then
    n_vector = pre(n_vector) + 1;
  end when;
end RulesPre;
