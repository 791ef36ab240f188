model Rod "for-equations with several iterators, array equations, matrices, nested sizes"
  parameter Integer n = 5;
  parameter Integer m = size(A, 1);
  parameter Real A[:, :] = [1, 2; 3, 4];
  parameter Real B[2, 2] = A*transpose(A) + identity(2);
  Real T[n](start = linspace(300, 400, n), each fixed = true);
  Real y[m];
  Real z[2, n];
  Real outer1[2, 3] = outerProduct({1, 2}, {3, 4, 5})*time;
equation
  der(T[1]) = T[2] - T[1];
  for i in 2:n - 1 loop
    der(T[i]) = T[i - 1] - 2*T[i] + T[i + 1];
  end for;
  der(T[n]) = T[n - 1] - T[n];
  y = B*{T[1], T[end]};
  for i in 1:2, j in 1:n loop
    z[i, j] = (if i == j then 1 else 0)*T[j] + A[i, 1];
  end for;
end Rod;
// expect nothing
