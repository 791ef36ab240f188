package Machines "multiple inheritance, protected bases, class extends, short classes, nested modification, final, arrays of types"
  type Angle = Real(final unit = "rad", min = -10, max = 10);
  type Position = Angle[3];
  partial model Named
    parameter String name = "x";
  end Named;
  partial model Rotor
    parameter Real J = 1;
    Angle phi(start = 0);
    Real w(start = 0);
    replaceable model Friction
      parameter Real d = 0.1;
      input Real w;
      output Real tau = d*w;
    end Friction;
  equation
    der(phi) = w;
  end Rotor;
  model Motor
    extends Named(name = "motor");
    extends Rotor(J = 2, phi(fixed = true), w(fixed = true, start = 1));
    redeclare model extends Friction
      parameter Real c = 0.01;
      Real extra = c*w;
    end Friction;
    Friction friction(w = w, d = 0.5);
  protected
    Position p = {phi, 2*phi, 0};
  equation
    J*der(w) = -friction.tau;
  end Motor;
  model Slow = Motor(J = 20, friction(c = 0.5));
  model Test
    Slow slow(final name = "slow");
    Motor pair[2](J = {1, 2}, w(start = {3, 4}));
  end Test;
end Machines;
// expect nothing
