// If an element of an array is assigned, the algorithm initialises the whole array (MLS 3.6 section 11.1.2): elements that it does
// not assign have their start value, or the value before the event. What another equation determines stays with that.
// run: --stop 1 --intervals 4
// solvers: rk45 ida
// expect y[1](0.75) = 0.75 +- 1e-12
// expect y[2](0.75) = 2 +- 0
// expect y[3](0.75) = 3 +- 0
// expect z(0.75) = 3 +- 0
// expect w[2](0.75) = 0.75 +- 1e-12
// expect d[1](1) = 0.5 +- 1e-12
// expect d[2](1) = 5 +- 0
// expect i[1](1) = 6 +- 0
// expect i[2](1) = 8 +- 0
// expect m[1,2](1) = 0 +- 0
// expect m[2,1](1) = 4 +- 0
// expect m[2,2](1) = 3 +- 0
model AlgorithmElements
  Real y[3](start = {1, 2, 3}), z, w[2], m[2, 2];
  discrete Real d[2](start = {4, 5}, each fixed = true);
  Integer i[2](start = {6, 7}, each fixed = true);
  parameter Integer k = 2;
algorithm
  y[1] := time;
equation
  z = y[2] + 1;
algorithm
  when time > 0.5 then
    d[1] := time;
    i[k] := 8;
  end when;
algorithm
  w[1] := 3;
  for j in 1:2 loop
    m[j, 1] := 2*j;
  end for;
equation
  w[2] = time;
  m[2, 2] = w[1];
end AlgorithmElements;
