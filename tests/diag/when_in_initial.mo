model Nested
  Boolean a(start = false);
initial equation
  when time > 1 then
    a = true;
  end when;
end Nested;
// expect D403 at 4:3
