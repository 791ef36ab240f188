// Ideal contacts: impacts with and without restitution, stops on both sides, a contact that is pulled open.
// run: --stop 2 --rtol 1e-9
// expect m1.v(1) = 1.5 +- 1e-12
// expect m2.v(1) = 3 +- 1e-12
// expect p1.v(1) = 2 +- 1e-12
// expect p2.v(1) = 2 +- 1e-12
// expect plastic.touching(1) = 1
// expect c.v(1) = -0.8 +- 1e-12
// expect c.v(2) = 0.64 +- 1e-12
// expect lift.s(2) = 0.5*(2 - 1)**2/2 +- 1e-6
model IdealContacts
  import NuSim.Translational.*;
  Mass m1(m = 2, s(start = 0, fixed = true), v(start = 3, fixed = true)), m2(m = 1, s(start = 1, fixed = true), v(fixed = true));
  Contact half(e = 0.5);
  Mass p1(m = 2, s(start = 0, fixed = true), v(start = 3, fixed = true)), p2(m = 1, s(start = 1, fixed = true), v(fixed = true));
  Contact plastic;
  Fixed ground;
  Mass c(m = 1, s(start = 0, fixed = true), v(start = 1, fixed = true));
  Stops stops(low = -0.5, high = 0.5, e = 0.8);
  Mass lift(m = 1, s(start = 0.1, fixed = true), v(start = -1, fixed = true));
  Contact floor;
  ForceSource pull(f = if time < 1 then -1 else 0.5);
equation
  connect(m1.b, half.a);
  connect(half.b, m2.a);
  connect(p1.b, plastic.a);
  connect(plastic.b, p2.a);
  connect(ground.flange, stops.a);
  connect(stops.b, c.a);
  connect(ground.flange, floor.a);
  connect(floor.b, lift.a);
  connect(pull.flange, lift.b);
end IdealContacts;
