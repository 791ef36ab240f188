model Sampled
  Clock c = Clock(0.1);
  Real x = time;
end Sampled;
// expect X001 at 2:9
