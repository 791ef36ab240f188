// Three tanks and one tap, in an order that is chaotic: 2.6 in them, 0.4 flows off more than in: the end is at 6.5.
// run: --stop 9 --zeno stop --intervals 900
// solvers: rk45 cvode ida
// expect error R635 at 12
// expect sum(6) = 0.2 +- 1e-6
// expect time >= 6.4999
// expect time <= 6.500001
model ZenoCircleStop
  Real x[3](start = {1.1, 0.9, 0.6}, each fixed = true), sum = x[1] + x[2] + x[3];
  Integer k(start = 1, fixed = true);
equation
  when x[1] <= 0 then
    k = 1;
  elsewhen x[2] <= 0 then
    k = 2;
  elsewhen x[3] <= 0 then
    k = 3;
  end when;
  for i in 1:3 loop
    der(x[i]) = (if k == i then 1.4 else 0) - 0.6;
  end for;
end ZenoCircleStop;
