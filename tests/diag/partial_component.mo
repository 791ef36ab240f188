model Plant
  partial model Machine
    Real power;
  end Machine;
  Machine m;
end Plant;
// expect M006 at 5:11
