model Pulses "areas of Dirac pulses, values before a sub-step; a function of the model's own hides the operator"
  model Wall
    function impulse
      input Real x;
      output Real y;
    algorithm
      y := 2*x;
    end impulse;
    Real y = impulse(time);
  end Wall;
  Wall wall;
  Real x[2](each start = 0, each fixed = true);
  Real F[2], area[2], total = sum(impulse(F)), last = pre(x[1]) + 1;
  discrete Real hits(start = 0), before = pre(x[2]);
  Boolean back = impulse(F[1]) < 0 or pre(x[1]) > pre(x[2]);
equation
  der(x) = F;
  for i in 1:2 loop
    if time < 0.5 then
      F[i] = 10;
    else
      x[i] = -5;
    end if;
    area[i] = impulse(F[i]);
  end for;
  when impulse(F[1]) < 0 then
    hits = pre(hits) + impulse(F[1]);
  end when;
end Pulses;
