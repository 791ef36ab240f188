// What follows an input within 1e-9 s is exact at the end of each step of a stiff method, however long that is; rows lie inside of steps.
// run: --stop 0.08 --rtol 1e-6
// solvers: auto rosenbrock cvode ida
// expect max(e) <= 1e-4
// expect min(e) >= -1e-4
// expect max(r) <= 0.01
// expect min(r) >= -0.01
// expect steps <= 5000
model StiffRows
  parameter Real T = 1e-9, L = 2e-3, G = 5e-7;
  Real x(start = 0, fixed = true), e "x less what it follows";
  Real i(start = 0, fixed = true, nominal = 5e-5), u, v = 120*sin(250*time), r "voltage of the coil";
equation
  T*der(x) = sin(250*time) - x;
  e = x - sin(250*time);
  L*der(i) = v - u;
  i = G*u;
  r = v - u;
end StiffRows;
