model Opposite "masses of 1 and -1: nothing is conserved that could tell where they meet"
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), f;
equation
  der(a) = -f;
  -der(b) = f;
  if time > 0.5 then
    a = b;
  else
    f = 0;
  end if;
end Opposite;
// run: --intervals 10
// expect exit 4
// expect error R621
// expect message nothing determines
// expect message in the mode: (`time > 0.5`)
// expect a(0.5-) = 1 +- 1e-9
