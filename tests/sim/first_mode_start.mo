// Start values that are not fixed and that the first mode forbids change as at any other instant: what is conserved is conserved.
// Fixed values and initial equations hold; a state without a start value has none to lose.
// class: FirstModeStart.All
// run: --stop 2 --rtol 1e-9 --intervals 4
// solvers: rk45 ida
package FirstModeStart
  model Three "momentum of three bodies"
    Real a(start = 5), b(start = 1), c(start = -2), F, G;
  equation
    2*der(a) = -F;
    3*der(b) = F - G;
    5*der(c) = G;
    if time < 1 then
      a = b;
      b = c;
    else
      F = 0;
      G = 1;
    end if;
  end Three;
  model Pair
    parameter Real m = 4;
    Real a(start = 7), b(start = -3), F;
    Boolean on = time < 1;
  equation
    m*der(a) = -F;
    der(b) = F;
    if on then
      a - b = time;
    else
      F = 0;
    end if;
  end Pair;
  model Charge "capacitors in parallel"
    Real u1(start = 10), u2(start = 2), i;
  equation
    1e-6*der(u1) = -i;
    3e-6*der(u2) = i;
    if time < 1 then
      u1 = u2;
    else
      i = 0;
    end if;
  end Charge;
  model All
    Three free, held(a(fixed = true));
    Pair pair, asked, half(b(fixed = true, start = 2));
    Charge charge;
  initial equation
    asked.a + asked.b = 10;
  end All;
end FirstModeStart;
// expect free.a(0) = (2*5 + 3 - 5*2)/10 +- 1e-12
// expect free.c(0.5) = 0.3 +- 1e-12
// expect free.c(2) = 0.3 + 0.2 +- 1e-9
// expect held.a(0) = 5
// expect held.b(0) = 5
// expect held.c(0) = 5
// expect pair.a(0) = (4*7 - 3)/5 +- 1e-12
// expect pair.b(0.5) = 4.6 +- 1e-9
// expect asked.a(0) = 5 +- 1e-12
// expect half.a(0) = 2 +- 1e-12
// expect half.b(0) = 2
// expect charge.u1(0) = 4 +- 1e-12
// expect charge.u2(2) = 4 +- 1e-9
// expect error I503
// expect message `free.a` begins with 0.
// expect message `held.b` begins with 5 in place of 1
// expect message `pair.a` begins with 5 in place of 7
// expect message in place of 10
