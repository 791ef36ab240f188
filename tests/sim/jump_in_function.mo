// A load in a function makes no events: the step collapses where it jumps, and the run says so. v falls to 0 at 0.8/(1.7 - 0.6), where
// both sides lead back. auto does not take it for stiffness.
// run: --stop 0.9 --rtol 1e-4
// solvers: auto rk45 rkf45 rosenbrock
// expect v(0.5) = 0.8 - 0.5*(1.7 - 0.6) +- 1e-6
// expect v(0.9) = 0 +- 1e-4
// expect solver_changes = 0
// expect error R634 at 17
// expect message the step is limited by a jump of `v > 0`, which makes no event
// expect message annotation(GenerateEvents = true) in function `JumpInFunction.load`
model JumpInFunction
  function load
    input Real v;
    input Real c;
    output Real f;
  algorithm
    if v > 0 then
      f := c;
    else
      f := -c;
    end if;
  end load;
  Real v(start = 0.8, fixed = true);
equation
  der(v) = 0.6 - load(v, 1.7);
end JumpInFunction;
