model Whens
  Real x(start = 1, fixed = true);
  discrete Real a(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean b(start = false, fixed = true);
equation
  der(x) = if b then 1 else -1;
  when {x < 0, initial()} then
    n = pre(n) + 1;
    reinit(x, 1);
  elsewhen x > 2 then
    n = 0;
  end when;
  when change(n) and not pre(b) then
    if n > 3 then
      a = time;
      b = not pre(b);
    else
      a = -time;
      b = pre(b);
    end if;
  end when;
  when terminal() then
    assert(n < 100, "too many");
  end when;
  when n > 50 then
    terminate("enough");
  end when;
end Whens;
