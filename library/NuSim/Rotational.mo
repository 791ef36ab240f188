within NuSim;
package Rotational "Shafts, clutches and brakes"
  import NuSim.Units.*;
  type SpringConstant = Real(final unit = "N.m/rad");
  type DampingConstant = Real(final unit = "N.m.s/rad");

  connector Flange
    Angle phi;
    flow Torque tau "Torque on the element";
  end Flange;

  model Fixed "Does not turn"
    Flange flange;
    parameter Angle phi0 = 0;
  equation
    flange.phi = phi0;
  end Fixed;

  model Inertia
    Flange a, b;
    parameter Units.Inertia J;
    Angle phi(start = 0, stateSelect = StateSelect.prefer);
    AngularVelocity w(start = 0, stateSelect = StateSelect.prefer);
    AngularAcceleration acc;
  equation
    a.phi = phi;
    b.phi = phi;
    w = der(phi);
    acc = der(w);
    J*acc = a.tau + b.tau;
  end Inertia;

  partial model Massless "Transmits a torque that depends on the angle between its flanges"
    Flange a, b;
    Angle phi_rel "From a to b";
    Torque tau "Turns a and b together when positive";
  equation
    phi_rel = b.phi - a.phi;
    b.tau = tau;
    a.tau = -tau;
  end Massless;

  model Spring
    extends Massless;
    parameter SpringConstant c;
    parameter Angle phi_rel0 = 0 "Where it is relaxed";
  equation
    tau = c*(phi_rel - phi_rel0);
  end Spring;

  model Damper
    extends Massless;
    parameter DampingConstant d;
  equation
    tau = d*der(phi_rel);
  end Damper;

  model Gear "a turns `ratio` times as fast as b"
    Flange a, b;
    parameter Real ratio(unit = "1");
  equation
    a.phi = ratio*b.phi;
    ratio*a.tau + b.tau = 0;
  end Gear;

  model TorqueSource "A torque on the flange"
    Flange flange;
    input Torque tau;
  equation
    flange.tau = -tau;
  end TorqueSource;

  model SpeedSensor
    Flange flange;
    output AngularVelocity w;
  equation
    flange.tau = 0;
    w = der(flange.phi);
  end SpeedSensor;

  partial model TurningFriction "Coulomb friction with angles and torques"
    extends CoulombFriction(v(unit = "rad/s"), a(unit = "rad/s2"), f(unit = "N.m"), f0(unit = "N.m"), f1(unit = "N.m.s/rad"), vSmall(unit = "rad/s"));
  end TurningFriction;

  model Clutch "Presses two shafts together with the force that is the input; free while it is not positive"
    extends TurningFriction;
    Flange flange_a, flange_b;
    input Force fn "Normal force";
    parameter Position radius = 1 "Mean radius times number of surfaces";
    parameter Real mu(unit = "1") = 0.5 "Sliding friction coefficient at low speed";
    Angle phi_rel(start = 0, stateSelect = StateSelect.prefer) "From a to b";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    v = der(phi_rel);
    flange_b.tau = f;
    flange_a.tau = -f;
    free = fn <= 0;
    f0 = mu*radius*fn;
  end Clutch;

  model Brake "Presses on a shaft with the force that is the input; free while it is not positive"
    extends TurningFriction;
    Flange flange;
    input Force fn "Normal force";
    parameter Position radius = 1 "Mean radius times number of surfaces";
    parameter Real mu(unit = "1") = 0.5 "Sliding friction coefficient at low speed";
    Angle phi;
  equation
    phi = flange.phi;
    v = der(phi);
    flange.tau = f;
    free = fn <= 0;
    f0 = mu*radius*fn;
  end Brake;

  model Bearing "Friction between a shaft and the housing"
    extends TurningFriction;
    Flange flange;
    parameter Torque F0 "Torque where sliding begins";
    Angle phi;
  equation
    phi = flange.phi;
    v = der(phi);
    flange.tau = f;
    free = false;
    f0 = F0;
  end Bearing;
end Rotational;
