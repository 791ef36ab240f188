model Sampled
  Real u = time;
  Real y = sample(u, Clock(0.1));
end Sampled;
// expect X001 at 3:22
