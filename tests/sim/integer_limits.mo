// The largest and the smallest Integer are numbers like others. Expected as differences that Reals hold.
// expect above(1) = 7 +- 0
// expect below(1) = -8 +- 0
// expect half(1) = 4611686018427387904 +- 0
// expect lazy(1) = 3 +- 0
// expect product(1) = 5928526806 +- 0
model integer_limits
  Integer n(start = 0, fixed = true), above, below, half, lazy, product;
equation
  when time > 0.5 then
    n = 9223372036854775807;
  end when;
  above = if n > 0 then n - 9223372036854775800 else 0;
  below = if n > 0 then (-n - 1) + 9223372036854775800 else 0;
  half = abs(div(-n - 1, 2));
  lazy = if n > 5 then 3 else n + 9223372036854775807;
  product = if n > 0 then n - 3037000499*integer(3037000499 + 0*time) else 0;
end integer_limits;
