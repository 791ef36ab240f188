// terminate (MLS 3.6 section 8.3.8) ends the run when the event is complete: the rest of the instant and terminal() still happen.
// run: --stop 4 --intervals 16
// solvers: rk45 cvode ida rosenbrock euler
// expect next(2) = 1 +- 0
// expect finished(2) = 1 +- 0
// expect max(time) = 2 +- 1e-9
// expect max(x) = 2 +- 1e-9
model RulesTerminate
  Real x(start = 0, fixed = true);
  Boolean done(start = false, fixed = true), next(start = false, fixed = true), finished(start = false, fixed = true);
equation
  der(x) = 1;
  when x > 2 then
    done = true;
    terminate("far enough");
  end when;
  when pre(done) then
    next = true;
  end when;
  when terminal() then
    finished = true;
  end when;
end RulesTerminate;
