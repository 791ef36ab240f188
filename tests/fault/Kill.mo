model Kill "Several islands, many events, Strings, a nonlinear block, a delay; runs as long as wanted"
  Real x[3](each start = 1, each fixed = true);
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real z(start = 0.5), p = x[1] + h, late = delay(x[2], 0.1);
  discrete Real held(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), bounces(start = 0, fixed = true);
  Boolean high = h > 0.5;
  String text(start = "", fixed = true);
equation
  der(x[1]) = -x[2];
  der(x[2]) = x[1];
  der(x[3]) = sin(time)*x[3]/(1 + x[3]^2);
  z^3 + z = 1 + 0.5*sin(time);
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 and v < 0 then
    reinit(v, sqrt(2*9.81));
    bounces = pre(bounces) + 1;
  end when;
  when sample(0, 0.05) then
    n = pre(n) + 1;
    held = x[1]*x[3];
    text = "sample " + String(pre(n)) + (if x[1] > 0 then "" else ", negative");
  end when;
end Kill;
