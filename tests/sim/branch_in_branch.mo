// An if-equation, or an if-expression, inside of another one: only the branch of the branch binds states. What chooses the outer branch is found by the
// initialisation, or is a discrete variable.
// class: BranchInBranch.All
// run: --stop 2 --rtol 1e-9 --intervals 20
// solvers: rk45 ida
package BranchInBranch
  model Found "by an initial equation"
    parameter Integer way(fixed = false, start = 1);
    Real a(start = 8), b(start = 2, fixed = true), f;
  initial equation
    way = 3 - 1;
  equation
    3*der(a) = f;
    der(b) = 4 - f;
    if way == 1 then
      f = 0;
    elseif way == 2 then
      if time < 0.75 then
        a = b;
      else
        f = 6;
      end if;
    else
      f = 7;
    end if;
  end Found;
  model Deep "three levels, and two equations"
    Real a(start = 4, fixed = true), b(start = 1, fixed = true), f, g;
    Integer n(start = 0, fixed = true);
  equation
    when {time > 0.5, time > 1, time > 1.5} then
      n = pre(n) + 1;
    end when;
    der(a) = f;
    der(b) = g;
    if n >= 1 then
      if n <= 2 then
        if n == 2 then
          a + b = 6;
          f = 3 + g;
        else
          f = 1;
          g = 2;
        end if;
      else
        f = 0;
        g = 0;
      end if;
    else
      f = -1;
      g = 1;
    end if;
  end Deep;
  model Expressions
    Real a(start = 7), b(start = 3, fixed = true), f, c(start = 2), g;
    Boolean near(start = true, fixed = true), tied = time < 1.25, high = time > 0.25;
  equation
    when time > 1.75 then
      near = false;
    end when;
    2*der(a) = f;
    der(b) = 3 - f;
    0 = if near then (if tied then a - b else f - 8) else f;
    der(c) = g;
    0 = if not near then g - 2 elseif high then (if tied then c - 5 else g + 1) else g - 4;
  end Expressions;
  model All
    Found found;
    Expressions expressions;
    Deep deep;
  end All;
end BranchInBranch;
// expect found.a(0) = 2 +- 1e-12
// expect found.a(0.7) = 2.7 +- 1e-9
// expect found.b(2) = 2.75 - 2*1.25 +- 1e-8
// expect found.a(2) = 2.75 + 2*1.25 +- 1e-8
// expect deep.a(0.5) = 3.5 +- 1e-9
// expect deep.a(1-) = 4 +- 1e-9
// expect deep.b(1-) = 2.5 +- 1e-9
// expect deep.a(1.5) = 4 - 0.25 + 0.75 +- 1e-8
// expect deep.b(2) = 6 - 4.5 +- 1e-8
// expect expressions.a(0) = 3 +- 1e-12
// expect expressions.b(1) = 4 +- 1e-9
// expect expressions.a(1.75) = 4.25 + 2 +- 1e-8
// expect expressions.a(2) = 6.25 +- 1e-8
// expect expressions.b(2) = 4.25 - 2.5 + 0.75 +- 1e-8
// expect expressions.c(0.2) = 2.8 +- 1e-9
// expect expressions.c(0.3) = 5 +- 1e-9
// expect expressions.c(2) = 5 - 0.5 + 0.5 +- 1e-8
// expect error I503
