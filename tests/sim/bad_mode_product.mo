model Product "two pulses at the same instant, multiplied"
  Real u1(start = 10, fixed = true), u2(start = 2, fixed = true), i, a1(start = 1, fixed = true), a2(start = 2, fixed = true), j, p(start = 0, fixed = true);
equation
  der(u1) = -i;
  3*der(u2) = i;
  der(a1) = -j;
  der(a2) = j;
  der(p) = i*j;
  if time > 0.5 then
    u1 = u2;
    a1 = a2;
  else
    i = 0;
    j = 0;
  end if;
end Product;
// run: --intervals 10
// expect exit 4
// expect error R621
// expect message nonlinear function of a Dirac pulse
// expect a1(0.5-) = 1 +- 1e-9
