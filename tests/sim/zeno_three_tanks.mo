// Three tanks, one tap that goes to the one that has run empty; its order is chaotic. Two of them run empty for good before the third does,
// after 87 changes that are longer than 1e-10, at 5.33312636... by the same in rational numbers.
// run: --stop 20
// solvers: rk45 rosenbrock cvode ida
// expect exit 5
// expect error R609 at 18
// expect message near time 5.333126
// expect events <= 300
model ZenoThreeTanks
  parameter Real w = 0.9, out = 0.5;
  Real a(start = 1.1, fixed = true), b(start = 1.23, fixed = true), c(start = 0.87, fixed = true);
  Integer at(start = 1, fixed = true);
equation
  der(a) = (if at == 1 then w else 0) - out;
  der(b) = (if at == 2 then w else 0) - out;
  der(c) = (if at == 3 then w else 0) - out;

  when a <= 0 then
    at = 1;
  elsewhen b <= 0 then
    at = 2;
  elsewhen c <= 0 then
    at = 3;
  end when;
end ZenoThreeTanks;
