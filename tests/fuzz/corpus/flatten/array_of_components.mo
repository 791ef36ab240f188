package Cells
  connector Port
    Real T;
    flow Real q;
  end Port;
  model Cell
    Port a, b;
    parameter Real C = 1;
    Real T(start = 300);
  equation
    C*der(T) = a.q + b.q;
    a.q = 2*(a.T - T);
    b.q = 2*(b.T - T);
  end Cell;
  model Fixed
    Port p;
  equation
    p.T = 350;
  end Fixed;
  model Row
    Fixed fixed;
    parameter Integer n = 3;
    Cell cell[n](C = {1, 2, 3}, T(start = {280, 290, 300}, each fixed = true));
  equation
    for i in 1:n - 1 loop
      connect(cell[i].b, cell[i + 1].a);
    end for;
    connect(fixed.p, cell[1].a);
  end Row;
end Cells;
