// Two tanks, one tap for the one that is empty: 2.1 in them, 0.35 flows off more than in. No state jumps; at 6 both are empty.
// run: --stop 9
// solvers: rk45 cvode ida rosenbrock
// expect exit 5
// expect error R609 at 12
// expect message near time 6
// expect time <= 6.000001
model ZenoTwoTanks
  Real a(start = 1.5, fixed = true), b(start = 0.6, fixed = true);
  Boolean first(start = false, fixed = true);
equation
  when b <= 0 then
    first = false;
  elsewhen a <= 0 then
    first = true;
  end when;
  der(a) = (if first then 0.9 else 0) - 0.6;
  der(b) = (if first then 0 else 0.9) - 0.65;
end ZenoTwoTanks;
