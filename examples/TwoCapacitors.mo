model TwoCapacitors "A switch connects capacitors of different voltage: charge is kept, energy is not"
  import NuSim.Electrical.*;
  Capacitor c1(C = 1, u(start = 10, fixed = true)), c2(C = 3, u(start = 2, fixed = true));
  Switch switch(closed = time >= 1);
  Ground ground;
  discrete Real moved(unit = "C", start = 0, fixed = true) "Area of the pulse of the current";
  Real charge(unit = "C") = c1.C*c1.u + c2.C*c2.u, energy(unit = "J") = (c1.C*c1.u^2 + c2.C*c2.u^2)/2;
equation
  connect(c1.p, switch.p);
  connect(switch.n, c2.p);
  connect(c1.n, ground.p);
  connect(c2.n, ground.p);
  when switch.closed then
    moved = impulse(switch.i);
  end when;
  annotation(experiment(StopTime = 2, Interval = 0.1));
  // expect c1.u(2) = 4 +- 1e-12
  // expect c2.u(2) = 4 +- 1e-12
  // expect moved(2) = 6 +- 1e-12
  // expect charge(1-) = 16 +- 1e-12
  // expect charge(2) = 16 +- 1e-12
  // expect energy(1-) = 56 +- 1e-12
  // expect energy(2) = 32 +- 1e-11
end TwoCapacitors;
