// Two if-equations whose branches are different equations, one with three branches; an enumeration, and a Boolean that follows from
// it; an Integer whose values have names, one that goes through steps and one that counts; a limiter, whose two relations belong to
// one equation; a variable that is equal to another one.
// tracks: structure; a; b > 2, b > 1; mode; phase; step; y
// track a | a | total = 1 +- 1e-9
// track b > 2, b > 1 | not (b > 2), b > 1 | total = 1 +- 1e-9
// track structure | not a, b > 2, b > 1 | total = 1 +- 1e-9
// track mode | middle | total = 1 +- 1e-9
// track mode | high | share = 1/3 +- 1e-9
// track phase | Idle | total = 2.5 +- 1e-9
// track phase | Work | total = 0.5 +- 1e-9
// track step | 7 | total = 1.5 +- 1e-9
// track y | z > 0.5, not (z < -0.5) | share = 1/3 +- 1e-6
// track y | not (z > 0.5), not (z < -0.5) | entered = 3 +- 0
model Groups
  type Level = enumeration(low, middle, high);
  constant Integer Idle = 4, Work = 9;
  Real u(start = 0, fixed = true), v, f, w(start = 0, fixed = true), g, z, y;
  Real b;
  Boolean a = time < 1, early = mode == Level.low, same = a;
  Level mode;
  Integer phase(min = Idle, max = Work), n(start = 0, fixed = true), step(start = 3, fixed = true);
equation
  b = time;
  der(u) = v;
  if a then
    v = 1;
    f = u;
  else
    u = 1;
    f = v;
  end if;
  der(w) = g;
  if b > 2 then
    w = 1;
  elseif b > 1 then
    g = 1;
  else
    g = 0;
  end if;
  mode = if time < 1 then Level.low elseif time < 2 then Level.middle else Level.high;
  phase = if time >= 1.5 and time < 2 then Work else Idle;
  z = sin(2*3.141592653589793*time/3);
  y = if z > 0.5 then 0.5 elseif z < -0.5 then -0.5 else z;
  when time >= 0.7 then
    n = pre(n) + 1;
    step = 7;
  elsewhen time >= 2.2 then
    n = pre(n) + 1;
    step = 11;
  end when;
  annotation(experiment(StopTime = 3));
end Groups;
