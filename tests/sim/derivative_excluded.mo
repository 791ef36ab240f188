package DerivativeExcluded "derivative annotations that leave out inputs: the motion of one variable is given by position, speed, acceleration"
  function position
    input Real m[4] "position, speed, acceleration, jerk";
    input Real t;
    output Real q;
  algorithm
    q := m[1];
    annotation(derivative(noDerivative = m) = speed);
  end position;

  function speed
    input Real m[4];
    input Real t;
    input Real t_der;
    output Real q;
  algorithm
    q := m[2];
    annotation(derivative(noDerivative = m, order = 2) = acceleration);
  end speed;

  function acceleration
    input Real m[4];
    input Real t;
    input Real t_der;
    input Real t_der2;
    output Real q;
  algorithm
    q := m[3];
    annotation(derivative(noDerivative = m, order = 3) = jerk);
  end acceleration;

  function jerk
    input Real m[4];
    input Real t;
    input Real t_der;
    input Real t_der2;
    input Real t_der3;
    output Real q;
  algorithm
    q := m[4];
  end jerk;

  function scaled "its derivative annotation holds only where k does not move; else the body counts"
    input Real x;
    input Real k;
    output Real y;
  protected
    Real s;
  algorithm
    s := x^2;
    y := k*s;
    annotation(derivative(zeroDerivative = k) = scaled_still);
  end scaled;

  function scaled_still "three times the derivative, to be told from the body's"
    input Real x;
    input Real k;
    input Real x_der;
    output Real y;
  algorithm
    y := 3*2*k*x*x_der;
  end scaled_still;

  model Motion
    // a prescribed motion that no equation could differentiate: m comes out of an input
    input Real u = sin(2*time);
    Real m[4] = {u, 2*cos(2*time), -4*u, -8*cos(2*time)};
    Real q, v, a, j;
    parameter Real k = 5;
    Real y1, y2, w1, w2, x = 1 + time;
  equation
    q = position(m, time);
    v = der(q);
    a = der(v);
    j = der(a);
    y1 = scaled(x, k);
    w1 = der(y1);
    y2 = scaled(x, time);
    w2 = der(y2);
  end Motion;
end DerivativeExcluded;
// class: DerivativeExcluded.Motion
// expect q(1) = sin(2) +- 1e-9
// expect v(1) = 2*cos(2) +- 1e-9
// expect a(1) = -4*sin(2) +- 1e-9
// expect j(1) = -8*cos(2) +- 1e-9
// expect w1(1) = 3*2*5*2 +- 1e-9
// expect w2(1) = 2*2 + 2*2*1 +- 1e-9
