// options: --units
model Power
  Real u(unit = "V") = 10*time;
  Real i(unit = "A") = 2;
  Real p(unit = "W");
equation
  p = u*i + u;
end Power;
// expect U201 at 7:3
