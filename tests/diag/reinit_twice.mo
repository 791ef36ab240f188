// MLS 3.6 section 8.3.6: a state is reinitialised at most once in an instant; branches of an if, and of the when, exclude each other.
// expect S104 at 14:5
// expect S104 at 22:5
// says: different branches
model ReinitTwice
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 1;
  der(z) = 1;
  when x > 1 then
    reinit(x, 0);
    reinit(y, 0);
    reinit(x, 2);
  end when;
  when z > 1 then
    if y > 1 then
      reinit(z, 0);
    else
      reinit(z, -1);
    end if;
    reinit(z, 2);
  elsewhen z > 2 then
    reinit(z, 5);
  end when;
end ReinitTwice;
