// semiLinear (MLS 3.6 section 3.7.4): a chain of them is underdetermined where x is 0; s then is sa, the value for x >= 0.
// run: --stop 3 --intervals 6
// expect y(0.5) = 1 +- 1e-12
// expect s(0.5) = 2 +- 1e-12
// expect y(1.5) = 0 +- 0
// expect s(1.5) = 2 +- 1e-12
// expect y(2.5) = -1.5 +- 1e-12
// expect s(2.5) = 3 +- 1e-12
model RulesSemiLinear
  parameter Real sa = 2, sb = 3;
  Real x = if time < 1 then 1 - time elseif time < 2 then 0 else 2 - time, y, s;
equation
  y = semiLinear(x, sa, s);
  y = semiLinear(x, s, sb);
end RulesSemiLinear;
