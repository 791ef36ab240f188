// A constraint that goes through a function with a loop and no derivative annotation: a bead on the curve y = x^3. Differentiated
// once it gives vy = 3*x^2*vx, twice the acceleration 6*x*vx^2 + 3*x^2*ax; x = sin(t) is prescribed by its equation of motion.
// run: --stop 1 --rtol 1e-9
// expect y(1) = sin(1)**3 +- 1e-7
// expect vy(1) = 3*sin(1)**2*cos(1) +- 1e-7
// expect ay(1) = 6*sin(1)*cos(1)**2 - 3*sin(1)**3 +- 1e-6
model IndexFunction
  function cube
    input Real u;
    output Real w;
  algorithm
    w := 1;
    for k in 1:3 loop
      w := w*u;
    end for;
  end cube;
  Real x(start = 0, fixed = true), vx(start = 1, fixed = true), y, vy, ay;
equation
  der(x) = vx;
  der(vx) = -x;
  y = cube(x);
  vy = der(y);
  ay = der(vy);
end IndexFunction;
