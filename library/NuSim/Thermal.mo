within NuSim;
package Thermal "Heat and the change of phase"
  import NuSim.Units.*;
  type HeatCapacity = Real(final unit = "J/K");
  type ThermalConductance = Real(final unit = "W/K");

  connector HeatPort
    Temperature T;
    flow HeatFlow Q_flow "Heat flow into the element";
  end HeatPort;

  model Conductor
    HeatPort a, b;
    parameter ThermalConductance G;
  equation
    a.Q_flow = G*(a.T - b.T);
    a.Q_flow + b.Q_flow = 0;
  end Conductor;

  model FixedTemperature
    HeatPort port;
    parameter Temperature T;
  equation
    port.T = T;
  end FixedTemperature;

  model HeatSource
    HeatPort port;
    input HeatFlow Q "Out of the source";
  equation
    port.Q_flow = -Q;
  end HeatSource;

  model PhaseChange "A body that melts and freezes; its heat content is the curve parameter"
    HeatPort port;
    parameter Level level = Level.Ideal;
    parameter HeatCapacity Csolid;
    parameter HeatCapacity Cliquid;
    parameter Heat latent "From solid to liquid";
    parameter Temperature Tmelt = 273.15;
    parameter Temperature T0 = 263.15 "At the start; solid";
    parameter Temperature spread = 0.1 "Range of temperature of the transition; piecewise linear and smooth";
    parameter Heat rounding = 0.01*latent "Size of the corners; smooth";
    Temperature T;
    Heat h(start = Csolid*(T0 - Tmelt), fixed = true) "0 where melting begins, `latent` where it ends";
    Real melted(unit = "1") "Part that is liquid";
  protected
    parameter Temperature width = if level == Level.Ideal then 0 else spread;
  equation
    der(h) = port.Q_flow;
    port.T = T;
    if level == Level.Smooth then
      // three slopes, their corners rounded to hyperbolas
      T = Tmelt - (1/Cliquid - width/latent)*latent/2 + (1/Csolid + 1/Cliquid)*h/2
          + (width/latent - 1/Csolid)*sqrt(h^2 + rounding^2)/2
          + (1/Cliquid - width/latent)*sqrt((h - latent)^2 + rounding^2)/2;
      melted = 0.5 + (sqrt(h^2 + rounding^2) - sqrt((h - latent)^2 + rounding^2))/(2*latent);
    else
      T = Tmelt + (if h < 0 then h/Csolid else if h < latent then width*h/latent else width + (h - latent)/Cliquid);
      melted = if h < 0 then 0 else if h < latent then h/latent else 1;
    end if;
  end PhaseChange;
end Thermal;
