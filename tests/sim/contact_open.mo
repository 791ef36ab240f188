// Balls that rest fall when what their jumps ask for beside the touch has gone: a hatch opens at 3, in three ways; one of
// the conditions asks for a motion downwards, too. Where the hatch stays closed the ball does, whatever happens elsewhere.
// run: --stop 4
// solvers: auto rk45 rosenbrock ida
// expect timed.x(3) = 0 +- 1e-8
// expect timed.F(2.9) = 2 +- 1e-6
// expect timed.F(3.5) = 0 +- 1e-9
// expect timed.x(4) = -1 +- 1e-5
// expect sampled.x(2.9) = 0 +- 1e-8
// expect sampled.x(4) = -1 +- 1e-5
// expect counted.x(4) = -1 +- 1e-5
// expect closed.x(4) = 0 +- 1e-8
// expect closed.F(4) = 2 +- 1e-6
// expect contacts = 4
model ContactOpen
  partial model Ball
    Real x(start = 0.4, fixed = true), v(start = 0, fixed = true), F;
    Boolean hatch "is closed";
  equation
    der(x) = v;
    der(v) = -2;
    F = der(v) + 2;
  end Ball;
  model Timed
    extends Ball;
  equation
    hatch = time < 3;
    when x <= 0 and hatch then
      reinit(v, -0.3*pre(v));
    end when;
  end Timed;
  model Sampled
    extends Ball(hatch(start = true, fixed = true));
    Boolean touch = 0 >= x;
  equation
    when sample(0.5, 0.5) then
      hatch = time < 2.9;
    end when;
    when time > 10 then
      reinit(v, 5);
    elsewhen touch and v < 0 and hatch then
      reinit(v, -0.4*pre(v));
    end when;
  end Sampled;
  model Counted
    extends Ball;
    Integer n(start = 0, fixed = true);
  equation
    hatch = n < 3;
    when sample(1, 1) then
      n = pre(n) + 1;
    end when;
    when not (x > 0) and not pre(n) > 2 then
      reinit(v, if n > 2 then pre(v) else -0.35*pre(v));
    end when;
  end Counted;
  model Closed
    extends Ball;
    discrete Real at(start = 0, fixed = true);
  equation
    hatch = true;
    when sample(0, 0.3) then
      at = x;
    end when;
    when x <= 0 and (at < 1 or hatch) then
      reinit(v, -0.3*pre(v));
    end when;
  end Closed;
  Timed timed;
  Sampled sampled;
  Counted counted;
  Closed closed(x(start = 0.5));
end ContactOpen;
