package Numbers
  operator record C "a small complex number"
    Real re, im;
    encapsulated operator 'constructor'
      import Numbers.C;
      function fromReal
        input Real re;
        input Real im = 0;
        output C c(re = re, im = im);
      algorithm
      end fromReal;
    end 'constructor';
    encapsulated operator function '+'
      import Numbers.C;
      input C a;
      input C b;
      output C c;
    algorithm
      c := C(a.re + b.re, a.im + b.im);
    end '+';
    encapsulated operator function '*'
      import Numbers.C;
      input C a;
      input C b;
      output C c;
    algorithm
      c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end '*';
  end C;
  model Test
    constant C j = C(0, 1);
    C z(re = cos(time), im = sin(time));
    C w = j*z + 2.0;
    C v;
  equation
    v*v = w;
  end Test;
end Numbers;
