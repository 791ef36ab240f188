// A rectifier of four ideal diodes whose load current goes on when the capacitor is empty: then all four conduct, the voltage is bound
// to 0 (Otter, Remelhe, Engell, Mosterman 2000, section 3.2, leave that open), and how the current divides is not determined: it
// is taken nearest to the values before. Two pairs of diodes say the same about the voltage there.
// The capacitor is charged from the instant at which the source alone gives the load current: asin(2*R/220)/(100*pi).
// run: --intervals 90
// solvers: auto rk45 rosenbrock cvode ida
// expect uC(0.0005) = 0 +- 1e-12
// expect i0(0.0005) = 11*sin(0.05*3.141592653589793) +- 1e-6
// expect begin(0.001) = 0.0005819823164661056 +- 1e-8
// expect uC(0.005) = 129.67500134101368 +- 1e-4
// expect over(0.0085) = 0.007811513283371093 +- 1e-7
// expect uC(0.0085) = 125.84949843817763 +- 1e-3
// expect i1(0.0085) = 0 +- 1e-12
// expect min(uC) >= -1e-9
model ModeBridge
  parameter Real R = 20, C = 1e-4;
  Real u0, uC(start = 0, fixed = true), i0, iC, s1, s2, s3, s4, v1, v2, v3, v4, i1, i2, i3, i4;
  Boolean off1(start = true), off2(start = true), off3(start = true), off4(start = true);
  discrete Real begin(start = 0), over(start = 0);
equation
  u0 = 220*sin(100*3.141592653589793*time);
  off1 = s1 < 0;
  off2 = s2 < 0;
  off3 = s3 < 0;
  off4 = s4 < 0;
  v1 = if off1 then s1 else 0;
  i1 = if off1 then 0 else s1;
  v2 = if off2 then s2 else 0;
  i2 = if off2 then 0 else s2;
  v3 = if off3 then s3 else 0;
  i3 = if off3 then 0 else s3;
  v4 = if off4 then s4 else 0;
  i4 = if off4 then 0 else s4;
  v1 + uC + v2 = 0;
  v3 + uC + v4 = 0;
  u0 - R*i0 - v1 - uC - v4 = 0;
  i0 = i1 - i2;
  i0 = i4 - i3;
  iC = i1 + i3 - 2;
  C*der(uC) = iC;
  when off2 and time < 0.004 then
    begin = time;
  end when;
  when off1 then
    over = time;
  end when;
  annotation(experiment(StopTime = 0.009, Tolerance = 1e-8, __NuSim_modes = "all"));
end ModeBridge;
