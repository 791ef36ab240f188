// options: --units
model Speed
  Real v(unit = "mph/furlongg") = time;
end Speed;
// expect U202 at 3:8
