// An ideal diode before 30 GOhm: its curve parameter is 1e-11 A when it conducts, 0.3 V when it blocks. Both are far from 0.
// run: --stop 9 --intervals 90
// solvers: auto cvode ida euler
// expect u(5) = 0 +- 0
// expect i(5) = (0.3*cos(5*1.3) - 0.1)/3e10 +- 1e-20
// expect u(2.5) = 0.3*cos(2.5*1.3) - 0.1 +- 1e-12
// expect i(2.5) = 0 +- 0
// expect time(#1) = acos(1/3)/1.3 +- 1e-9
// expect time(#2) = (2*pi - acos(1/3))/1.3 +- 1e-9
// expect state_events = 4
model SmallCurrents
  Real e = 0.3*cos(1.3*time) - 0.1, u, i, s, x(start = 0, fixed = true);
  Boolean blocks;
equation
  blocks = s < 0;
  u = if blocks then s else 0;
  i = if blocks then 0 else s;
  e = u + 3e10*i;
  der(x) = i;
end SmallCurrents;
