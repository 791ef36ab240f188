// A pendulum whose length an algorithm section computes: the constraint is differentiated twice, and the states change. The same
// pendulum by its angle says where it is.
// run: --stop 3 --rtol 1e-9
// expect min(error) >= -1e-6
// expect max(error) <= 1e-6
// expect max(pull) <= 1e-5
// expect min(pull) >= -1e-5
model SectionPendulum
  parameter Real l = 1.2, g = 9.81, m = 0.6, phi0 = 2;
  Real x(start=l*sin(phi0), fixed=true), y(start=-l*cos(phi0)), vx(start=0, fixed=true), vy, F, s[2], square;
  Real phi(start=phi0, fixed=true), w(start=0, fixed=true);
  Real error = x - l*sin(phi) + y + l*cos(phi);
  Real pull = F*l - m*(g*cos(phi) + l*w^2);
algorithm
  s := {x, y};
  square := 0;
  for k in 1:2 loop
    square := square + s[k]^2;
  end for;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x;
  m*der(vy) = -F*y - m*g;
  square = l^2;
  der(phi) = w;
  der(w) = -g/l*sin(phi);
end SectionPendulum;
