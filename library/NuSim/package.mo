within;
package NuSim "Elements that switch, each at three levels of abstraction"
  // The papers that the elements follow:
  //   Otter, Elmqvist, Mattsson: Hybrid Modeling in Modelica based on the Synchronous Data Flow Principle. CACSD 1999.
  //   Otter, Remelhe, Engell, Mosterman: Hybrid Models of Physical Systems and Discrete Controllers. at 48(9), 2000.
  //   Clauss, Haase, Kurth, Schwarz: Extended Admittance Description of Nonlinear n-Poles. AEUE 40, 1995.
  //   Mosterman: A Simulation Environment for Hybrid Dynamic Systems. DLR-IB-515-00/2, 2000.

  type Level = enumeration(
    Smooth "A characteristic with derivatives: no switch, steep slopes",
    PiecewiseLinear "Straight lines with corners: a switch between finite slopes",
    Ideal "The lines are vertical or horizontal: an ideal switch")
    "How much of a fast transition a model keeps (Otter et al. 2000, section 3)";

  package Units "Types with units"
    type Time = Real(final unit = "s");
    type Angle = Real(final unit = "rad");
    type AngularVelocity = Real(final unit = "rad/s");
    type AngularAcceleration = Real(final unit = "rad/s2");
    type Frequency = Real(final unit = "Hz");
    type Voltage = Real(final unit = "V");
    type Current = Real(final unit = "A");
    type Resistance = Real(final unit = "Ohm");
    type Conductance = Real(final unit = "S");
    type Capacitance = Real(final unit = "F");
    type Inductance = Real(final unit = "H");
    type Position = Real(final unit = "m");
    type Velocity = Real(final unit = "m/s");
    type Acceleration = Real(final unit = "m/s2");
    type Mass = Real(final unit = "kg");
    type Force = Real(final unit = "N");
    type Inertia = Real(final unit = "kg.m2");
    type Torque = Real(final unit = "N.m");
    type Area = Real(final unit = "m2");
    type Pressure = Real(final unit = "Pa");
    type VolumeFlow = Real(final unit = "m3/s");
    type Temperature = Real(final unit = "K");
    type Heat = Real(final unit = "J");
    type HeatFlow = Real(final unit = "W");
    constant Voltage volt = 1 "Scale of a curve parameter";
    constant Current ampere = 1 "Scale of a curve parameter";
  end Units;

  function growth "exp(x), continued by its tangent so that it stays finite"
    input Real x;
    input Real last = 40 "Where the straight line begins";
    output Real y;
  algorithm
    y := if x > last then exp(last)*(1 + x - last) else exp(x);
    annotation(Inline = true, smoothOrder = 1);
  end growth;

  function interpolate "A table of abscissae and ordinates, straight lines between them, constant outside"
    input Real table[:, 2] "Rows (x, y) with rising x";
    input Real x;
    output Real y;
  protected
    Integer n = size(table, 1);
    Integer k = 1;
  algorithm
    if n == 1 or x <= table[1, 1] then
      y := table[1, 2];
    elseif x >= table[n, 1] then
      y := table[n, 2];
    else
      while table[k + 1, 1] < x loop
        k := k + 1;
      end while;
      y := table[k, 2] + (table[k + 1, 2] - table[k, 2])*(x - table[k, 1])/(table[k + 1, 1] - table[k, 1]);
    end if;
  end interpolate;
end NuSim;
