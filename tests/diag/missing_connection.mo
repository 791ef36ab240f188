package Net
  connector In = input Real;
  connector Out = output Real;
  block Gain
    parameter Real k = 1;
    In u;
    Out y;
  equation
    y = k*u;
  end Gain;
  model Loop
    Gain g(k = 2);
  end Loop;
end Net;
// expect S101 at 6:8
