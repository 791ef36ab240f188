package Control "replaceable models, functions and packages, with constraints"
  partial model Plant
    input Real u;
    output Real y;
  end Plant;
  model Lag
    extends Plant;
    parameter Real T = 1;
  equation
    T*der(y) = u - y;
  initial equation
    y = 0;
  end Lag;
  model Integrator
    extends Plant;
    parameter Real k = 1;
    Real x(start = 0, fixed = true);
  equation
    der(x) = k*u;
    y = x;
  end Integrator;
  partial function Law
    input Real e;
    output Real u;
  end Law;
  function proportional
    extends Law;
    input Real k = 2;
  algorithm
    u := k*e;
  end proportional;
  function limited
    extends Law;
  algorithm
    u := max(-1, min(1, 10*e));
  end limited;
  model Loop
    replaceable model Process = Lag constrainedby Plant;
    replaceable function law = proportional constrainedby Law;
    Process process;
    parameter Real goal = 1;
  equation
    process.u = law(goal - process.y);
  end Loop;
  model Test
    Loop plain;
    Loop changed(redeclare model Process = Integrator(k = 3), redeclare function law = limited, goal = 2);
  end Test;
end Control;
// expect nothing
