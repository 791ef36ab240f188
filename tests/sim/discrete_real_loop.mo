// A discrete Real in a loop with continuous variables: at events they are solved for together, in between it is constant.
// At each tick q = 0.5*y + 1 and y = 2 - q + time give q = (4 + time)/3; in between y = 2 - q + time.
// run: --stop 1 --intervals 10 --rtol 1e-9
// expect q(0.5) = 4.4/3 +- 1e-9
// expect y(0.5) = 2.5 - 4.4/3 +- 1e-9
// expect q(1) = 4.8/3 +- 1e-9
// expect x(0.2) = 0.2 + 0.02 +- 1e-8
model DiscreteRealLoop
  Real y, x(start = 0, fixed = true);
  discrete Real q(start = 1, fixed = true);
equation
  when sample(0.2, 0.2) then
    q = 0.5*y + 1;
  end when;
  y = 2 - q + time;
  der(x) = y;
end DiscreteRealLoop;
