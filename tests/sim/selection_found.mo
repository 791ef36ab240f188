// Which variables are states follows from the values that the initial system finds, not from start values that are far from them; and
// their sizes are those that are declared for the variables, from the first step on.
// class: SelectionFound.All
// run: --stop 1.5 --rtol 1e-6 --intervals 30
// solvers: rk45 cvode ida
package SelectionFound
  model Pendulum
    parameter Real r = 0.5;
    Real x(nominal = r), y(nominal = r), vx(nominal = r), vy(nominal = r), F;
  equation
    x^2 + y^2 = r^2;
    der(x) = vx;
    der(y) = vy;
    der(vx) = -F*x;
    der(vy) = -F*y - 19*r;
  end Pendulum;
  model All
    Pendulum below(x(start = 0.4), y(start = -0.3));
    Pendulum beside(x(start = 0.01), y(start = -0.5));
    Pendulum small(r = 1e-7, x(start = 0.6e-7, fixed = true), y(start = -0.8e-7), vx(start = 0.4e-7, fixed = true));
    Pendulum large(r = 1e7, x(start = 0.6e7, fixed = true), y(start = -0.8e7), vx(start = 0.4e7, fixed = true));
    Real phi(start = asin(0.6), fixed = true), w(start = 0.5, fixed = true);
    Real swing(start = 0, fixed = true), dswing(start = 3, fixed = true);
    Real fall(start = pi/2, fixed = true), dfall(start = 0, fixed = true);
    constant Real pi = 2*asin(1.0);
    Real small_x = small.x/small.r - sin(phi), large_x = large.x/large.r - sin(phi);
    Real below_x = below.x - 0.5*sin(swing), beside_y = beside.y + 0.5*cos(fall);
  initial equation
    below.x = 0;
    below.y = -0.5;
    below.vx = 1.5;
    beside.y = 0;
    beside.vy = 0;
  equation
    der(phi) = w;
    der(w) = -19*sin(phi);
    der(swing) = dswing;
    der(dswing) = -19*sin(swing);
    der(fall) = dfall;
    der(dfall) = -19*sin(fall);
  end All;
end SelectionFound;
// expect max(small_x) <= 1e-4
// expect min(small_x) >= -1e-4
// expect max(large_x) <= 1e-4
// expect min(large_x) >= -1e-4
// expect max(below_x) <= 1e-4
// expect min(below_x) >= -1e-4
// expect max(beside_y) <= 1e-4
// expect min(beside_y) >= -1e-4
