model Arrays "slices, products, elementwise operators, concatenation, size, end"
  parameter Real A[2, 3] = [1, 2, 3; 4, 5, 6];
  Real x[3];
  Real y[2] = A*x;
  Real z = x*x;
  Real w[3] = x .* {2, 3, 4} .+ 1;
  Real s[2] = x[2:end];
  Real m[3, 2] = transpose(A);
  Real c[5] = cat(1, x, y);
  Real o[2, 2] = [y, {z, 1}];
equation
  x = {time, 2*time, size(A, 2)};
end Arrays;
