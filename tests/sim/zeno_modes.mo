// The same in modes with other equations, q being a state in one of them only: 2 in the tanks, 0.5 less in each second.
// run: --stop 7 --zeno error
// solvers: rk45 cvode ida rosenbrock
// expect exit 5
// expect error R609 at 20
// expect message near time 4
model ZenoModes
  Real a(start = 1.2, fixed = true), b(start = 0.8, fixed = true), q(start = 0, fixed = true);
  Boolean first(start = true, fixed = true);
equation
  if first then
    der(a) = 0.5;
    der(b) = -1;
    der(q) = a;
  else
    der(a) = -1;
    der(b) = 0.5;
    q = b;
  end if;
  when b <= 0 then
    first = false;
  elsewhen a <= 0 then
    first = true;
  end when;
end ZenoModes;
