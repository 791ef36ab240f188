// A variable that only equations of later modes know keeps its value until then: what an initial equation, or a start value that follows
// from parameters with fixed = false, says it is, or else its start value.
// class: AbsentInitially.All
// run: --stop 1 --rtol 1e-9 --intervals 20
// solvers: rk45 ida
package AbsentInitially
  model Rest
    parameter Real from = 0.5;
    Real z;
  equation
    if time > from then
      der(z) = -2;
    end if;
  end Rest;
  model All
    parameter Real p(fixed = false), q(fixed = false);
    Real x(start = 3, fixed = true), w;
    Rest kept(z(start = 1.5)), held(z(start = 2.5, fixed = true));
    Rest asked, told(z(start = 9)), derived(z(start = 3*p)), fixed(z(start = 4*p, fixed = true));
    Rest twice[2](each z.start = 0, from = {0.25, 0.75});
    Real f(start = 5), g;
  initial equation
    p = 2*x;
    asked.z = x + held.z;
    2*told.z = x - 1;
    twice[1].z + twice[2].z = 12;
    twice[1].z - twice[2].z = q;
    q = 4;
    w = asked.z;
  equation
    der(x) = 1;
    der(w) = -w;
    if time < 0.5 then
      g = 1;
    else
      f = 2*x;
      g = f + 1;
    end if;
  end All;
end AbsentInitially;
// expect kept.z(0.5-) = 1.5
// expect kept.z(1) = 0.5 +- 1e-9
// expect held.z(1) = 1.5 +- 1e-9
// expect asked.z(0.5-) = 5.5 +- 1e-12
// expect asked.z(1) = 4.5 +- 1e-9
// expect told.z(0) = 1 +- 1e-12
// expect derived.z(0.5-) = 18 +- 1e-12
// expect fixed.z(0) = 24 +- 1e-12
// expect fixed.z(1) = 23 +- 1e-9
// expect twice[1].z(0) = 8 +- 1e-12
// expect twice[1].z(1) = 6.5 +- 1e-9
// expect twice[2].z(1) = 3.5 +- 1e-9
// expect w(1) = 5.5*exp(-1) +- 1e-7
// expect f(0) = 5
// expect f(1) = 8 +- 1e-9
// expect no R632
