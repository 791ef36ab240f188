model BridgeModes "The four diodes of a bridge as one mixed system of Reals and Booleans"
  // The linear system of Otter, Remelhe, Engell, Mosterman 2000, table 1, for two pairs of source and capacitor voltage. With 100 V
  // against 50 V diodes 1 and 4 conduct, and no other of the 16 modes agrees with itself. With 100 V against 150 V all of them
  // block; the matrix is singular then and the shortest solution is taken.
  parameter Real R1 = 20;
  parameter Real u0[2] = {100, 100} "Voltage of the source";
  parameter Real uC[2] = {50, 150} "Voltage of the capacitor";
  Real s[2, 4] "Curve parameters";
  Boolean off[2, 4](each start = true);
  Real m[2, 4] = {{if off[k, j] then 1 else 0 for j in 1:4} for k in 1:2};
equation
  for k in 1:2 loop
    for j in 1:4 loop
      off[k, j] = s[k, j] < 0;
    end for;
    m[k, 2]*s[k, 2] + m[k, 4]*s[k, 4] = -uC[k];
    m[k, 1]*s[k, 1] - m[k, 2]*s[k, 2] + m[k, 3]*s[k, 3] - m[k, 4]*s[k, 4] = 0;
    (m[k, 1]/R1 + 1 - m[k, 1])*s[k, 1] - m[k, 2]/R1*s[k, 2] + (m[k, 3] - 1)*s[k, 3] = u0[k]/R1;
    (m[k, 1] - 1)*s[k, 1] + (m[k, 2] - 1)*s[k, 2] + (1 - m[k, 3])*s[k, 3] + (1 - m[k, 4])*s[k, 4] = 0;
  end for;
  annotation(experiment(StopTime = 1, Interval = 0.5));
  // expect s[1,1](1) = 2.5 +- 1e-12
  // expect s[1,2](1) = -50 +- 1e-12
  // expect s[1,3](1) = -50 +- 1e-12
  // expect s[1,4](1) = 2.5 +- 1e-12
  // expect s[2,1](1) = -25 +- 1e-9
  // expect s[2,2](1) = -125 +- 1e-9
  // expect s[2,3](1) = -125 +- 1e-9
  // expect s[2,4](1) = -25 +- 1e-9
  // expect state_events = 0
end BridgeModes;
