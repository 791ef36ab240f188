// While a mode lasts, what its constraint says jumps (the target k of a gear): the states that it binds jump by conservation, as they
// do where the mode begins. m1*v1*r + m2*v2 grows with the force u alone; a pulse acts at each jump.
// run: --stop 2
// solvers: rk45 rosenbrock cvode ida
// expect v2(0.5) = 0.5*0.8/3 +- 1e-6
// expect v2(1.1) = (1.1*0.8 - 1.5*2*0.7)/(1.5**2*2 + 3) +- 1e-6
// expect v1(1.1) = 0.7 + 1.5*(1.1*0.8 - 1.5*2*0.7)/(1.5**2*2 + 3) +- 1e-6
// expect v2(2) = (2*0.8 - 1.5*2*1.4)/(1.5**2*2 + 3) +- 1e-6
// expect jumps(2) = 2 +- 0
// expect area(1) = -2*0.7*3/(1.5**2*2 + 3) +- 1e-6
// expect structures = 2
model JumpWithin
  parameter Real m1 = 2, m2 = 3, r = 1.5, u = 0.8;
  Real v1(start = 0, fixed = true), v2(start = 0, fixed = true), F;
  discrete Real k(start = 0, fixed = true), area(start = 0, fixed = true);
  Integer jumps(start = 0, fixed = true);
equation
  m1*der(v1) = -F;
  m2*der(v2) = r*F + u;
  if time > 0.6 then v1 - r*v2 = k; else F = 0; end if;
  when sample(0.9, 0.9) then
    k = pre(k) + 0.7;
  end when;
  when abs(impulse(F)) > 0 and time > 0.7 then
    area = impulse(F);
    jumps = pre(jumps) + 1;
  end when;
end JumpWithin;
