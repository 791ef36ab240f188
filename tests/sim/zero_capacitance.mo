// A capacitance that a function returns is 0 whatever the voltage, because its parameter c0 is 0: no node of the two has a state.
// Divider: i1 = (s - u1)/1, i1 = (u1 - u2)/2 + 0, (u1 - u2)/2 = u2/3.
// run: --stop 1 --rtol 1e-8
// expect u1(1) = 5/6*sin(1) +- 1e-9
// expect u2(1) = 0.5*sin(1) +- 1e-9
model ZeroCapacitance
  function scale
    input Real c, u;
    output Real y;
  algorithm
    y := if u > 0.3 then c*sqrt(u) else c;
  end scale;
  function capacitance
    input Real u[2], c0;
    input Integer n;
    output Real c[2], charge;
  algorithm
    c := fill(1.0, 2);
    charge := u[1]*u[2];
    for k in 1:2 loop
      if u[k] < 0.5 then
        c[k] := c0/(1 + u[k]^2);
      elseif u[k] < 2 then
        c[k] := n*scale(c0, u[k]);
      else
        c[k] := c0*charge;
      end if;
    end for;
  end capacitance;
  parameter Real c0 = 0;
  Real c[2], charge, u1, u2, i1;
equation
  (c, charge) = capacitance({u1, u2}, c0, 3);
  i1 = sin(time) - u1;
  i1 = (u1 - u2)/2 + c[1]*der(u1);
  (u1 - u2)/2 = u2/3 + c[2]*der(u2);
end ZeroCapacitance;
