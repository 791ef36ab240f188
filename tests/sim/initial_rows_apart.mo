// Initial equations, and what `when initial()` says, stand between equations that hold at any time: constraints that are kept as
// invariants, and equations that are left out because others say the same, are found all the same.
// class: InitialRowsApart.All
// run: --stop 1 --rtol 1e-10 --intervals 10
// solvers: rk45 ida
package InitialRowsApart
  model Pendulum "in Cartesian coordinates"
    parameter Real r = 1.3;
    Real x(start = 1.2), y(start = -0.5, fixed = true), vx(start = 0), vy(start = 0.6, fixed = true), F;
  equation
    x^2 + y^2 = r^2;
    der(x) = vx;
    der(y) = vy;
    der(vx) = -F*x;
    der(vy) = -F*y - 9.81;
  end Pendulum;
  model Angle "the same by its angle"
    parameter Real r = 1.3;
    Real phi(start = acos(0.5/1.3), fixed = true), w(start = 0.5, fixed = true);
  equation
    der(phi) = w;
    der(w) = -9.81/r*sin(phi);
  end Angle;
  model Switched "its equations change with the mode"
    Real z;
    Real level(start = 5);
  initial equation
    z = if level > 2 then 3 else 7;
    level = 1 + 3;
  equation
    der(level) = -1;
    if time < 0.25 then
      der(z) = 8;
    else
      z = 2*time;
    end if;
  end Switched;
  model Diodes "two that want a capacitor to be empty"
    Real u(start = 0), i, j, p, q(start = 1);
  equation
    when initial() then
      reinit(q, 5);
    end when;
    if time < 0.25 then
      u = 0;
    else
      i = 3;
    end if;
    der(q) = p - 2*q;
    p = 4;
    3*der(u) = i + j;
    if time < 0.25 then
      u = 0;
    else
      j = 6;
    end if;
  end Diodes;
  model All
    Pendulum pendulum;
    Angle angle;
    Switched switched;
    Diodes diodes;
    Real difference = pendulum.y + angle.r*cos(angle.phi);
  end All;
end InitialRowsApart;
// expect pendulum.x(0) = 1.2 +- 1e-9
// expect pendulum.vx(0) = 0.25 +- 1e-9
// expect max(difference) <= 1e-7
// expect min(difference) >= -1e-7
// expect switched.z(0) = 3
// expect switched.z(0.2) = 4.6 +- 1e-9
// expect switched.z(1) = 2 +- 1e-12
// expect switched.level(1) = 3 +- 1e-9
// expect diodes.u(0.25-) = 0 +- 1e-12
// expect diodes.u(1) = 2.25 +- 1e-9
// expect diodes.q(1) = 2 + 3*exp(-2) +- 1e-8
