// The valves of a cylinder whose spools move with time constants: the safety valve opens where the limit is reached, and the piston
// goes on as if it had opened at once, but for what the spools take.
// solvers: auto cvode ida rosenbrock
// expect relief.open(0.05) = 1
// expect relief.lift(0.05) = 1 +- 1e-6
// expect control.lift(0.0005) = 1 +- 1e-9
// expect control.lift(0.05) = 0 +- 1e-6
// expect f1(0.0005) = 4 +- 1e-3
// expect f1(0.05) = 3.9565 +- 2e-2
// expect max(chamber.p) <= 2100
model SmoothValves
  import NuSim.Hydraulic.*;
  Cylinder chamber(C = 1e-5, R = 500);
  NuSim.Translational.Mass piston(m = 1, s(fixed = true), v(start = -4, fixed = true));
  Valve control(level = NuSim.Level.Smooth, tau = 1e-6, open = time < 1e-3);
  SafetyValve relief(level = NuSim.Level.Smooth, limit = 1000, I = 0.01, tau = 1e-6);
  PressureSource supply(p = -4*control.Ropen);
  Reservoir tank;
  Real f1 = -piston.v;
equation
  connect(chamber.flange, piston.a);
  connect(chamber.port, control.a);
  connect(control.b, supply.port);
  connect(chamber.port, relief.a);
  connect(relief.b, tank.port);
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-7, Interval = 5e-4));
end SmoothValves;
