model System
  model Part
    outer Real ambient;
    Real x = 2*ambient;
  end Part;
  Part part;
end System;
// expect N008 at 3:16
