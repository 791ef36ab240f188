// Jumps in which inertias and capacities depend on what jumps: the conserved quantity is the one under der().
// run: --stop 1 --intervals 10
// solvers: auto rk45 rosenbrock ida
// arms are pulled in at once: m r^2 w stays
// expect skater.w(1) = 4 +- 1e-9
// expect skater.area(1) = -1 +- 1e-9
// capacitors with the charge u + u^3/3
// expect caps.u1(1) = 2.2422457511874367 +- 1e-8
// expect caps.u2(1) = 2.2422457511874367 +- 1e-8
// expect caps.charge(1) = 12 +- 1e-8
// expect caps.moved(1) = 6 +- 1e-8
// bodies near the speed of light stick together
// expect fast.v1(1) = 0.3675162651818706 +- 1e-8
// expect fast.v2(1) = 0.3675162651818706 +- 1e-8
// expect fast.momentum(1) = 1.1855145489834242 +- 1e-8
model JumpNonlinear
  model Skater
    parameter Real m = 3;
    Real r(start = 2, fixed = true), w(start = 1, fixed = true), u;
    discrete Real area(start = 0);
  equation
    der(r) = u;
    der(m*r^2*w) = 0;
    if time > 0.5 then
      r = 1;
    else
      u = 0;
    end if;
    when abs(impulse(u)) > 0 then
      area = impulse(u);
    end when;
  end Skater;
  model Caps
    Real u1(start = 3, fixed = true), u2(start = 0, fixed = true), i, charge;
    discrete Real moved(start = 0);
  equation
    der(u1 + u1^3/3) = -i;
    der(u2 + u2^3/3) = i;
    charge = u1 + u1^3/3 + u2 + u2^3/3;
    if time > 0.5 then
      u1 = u2;
    else
      i = 0;
    end if;
    when abs(impulse(i)) > 0 then
      moved = impulse(i);
    end when;
  end Caps;
  model Fast
    Real v1(start = 0.6, fixed = true), v2(start = -0.3, fixed = true), F, momentum;
  equation
    der(2*v1/sqrt(1 - v1^2)) = -F;
    der(v2/sqrt(1 - v2^2)) = F;
    momentum = 2*v1/sqrt(1 - v1^2) + v2/sqrt(1 - v2^2);
    if time > 0.5 then
      v1 = v2;
    else
      F = 0;
    end if;
  end Fast;
  Skater skater;
  Caps caps;
  Fast fast;
end JumpNonlinear;
