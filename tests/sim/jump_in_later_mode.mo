// A jump in a function, and one in an algorithm section, while other equations hold than at the start: the expressions are named,
// and that while the motion still chatters about v = 0, after ten thousand trial steps.
// run: --stop 0.7 --rtol 1e-4
// solvers: auto rk45
// expect error R634 at 25
// expect message jump of `v < 0`
// expect message trial steps up to time 0.
// expect v(0.3) = 0.7 - 1.3*0.3 +- 1e-4
// expect v(0.7) = 0 +- 1e-3
// expect z(0.07) = exp(-0.07) +- 1e-5
// expect z(0.7) = 0.4 +- 2e-3
model JumpInLaterMode
  function load
    input Real u;
    output Real f;
  algorithm
    f := 0.8;
    if u < 0 then
      f := -0.9;
    end if;
  end load;
  Real v(start = 0.7, fixed = true), z(start = 1, fixed = true), f, g;
algorithm
  g := 0.75;
  if noEvent(v < 0) then
    g := -0.5;
  end if;
equation
  f = load(v) + g;
  der(v) = 0.25 - f;
  if time < 0.1 then
    der(z) = -z;
  else
    z = 0.4 + 2*v;
  end if;
end JumpInLaterMode;
