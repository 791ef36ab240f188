// Constraints that go through algorithm sections are differentiated: sections with several targets that read each other, with
// if, for and while, with arrays, functions and several results, one behind the other, in parts; twice where the constraint
// acts on a position. All have closed forms.
// run: --stop 2 --rtol 1e-8 --intervals 20
// solvers: rk45 ida
// expect chain.z(0.7) = (5*cos(5*0.7) - 0.75)/11 +- 1e-9
// expect chain.v(0.7) = 3.5*(sin(5*0.7) - 0.75*0.7)/11 +- 1e-9
// expect branches.z(0.5) = 2*0.5/3 +- 1e-9
// expect branches.z(1.9) = 2*1.9/7 +- 1e-9
// expect carried.z(0.5) = 1.7*cos(1.7*0.5) +- 1e-9
// expect carried.z(1.9) = 1.7*cos(1.7*1.9)/3 +- 1e-9
// expect kink.x(0.8) = 0.8/4 +- 1e-9
// expect kink.z(0.8) = 0.25 +- 1e-9
// expect kink.x(1.8) = (1.8 + 5)/24 +- 1e-9
// expect kink.z(1.8) = 1/24 +- 1e-9
// expect sums.z[2](1.3) = -0.6*2*exp(-0.6*1.3)/30 +- 1e-9
// expect results.x(1.7) = 2.7 +- 1e-8
// expect results.z(1.7) = 1 +- 1e-8
// expect turns.x(1.1) = 1 + 0.3*1.1 +- 1e-8
// expect turns.z(1.1) = 0.3 +- 1e-8
// expect wide.z(1.2) = 5*0.4*cos(0.4*1.2)/(2*2776.2*((2 + sin(0.4*1.2))/2776.2)**0.5) +- 1e-9
// expect behind.z(0.9) = 0.8 +- 1e-8
// expect force.v(1.3) = 0.7*cos(0.7*1.3) +- 1e-8
// expect force.f(1.3) = -0.49*sin(0.7*1.3) +- 1e-8
// expect turning.f(1.3) = -0.49*sin(0.7*1.3) +- 1e-8
// expect other.z(1.6) = 5*cos(5*1.6)/11 - 2.5/11 +- 1e-9
model SectionConstraints
  function power "u + u^3"
    input Real u;
    output Real v = 0;
  algorithm
    for k in {1, 3} loop
      v := v + u^k;
    end for;
  end power;

  function both
    input Real u;
    output Real a = u*u;
    output Real b = 4*u;
  algorithm
  end both;

  model Chain "w = 2x, v = 3.5x, w = 5.5x, y = 11x + c*t"
    parameter Real c = 0.75;
    Real x, y, w, v, z;
  algorithm
    w := 2*x;
    v := w + 1.5*x;
    w := w + v;
    y := 2*w + c*time;
  equation
    y = sin(5*time);
    der(x) = z;
  end Chain;

  model Branches
    Real x, y, z;
  algorithm
    if time < 1 then
      y := 3*x + 1;
    else
      y := 7*x;
    end if;
  equation
    y = time^2;
    der(x) = z;
  end Branches;

  model Carried "begins with its start value"
    Real x, y(start=4), z;
  algorithm
    if time >= 1 then
      y := y + 2*x;
    end if;
    y := y + x;
  equation
    y = 4 + sin(1.7*time);
    der(x) = z;
  end Carried;

  model Kink "an event at a value on the way"
    Real x(start=0.1), y, w, z;
  algorithm
    w := 4*x;
    if w > 1 then
      y := w + 5*(w - 1);
    else
      y := w;
    end if;
  equation
    y = time;
    der(x) = z;
  end Kink;

  model Loop
    Real x[4], s, z[4];
  algorithm
    s := 0;
    for k in 1:4 loop
      s := s + k*x[k];
    end for;
  equation
    for k in 2:4 loop
      x[k] = k*x[1];
    end for;
    s = exp(-0.6*time);
    der(x) = z;
  end Loop;

  model Results
    Real x(start=1), y, a, b, z;
  algorithm
    (a, b) := both(x);
    y := a + b + power(x);
  equation
    y = (1 + time)^2 + 5*(1 + time) + (1 + time)^3;
    der(x) = z;
  end Results;

  model Turns "the number of turns is not known before the run"
    parameter Real last = 3;
    Real x(start=1), y, p, z;
  algorithm
    y := 0;
    p := 1;
    while noEvent(p < last) loop
      y := y + p*x^2;
      p := p + 0.7;
    end while;
  equation
    y = 5.1*(1 + 0.3*time)^2;
    der(x) = z;
  end Turns;

  model Wide "many variables: y = 2*(650 + 0.01*73810)*x[1]^2"
    parameter Real last = 2;
    Real x[12](each start=1), w[60], y, p, z;
  algorithm
    y := 0;
    p := 0;
    while noEvent(p < last) loop
      p := p + 1;
      for k in 1:12 loop
        y := y + x[k]^2;
      end for;
      for k in 1:60 loop
        y := y + 0.01*w[k]^2;
      end for;
    end while;
  equation
    for k in 2:12 loop
      x[k] = k*x[1];
    end for;
    for k in 1:60 loop
      w[k] = k*x[1];
    end for;
    y = 2 + sin(0.4*time);
    der(x[5]) = z;
  end Wide;

  model Behind "one section behind the other"
    Real a, b, x(start=1), z;
  algorithm
    a := x^3;
  algorithm
    b := 2*a + x;
  equation
    b = 2*(1 + 0.8*time)^3 + 1 + 0.8*time;
    der(x) = z;
  end Behind;

  model Force "of a prescribed motion; another section gives the acceleration"
    Real x, v, y, f, acceleration;
  algorithm
    y := 2*x + x^3;
  algorithm
    acceleration := f;
  equation
    der(x) = v;
    der(v) = acceleration;
    y = 2*sin(0.7*time) + sin(0.7*time)^3;
  end Force;

  model Turning "the same with a loop of unknown length"
    parameter Real last = 3;
    Real x, v, y, p, f;
  algorithm
    y := 0;
    p := 1;
    while noEvent(p < last) loop
      y := y + p*(2*x + x^3);
      p := p + 0.7;
    end while;
  equation
    der(x) = v;
    der(v) = f;
    y = 5.1*(2*sin(0.7*time) + sin(0.7*time)^3);
  end Turning;

  Chain chain, other(c=2.5);
  Branches branches;
  Carried carried;
  Kink kink;
  Loop sums;
  Results results;
  Turns turns;
  Wide wide;
  Behind behind;
  Force force;
  Turning turning;
end SectionConstraints;
