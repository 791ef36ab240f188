package CoefficientCall "coefficients that are results of functions, some of them 0: of a final parameter, of one that may change"
  function unit
    input Integer n;
    output Real e[3];
  algorithm
    e := if n == 1 then {2, 0, 0} elseif n == 2 then {0, 4, 0} else {0, 0, 5};
  end unit;

  model Test
    final parameter Integer order[3] = {2, 3, 1};
    parameter Integer free[3] = {3, 1, 2};
    Real w[3] = {0.4, 0.8, 1.5}, d[3], g[3];
  equation
    w = unit(order[3])*d[3] + unit(order[2])*d[2] + unit(order[1])*d[1];
    w = unit(free[3])*g[3] + unit(free[2])*g[2] + unit(free[1])*g[1];
  end Test;
end CoefficientCall;
// class: CoefficientCall.Test
// expect d[1](1) = 0.2 +- 1e-12
// expect d[2](1) = 0.3 +- 1e-12
// expect d[3](1) = 0.2 +- 1e-12
// expect g[1](1) = 0.3 +- 1e-12
// expect g[2](1) = 0.2 +- 1e-12
// expect g[3](1) = 0.2 +- 1e-12
