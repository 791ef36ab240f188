within Nowhere.Sub;
model Part
  Real x = time;
end Part;
// expect L003 at 1:8
