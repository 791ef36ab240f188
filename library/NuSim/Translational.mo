within NuSim;
package Translational "Motion along a line, with friction"
  import NuSim.Units.*;
  type SpringConstant = Real(final unit = "N/m");
  type DampingConstant = Real(final unit = "N.s/m");

  connector Flange
    Position s;
    flow Force f "Force on the element";
  end Flange;

  model Fixed "Does not move"
    Flange flange;
    parameter Position s0 = 0;
  equation
    flange.s = s0;
  end Fixed;

  model Mass "A mass without extension"
    Flange a, b;
    parameter Units.Mass m;
    Position s(start = 0, stateSelect = StateSelect.prefer);
    Velocity v(start = 0, stateSelect = StateSelect.prefer);
    Acceleration acc;
  equation
    a.s = s;
    b.s = s;
    v = der(s);
    acc = der(v);
    m*acc = a.f + b.f;
  end Mass;

  partial model Massless "Transmits a force that depends on the distance"
    Flange a, b;
    Position s_rel "From a to b";
    Force f "Pulls a and b together when positive";
  equation
    s_rel = b.s - a.s;
    b.f = f;
    a.f = -f;
  end Massless;

  model Spring
    extends Massless;
    parameter SpringConstant c;
    parameter Position s_rel0 = 0 "Where it is relaxed";
  equation
    f = c*(s_rel - s_rel0);
  end Spring;

  model Damper
    extends Massless;
    parameter DampingConstant d;
  equation
    f = d*der(s_rel);
  end Damper;

  model SpringDamper
    extends Massless;
    parameter SpringConstant c;
    parameter DampingConstant d;
    parameter Position s_rel0 = 0 "Where it is relaxed";
  equation
    f = c*(s_rel - s_rel0) + d*der(s_rel);
  end SpringDamper;

  model ForceSource "A force on the flange"
    Flange flange;
    input Force f;
  equation
    flange.f = -f;
  end ForceSource;

  model SpeedSensor
    Flange flange;
    output Velocity v;
  equation
    flange.f = 0;
    v = der(flange.s);
  end SpeedSensor;

  model ForceSensor "Put between two flanges"
    Flange a, b;
    output Force f "On flange a";
  equation
    a.s = b.s;
    a.f + b.f = 0;
    f = a.f;
  end ForceSensor;

  model Friction "Between two surfaces that are pressed together all the time"
    extends CoulombFriction(v(unit = "m/s"), a(unit = "m/s2"), f(unit = "N"), f0(unit = "N"), f1(unit = "N.s/m"), vSmall(unit = "m/s"));
    Flange flange_a, flange_b;
    Position s_rel(start = 0, stateSelect = StateSelect.prefer) "From a to b";
    parameter Force F0 "Force where sliding begins";
  equation
    s_rel = flange_b.s - flange_a.s;
    v = der(s_rel);
    flange_b.f = f;
    flange_a.f = -f;
    f0 = F0;
    free = false;
  end Friction;

  model Brake "Presses on the surface with the force that is the input; free while it is not positive"
    extends CoulombFriction(v(unit = "m/s"), a(unit = "m/s2"), f(unit = "N"), f0(unit = "N"), f1(unit = "N.s/m"), vSmall(unit = "m/s"));
    Flange flange;
    input Force fn "Normal force";
    parameter Real mu(unit = "1") = 0.5 "Sliding friction coefficient at low speed";
    Position s;
  equation
    s = flange.s;
    v = der(s);
    flange.f = f;
    free = fn <= 0;
    f0 = mu*fn;
  end Brake;

  model Contact "Keeps b from passing a: pushes them apart where they touch"
    extends Massless;
    parameter Level level = Level.Ideal;
    parameter Position s_rel0 = 0 "Distance where they touch";
    parameter Real e(min = 0, max = 1, unit = "1") = 0 "Restitution: speed after an impact over speed before; ideal";
    parameter SpringConstant c = 1e6 "Stiffness; smooth: at a depth of 1 m";
    parameter DampingConstant d(min = 0) = 0 "Piecewise linear";
    parameter Real slowing(min = 0, unit = "s/m") = 0 "Share of the force per speed of penetration; smooth";
    Position depth "By which they penetrate each other";
    Velocity v "Relative speed; negative: they approach";
    Force push "Not negative";
    Boolean touching(start = false) "Smooth: not used";
    Boolean pulling(start = false, fixed = true) "It would have to pull to go on; ideal";
    discrete Velocity before(start = 0, fixed = true) "The speed when they last began to touch";
  equation
    when touching then
      before = pre(v);
    end when;
    depth = s_rel0 - s_rel;
    v = der(s_rel);
    f = -push;
    if level == Level.Ideal then
      // by Newton's rule the mode of an impact is left at once, but for e = 0 or an impact without speed
      pulling = push < 0;
      touching = if pre(touching) then not pre(v) > 0 and not pre(pulling) else depth >= 0 and pre(v) < 0;
      if touching then
        v = -e*before;
      else
        push = 0;
      end if;
    elseif level == Level.PiecewiseLinear then
      // nothing pulls: a damped contact ends before the depth does
      pulling = false;
      touching = depth > 0 and c*depth > d*v;
      push = if touching then c*depth - d*v else 0;
    else
      // Hunt, Crossley: Coefficient of restitution interpreted as damping in vibroimpact. J. Appl. Mech. 42, 1975
      pulling = false;
      touching = false;
      push = if noEvent(depth > 0) then c*depth*sqrt(depth)*noEvent(max(0, 1 - slowing*v)) else 0;
    end if;
  initial equation
    if level == Level.Ideal then
      pre(touching) = false;
    end if;
  end Contact;

  model Stops "Keeps b between two distances from a"
    Flange a, b;
    parameter Level level = Level.Ideal;
    parameter Position low, high;
    parameter Real e(min = 0, max = 1, unit = "1") = 0 "Restitution; ideal";
    parameter SpringConstant c = 1e6;
    parameter DampingConstant d(min = 0) = 0;
    parameter Real slowing(min = 0, unit = "s/m") = 0;
    Contact lower(level = level, s_rel0 = low, e = e, c = c, d = d, slowing = slowing);
    Contact upper(level = level, s_rel0 = -high, e = e, c = c, d = d, slowing = slowing);
  equation
    connect(a, lower.a);
    connect(b, lower.b);
    connect(b, upper.a);
    connect(a, upper.b);
  end Stops;
end Translational;
