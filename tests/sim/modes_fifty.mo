model Fifty "fifty pairs, connected one after the other and at the same time"
  model Pair
    parameter Real at = 0.5;
    Real a(start = 1, fixed = true), b(start = 0, fixed = true), i;
    Boolean on = time > at and time < 0.7;
  equation
    der(a) = -i;
    der(b) = i;
    if on then
      a = b;
    else
      i = 0;
    end if;
  end Pair;
  Pair p[50](at = {if k <= 5 then 0.05*k else 0.5 for k in 1:50});
end Fifty;
// run: --intervals 10 --stop 0.6
// expect p[1].a(0.1) = 0.5 +- 1e-12
// expect p[2].a(0.1-) = 1 +- 1e-12
// expect p[5].b(0.6) = 0.5 +- 1e-12
// expect p[50].b(0.5-) = 0 +- 1e-12
// expect p[50].b(0.6) = 0.5 +- 1e-12
// expect time_events = 6
