within Examples.Mechanics;
model Ball "bouncing" extends Icons.Example;
  Real h(start=1, fixed=true), v; parameter Real e = 0.8 "restitution";
  constant Real g[:] = {9.81, -1e-3, .5, 2.};
initial equation
  v = 0;
equation
  der(h) = v; der(v) = -g[1];
  when h <= 0 and not initial() then reinit(v, -e*pre(v)); elsewhen sample(0, 1) then x = 1; end when;
  annotation(experiment(StopTime=3), Documentation(info="<p>two
lines, \"quoted\"</p>"));
end Ball;
