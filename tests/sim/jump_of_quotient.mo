// v/abs(v) jumps though neither side of it does, in an equation behind another one: the quotient is named.
// run: --stop 1.2 --rtol 1e-4
// solvers: auto rk45 rosenbrock
// expect v(0.5) = 0.9 - 0.5*0.85 +- 1e-6
// expect v(1.2) = 0 +- 1e-4
// expect solver_changes = 0
// expect error R634 at 12
// expect message jump of `1.3*v/(abs(v) + 1e-200)`
model JumpOfQuotient
  Real v(start = 0.9, fixed = true), f;
equation
  f = 1.3*v/(abs(v) + 1e-200);
  der(v) = 0.45 - f;
end JumpOfQuotient;
