package Good "figures: all fields, names in texts, inheritance, other vendors"
  partial model Motion
    Real x(start = 1, fixed = true, unit = "m"), v(start = 0, fixed = true, unit = "m/s");
  equation
    der(x) = v;
    annotation(Documentation(figures = {Figure(plots = {Plot(curves = {Curve(x = x, y = v)})})}));
  end Motion;
  model Part
    Real 'odd name' = time;
    Real y[2,2] = {{1, 2}, {3, time}};
  end Part;
  model Spring
    extends Motion;
    parameter Real k = 4 "Stiffness";
    Part part;
  equation
    der(v) = -k*x;
    annotation(experiment(StopTime = 1), Documentation(info = "A mass on a spring", figures = {
      Figure(
        title = "Spring of %{k}, 100%% linear", identifier = "spring", group = "Motion", preferred = true,
        plots = {
          Plot(title = "Over " + "time", identifier = "time",
               x = Axis(min = 0, max = 1000, unit = "ms", label = "t"), y = Axis(min = -1, label = "", scale = Linear()),
               curves = {Curve(y = x, legend = "position", zOrder = 1), Curve(y = der(x)), Curve(y = der(v, 1), __Other_colour = "red"),
                         Curve(y = part.'odd name'), Curve(y = part.y[2, 2])}),
          Plot(x = Axis(scale = Log()), y = Axis(scale = Log(base = 10)), curves = {Curve(x = time, y = k, __NuSim_right = true)})},
        caption = "%(plot:time) ends at %{x}, %[its speed](variable:v) is %{ v }.

%(variable:part.'odd name') and %__Other(data)[text]; %(https://example.org)")}));
  end Spring;
end Good;
// class: Good.Spring
