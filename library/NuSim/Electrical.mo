within NuSim;
package Electrical "Circuits with switches"
  import NuSim.Units.*;

  connector Pin "End of an electrical element"
    Voltage v "Potential";
    flow Current i "Current into the element";
  end Pin;

  partial model TwoPin "What flows in at p flows out at n"
    Pin p "Current counts positive into it";
    Pin n;
    Voltage u "Drop from p to n";
    Current i "Current from p to n";
  equation
    u = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;

  model Ground "Potential 0"
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Resistor
    extends TwoPin;
    parameter Resistance R;
  equation
    u = R*i;
  end Resistor;

  model Capacitor
    extends TwoPin;
    parameter Capacitance C;
  equation
    i = C*der(u);
  end Capacitor;

  model Inductor
    extends TwoPin;
    parameter Inductance L;
  equation
    u = L*der(i);
  end Inductor;

  model ConstantVoltage
    extends TwoPin;
    parameter Voltage U;
  equation
    u = U;
  end ConstantVoltage;

  model SineVoltage
    extends TwoPin;
    parameter Voltage U "Amplitude";
    parameter Frequency f;
    parameter Angle phase = 0;
  equation
    u = U*sin(2*3.141592653589793*f*time + phase);
  end SineVoltage;

  model SignalVoltage "The voltage is an input"
    extends TwoPin(u = e);
    input Voltage e;
  end SignalVoltage;

  model ConstantCurrent
    extends TwoPin;
    parameter Current I "From p to n through the source";
  equation
    i = I;
  end ConstantCurrent;

  model SignalCurrent "The current is an input"
    extends TwoPin(i = e);
    input Current e;
  end SignalCurrent;

  model VoltageSensor
    extends TwoPin;
    output Voltage y = u;
  equation
    i = 0;
  end VoltageSensor;

  model CurrentSensor
    extends TwoPin;
    output Current y = i;
  equation
    u = 0;
  end CurrentSensor;

  partial model SwitchCurve "u and i as functions of a curve parameter s (Clauss et al. 1995)"
    extends TwoPin;
    parameter Level level = Level.Ideal;
    parameter Resistance Ron(min = 0) = 1e-5 "When closed; not used when ideal";
    parameter Conductance Goff(min = 0) = 1e-5 "When open; not used when ideal";
    Real s "Curve parameter: volts when open, amperes when closed";
    Boolean off(start = true) "Open";
  equation
    if level == Level.Ideal then
      // the branches may determine different things: an open switch may take the current of an inductor away
      if off then
        u = s*volt;
        i = 0;
      else
        u = 0;
        i = s*ampere;
      end if;
    end if;
  end SwitchCurve;

  model Diode "Lets current pass from p to n (Otter et al. 1999, table 1)"
    extends SwitchCurve;
    parameter Voltage Vknee(min = 0) = 0 "Drop where it begins to conduct; piecewise linear";
    parameter Current Is(min = 0) = 1e-9 "Saturation current; smooth";
    parameter Voltage Vt = 0.04 "Thermal voltage; smooth";
  equation
    if level == Level.Ideal then
      off = s < 0;
    elseif level == Level.PiecewiseLinear then
      off = s < 0;
      u = Vknee + (if off then s*volt else s*ampere*Ron);
      i = Goff*Vknee + (if off then s*volt*Goff else s*ampere);
    else
      off = false;
      s*volt = u;
      i = Is*(growth(u/Vt) - 1) + Goff*u;
    end if;
  end Diode;

  partial model Gated "Switches that a gate opens or closes; smooth: the conductance follows the gate with a delay"
    extends SwitchCurve;
    parameter Time tau = 1e-6 "Time constant of the gate; smooth";
    Real gate "0 open, 1 closed; smooth: rises and falls gradually";
  equation
    if level == Level.Smooth then
      tau*der(gate) = (if off then 0 else 1) - gate;
      s*volt = u;
    else
      gate = if off then 0 else 1;
    end if;
  initial equation
    if level == Level.Smooth then
      gate = if off then 0 else 1;
    end if;
  end Gated;

  model Switch "Open or closed as told, for both directions"
    extends Gated;
    input Boolean closed;
  equation
    off = not closed;
    if level == Level.PiecewiseLinear then
      u = if off then s*volt else s*ampere*Ron;
      i = if off then s*volt*Goff else s*ampere;
    elseif level == Level.Smooth then
      // from Goff to 1/Ron along a straight line of the logarithm
      i = u*Goff*exp(-gate*log(Goff*Ron));
    end if;
  end Switch;

  partial model OneWay "A switch that lets current pass one way only"
    extends Gated;
    parameter Voltage Vknee(min = 0) = 0 "Drop where it begins to conduct; piecewise linear";
    parameter Current Is(min = 0) = 1e-9 "Saturation current; smooth";
    parameter Voltage Vt = 0.04 "Thermal voltage; smooth";
    input Boolean fire;
  equation
    if level == Level.PiecewiseLinear then
      u = Vknee + (if off then s*volt else s*ampere*Ron);
      i = Goff*Vknee + (if off then s*volt*Goff else s*ampere);
    elseif level == Level.Smooth then
      i = gate*Is*(growth(u/Vt) - 1) + Goff*u;
    end if;
  end OneWay;

  model Thyristor "Conducts once fired, until the current ends (Otter et al. 1999, table 1)"
    extends OneWay(off(fixed = true));
    parameter Current Ihold = 1e-3 "Below it the conduction ends; smooth";
  equation
    if level == Level.Smooth then
      off = not fire and (pre(off) or i < Ihold);
    else
      off = s < 0 or pre(off) and not fire;
    end if;
  end Thyristor;

  model GTO "Conducts while fired (Otter et al. 1999, table 1)"
    extends OneWay;
  equation
    if level == Level.Smooth then
      off = not fire;
    else
      off = s < 0 or not fire;
    end if;
  end GTO;

  model Bridge "Rectifies in both directions: four diodes"
    parameter Level level = Level.Ideal;
    Pin a "Alternating side";
    Pin b "Alternating side";
    Pin p "Direct side, positive";
    Pin n "Direct side, negative";
    Diode d1(level = level) "From a to p";
    Diode d2(level = level) "From n to a";
    Diode d3(level = level) "From b to p";
    Diode d4(level = level) "From n to b";
  equation
    connect(d1.p, a);
    connect(d1.n, p);
    connect(d2.p, n);
    connect(d2.n, a);
    connect(d3.p, b);
    connect(d3.n, p);
    connect(d4.p, n);
    connect(d4.n, b);
  end Bridge;

  model Triac "Conducts in both directions once fired, until the current ends"
    extends Gated(off(fixed = true));
    parameter Current Ihold = 1e-3 "Below it the conduction ends; smooth";
    input Boolean fire;
    Boolean forward(start = false, fixed = true), backward(start = false, fixed = true);
  equation
    forward = (if level == Level.Smooth then i > Ihold else s > 0) and (pre(forward) or fire);
    backward = (if level == Level.Smooth then i < -Ihold else s < 0) and (pre(backward) or fire);
    if level == Level.Ideal then
      off = not (forward or backward);
    elseif level == Level.PiecewiseLinear then
      off = not (forward or backward);
      u = if off then s*volt else s*ampere*Ron;
      i = if off then s*volt*Goff else s*ampere;
    else
      off = not (forward or backward or fire);
      i = u*Goff*exp(-gate*log(Goff*Ron));
    end if;
  end Triac;
end Electrical;
