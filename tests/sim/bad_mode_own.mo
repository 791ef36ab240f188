model Own "a condition that its own mode makes false, and the other one true"
  Real x(start = 1, fixed = true), F;
equation
  der(x) = F - 1;
  if F < 0.5 and time > 0.5 then
    x = 1;
  else
    F = 0;
  end if;
end Own;
// run: --intervals 10
// expect exit 4
// expect error R620
// expect message F < 0.5 and time > 0.5
// expect x(0.5-) = 0.5 +- 1e-9
