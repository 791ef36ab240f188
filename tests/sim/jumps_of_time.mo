// Jumps at known times that no event is made for: each costs some twenty trial steps, which is told. What a step across one is off by,
// the error control sees a tenth of.
// x' = floor(1.6 t) in a function, y' = mod(t, 0.9) under noEvent.
// run: --stop 6 --rtol 1e-9
// solvers: auto rk45
// expect x(6) = (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8)/1.6 + 9*(6 - 9/1.6) +- 1e-4
// expect y(6) = 6*0.9**2/2 + (6 - 6*0.9)**2/2 +- 1e-5
// expect events = 0
// expect solver_changes = 0
// expect message jump of `floor(u)`
// expect message jump of `mod(time, 0.9)`
// expect message leave out noEvent
model JumpsOfTime
  function staircase
    input Real u;
    output Real n;
  algorithm
    n := floor(u);
  end staircase;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = staircase(1.6*time);
  der(y) = noEvent(mod(time, 0.9));
end JumpsOfTime;
