package Library
  package Constants
    constant Real pi = 2*asin(1.0);
    constant Integer sizes[3] = {1, 2, 3};
    constant Real tiny = 1e-300*1e-10;
  end Constants;
  function scaled
    input Real x;
    output Real y = Constants.pi*x;
  algorithm
  end scaled;
  model Test
    import Library.Constants.pi;
    constant Real twice = 2*pi;
    parameter Integer n = Constants.sizes[2];
    parameter Real third = 1/3;
    Real x[n] = fill(twice*time, n);
    Real y = scaled(2) + Constants.tiny + third;
    Real z = 0.1 + 0.2;
  end Test;
end Library;
