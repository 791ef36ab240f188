model Gate
  Boolean open = time > 1;
  Real q = 2*open;
end Gate;
// expect T301 at 3:12
