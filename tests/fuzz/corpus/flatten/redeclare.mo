package Media
  partial package Medium
    constant Real cp;
    replaceable partial function density
      input Real T;
      output Real d;
    end density;
  end Medium;
  package Water
    extends Medium(cp = 4200);
    redeclare function extends density
    algorithm
      d := 1000 - 0.2*(T - 277);
    end density;
  end Water;
  package Oil
    extends Medium(cp = 1900);
    redeclare function extends density
    algorithm
      d := 870;
    end density;
  end Oil;
  model Tank
    replaceable package M = Water constrainedby Medium;
    parameter Real V = 1;
    Real T(start = 300, fixed = true);
  equation
    V*M.density(T)*M.cp*der(T) = 100;
  end Tank;
  model Test
    Tank a;
    Tank b(redeclare package M = Oil, V = 2);
  end Test;
end Media;
