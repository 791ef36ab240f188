// Products and functions of states, by way of variables: x = cos(20 t), y = sin(20 t).
// x y = sin(40 t)/2; |x| + max(y, 0) has its tops 2^0.5 at 20 t = pi/4, 3 pi/4 + 2 pi k; x^2 has its tops at 20 t = pi k;
// exp(x) sqrt(2 + y) has one top of 3.9521 in a turn, at 20 t = 0.2216 + 2 pi k; atan2 jumps, its sine does not.
// run: --stop 5 --intervals 1 --rtol 1e-9
// solvers: auto rk45 rkf45 rosenbrock ida
// expect product(5) = floor((40*5 - asin(0.99998))/(2*pi)) + 1
// expect corner(5) = 32
// expect square(5) = floor(100/pi)
// expect smooth_top(5) = 16
// expect angle(5) = 16
model CrossingFunction
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), p, q, phi;
  Integer product(start = 0, fixed = true), corner(start = 0, fixed = true), square(start = 0, fixed = true);
  Integer smooth_top(start = 0, fixed = true), angle(start = 0, fixed = true);
  parameter Real most = 0.49999;
equation
  der(x) = -20*y;
  der(y) = 20*x;
  p = x*y;
  q = exp(x)*sqrt(2 + y);
  phi = atan2(y, x);
  when p > most then
    product = pre(product) + 1;
  end when;
  when noEvent(abs(x) + max(y, 0)) > 1.41421 then
    corner = pre(corner) + 1;
  end when;
  when x^2 > 1 - 1e-5 then
    square = pre(square) + 1;
  end when;
  when q > 3.9521 then
    smooth_top = pre(smooth_top) + 1;
  end when;
  when sin(phi) > 0.99999 then
    angle = pre(angle) + 1;
  end when;
end CrossingFunction;
