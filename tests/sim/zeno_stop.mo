// The run ends where the events accumulate.
// run: --stop 20 --zeno stop
// expect max(h) = 1 +- 0
// expect contacts = 1
// expect error R633 at 12
// expect message events accumulate here
model ZenoStop
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
end ZenoStop;
