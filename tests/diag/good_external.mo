package Tables "external functions, an external object, annotations that name library and include"
  function scale
    input Real u;
    input Integer n;
    output Real y;
    external "C" y = ext_scale(u, n) annotation (Include = "#include \"scale.h\"", Library = "scale");
  end scale;
  class Handle
    extends ExternalObject;
    function constructor
      input String name;
      input Real data[:];
      output Handle h;
      external "C" h = open_table(name, data, size(data, 1)) annotation (Library = "scale");
    end constructor;
    function destructor
      input Handle h;
      external "C" close_table(h) annotation (Library = "scale");
    end destructor;
  end Handle;
  function look
    input Handle h;
    input Real u;
    output Real y;
    external "C" y = look_table(h, u) annotation (Library = "scale");
  end look;
  model Test
    Handle h = Handle("curve", {1, 2, 3});
    Real y = look(h, time) + scale(time, 2);
  end Test;
end Tables;
// expect nothing
