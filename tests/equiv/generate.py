"""generate -- random models that use every operator and built-in function, for comparing kinds of code.

`model(seed)` gives the text of a model. Equal seeds give equal texts. A model never fails: what may be infinite or no number is
kept away from states, subscripts stay in range, whole-number divisors are not zero.
"""
import random

REALS = ["0.5", "(-1.25)", "3.0", "1e-3", "7.75", "2.0", "(-0.0)", "1e10", "0.1"]
WHOLES = ["0", "1", "2", "3", "(-1)", "(-7)", "12", "255"]
STRINGS = ['"a"', '"b\\\\c"', '""', '"%d ?? */"', '"ue\\"x"']

HEAD = """  type Level = enumeration(low, middle, high);
  record Pair
    Real first;
    Integer second;
    Real third[2];
  end Pair;
  function make_pair
    input Real a;
    input Integer k;
    output Pair p;
  algorithm
    p.first := a;
    p.second := k;
    p.third := {a*k, a - k};
  end make_pair;
  function weigh
    input Pair p;
    input Real w = 0.25;
    output Real y;
  algorithm
    y := p.first*w + p.second - p.third[1]*p.third[2];
  end weigh;
  function horner
    input Real x;
    input Real c[:];
    output Real y;
    output Integer n;
  algorithm
    y := 0;
    n := 0;
    for k in size(c, 1):-1:1 loop
      y := y*x + c[k];
      n := n + integer(c[k]);
    end for;
  end horner;
  function collatz
    input Integer start;
    output Integer steps;
  protected
    Integer n;
  algorithm
    n := abs(start) + 1;
    steps := 0;
    while n > 1 loop
      if rem(n, 2) == 0 then
        n := div(n, 2);
      else
        n := 3*n + 1;
      end if;
      steps := steps + 1;
      if steps > 60 then
        break;
      end if;
    end while;
  end collatz;
  function turn
    input Real a[2, 2];
    input Real angle;
    output Real b[2, 2];
  protected
    Real r[2, 2];
  algorithm
    r := [cos(angle), -sin(angle); sin(angle), cos(angle)];
    b := r*a*transpose(r);
  end turn;
  function sort
    input Real a[:];
    output Real b[size(a, 1)];
  algorithm
    b := a;
    for q in 1:size(a, 1) - 1 loop
      for r in 1:size(a, 1) - q loop
        if b[r] > b[r + 1] then
          b[{r, r + 1}] := b[{r + 1, r}];
        end if;
      end for;
    end for;
  end sort;
  function label_of
    input Integer k;
    input Real x;
    output String s;
  algorithm
    s := "";
    for i in 1:mod(k, 4) loop
      s := s + String(i) + ":" + String(x, significantDigits = 4) + ";";
    end for;
  end label_of;
  function twice
    input Scalar f;
    input Real x;
    output Real y;
  algorithm
    y := f(f(x));
  end twice;
  partial function Scalar
    input Real x;
    output Real y;
  end Scalar;
  function damp
    extends Scalar;
    input Real k = 2;
  algorithm
    y := x/(1 + k*x^2);
  end damp;
"""


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = {"R": ["time", "p", "x[1]", "x[2]", "x[3]"], "I": ["n", "k"], "B": ["flag"], "S": ["word"], "E": ["level"]}

    def pick(self, items):
        return self.random.choice(items)

    def leaf(self, kind):
        literals = {"R": REALS, "I": WHOLES, "B": ["true", "false"], "S": STRINGS, "E": ["Level.low", "Level.middle", "Level.high"]}
        return self.pick(literals[kind] + 2 * self.names[kind])

    def expression(self, kind, depth):
        if depth <= 0 or self.random.random() < 0.1:
            return self.leaf(kind)
        return getattr(self, {"R": "real", "I": "whole", "B": "logical", "S": "text", "E": "literal"}[kind])(depth - 1)

    def real(self, d):
        r, i, b = (lambda: self.expression("R", d)), (lambda: self.expression("I", d)), (lambda: self.expression("B", d))
        # what has no value is an error where everything is known beforehand
        varying = lambda: f"({r()} + {self.pick(self.names['R'])})"
        vector = lambda: "{" + ", ".join(r() for _ in range(3)) + "}"
        matrix = lambda: f"[{r()}, {r()}; {r()}, {r()}]"
        index = lambda n: f"mod({i()}, {n}) + 1"
        return self.pick([
            lambda: f"({r()} + {r()})", lambda: f"({r()} - {r()})", lambda: f"({r()}*{r()})", lambda: f"({r()}/{varying()})",
            lambda: f"(-{r()})", lambda: f"{varying()}^{self.pick(['2', '3', '(-1)', '(-2)', '4', '0.5', '7'])}", lambda: f"{varying()}^({i()})",
            lambda: f"{varying()}^({r()})", lambda: f"abs({r()})", lambda: f"sign({r()})", lambda: f"sqrt({varying()})",
            lambda: f"{self.pick(['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'exp', 'log', 'log10'])}({varying()})",
            lambda: f"atan2({r()}, {r()})", lambda: f"min({r()}, {r()})", lambda: f"max({r()}, {r()})",
            lambda: f"div({r()}, {varying()})", lambda: f"mod({r()}, {varying()})", lambda: f"rem({r()}, {varying()})", lambda: f"floor({r()})",
            lambda: f"ceil({r()})", lambda: f"(if {b()} then {r()} else {r()})", lambda: f"({i()} + {r()})", lambda: f"({i()}/({i()} + k))",
            lambda: f"semiLinear({r()}, {r()}, {r()})", lambda: f"smooth(0, {r()})", lambda: f"{vector()}*{vector()}",
            lambda: f"sum({vector()})", lambda: f"product({vector()})", lambda: f"max({vector()})", lambda: f"min({vector()})",
            lambda: f"sum({r()}*j for j in 1:3)", lambda: f"max({r()} - j for j in 1:4)", lambda: f"x[{index(3)}]",
            lambda: f"sum({matrix()}*{{{r()}, {r()}}})", lambda: f"sum(cross({vector()}, {vector()}))",
            lambda: f"sum(transpose({matrix()})*{matrix()})", lambda: f"sum(linspace({r()}, {r()}, 4))",
            lambda: f"sum(skew({vector()})*{vector()})", lambda: f"sum(diagonal({vector()})*{vector()})",
            lambda: f"sum(cat(1, {vector()}, fill({r()}, 2)))", lambda: f"sum(outerProduct({vector()}, {vector()}))",
            lambda: f"weigh(make_pair({r()}, mod({i()}, 1000)))", lambda: f"weigh(Pair({r()}, mod({i()}, 1000), {{{r()}, {r()}}}), {r()})",
            lambda: f"horner({r()}, noEvent(tanh({vector()})))", lambda: f"sum(turn({matrix()}, {r()}))",
            lambda: f"twice(function damp(k = {r()}), {r()})",
            lambda: f"twice(damp, {r()})"])()

    def whole(self, d):
        r, i, b = (lambda: self.expression("R", d)), (lambda: self.expression("I", d)), (lambda: self.expression("B", d))
        small = lambda: f"mod({i()}, 100)"
        return self.pick([
            lambda: f"({small()} + {small()})", lambda: f"({small()} - {small()})", lambda: f"({small()}*{small()})", lambda: f"(-{small()})",
            lambda: f"div({i()}, {self.pick(['3', '-7', '2'])})", lambda: f"rem({i()}, {self.pick(['3', '-7', '1'])})",
            lambda: f"mod({i()}, {self.pick(['3', '-7', '5'])})", lambda: f"div({i()}, abs({small()}) + 1)", lambda: f"abs({small()})",
            lambda: f"sign({small()})", lambda: f"integer(sin({r()})*9)", lambda: f"integer({self.pick(REALS)})", lambda: f"min({i()}, {i()})",
            lambda: f"max({i()}, {i()})", lambda: f"(if {b()} then {i()} else {i()})", lambda: f"Integer({self.expression('E', d)})",
            lambda: f"collatz({small()})", lambda: f"sum({{{small()}, {small()}}})", lambda: f"size({{{i()}, {i()}, {i()}}}, 1)",
            lambda: f"{{{i()}, {i()}}}*{{1, {small()}}}"])()

    def logical(self, d):
        def pair(kind):
            return self.expression(kind, d), self.pick(["<", "<=", ">", ">=", "==", "<>"]), self.expression(kind, d)
        def compare(kind):
            a, op, b = pair(kind)
            return f"({a} {op} {b})"
        def reals():
            a, op, b = self.expression("R", d), self.pick(["<", "<=", ">", ">="]), self.expression("R", d)
            return f"({a} {op} {b})"
        return self.pick([reals, reals, lambda: compare("I"), lambda: compare("S"), lambda: compare("E"),
                          lambda: f"(not {self.expression('B', d)})",
                          lambda: f"({self.expression('B', d)} and {self.expression('B', d)})",
                          lambda: f"({self.expression('B', d)} or {self.expression('B', d)})"])()

    def text(self, d):
        s = lambda: self.expression("S", d)
        return self.pick([lambda: f"({s()} + {s()})", lambda: f"String({self.expression('I', d)})",
                          lambda: f"String({self.expression('R', d)}, significantDigits = {self.random.randint(1, 12)})",
                          lambda: f"String({self.expression('I', d)}, minimumLength = 6, leftJustified = false)",
                          lambda: f"String({self.expression('B', d)})", lambda: f"String({self.expression('E', d)})",
                          lambda: f"(if {self.expression('B', d)} then {s()} else {s()})",
                          lambda: f"label_of({self.expression('I', d)}, {self.expression('R', d)})"])()

    def literal(self, d):
        e = lambda: self.expression("E", d)
        return self.pick([lambda: f"(if {self.expression('B', d)} then {e()} else {e()})", lambda: f"Level(mod({self.expression('I', d)}, 3) + 1)"])()


def model(seed, depth=3):
    m = Maker(seed)
    bounded = lambda: f"bound(noEvent({m.expression('R', depth)}))"
    # derivatives jump where they like: a fixed step goes through
    lines = ["// run: --solver rk4", f"model Random{seed}", HEAD.rstrip(), """  function bound "keeps what is too large, or no number, away from states"
    input Real a;
    output Real b;
  algorithm
    b := if abs(a) < 1e6 then sin(a) else 0.5;
  end bound;""", "  parameter Real p = 1.5;", "  Real x[3](start = {1, -0.5, 0.25}, each fixed = true);"]
    for kind, name in (("Real", "a"), ("Integer", "i"), ("Boolean", "b"), ("String", "s"), ("Level", "e")):
        lines.append(f"  {kind} {name}[4];")
    lines += ["  Real u, v(start = 0.1), w;", "  discrete Real held(start = 0, fixed = true);", "  Integer n(start = 3, fixed = true), k(start = -2, fixed = true);",
              "  Boolean flag(start = false, fixed = true);", '  String word(start = "w", fixed = true);',
              "  Level level(start = Level.middle, fixed = true);", "  Pair pair;", "  Real sorted[3];", "equation"]
    lines += [f"  der(x[{j}]) = {bounded()} - 0.5*x[{j}];" for j in (1, 2, 3)]
    lines += [f"  a[{j}] = noEvent({m.expression('R', depth)});" for j in range(1, 5)]
    lines += ["  when sample(0, 0.05) then"]
    for kind, name in (("I", "i"), ("B", "b"), ("S", "s"), ("E", "e")):
        lines += [f"    {name}[{j}] = {m.expression(kind, depth)};" for j in range(1, 5)]
    lines += ["  end when;"]
    # a linear system, a nonlinear one, a relation with events
    lines += [f"  3*u + 2*w = {bounded()};", f"  u - (2 + x[1]^2)*w = {bounded()};", f"  v + 0.3*v^3 + sin(v)*0.2 = {bounded()};"]
    lines += [f"  pair = make_pair(noEvent({m.expression('R', 2)}), mod(noEvent({m.expression('I', 2)}), 1000));"]
    lines += ["  when {sample(0.05, 0.1), x[1] > x[2]} then"]
    lines += ["    n = mod(pre(n) + integer(10*x[1]), 97);", "    k = pre(n) - pre(k);", "    held = bound(pre(held) + x[3]*k);",
              "    flag = not pre(flag) or x[2] > 0;", f"    word = label_of(pre(k), x[1]) + {m.pick(STRINGS)};", "    level = if pre(level) == Level.high then Level.low else Level(Integer(pre(level)) + 1);", "  end when;"]
    lines += ["algorithm", "  sorted := sort(x);", "  for q in 1:2 loop", "    if noEvent(sorted[q] < 0) then",
              "      sorted[q] := -sorted[q + 1]*q;", "    end if;", "  end for;"]
    lines += ["  annotation(experiment(StopTime = 1, Interval = 0.05));", f"end Random{seed};", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    import sys
    print(model(int(sys.argv[1])))
