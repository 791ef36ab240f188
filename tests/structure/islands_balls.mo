// options: --structure
// A thousand balls that do not know of each other: height and speed of one are coupled by its bounces.
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
  end when;
end Ball;

model Balls
  Ball ball[1000];
end Balls;
