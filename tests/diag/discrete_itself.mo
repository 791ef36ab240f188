model Counter
  Integer n(start = 0, fixed = true);
equation
  when time > 1 then
    n = n + 1;
  end when;
end Counter;
// expect D402 at 5:5
