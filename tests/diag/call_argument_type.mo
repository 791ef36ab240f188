model Root
  Real x = sqrt("two");
end Root;
// expect T304 at 2:17
