// Half bridge of two ideal switches with antiparallel ideal diodes on an inductive load, pulse width by a sawtooth that starts
// anew at each sample: events of the clock, of the comparison and of diodes come together at some frequencies (here 10 kHz and
// a reference that is 0 every 100th pulse). The mean of the load current over a period is 0; its amplitude is that of the
// reference over the impedance, but for the delay of half a pulse.
// run: --stop 0.1 --intervals 1000
// expect pulses(0.1) = 1000 +- 0
// expect amplitude(0.1) = 80/sqrt(10**2 + (100*pi*0.05)**2) +- 0.001
package Inverter
  model Diode
    Real s(start = 0), u, i;
    Boolean off(start = true);
  equation
    off = s < 0;
    u = if off then s else 1e-5*s;
    i = if off then 1e-5*s else s;
  end Diode;

  model Valve "conducts forward while it is fired"
    Real s(start = 0), u, i;
    Boolean off(start = true), fire;
  equation
    off = s < 0 or not fire;
    u = if off then s else 1e-5*s;
    i = if off then 1e-5*s else s;
  end Valve;

  model HalfBridge
    constant Real pi = 3.141592653589793;
    parameter Real f = 10e3 "pulses per second", V = 100, m = 0.8, R = 10, L = 0.05;
    Valve high, low;
    Diode over, under;
    Real v, i(start = 0, fixed = true);
    discrete Real begun(start = 0, fixed = true), reference(start = 0, fixed = true);
    Integer pulses(start = 0, fixed = true);
    Boolean up(start = false, fixed = true);
    Real sine(start = 0, fixed = true), cosine(start = 0, fixed = true);
    discrete Real amplitude(start = 0, fixed = true), sine0(start = 0, fixed = true), cosine0(start = 0, fixed = true);
  equation
    when sample(0, 1/f) then
      begun = time;
      reference = m*sin(2*pi*50*time);
      pulses = pre(pulses) + 1;
    end when;
    up = (reference + 1)/2 > f*(time - begun);
    high.fire = up;
    low.fire = not up;
    high.u = V - v;
    over.u = v - V;
    low.u = v + V;
    under.u = -V - v;
    high.i - over.i - low.i + under.i = i;
    L*der(i) + R*i = v;
    der(sine) = 100*i*sin(2*pi*50*time);
    der(cosine) = 100*i*cos(2*pi*50*time);
    when sample(0, 0.02) then
      sine0 = sine;
      cosine0 = cosine;
      amplitude = sqrt((sine - pre(sine0))^2 + (cosine - pre(cosine0))^2);
    end when;
  end HalfBridge;
end Inverter;
// class: Inverter.HalfBridge
