model Derived
  model Base
    parameter Real gain = 2;
    Real y = gain*time;
  end Base;
  extends Base(gian = 3);
end Derived;
// expect M001 at 6:16
