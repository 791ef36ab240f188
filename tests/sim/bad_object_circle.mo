// An initial equation needs the table that its parameter is in.
model bad_object_circle
  class Table
    extends ExternalObject;
    function constructor
      input Real table[:, 2];
      output Table t;
      external "C" t = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", table, size(table, 1), 2, {2}, 1, 1, 1, false);
    end constructor;
    function destructor
      input Table t;
      external "C" ModelicaStandardTables_CombiTable1D_close(t);
    end destructor;
  end Table;
  function value
    input Table t;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, 1, u);
  end value;
  parameter Real p(fixed = false);
  parameter Table t = Table([0, p; 1, 3]);
initial equation
  p = 1 + value(t, 0.5);
end bad_object_circle;
// expect exit 3
// expect error I504 at 24
// expect message needed before it can be made
