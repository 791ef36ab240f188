// options: --units
model Speed
  Real v(unit = "m per s") = time;
end Speed;
// expect U202 at 3:8
