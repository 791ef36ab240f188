package 'the plant' "quoted identifiers, names that look like extensions, imports of all kinds, encapsulation, constants"
  package Constants
    constant Real pi = 2*asin(1.0);
    final constant Real tau = 2*pi;
    constant Real table[3] = {1, 4, 9};
  end Constants;
  package Shapes
    function area
      input Real r;
      output Real a;
    algorithm
      a := 'the plant'.Constants.pi*r^2;
    end area;
    function perimeter
      import C = 'the plant'.Constants;
      input Real r;
      output Real l;
    algorithm
      l := C.tau*r;
    end perimeter;
  end Shapes;
  model Test
    import 'the plant'.Constants.*;
    import 'the plant'.Shapes.{area, perimeter};
    Real state = area(time);
    Real step = perimeter(time);
    Real event = table[2];
    Real '1/x' = 1/(1 + time);
    Real atomic = '1/x' + tau;
    Real transition = .'the plant'.Constants.pi;
  end Test;
end 'the plant';
// expect nothing
