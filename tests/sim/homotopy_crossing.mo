// The path of homotopy() goes straight on where another branch crosses it (a simple bifurcation): the simplified form decides
// between solutions, not what is near to the start values.
// run: --stop 1 --intervals 2
model homotopy_crossing
  Real x(start = 0), y(start = 5), z(start = -3), u(start = 1), w(start = 1);
equation
  0 = homotopy(sin(x)*(x - 50), x - 50);
  0 = homotopy((y - 2)*(y^2 + y - 11), (y - 2)*(y^2 + 3)); // crossed at lambda = 7/12
  0 = homotopy(cos(3*z)*(z - 4.2)*(1 + 0.2*z), z - 4.2);
  // two unknowns: on u = 1.5*w the second factor changes its sign on the way
  0 = homotopy((u - 1.5*w)*(u + w - 15), u - 1.5*w);
  w = homotopy(4 + 0.25*sin(w - 4), 10 - u/3);
end homotopy_crossing;
// expect x(0) = 50 +- 1e-9
// expect y(0) = 2 +- 1e-9
// expect z(0) = 4.2 +- 1e-9
// expect u(0) = 6 +- 1e-9
// expect w(0) = 4 +- 1e-9
