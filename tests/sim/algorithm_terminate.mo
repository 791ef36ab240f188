// A when in an algorithm that assigns nothing: the run ends at x = 0.5.
// expect time = 0.5 +- 1e-9
// expect state_events = 1
// expect x(0.5) = 0.5 +- 1e-9
// expect error R633 at 13
// expect message the model ends the run at time 0.5
model AlgorithmTerminate
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
algorithm
  when x > 0.5 then
    terminate("half way");
  end when;
end AlgorithmTerminate;
