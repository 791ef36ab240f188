model S
  dynamic Bottle b[:]; input event Real e; output event ev;
statechart c(semantics=Step, execution=Cyclic(0.1, 0.01))
  event on_, off;
  initial parallel state P Real x; state A, B; state D entry x := 1; exit raise(off);
    during on a or not b when x > 1 do x := 2; end do; equation der(x) = 1; end D; end P;
  deep history h default A;
  transition P.A to D on after(2) or entered(A) or exited(B) when x > 0 priority 2 do x := 3; end transition;
end c;
sfc s
  initial step idle; step fill action valve(N); action pump(L, 30); end fill;
  transition idle to {fill, mix} when level > 0.9 priority 1;
end s;
end S;
