// Integers of a when-clause and the equations that they switch chase each other: told at the clause.
// expect exit 4
// expect error R607 at 10
// expect message change each other again and again
model bad_discrete_switches_plant
  Integer m(start = 0, fixed = true);
  Real v;
equation
  v = if m == 1 then 2 elseif m == 2 then 1 else 0;
  when time > 0.4 then
    m = if v > 1.5 then 2 else 1;
  end when;
end bad_discrete_switches_plant;
