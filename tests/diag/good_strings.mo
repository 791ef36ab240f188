model Named "String parameters, comparison, conversion, concatenation, conditions on them"
  parameter String mode = "fast";
  final parameter String title = "run in mode " + mode + " with " + String(gain, significantDigits = 3);
  parameter Real gain = if mode == "fast" then 10.0 else 1.0;
  parameter Integer digits = 4;
  Real x(start = 0, fixed = true);
equation
  der(x) = gain - x;
  assert(x < 100, title + ": x is " + String(x, format = ".3f") + " at " + String(digits, minimumLength = 6));
end Named;
// expect nothing
