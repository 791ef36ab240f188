package Plane "an operator record with all kinds of operators"
  operator record Vector
    Real x;
    Real y;
    encapsulated operator 'constructor'
      import Plane.Vector;
      function fromReal
        input Real x;
        input Real y = 0;
        output Vector v(x = x, y = y);
      
      end fromReal;
    end 'constructor';
    encapsulated operator '-'
      import Plane.Vector;
      function negate
        input Vector a;
        output Vector b;
      algorithm
        b := Vector(-a.x, -a.y);
      end negate;
      function subtract
        input Vector a;
        input Vector b;
        output Vector c;
      algorithm
        c := Vector(a.x - b.x, a.y - b.y);
      end subtract;
    end '-';
    encapsulated operator function '+'
      import Plane.Vector;
      input Vector a;
      input Vector b;
      output Vector c;
    algorithm
      c := Vector(a.x + b.x, a.y + b.y);
    end '+';
    encapsulated operator function '*'
      import Plane.Vector;
      input Vector a;
      input Vector b;
      output Vector c;
    algorithm
      c := Vector(a.x*b.x - a.y*b.y, a.x*b.y + a.y*b.x);
    end '*';
    encapsulated operator function '0'
      import Plane.Vector;
      output Vector z;
    algorithm
      z := Vector(0, 0);
    end '0';
    encapsulated operator function 'String'
      import Plane.Vector;
      input Vector a;
      output String s;
    algorithm
      s := "(" + String(a.x) + ", " + String(a.y) + ")";
    end 'String';
  end Vector;
  model Turn
    constant Vector i = Vector(0, 1);
    Vector r(x(start = 1, fixed = true), y(start = 0, fixed = true));
    Vector d = i*r + (-i) - Vector(2);
  equation
    der(r.x) = -r.y;
    der(r.y) = r.x;
  end Turn;
end Plane;
// expect nothing
