// MLS 3.6 section 8.5 and appendix B: events of all kinds at one instant are one event: a sample, a relation of time and a state that
// is set there. elsewhen gives way, and takes its turn later (section 8.3.5.4).
// run: --stop 3 --intervals 3
// instants: 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5
model AtOnce
  Boolean tick = sample(0.5, 0.5) and time < 1.25, late = time >= 1;
  Integer n(start = 0, fixed = true), way(start = 0, fixed = true);
equation
  when tick and late or time >= 2 then
    way = 1;
    n = pre(n) + 1;
  elsewhen {late, tick and time < 0.75} then
    way = 2;
    n = pre(n) + 10;
  end when;
end AtOnce;
