// options: --vars
model Variables "variables of every kind"
  type Gear = enumeration(first, second);
  constant Real pi = 3.14;
  parameter Real m(unit = "kg") = 2 "mass";
  final parameter Integer n = 3 "cells";
  input Real u "from outside";
  Real x(start = 1, fixed = true, unit = "m") "position";
  Real v(unit = "m/s"), w = -v;
  Real a[n] = {1, 2, 3}*x;
  Gear gear = if x > 0.5 then Gear.second else Gear.first;
  Boolean b = x > 0.5;
equation
  der(x) = v;
  m*v = u - pi*x;
end Variables;
