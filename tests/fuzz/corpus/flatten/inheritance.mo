package Machines
  type Torque = Real(unit = "N.m", min = -100);
  partial model Base "common part"
    parameter Real J(min = 0) = 1 "inertia";
    Real w(start = 0, unit = "rad/s");
    Torque tau;
  equation
    J*der(w) = tau;
  end Base;
  model Motor
    extends Base(J = 2, w(start = 5, fixed = true), tau(max = 10));
    final parameter Real k = 3;
  equation
    tau = k - w;
  end Motor;
  model Strong = Motor(final J = 4);
  model Test
    extends Strong(w(nominal = 100));
    Real energy = 0.5*J*w^2;
  end Test;
end Machines;
