// expect exit 4
// expect error R606 at 9
// expect message an array needs too much memory
model bad_function_cells "MOST_RUN_CELLS"
  function wide
    input Integer n;
    output Real y;
  protected
    Real v[n] = fill(1.0, n);
  algorithm
    y := sum(v);
  end wide;
  parameter Integer n = 200000000;
  discrete Real y(start = 0, fixed = true);
equation
  when time > 0.5 then
    y = wide(n);
  end when;
end bad_function_cells;
