within NuSim;
package Hydraulic "Pressures, flows and valves; linear laws"
  import NuSim.Units.*;
  type Resistance = Real(final unit = "Pa.s/m3");
  type Conductance = Real(final unit = "m3/(Pa.s)");
  type Inertance = Real(final unit = "Pa.s2/m3");
  type Capacitance = Real(final unit = "m3/Pa");
  constant Pressure pascal = 1 "Scale of a curve parameter";
  constant VolumeFlow unitFlow = 1 "Scale of a curve parameter";

  connector Port "Opening of a hydraulic element"
    Pressure p;
    flow VolumeFlow q "Flow into the element";
  end Port;

  partial model TwoPort "What flows in at a flows out at b"
    Port a, b;
    Pressure dp "Pressure drop from a to b";
    VolumeFlow q "Flow from a to b";
  equation
    dp = a.p - b.p;
    q = a.q;
    a.q + b.q = 0;
  end TwoPort;

  model Reservoir "A pressure that no flow changes"
    Port port;
    parameter Pressure p = 0;
  equation
    port.p = p;
  end Reservoir;

  model Source "A flow that no pressure changes"
    Port port;
    input VolumeFlow q "Out of the source";
  equation
    port.q = -q;
  end Source;

  model PressureSource
    Port port;
    input Pressure p;
  equation
    port.p = p;
  end PressureSource;

  model Restriction "Laminar resistance"
    extends TwoPort;
    parameter Resistance R;
  equation
    dp = R*q;
  end Restriction;

  model Line "Inertia of the fluid in a pipe"
    extends TwoPort;
    parameter Inertance I;
  equation
    dp = I*der(q);
  end Line;

  model Volume "Elastic chamber"
    Port port;
    parameter Capacitance C;
    Pressure p;
  equation
    p = port.p;
    C*der(p) = port.q;
  end Volume;

  function opening "0 for negative x, nearly x for large x, with a continuous derivative"
    input Pressure x;
    input Pressure width;
    output Pressure y;
  algorithm
    y := if x > 0 then x^2/(x + width) else 0;
    annotation(Inline = true, smoothOrder = 1);
  end opening;

  partial model ValveCurve "dp and q as functions of a curve parameter s"
    extends TwoPort;
    parameter Level level = Level.Ideal;
    parameter Resistance Ropen(min = 0) = 0.01 "Not used when ideal";
    parameter Conductance Gclosed(min = 0) = 1e-7 "Not used when ideal";
    Real s "Curve parameter: a pressure when closed, a flow when open";
    Boolean closed(start = true);
  equation
    if level == Level.Ideal then
      // the branches may determine different things: a closed valve may take the flow of an inertia away
      if closed then
        dp = s*pascal;
        q = 0;
      else
        dp = 0;
        q = s*unitFlow;
      end if;
    elseif level == Level.PiecewiseLinear then
      dp = if closed then s*pascal else s*unitFlow*Ropen;
      q = if closed then s*pascal*Gclosed else s*unitFlow;
    else
      s*pascal = dp;
    end if;
  end ValveCurve;

  model CheckValve "Lets fluid pass from a to b"
    extends ValveCurve;
    parameter Pressure pSmooth = 1 "Pressure over which it opens; smooth";
  equation
    if level == Level.Smooth then
      closed = false;
      q = Gclosed*dp + opening(dp, pSmooth)/Ropen;
    else
      closed = s < 0;
    end if;
  end CheckValve;

  model Valve "Open or closed as told"
    extends ValveCurve;
    parameter Time tau = 1e-3 "Time constant of the spool; smooth";
    input Boolean open;
    Real lift "0 closed, 1 open";
  equation
    closed = not open;
    if level == Level.Smooth then
      tau*der(lift) = (if open then 1 else 0) - lift;
      q = dp*Gclosed*exp(-lift*log(Gclosed*Ropen));
    else
      lift = if open then 1 else 0;
    end if;
  initial equation
    if level == Level.Smooth then
      lift = if open then 1 else 0;
    end if;
  end Valve;

  model ReliefValve "Opens where the pressure drop reaches a threshold and keeps it from rising"
    extends TwoPort;
    parameter Level level = Level.Ideal;
    parameter Pressure limit;
    parameter Resistance Ropen(min = 0) = 0.01 "Not used when ideal";
    parameter Conductance Gclosed(min = 0) = 1e-7 "Not used when ideal";
    parameter Pressure pSmooth = 1 "Pressure over which it opens; smooth";
    Real s "Curve parameter: pressure above the limit when closed, a flow when open";
    Boolean closed(start = true);
  equation
    if level == Level.Ideal then
      closed = s < 0;
      if closed then
        dp = limit + s*pascal;
        q = 0;
      else
        dp = limit;
        q = s*unitFlow;
      end if;
    elseif level == Level.PiecewiseLinear then
      closed = s < 0;
      dp = limit + (if closed then s*pascal else s*unitFlow*Ropen);
      q = Gclosed*limit + (if closed then s*pascal*Gclosed else s*unitFlow);
    else
      closed = false;
      s*pascal = dp - limit;
      q = Gclosed*dp + opening(dp - limit, pSmooth)/Ropen;
    end if;
  end ReliefValve;

  model SafetyValve "Opens where the pressure drop reaches a threshold and stays open until the flow ends"
    // Mosterman 2000, chapter 2: the relief valve of a cylinder, with the inertia of the fluid in it
    extends TwoPort;
    parameter Level level = Level.Ideal;
    parameter Pressure limit "Pressure drop at which it opens";
    parameter Inertance I(min = 0) = 0 "Of the fluid in the valve" annotation(Evaluate = true);
    parameter Resistance Ropen(min = 0) = 0.01 "Not used when ideal";
    parameter Conductance Gclosed(min = 0) = 1e-7 "Not used when ideal";
    parameter Time tau = 1e-5 "Time constant of the spool; smooth";
    parameter VolumeFlow qStart = 0 "At the start; not used when ideal or without inertia";
    Pressure loss "Pressure drop across the seat";
    Real lift "0 closed, 1 open";
    Boolean open(start = false, fixed = true);
  equation
    open = dp > limit or pre(open) and not q < 0;
    if I > 0 then
      I*der(q) = dp - loss;
    else
      dp = loss;
    end if;
    if level == Level.Ideal then
      lift = if open then 1 else 0;
      if open then
        loss = 0;
      else
        q = 0;
      end if;
    elseif level == Level.PiecewiseLinear then
      lift = if open then 1 else 0;
      loss = q*(if open then Ropen else 1/Gclosed);
    else
      tau*der(lift) = (if open then 1 else 0) - lift;
      loss = q/Gclosed*exp(lift*log(Gclosed*Ropen));
    end if;
  initial equation
    if level == Level.Smooth then
      lift = if open then 1 else 0;
    end if;
    if level <> Level.Ideal and I > 0 then
      q = qStart;
    end if;
  end SafetyValve;

  model Cylinder "Chamber behind a piston that moves outwards with rising position"
    // Mosterman 2000, chapter 2: the oil has elasticity C and an inner dissipation R
    Port port;
    Translational.Flange flange "Of the piston";
    parameter Level level = Level.PiecewiseLinear "Ideal: the oil does not give, C and R are not used";
    parameter Area A = 1 "Of the piston";
    parameter Capacitance C(min = 0) "Elasticity of the oil";
    parameter Resistance R(min = 0) = 0 "Inner dissipation of the oil";
    parameter Pressure pStart = 0 "Of the elasticity at the start; not used when ideal";
    Pressure p "In the chamber";
    Pressure elastic "Part of it that the elasticity keeps";
    VolumeFlow q "Flow that compresses the oil";
    Velocity v "Of the piston";
  equation
    p = port.p;
    v = der(flange.s);
    flange.f = -A*p;
    q = port.q - A*v;
    if level == Level.Ideal then
      q = 0;
      elastic = p;
    else
      C*der(elastic) = q;
      p = elastic + R*q;
    end if;
  initial equation
    if level <> Level.Ideal then
      elastic = pStart;
    end if;
  end Cylinder;
end Hydraulic;
