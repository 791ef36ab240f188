// A jump under noEvent inside of an algorithm section, and one inside of a nonlinear equation.
// run: --stop 6
// solvers: auto rk45 rosenbrock
// expect error R634 at 14
// expect message jump of `sin(13*time) > 0.3`
// expect solver_changes = 0
model JumpInSection
  Real x(start = 0.2, fixed = true), y(start = 0, fixed = true), z, w;
  Real u(start = 0, fixed = true), v;
equation
  der(x) = w - x;
  der(y) = cos(7*time) - z;
  der(u) = v - u;
  z + 0.3*tanh(z) = noEvent(if sin(13*time) > 0.3 then 2 else 0.5);
algorithm
  w := 1;
  if noEvent(sin(17*time) > 0.6) then
    w := x - 2;
  end if;
algorithm
  v := 1 + time;
end JumpInSection;
