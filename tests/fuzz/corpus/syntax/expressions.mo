model X
equation
  a = if b then c elseif d then e else f; r = 1:n; r = 1:2:n; q = -a + b*c/d^e .* f ./ g .^ h .- i .+ j;
  m = [1, 2; 3, 4]; s = sum(i*j for i in 1:3, j in {1, 2}); v = {i for i}; t = x[end, :, 1:end - 1].y[2].z;
  (a, , b) = f(x, y=2, z=function g(k=1)); (u) = h(); n = not a or b and c <> d; w = (a == b) == (c < d);
  p = .A.B.c; 'q x' = '+\'y'; s = "a\n\t\\\"" + "b"; z = {}; k = ();
  assert(true, "ok") "comment" annotation(x);
end X;
