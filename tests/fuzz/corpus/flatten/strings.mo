model Strings
  parameter String name = "pump";
  parameter Integer number = 7;
  final parameter String title = name + " no. " + String(number, minimumLength = 3) + "\t\"new\"";
  parameter Boolean long = title == "x";
  Real x = if name == "pump" then time else 0;
equation
  assert(x < 10, title + ": " + String(x, significantDigits = 4), AssertionLevel.warning);
end Strings;
