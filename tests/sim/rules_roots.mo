// Location of state events (MLS 3.6 section 8.5): double roots inside of a step, indicators that are zero when a phase begins.
// run: --stop 10 --intervals 10
// solvers: rk45 cvode ida rosenbrock
// a dip below zero that is far shorter than a step: (t - 5.3)^2 < 1e-4 from 5.29 to 5.31
// expect n_dip(10) = 1 +- 0
// expect t_in(10) = 5.29 +- 4e-3
// expect t_out(10) = 5.31 +- 4e-3
// zero at the start and moving up, or down
// expect up_t(10) = 0 +- 1e-8
// expect n_up(10) = 1 +- 0
// expect down_t(10) = 0 +- 1e-8
// expect n_down(10) = 1 +- 0
// zero at the start and moving to the side on which it is: no event
// expect n_stay(10) = 0 +- 0
// zero after reinit: an event at once
// expect n_back(10) = 1 +- 0
// expect t_back(10) = 3 +- 1e-8
// touching zero from below, x >= 0 at one point only: at most one event pair, never an endless one
// expect n_touch(10) <= 1
model RulesRoots
  Real dip(start = 5.3^2 - 1e-4, fixed = true), up(start = 0, fixed = true), down(start = 0, fixed = true), stay(start = 0, fixed = true), back(start = 5, fixed = true), touch(start = -25, fixed = true);
  Integer n_dip(start = 0, fixed = true), n_up(start = 0, fixed = true), n_down(start = 0, fixed = true), n_stay(start = 0, fixed = true), n_back(start = 0, fixed = true), n_touch(start = 0, fixed = true);
  discrete Real t_in(start = 0, fixed = true), t_out(start = 0, fixed = true), up_t(start = 1, fixed = true), down_t(start = 1, fixed = true), t_back(start = 0, fixed = true);
equation
  der(dip) = 2*(time - 5.3);
  der(up) = 1;
  der(down) = -1;
  der(stay) = 1;
  der(back) = -1;
  der(touch) = 10 - 2*time;
  when dip < 0 then
    n_dip = pre(n_dip) + 1;
    t_in = time;
  end when;
  when dip >= 0 then
    t_out = time;
  end when;
  when up > 0 then
    n_up = pre(n_up) + 1;
    up_t = time;
  end when;
  when down < 0 then
    n_down = pre(n_down) + 1;
    down_t = time;
  end when;
  when stay < 0 then
    n_stay = pre(n_stay) + 1;
  end when;
  when time >= 3 then
    reinit(back, 0);
  end when;
  when back < 0 then
    n_back = pre(n_back) + 1;
    t_back = time;
  end when;
  when touch >= 0 then
    n_touch = pre(n_touch) + 1;
  end when;
end RulesRoots;
