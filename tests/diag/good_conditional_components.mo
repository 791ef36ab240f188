package Measuring "conditional components, their connectors, and default values when they are absent"
  connector In = input Real;
  connector Out = output Real;
  block Gain
    parameter Real k = 1;
    In u;
    Out y;
  equation
    y = k*u;
  end Gain;
  block Source
    Out y;
  equation
    y = sin(time);
  end Source;
  block Chain
    parameter Boolean filtered = false;
    Out y;
    Source source;
    Gain direct(k = 1) if not filtered;
    Gain first(k = 2) if filtered;
    Gain second(k = 3) if filtered;
  equation
    connect(source.y, direct.u);
    connect(direct.y, y);
    connect(source.y, first.u);
    connect(first.y, second.u);
    connect(second.y, y);
  end Chain;
  model Test
    Chain plain;
    Chain complex(filtered = true);
    Real difference = plain.y - complex.y;
  end Test;
end Measuring;
// expect nothing
