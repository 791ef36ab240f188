package World
  model Environment
    parameter Real g = 9.81;
  end Environment;
  model Stone
    outer Environment environment;
    Real v(start = 0, fixed = true);
  equation
    der(v) = -environment.g;
  end Stone;
  model Fall
    Stone stone;
  end Fall;
end World;
// expect N009 at 6:23
