package Outside
  function look
    input Real table[:, 2];
    input Real u;
    output Real y;
    external "C" y = table_look(table, size(table, 1), u) annotation (Library = "tables", Include = "#include \"tables.h\"");
  end look;
  impure function beep
    input Integer n;
    external "C";
  end beep;
  model Test
    parameter Real data[2, 2] = [0, 1; 2, 3];
    Real y = look(data, time);
  equation
    when y > 2 then
      beep(3);
    end when;
  end Test;
end Outside;
