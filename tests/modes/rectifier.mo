// A diode charges a battery: it conducts while the source is above the battery.
// tracks: off
// track off | not off | share = 0.5 - asin(0.25)/pi +- 1e-7
// track off | not off | entered = 5 +- 0
// track off | not off | first = asin(0.25)/(100*pi) +- 1e-8
// track off | not off | last = 0.08 + asin(0.25)/(100*pi) +- 1e-8
// track off | off | entered = 6 +- 0
// track off | off | first = 0 +- 0
// count state = 10
model Rectifier
  parameter Real U = 100, E = 25, R = 10;
  Real s, u, i;
  Boolean off;
  Integer pulses(start = 0, fixed = true) "a counter is no mode";
equation
  U*sin(100*3.141592653589793*time) = E + R*i + u;
  off = s < 0;
  u = if off then s else 0;
  i = if off then 0 else s;
  when not off then
    pulses = pre(pulses) + 1;
  end when;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-9));
end Rectifier;
