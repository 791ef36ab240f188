// A Schmitt trigger without events: the branch that the output follows ends (at e = -15/1000), and it jumps to the other one. The
// period of the oscillator follows from the thresholds: x moves between +-(7.5 - 0.015) towards -+15 with time constant 1.
// run: --stop 2.5 --rtol 1e-8 --intervals 250
// expect up(2.5) = log((15 + 1)/(15 - 7.485)) +- 1e-6
// expect half(2.5) = log((15 + 7.485)/(15 - 7.485)) +- 1e-6
model FoldJump
  Real x(start = 1, fixed = true), e(start = -8.5), v(start = -15);
  discrete Real up(start = 0, fixed = true), half(start = 0, fixed = true);
equation
  e = 0.5*v - x;
  v = noEvent(if 1000*e > 15 then 15 elseif 1000*e < -15 then -15 else 1000*e);
  der(x) = v - x;
  when v > 0 then
    up = time;
    half = pre(half);
  elsewhen v < 0 then
    up = pre(up);
    half = time - pre(up);
  end when;
end FoldJump;
