// Events at states, at times known ahead and at samples; what they set is discrete.
model WhenEquations
  Real x(start = 1, fixed = true), y;
  discrete Real u(start = 0, fixed = true), t0(start = 0, fixed = true);
  Boolean late;
equation
  der(x) = u - x;
  late = time > 2;
  y = if late then floor(3*x) else x;
  when {x < 0.5, sample(0.25, 0.5)} then
    u = pre(u) + 1;
    t0 = time;
  elsewhen time > 3 then
    u = 0;
    t0 = pre(t0);
  end when;
end WhenEquations;
