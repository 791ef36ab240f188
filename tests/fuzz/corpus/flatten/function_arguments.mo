package Integrals
  partial function Integrand
    input Real x;
    output Real y;
  end Integrand;
  function wave
    extends Integrand;
    input Real amplitude;
    input Real frequency = 1;
  algorithm
    y := amplitude*sin(frequency*x);
  end wave;
  function trapezoid
    input Integrand f;
    input Real a, b;
    output Real area;
  algorithm
    area := (b - a)*(f(a) + f(b))/2;
  end trapezoid;
  model Test
    Real a = trapezoid(function wave(amplitude = 2), 0, time);
    Real b = trapezoid(function wave(amplitude = time, frequency = 3), 0, 1);
  end Test;
end Integrals;
