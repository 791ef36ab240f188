// A chain of exponential diodes at high voltage, start values 0: Newton's method overflows; the path of a homotopy leads there.
// run: --stop 1 --intervals 1
// expect v1(0) = 0.9785266104 +- 1e-8
// expect residual(0) = 0 +- 1e-9
model HomotopyDiodes
  parameter Real Is = 1e-14, Vt = 0.025, R = 1, U = 1000;
  Real v1, v2, v3, i, residual;
equation
  i = Is*(exp(v1/Vt) - 1);
  i = Is*(exp(v2/Vt) - 1) + v2/1e3;
  i = 10*Is*(exp(v3/Vt) - 1);
  U = R*i + v1 + v2 + v3 + 0*time;
  residual = U - R*i - v1 - v2 - v3;
end HomotopyDiodes;
