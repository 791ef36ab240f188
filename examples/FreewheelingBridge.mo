model FreewheelingBridge "An inductor draws more current than the source gives: all diodes conduct, and the capacitor is empty"
  // Otter et al. 2000, section 3.2: with all diodes closed the voltage of the capacitor is no state any more. How the current is shared
  // between the two branches is not determined: the solution next to the one before is taken.
  import NuSim.Electrical.*;
  SineVoltage source(U = 10, f = 50);
  Resistor r1(R = 20), r2(R = 1);
  Bridge bridge;
  Capacitor c(C = 1e-4, u(start = 20, fixed = true));
  Inductor l(L = 0.1, i(start = 2, fixed = true));
  Ground ground;
  Real decay(unit = "A") = l.i*exp(10*time) "Constant while the current decays by r2 alone";
  discrete Real begin(unit = "A", start = 0, fixed = true);
  Real change(unit = "A") = if time >= 0.01 then decay - begin else 0;
equation
  connect(source.p, r1.p);
  connect(r1.n, bridge.a);
  connect(source.n, bridge.b);
  connect(source.n, ground.p);
  connect(bridge.p, c.p);
  connect(bridge.n, c.n);
  connect(bridge.p, l.p);
  connect(l.n, r2.p);
  connect(r2.n, bridge.n);
  when time >= 0.01 then
    begin = decay;
  end when;
  annotation(experiment(StopTime = 0.3, Tolerance = 1e-9, Interval = 1e-3, __NuSim_modes = "all"));
  // expect c.u(0) = 20 +- 1e-9
  // expect c.u(0.001) = 0 +- 1e-9
  // expect c.u(0.14) = 0 +- 1e-9
  // expect change(0.14) = 0 +- 1e-7
  // expect min(c.u) >= -1e-9
  // expect bridge.d1.u(0.1) = 0 +- 1e-9
  // expect bridge.d2.u(0.1) = 0 +- 1e-9
  // expect bridge.d3.u(0.1) = 0 +- 1e-9
  // expect bridge.d4.u(0.1) = 0 +- 1e-9
end FreewheelingBridge;
