// Declarations and annotations that can mean nothing where they stand.
// expect V006 at 14:8
// expect V006 at 14:50
// says: the nominal value of `flat` is 0: a size is positive, and 1 is taken
// expect V006 at 15:17
// says: `count` cannot be a state, as its stateSelect asks for: it is discrete
// expect V006 at 18:67
// expect V006 at 22:25
// expect V006 at 22:41
// expect V006 at 22:58
// says: an experiment has no `StopTim`: it has no effect
// expect V006 at 22:71
model DeclaredNoEffect
  Real x(start = 1, fixed = true, nominal = -2), flat(nominal = 0) = 2*x, fine(nominal = 3) = x;
  discrete Real count(start = 0, fixed = true, stateSelect = StateSelect.always);
  Real kept(stateSelect = StateSelect.prefer) = x;
equation
  der(x) = (if x > 0 then -1 else 1) - noEvent(abs(x)) annotation(__NuSim_chatter = "slidd");
  when sample(0.1, 0.1) then
    count = pre(count) + 1;
  end when;
  annotation(experiment(StopTime = "2", Interval = -0.1, StopTim = 3, __NuSim_modes = "some", __Other_tool = 7, Tolerance = 1e-6));
end DeclaredNoEffect;
