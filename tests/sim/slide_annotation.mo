// Equations that decide for themselves: they slide, although the run says keep.
// run: --stop 10 --chatter keep
// expect x(10) = 0 +- 1e-12
// expect y(10) = 0 +- 1e-12
// expect events = 2
// expect slides = 2
model SlideAnnotation
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = if x > 0 then -0.5 else 1.5 annotation(__NuSim_chatter = "slide");
  if y > 0 then
    der(y) = -0.5;
  else
    der(y) = 1.5;
  end if annotation(__NuSim_chatter = "slide");
end SlideAnnotation;
