// A six-pulse thyristor bridge fed through line inductances: while a thyristor takes over from the one before, three of them
// conduct. Mean voltage: 3*sqrt(3)/pi*V*cos(alpha) without the lines, less 3*w*L/pi per ampere because of them (theory for a
// smooth direct current; the load is not quite that smooth). After the start: each thyristor is fired and goes out once a period.
// run: --stop 0.3 --intervals 300
// expect mean(0.3) = 3*sqrt(3)/pi*100*cos(pi/6)/(10 + 3*100*pi*1e-3/pi) +- 0.02
// expect least_overlap(0.3) = 3 +- 0
// expect most_on(0.3) = 3 +- 0
package SixPulse
  model Thyristor "parameterised curve with small resistance and conductance"
    parameter Real Ron = 1e-5, Goff = 1e-5;
    Real s(start = 0), u, i;
    Boolean off(start = true, fixed = true), fire;
  equation
    off = s < 0 or pre(off) and not fire;
    u = if off then s else Ron*s;
    i = if off then Goff*s else s;
  end Thyristor;

  model Bridge
    constant Real pi = 3.141592653589793;
    parameter Real V = 100, f = 50, alpha = pi/6, L = 1e-3, R = 10, Ld = 0.2;
    Thyristor t[6] "in the order in which they are fired: a+, c-, b+, a-, c+, b-";
    Real iL[3](each start = 0, each fixed = true), v[3], up, un, id(start = 0, fixed = true), ud;
    Real charge(start = 0, fixed = true);
    discrete Real before(start = 0, fixed = true), mean(start = 0, fixed = true);
    Integer pulse(start = 0, fixed = true), on;
    Integer least_overlap(start = 6, fixed = true), most_on(start = 0, fixed = true);
  equation
    for k in 1:3 loop
      V*sin(2*pi*f*time - (k - 1)*2*pi/3) - v[k] = L*der(iL[k]);
    end for;
    t[1].u = v[1] - up;
    t[3].u = v[2] - up;
    t[5].u = v[3] - up;
    t[4].u = un - v[1];
    t[6].u = un - v[2];
    t[2].u = un - v[3];
    iL[1] = t[1].i - t[4].i;
    iL[2] = t[3].i - t[6].i;
    iL[3] = t[5].i - t[2].i;
    t[1].i + t[3].i + t[5].i = id;
    ud = up - un;
    ud = R*id + Ld*der(id);
    un = -up;
    der(charge) = id;
    when sample((pi/6 + alpha)/(2*pi*f), 1/(6*f)) then
      pulse = mod(pre(pulse), 6) + 1;
    end when;
    for k in 1:6 loop
      t[k].fire = pulse == k or pulse == mod(k, 6) + 1;
    end for;
    when sample(0, 1/f) then
      before = charge;
      mean = (charge - pre(before))*f;
    end when;
    on = sum(if t[k].off then 0 else 1 for k in 1:6);
    when sample(0.2 + (pi/6 + alpha)/(2*pi*f) + 1e-5, 1/(6*f)) then
      least_overlap = min(pre(least_overlap), on);
      most_on = max(pre(most_on), on);
    end when;
  end Bridge;
end SixPulse;
// class: SixPulse.Bridge
