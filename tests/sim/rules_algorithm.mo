// Algorithm sections (MLS 3.6 sections 11.1.2 and 8.5): one vector equation; targets start from pre or start; relations are events.
// run: --stop 5 --intervals 20
// solvers: rk45 cvode ida rosenbrock euler
// section 8.5: relations in loops are events, one for each turn
// expect steps(0.75) = 0 +- 0
// expect steps(1) = 1 +- 0
// expect steps(2) = 2 +- 0
// expect steps(5) = 3 +- 0
// expect t_steps(5) = 3 +- 1e-9
// section 8.5: relations of intermediate values
// expect fold(1.5) = 0.5 +- 1e-9
// expect fold(2.5) = 0.5 +- 1e-9
// expect fold(5) = 3 +- 1e-9
// section 11.1.2: a discrete target has its pre value at the entry, so that it keeps it if nothing assigns it
// expect kept(5) = 4 +- 0
// section 11.1.2: a continuous target has its start value at the entry
// expect from_start(1) = 7 +- 0
// expect from_start(4) = 9 +- 0
// section 11.1.2: an array of which one element is assigned starts as a whole
// expect part[1](1) = 5 +- 0
// expect part[2](1) = 6 +- 0
// expect part[1](4) = 1 +- 0
// expect part[2](4) = 6 +- 0
// section 11.2.7: several when-statements may assign one variable, the last one wins; it may read what was assigned before
// expect last(2) = 12 +- 0
// expect last(4) = 20 +- 0
// section 11.2.7.3: elsewhen in algorithms
// expect branch(1) = 1 +- 0
// expect branch(2) = 2 +- 0
// expect branch(4) = 3 +- 0
// section 11.2.7.3: a vector of conditions fires at the edge of each
// expect edges(5) = 3 +- 0
// the same for event functions, and for values that if-statements leave
// expect whole(1.75) = 1 +- 0
// expect whole(2.75) = 5 +- 0
// expect piled(1.5) = 1 +- 0
// expect piled(3.5) = 3 +- 0
// section 11.2.4: while
// expect turns(2.5) = 2 +- 0
model RulesAlgorithm
  Real x(start = 0, fixed = true), fold, from_start(start = 7), part[2](start = {5, 6});
  Integer which = if time >= 1.5 then 1 else 2, steps, kept(start = 0, fixed = true), last(start = 0, fixed = true), branch(start = 0, fixed = true), edges(start = 0, fixed = true), turns;
  discrete Real t_steps(start = 0, fixed = true);
  Integer whole, piled;
  Real twice;
equation
  der(x) = 1;
  when steps >= 3 then
    t_steps = time;
  end when;
algorithm
  steps := 0;
  for i in 1:3 loop
    if x > i then
      steps := steps + 1;
    end if;
  end for;
algorithm
  fold := x;
  if fold > 1 then
    fold := fold - 1;
  end if;
  if fold > 1 then
    fold := fold - 1;
  end if;
algorithm
  when sample(1, 1) then
    if kept < 4 then
      kept := kept + 1;
    end if;
  end when;
algorithm
  if x > 3 then
    from_start := from_start + 2;
  end if;
algorithm
  if x > 3 then
    part[which] := 1;
  end if;
algorithm
  when time >= 1 then
    last := 10;
  end when;
  when {time >= 1, time >= 3} then
    last := if last == 10 and time < 2 then 12 else 20;
  end when;
algorithm
  when time >= 3 then
    branch := 3;
  elsewhen time >= 2 then
    branch := 2;
  elsewhen time >= 1 then
    branch := 1;
  end when;
algorithm
  when {x > 1, x > 2, x > 2.5} then
    edges := edges + 1;
  end when;
algorithm
  twice := x;
  if twice > 2 then
    twice := 2*twice;
  end if;
  whole := integer(twice);
algorithm
  piled := 0;
  if x > piled + 1 then
    piled := piled + 1;
  end if;
  if x > piled + 1 then
    piled := piled + 1;
  end if;
  if x > piled + 1 then
    piled := piled + 1;
  end if;
algorithm
  turns := 0;
  while turns < 3 and noEvent(x >= turns + 1) loop
    turns := turns + 1;
  end while;
end RulesAlgorithm;
