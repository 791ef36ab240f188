"""library -- classes and functions that random models use, and the same functions in Python for the oracle."""
import math
import re

CLASSES = {
    "Mode": "type Mode = enumeration(idle, busy, done);",
    "Pair": "record Pair\n    Real a;\n    Real b;\n    Integer k;\n  end Pair;",
    "clip": """function clip "continuous, with a branch"
    input Real u;
    output Real y;
  algorithm
    if u > 1 then
      y := 1;
    elseif u < -1 then
      y := -1;
    else
      y := u;
    end if;
  end clip;""",
    "horner": """function horner "a loop over an open array"
    input Real u;
    input Real c[:];
    output Real y;
  algorithm
    y := 0;
    for k in size(c, 1):-1:1 loop
      y := y*u + c[k];
    end for;
  end horner;""",
    "power": """function power "recursive"
    input Real u;
    input Integer n;
    output Real y;
  algorithm
    y := if n <= 0 then 1 else u*power(u, n - 1);
  end power;""",
    "newton": """function newton "a while loop: the root of z + z^3 = u"
    input Real u;
    output Real z;
  protected
    Integer n;
    Real d;
  algorithm
    z := 0;
    n := 0;
    d := 1;
    while abs(d) > 1e-14 and n < 60 loop
      d := (z + z^3 - u)/(1 + 3*z^2);
      z := z - d;
      n := n + 1;
    end while;
  end newton;""",
    "polar": """function polar "two results"
    input Real a;
    input Real b;
    output Real r;
    output Real d;
  algorithm
    r := sqrt(1 + a^2 + b^2);
    d := (a - b)/r;
  end polar;""",
    "make": """function make "a record as result"
    input Real a;
    input Integer k;
    output Pair p;
  algorithm
    p.a := a;
    p.k := k;
    p.b := a*k/(1 + k^2);
  end make;""",
    "weigh": """function weigh "a record as argument"
    input Pair p;
    output Real y;
  algorithm
    y := 0.5*p.a + 0.25*p.b*p.k;
  end weigh;""",
    "rotate": """function rotate "a matrix and arrays"
    input Real u[2];
    input Real w;
    output Real y[2];
  protected
    Real m[2, 2];
  algorithm
    m := [cos(w), -sin(w); sin(w), cos(w)];
    y := m*u;
  end rotate;""",
    "collatz": """function collatz "Integers"
    input Integer start;
    output Integer steps;
  protected
    Integer n;
  algorithm
    n := abs(start) + 1;
    steps := 0;
    while n > 1 loop
      n := if rem(n, 2) == 0 then div(n, 2) else 3*n + 1;
      steps := steps + 1;
      if steps > 40 then
        break;
      end if;
    end while;
  end collatz;""",
    "length": """function length
    input String s;
    output Integer n;
    external "C" n = ModelicaStrings_length(s);
  end length;""",
    "hash": """function hash
    input String s;
    output Integer n;
    external "C" n = ModelicaStrings_hashString(s);
  end hash;""",
    "tag": """function tag "a text of an Integer"
    input Integer k;
    output String s;
  algorithm
    s := "";
    for i in 1:mod(k, 5) loop
      s := s + String(i) + ";";
    end for;
  end tag;""",
    "Table": """class Table
    extends ExternalObject;
    function constructor
      input Real m[:, 2];
      output Table t;
      external "C" t = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", m, size(m, 1), size(m, 2), {2}, 1, 1, 1, false);
    end constructor;
    function destructor
      input Table t;
      external "C" ModelicaStandardTables_CombiTable1D_close(t);
    end destructor;
  end Table;""",
    "look": """function look
    input Table t;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, 1, u);
  end look;""",
    "split": """function split "a Real and an Integer of continuous values"
    input Real u;
    output Real r;
    output Integer k;
  algorithm
    r := u^2/(1 + u^2);
    k := integer(3*u);
  end split;""",
    "above": """function above "a Boolean of continuous values"
    input Real u;
    input Real level;
    output Boolean b;
  algorithm
    b := u > level;
  end above;""",
    "House": """model House "inner and outer, components under a condition"
    model Room
      outer Real ambient;
      parameter Real a = 1;
      Real T(start = 0.2, fixed = true);
    equation
      der(T) = a*(ambient - T);
    end Room;
    parameter Boolean big = true;
    input Real u;
    inner Real ambient = 0.8*u;
    Room r;
    Room s(a = 2.3) if big;
    Room t(a = 0.7) if not big;
  end House;""",
    "Wired": """model Wired "an expandable connector"
    connector Put = output Real;
    connector Take = input Real;
    expandable connector Bus
    end Bus;
    block Feed
      input Real v;
      Put y;
    equation
      y = v;
    end Feed;
    block Slow
      parameter Real a = 1;
      Take u;
      Put y(start = 0.3, fixed = true);
    equation
      der(y) = a*(u - y);
    end Slow;
    input Real u;
    Bus bus;
    Feed f;
    Slow l(a = 3.1), m(a = 1.7);
  equation
    f.v = u;
    connect(f.y, bus.signal);
    connect(bus.signal, l.u);
    connect(l.y, bus.level);
    connect(bus.level, m.u);
  end Wired;""",
    "Pin": "connector Pin\n    Real v;\n    flow Real i;\n  end Pin;",
    "Source": "model Source\n    parameter Real R = 1;\n    Pin p;\n    input Real e;\n  equation\n    p.v = e + R*p.i;\n  end Source;",
    "Load": "model Load\n    parameter Real R = 1;\n    Pin p;\n  equation\n    p.v = R*p.i;\n  end Load;",
    "Store": "model Store\n    parameter Real C = 1, v0 = 0;\n    Pin p(v(start = v0, fixed = true));\n  equation\n    C*der(p.v) = p.i;\n  end Store;",
    "Link": "model Link\n    parameter Real R = 1;\n    Pin p, n;\n  equation\n    p.v - n.v = R*p.i;\n    p.i + n.i = 0;\n  end Link;",
    "Choke": "model Choke\n    parameter Real L = 1, R = 1;\n    Pin p, n;\n    Real j(start = 0, fixed = true);\n  equation\n    L*der(j) = p.v - n.v - R*j;\n    p.i = j;\n    p.i + n.i = 0;\n  end Choke;",
    "Valve": "model Valve\n    Pin p, n;\n    Real s(start = -0.5);\n    Boolean off(start = true);\n  equation\n    off = s < 0;\n    p.v - n.v + 0.2*sin(6.1*time) = if off then s else 0.01*s;\n    p.i = if off then 0.001*s else s;\n    p.i + n.i = 0;\n  end Valve;",
    "Lag": "model Lag\n    parameter Real a = 1, x0 = 0;\n    input Real u;\n    output Real y(start = x0, fixed = true);\n  equation\n    der(y) = a*(u - y);\n  end Lag;",
    "Ramp": "block Ramp\n    parameter Real T = 1, level = 0.5;\n    Real x(start = 0, fixed = true), y;\n    Boolean up(start = true, fixed = true);\n  equation\n    der(x) = if up then 1/T else -1/T;\n    up = not (x > level or not pre(up) and x > -level);\n    y = x;\n  end Ramp;",
}

AFTER = {"make": {"Pair"}, "weigh": {"Pair"}}


def needed(used, body):
    """The texts of the classes that a body uses."""
    names = set(used) | {n for n in CLASSES if re.search(rf"\b{n}\b", body)}
    names = names.union(*[AFTER.get(n, set()) for n in names])
    if names & {"Source", "Load", "Store", "Link", "Choke", "Valve"}:
        names.add("Pin")
    return [text for name, text in CLASSES.items() if name in names]


# == the same for the oracle ==

def clip(u):
    return max(-1.0, min(1.0, u))


def horner(u, c):
    y = 0.0
    for k in reversed(c):
        y = y * u + k
    return y


def newton(u):
    z = 0.0
    for _ in range(80):
        z -= (z + z**3 - u) / (1 + 3 * z * z)
    return z


def polar(a, b):
    r = math.sqrt(1 + a * a + b * b)
    return r, (a - b) / r


def collatz(start):
    n, steps = abs(int(start)) + 1, 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
        if steps > 40:
            break
    return steps


def tag(k):
    return "".join(f"{i};" for i in range(1, int(k) % 5 + 1))


def weigh(a, k):
    return 0.5 * a + 0.25 * (a * k / (1 + k * k)) * k


def rotate(a, b, w):
    return [math.cos(w) * a - math.sin(w) * b, math.sin(w) * a + math.cos(w) * b]


def look(points, u):
    """Straight lines between points, the first and the last one continued without slope."""
    u = max(points[0][0], min(points[-1][0], u))
    k = max(i for i in range(len(points) - 1) if points[i][0] <= u)
    (a, p), (b, q) = points[k], points[k + 1]
    return p + (q - p) * (u - a) / (b - a)


FUNCTIONS = {"look": look, "clip": clip, "horner": horner, "newton": newton, "polar": polar, "collatz": collatz, "tag": tag, "weigh": weigh,
             "rotate": rotate, "power": lambda u, n: u**n if n > 0 else 1.0}
