model Nested
  Boolean a(start = false, fixed = true);
equation
  when time > 1 then
    when time > 2 then
      a = true;
    end when;
  end when;
end Nested;
// expect D403 at 5:5
