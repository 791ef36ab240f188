// Other parts, and what only follows, see the average of a relay along whose surface a part slides: of what they compute on each of its
// sides, so that the square of a power has the average of the squares. From 0.1 on 2/5 of the time is spent above.
// run: --stop 1
// solvers: rk45 rkf45 rosenbrock cvode ida
// expect x(1) = 0.5 +- 1e-9
// expect power(1) = 0.4*5 + 0.6*1 +- 1e-6
// expect energy(0.1) = 0.5 +- 1e-6
// expect energy(1) = 0.5 + 0.9*2.6 +- 1e-5
// expect heat(1) = 25*0.1 + 0.9*(0.4*25 + 0.6*1) +- 1e-4
// expect square(1) = 0.4*25 + 0.6*1 + exp(-1) +- 1e-5
// expect gated(1) = 0.4*exp(-1) +- 1e-5
// expect shown(1) = 0.4*25 + 0.6*1 - exp(-1) +- 1e-5
// expect filtered(1) = 2.6 + (5 - 5*exp(-0.2) - 2.6)*exp(-1.8) +- 1e-5
// expect events = 1
// expect slides = 1
model SlideReader
  Real x(start = 0.8, fixed = true), decay(start = 1, fixed = true);
  Real energy(start = 0, fixed = true), heat(start = 0, fixed = true), filtered(start = 0, fixed = true);
  Real power, square, gated, shown;
equation
  der(x) = if x > 0.5 then -3 else 2;
  der(decay) = -decay;
  power = if x > 0.5 then 5 else 1;
  square = power^2 + decay;
  gated = if x > 0.5 then decay else 0;
  der(energy) = power;
  der(heat) = square - decay;
  der(filtered) = 2*(power - filtered);
  shown = power*power - decay;
end SlideReader;
