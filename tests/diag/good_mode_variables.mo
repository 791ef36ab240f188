package Modes "what takes part differs from mode to mode"
  model Branches "u and w in one branch each, as many equations in both"
    Real x(start = 0, fixed = true), u, w;
  equation
    if x < 1 then
      u = time;
      der(x) = u;
    else
      w = -time;
      der(x) = w + 1;
    end if;
  end Branches;
  model Optional "force exists in one mode; without else"
    Real x(start = 0, fixed = true), force, area;
  equation
    der(x) = 1;
    if x > 1 then
      force = x^2;
    end if;
    area = impulse(force);
  end Optional;
  model Held "a state that no equation mentions keeps its value"
    Real x(start = 0, fixed = true);
  equation
    if time < 1 then
      der(x) = 1;
    end if;
  end Held;
  model Exchange "two if-equations make up for each other"
    Real x, y;
    Boolean c = time > 1;
  equation
    if c then
      x = 1;
      y = 2;
    end if;
    if not c then
      x = 2;
      y = x + time;
    end if;
  end Exchange;
  model All
    Branches branches;
    Optional optional;
    Held held;
    Exchange exchange;
  end All;
end Modes;
// expect nothing
