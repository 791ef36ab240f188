model NoEvent "a condition that changes between events cannot change the structure"
  Real x(start = 1, fixed = true), F;
equation
  der(x) = F - 1;
  if noEvent(x < 0.5) then
    x = 0.5;
  else
    F = 0;
  end if;
end NoEvent;
// run: --intervals 10 --solver rk45
// expect exit 4
// expect error R606 at 6
// expect x(0.4) = 0.6 +- 1e-6
