// Two inertias on a rigid shaft: one constraint between speeds, one between angles.
model Index2
  Real w1(start = 1, fixed = true), w2, tau;
equation
  2*der(w1) = -tau;
  3*der(w2) = tau - 0.1*w2;
  w1 = 2*w2;
end Index2;
