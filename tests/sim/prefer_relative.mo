model PreferRelative "a preferred variable that is not differentiated is a state: it keeps its value where another one is reinitialised"
  Real s1(start = 1, fixed = true), v1(start = 1, fixed = true), s2, v2;
  Real s_rel(start = 0.25, fixed = true, stateSelect = StateSelect.prefer) = s2 - s1;
  Real v_rel(start = 2, fixed = true, stateSelect = StateSelect.prefer) = der(s_rel);
equation
  der(s1) = v1;
  der(s2) = v2;
  der(v1) = -2;
  der(v2) = -2;
  when time > 0.5 then
    reinit(v2, 0.5);
  end when;
  annotation(experiment(StopTime = 1));
end PreferRelative;
// expect error R625 at 11
// expect message reinit of `v2` moves `v1`
// expect v_rel(1) = 2 +- 1e-9
// expect v2(0.75) = 0.5 - 2*0.25 +- 1e-9
// expect v1(0.75) = 0.5 - 2*0.25 - 2 +- 1e-9
// expect s_rel(1) = 0.25 + 2 +- 1e-9
// expect s1(1) = 1 + 0.5 - 0.25 + (0.5 - 2)*0.5 - 0.25 +- 1e-9
