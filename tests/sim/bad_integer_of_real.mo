// integer() of a number that no Integer holds, in a function.
// expect exit 4
// expect error R626
model bad_integer_of_real
  function whole
    input Real u;
    output Integer k;
  algorithm
    k := integer(u);
  end whole;
  Integer k(start = 0, fixed = true);
equation
  when sample(0.1, 0.1) then
    k = whole(4*exp(50*time));
  end when;
end bad_integer_of_real;
