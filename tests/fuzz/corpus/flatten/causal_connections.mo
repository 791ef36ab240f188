package Signals "inputs and outputs, vectors of signals, connections through a hierarchy"
  connector In = input Real;
  connector Out = output Real;
  block Gain
    parameter Real k = 1;
    In u;
    Out y = k*u;
  end Gain;
  block Stage
    In u[2];
    Out y[2];
    Gain g[2](k = {2, 3});
  equation
    connect(u, g.u);
    connect(g.y, y);
  end Stage;
  block Test
    In u "given from outside";
    Out y;
    Stage s;
    Gain sum(k = 0.5);
  equation
    connect(u, s.u[1]);
    s.u[2] = time;
    connect(s.y[2], sum.u);
    connect(sum.y, y);
  end Test;
end Signals;
