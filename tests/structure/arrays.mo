// A rod of five cells, a matrix equation and an array of components.
model Cell
  Real T(start = 300, fixed = true);
  Real q;
equation
  10*der(T) = q;
end Cell;

model Arrays
  parameter Integer n = 5;
  Cell cell[n];
  Real f[n + 1];
  Real z[2];
equation
  f[1] = 1;
  for i in 2:n loop
    f[i] = 4*(cell[i - 1].T - cell[i].T);
  end for;
  f[n + 1] = 0;
  for i in 1:n loop
    cell[i].q = f[i] - f[i + 1];
  end for;
  {{2, 1}, {1, 3}}*z = {cell[1].T, cell[n].T};
end Arrays;
