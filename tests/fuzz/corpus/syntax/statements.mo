function f input Real x[:]; output Real y; protected Integer i;
algorithm
  for i in 1:size(x, 1), j loop if x[i] > 0 then y := y + x[i]; elseif i == 2 then break; else return; end if; end for;
  while i < 3 loop i := i + 1; end while; (a, b, ) := g(x); h(x);
  when {c, initial()} then y := 1; elsewhen d then y := 2; end when;
end f;
