"""generate -- a random hybrid model as a tree (tree.py): model(seed). Equal seeds give equal models.

Models are well posed by construction, so that a difference between two runs means something: an item reads only items before it
(loops are inside of an item, where they are known to have one solution), all values are bounded, states decay, thresholds are
crossed at finite speed, and no number is round, so that two events at one instant are rare unless an item wants them.

Each seed uses some kinds of items and some kinds of expressions only (swarm testing): rare combinations become frequent.
"""
import math
import random

from tree import E, Equation, Item, Model

# Kinds of items and expressions that known defects make fail, each with its reason. A repair takes its line away.
AVOID = {}


class Maker:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.count = 0
        self.stop = 2.0
        self.smooth = []                      # Real signals without jumps
        self.reals, self.bools, self.ints, self.events = [], [], [], []
        kinds = [k for k in ITEMS if k not in AVOID]
        self.kinds = [k for k in kinds if self.chance(0.45)] or kinds
        shapes = [s for s in SHAPES if s not in AVOID]
        self.shapes = [s for s in shapes if self.chance(0.5)] or shapes

    # == dice ==

    def chance(self, p):
        return self.dice.random() < p

    def pick(self, things):
        return things[self.dice.randrange(len(things))]

    def number(self, low, high):
        """Three digits and never a round number."""
        return repr(round(self.dice.uniform(low, high), 2) + self.dice.randint(1, 9) / 1000)[:6].rstrip("0") or "0.1"

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    # == expressions ==

    def constant(self, low=-1.5, high=1.5):
        return E("R", self.number(low, high))

    def wave(self):
        return E("R", f"sin({self.number(1, 7)}*time + {self.number(0, 6)})")

    def signal(self):
        """A Real without jumps."""
        return self.pick(self.smooth) if self.smooth and self.chance(0.75) else self.wave()

    def any_signal(self):
        return self.pick(self.reals) if self.reals and self.chance(0.8) else self.signal()

    def pure(self):
        """A smooth expression of smooth signals."""
        return self.pick([lambda: self.signal(), lambda: E("R", "0.6*@0 + 0.4*@1", "", self.signal(), self.signal()),
                          lambda: E("R", "@0*@1", "", self.signal(), self.signal()), lambda: E("R", "cos(@0)", "", self.signal())])()

    def real(self, depth):
        if depth <= 0 or self.chance(0.15):
            return self.pick([self.constant, self.any_signal, self.any_signal])()
        return SHAPES[self.pick(self.shapes)](self, lambda: self.real(depth - 1), lambda: self.truth(min(depth - 1, 1)))

    def bounded(self, depth=3):
        """Between -1 and 1."""
        return E("R", self.pick(["sin(@0)", "tanh(@0)", "@0/(1 + abs(@0))", "cos(@0)"]), "", self.real(depth))

    def relation(self):
        op = self.pick([">", "<", ">=", "<="])
        if self.chance(0.25):
            return compare(op, E("R", "time"), self.constant(0.05, 1.9))
        return compare(op, self.signal(), self.constant(-0.8, 0.8) if self.chance(0.8) else self.wave())

    def truth(self, depth):
        choices = [self.relation, self.relation]
        if self.bools:
            choices.append(lambda: self.pick(self.bools))
        if self.ints:
            op, python = self.pick([("==", "=="), ("<>", "!="), ("<", "<"), (">=", ">=")])
            choices.append(lambda: E("B", f"mod(@0, 3) {op} 1", f"(@0) % 3 {python} 1", self.pick(self.ints)))
        if depth > 0:
            choices += [lambda: E("B", "@0 and @1", "", self.truth(depth - 1), self.truth(depth - 1)),
                        lambda: E("B", "@0 or @1", "", self.truth(depth - 1), self.truth(depth - 1)),
                        lambda: E("B", "not @0", "", self.truth(depth - 1))]
        return self.pick(choices)()

    def whole(self):
        """A small Integer."""
        choices = [lambda: E("I", str(self.dice.randint(1, 5)))]
        if self.ints:
            choices += [lambda: self.pick(self.ints), lambda: E("I", "mod(@0 + 2, 4)", "((@0 + 2) % 4)", self.pick(self.ints))]
        if self.bools:
            choices.append(lambda: E("I", "if @0 then 3 else 1", "(3 if @0 else 1)", self.pick(self.bools)))
        return self.pick(choices)()

    def at_first(self):
        """A condition that is true at the start, and later not always."""
        now = E("R", "time")
        w, p = self.dice.uniform(2, 6), self.dice.uniform(0.4, 2.4)
        inside = E("B", "@0 and @1", "", compare(">", now, self.constant(0.2, 0.8)), compare("<", now, self.constant(0.9, 1.7)))
        first = self.pick([compare("<", now, self.constant(0.2, 1.5)), E("B", "not @0", "", inside),
                           compare(">", E("R", f"sin({w:.3f}*time + {p:.3f})"), E("R", "0.003"))])
        return E("B", "@0 or @1", "", first, self.relation()) if self.chance(0.2) else first

    def moment(self):
        """A condition of a when-clause."""
        choices = [self.relation, self.relation, lambda: self.truth(1)]
        if self.ints:
            choices.append(lambda: E("B", "change(@0)", None, self.pick(self.ints)))
        if self.bools:
            choices += [lambda: E("B", "edge(@0)", None, self.pick(self.bools)), lambda: self.pick(self.bools)]
        if self.chance(0.2):
            return E("B", f"sample({self.number(0.01, 0.3)}, {self.number(0.15, 0.6)})", None)
        return self.pick(choices)()

    # == what an item hands on ==

    def gives(self, kind, text, name, smooth=False):
        python = text if "." not in text else f'V["{text}"]'
        e = E(kind, text, python, ref=name)
        {"R": self.reals, "B": self.bools, "I": self.ints}[kind].append(e)
        if smooth:
            self.smooth.append(e)

    def item(self):
        return ITEMS[self.pick(self.kinds)](self)


def compare(op, a, b):
    return E("B", f"@0 {op} @1", f"{'gt' if op[0] == '>' else 'lt'}(@0, @1)", a, b)


# == shapes of expressions: text with @k, Python ==

def shape(text, python="", reals=1, truths=0, extra=None):
    def make(m, r, b):
        args = [r() for _ in range(reals)] + [b() for _ in range(truths)]
        t, p = (text, python) if extra is None else extra(m)
        return E("R", t, p, *args)
    return make


def with_whole(text, python):
    return lambda m, r, b: E("R", text, python, r(), m.whole())


SHAPES = {
    "sum": shape("@0 + @1", reals=2), "difference": shape("@0 - 0.7*@1", reals=2), "product": shape("@0*tanh(@1)", reals=2),
    "quotient": shape("@0/(1.2 + (@1)^2)", "@0/(1.2 + (@1)**2)", reals=2), "sin": shape("sin(2*@0)"), "exp": shape("exp(-(@0)^2)", "exp(-(@0)**2)"),
    "sqrt": shape("sqrt(0.3 + (@0)^2)", "sqrt(0.3 + (@0)**2)"), "abs": shape("abs(@0)"), "min": shape("min(@0, @1)", reals=2),
    "max": shape("max(@0, @1)", reals=2), "atan2": shape("atan2(@0, 2 + (@1)^2)", "atan2(@0, 2 + (@1)**2)", reals=2),
    "choice": shape("if @2 then @0 else @1", "(@0 if @2 else @1)", reals=2, truths=1),
    # what stands in noEvent must be continuous
    "noevent": lambda m, r, b: E("R", "noEvent(if @0 > @1 then @0 else @1)", "max(@0, @1)", m.signal(), m.signal()),
    "smooth": lambda m, r, b: E("R", "smooth(0, if @0 > 0.31 then (@0 - 0.31)^2 else 0)", "(max(@0 - 0.31, 0)**2)", m.signal()),
    "floor": lambda m, r, b: E("R", "floor(2.3*@0)", "down(2.3*@0)", m.signal()),
    "ceil": lambda m, r, b: E("R", "ceil(1.7*@0)", "(-down(-1.7*@0))", m.signal()),
    "integer": lambda m, r, b: E("R", "integer(2.7*@0)", "down(2.7*@0)", m.signal()),
    "sign": shape("@0*sign(@0)", "abs(@0)"),  # sign makes no event
    "mod": lambda m, r, b: E("R", "mod(@0, 0.77)", "(@0 - 0.77*down((@0)/0.77))", m.signal()),
    "rem": lambda m, r, b: E("R", "rem(@0, 0.63)", "(@0 - 0.63*trunc((@0)/0.63))", m.signal()),
    "div": lambda m, r, b: E("R", "div(3.1*@0, 1.0)", "trunc(3.1*@0)", m.signal()),
    "semi": shape("semiLinear(@0, 0.5, 1.5)", "((0.5 if @0 >= 0 else 1.5)*@0)"),
    "vector": shape("{@0, @1}*{0.5, -0.4}", "(0.5*@0 - 0.4*@1)", reals=2), "total": shape("sum({@0, @1, 0.3})", "(@0 + @1 + 0.3)", reals=2),
    "greatest": shape("max({@0, @1, -0.2})", "max(@0, @1, -0.2)", reals=2),
    "series": shape("sum(@0^j/j for j in 1:3)", "(@0 + (@0)**2/2 + (@0)**3/3)"),
    "matrix": shape("sum([@0, 0.2; 0.1, @1]*{0.5, 0.7})", "(0.5*@0 + 0.14 + 0.05 + 0.7*@1)", reals=2),
    "clip": shape("clip(@0)"), "horner": shape("horner(tanh(@0), {0.2, -0.5, 0.4})", "horner(tanh(@0), [0.2, -0.5, 0.4])"),
    "newton": shape("newton(@0)"), "power": lambda m, r, b: E("R", "power(tanh(@0), @1)", "", r(), m.whole()),
    "record": lambda m, r, b: E("R", "weigh(make(@0, @1))", "weigh(@0, @1)", r(), m.whole()),
    "rotate": shape("sum(rotate({@0, 0.3}, @1))", "sum(rotate(@0, 0.3, @1))", reals=2),
    "collatz": lambda m, r, b: E("R", "@0/(1 + collatz(@1))", "", r(), m.whole()),
    "length": lambda m, r, b: E("R", "@0*length(tag(@1))/8", "@0*len(tag(@1))/8", r(), m.whole()),
    "hash": lambda m, r, b: E("R", "@0*mod(hash(tag(@1)), 7)/6", None, r(), m.whole()),
}


# == items ==

def item_state(m):
    x, a = m.fresh("x"), m.number(0.6, 4)
    text = f"der({x}) = -{a}*{x} + @0;" if m.chance(0.7) else f"der({x}) + {a}*{x} = @0;"
    made = Item("state", [x], [f"Real {x}(start = {m.number(-1, 1)}, fixed = true);"], [Equation(text, m.bounded())], rules=[("state", x)])
    m.gives("R", x, x, smooth=True)
    return made


def item_oscillator(m):
    x, v = m.fresh("x"), m.fresh("v")
    w = m.number(5, 60)
    made = Item("oscillator", [x, v], [f"Real {x}(start = {m.number(-1, 1)}, fixed = true), {v}(start = 0, fixed = true);"],
                [Equation(f"der({x}) = {v};"), Equation(f"der({v}) = -{w}*{x} - 0.8*{v} + 3*@0;", m.bounded())],
                rules=[("state", x), ("state", v)])
    m.gives("R", x, x, smooth=True)
    m.gives("R", v, v)
    return made


def item_ring(m):
    x, n = m.fresh("x"), m.dice.randint(2, 5)
    made = Item("ring", [x], [f"Real {x}[{n}](start = {{0.2*k for k in 1:{n}}}, each fixed = true);"],
                [Equation(f"for k in 1:{n} loop\n    der({x}[k]) = -2.1*{x}[k] + tanh({x}[mod(k, {n}) + 1]) + @0/k;\n  end for;", m.bounded(),
                          check=[f"der_{x}[{k}] - (-2.1*{x}[{k}] + tanh({x}[{k % n + 1}]) + @0/{k})" for k in range(1, n + 1)])])
    for k in range(1, n + 1):
        m.gives("R", f"{x}[{k}]", x, smooth=True)
    return made


def item_lags(m):
    c, n = m.fresh("c"), m.dice.randint(2, 4)
    rates = [m.number(0.5, 6) for _ in range(n)]
    chain = [f'V["der({c}[{k}].y)"] - {rates[k - 1]}*(' + (f'V["{c}[{k - 1}].y"]' if k > 1 else "@0") + f' - V["{c}[{k}].y"])' for k in range(1, n + 1)]
    made = Item("lags", [c], [f"Lag {c}[{n}](a = {{{', '.join(rates)}}}, each x0 = {m.number(-1, 1)});"],
                [Equation(f"{c}[1].u = @0;\n  for k in 2:{n} loop\n    {c}[k].u = {c}[k - 1].y;\n  end for;", m.bounded(), check=chain)])
    m.gives("R", f"{c}[{n}].y", c, smooth=True)
    return made


def item_algebraic(m):
    y = m.fresh("y")
    made = Item("algebraic", [y], [f"Real {y};"], [Equation(f"{y} = @0;", m.bounded(4))])
    m.gives("R", y, y)
    return made


def item_truth(m):
    b = m.fresh("b")
    made = Item("truth", [b], [f"Boolean {b};"], [Equation(f"{b} = @0;", m.truth(2), check=[f"{b} == (@0)"])])
    m.gives("B", b, b)
    return made


def item_whole(m):
    n = m.fresh("n")
    hole = m.signal()
    made = Item("whole", [n], [f"Integer {n};"], [Equation(f"{n} = integer(2.4*@0) + 3;", hole, check=[f"{n} - (down(2.4*@0) + 3)"])])
    m.gives("I", n, n)
    return made


def item_linear(m):
    y, z = m.fresh("y"), m.fresh("z")
    k = E("R", "if @0 then 2 else 3.5", "(2 if @0 else 3.5)", m.truth(1))
    made = Item("linear", [y, z], [f"Real {y}, {z};"],
                [Equation(f"@1*{y} + 0.7*{z} = @0;", m.bounded(), k), Equation(f"0.4*{y} - (2 + @1^2)*{z} = @0;", m.bounded(), m.signal(),
                                                                              check=[f"0.4*{y} - (2 + (@1)**2)*{z} - @0"])])
    m.gives("R", y, y)
    m.gives("R", z, z)
    return made


def item_chain(m):
    """Resistors in a row: a linear system by for-equations."""
    u, n = m.fresh("u"), m.dice.randint(3, 9)
    made = Item("chain", [u], [f"Real {u}[{n}];"],
                [Equation(f"{u}[1] = @0;\n  for k in 2:{n - 1} loop\n    {u}[k - 1] - 2.3*{u}[k] + {u}[k + 1] = 0.1*k*@1;\n  end for;\n  {u}[{n}] = @1;",
                          m.bounded(2), m.bounded(1),
                          check=[f"{u}[1] - @0", f"{u}[{n}] - @1"] + [f"{u}[{k - 1}] - 2.3*{u}[{k}] + {u}[{k + 1}] - 0.1*{k}*@1" for k in range(2, n)])])
    m.gives("R", f"{u}[2]", u)
    return made


def item_nonlinear(m):
    y, z = m.fresh("y"), m.fresh("z")
    made = Item("nonlinear", [y, z], [f"Real {y}(start = 0.1), {z}(start = 0.1);"],
                [Equation(f"{y} + 0.3*{y}^3 + 0.2*sin({z}) = @0;", m.bounded(), check=[f"{y} + 0.3*{y}**3 + 0.2*sin({z}) - @0"]),
                 Equation(f"{z} - 0.3*cos({y}) = @0;", m.bounded(2))])
    m.gives("R", y, y)
    m.gives("R", z, z)
    return made


def diode(s, u, i, off):
    return [Equation(f"{off} = {s} < 0;", check=None), Equation(f"{u} = if {off} then {s} else 0;", check=[f"({u} - {s}) if {off} else {u}"]),
            Equation(f"{i} = if {off} then 0 else {s};", check=[f"{i} if {off} else ({i} - {s})"])]


def item_rectifier(m):
    """A source, a resistor, an ideal diode, a capacitor with a load."""
    s, u, i, off, v = (m.fresh(x) for x in ("s", "u", "i", "off", "v"))
    r = m.number(0.3, 1.5)
    made = Item("rectifier", [s, u, i, off, v], [f"Real {s}, {u}, {i}, {v}(start = {m.number(-0.5, 0.5)}, fixed = true);", f"Boolean {off}(start = true);"],
                [*diode(s, u, i, off), Equation(f"1.5*@0 - {v} = {u} + {r}*{i};", m.bounded(2)), Equation(f"0.5*der({v}) = {i} - 0.7*{v};", check=[f"0.5*der_{v} - ({i} - 0.7*{v})"])],
                rules=[("state", v), ("least", i, 0), ("most", u, 0)])
    m.gives("R", v, v, smooth=True)
    m.gives("R", i, i)
    m.gives("B", off, off)
    return made


def item_diodes(m):
    """Two ideal diodes in opposite directions into one load: which of them conducts depends on both."""
    a, b = [[m.fresh(x) for x in ("s", "u", "i", "off")] for _ in range(2)]
    v = m.fresh("v")
    made = Item("diodes", [*a, *b, v], [f"Real {', '.join(a[:3] + b[:3])}, {v};", f"Boolean {a[3]}(start = true), {b[3]}(start = true);"],
                [*diode(*a), *diode(*b), Equation(f"2*@0 - {v} = {a[1]} + 0.8*{a[2]};", m.bounded(2)), Equation(f"{v} - @0 = {b[1]} + 0.5*{b[2]};", m.bounded(1)),
                 Equation(f"{v} = 0.9*({a[2]} - {b[2]}) + 0.1*@0;", m.bounded(1))],
                rules=[("least", a[2], 0), ("most", a[1], 0), ("least", b[2], 0), ("most", b[1], 0)])
    m.gives("R", v, v)
    m.gives("B", a[3], a[3])
    return made


def item_thermostat(m):
    b, x = m.fresh("b"), m.fresh("x")
    high, low, k = m.number(0.2, 0.5), m.number(-0.3, 0.0), m.number(1.5, 4)
    made = Item("thermostat", [b, x], [f"Boolean {b}(start = false, fixed = true);", f"Real {x}(start = {m.number(-0.2, 0.2)}, fixed = true);"],
                [Equation(f"{b} = {x} > {high} or pre({b}) and {x} > {low};", check=[f"{b} if {x} > {high} + 1e-6 else (not {b}) if {x} < {low} - 1e-6 else True"]),
                 Equation(f"der({x}) = {k}*(if {b} then -1 else 1) + 0.5*@0;", m.bounded(2), check=[f"der_{x} - ({k}*(-1 if {b} else 1) + 0.5*@0)"])],
                rules=[("state", x)])
    m.gives("R", x, x, smooth=True)
    m.gives("B", b, b)
    return made


def item_relay(m):
    """No hysteresis: the motion slides along the surface."""
    x, k = m.fresh("x"), m.number(2, 5)
    surface = f"0.3*sin({m.number(1, 3)}*time)" if m.chance(0.4) else m.number(-0.4, 0.4)
    made = Item("relay", [x], [f"Real {x}(start = {m.number(-1, 1)}, fixed = true);"],
                [Equation(f"der({x}) = (if {x} > {surface} then -{k} else {k}) + 0.6*@0;", m.bounded(2),
                          check=[f"abs({x} - ({surface})) < 1e-5 or abs(der_{x} - ((-{k} if {x} > {surface} else {k}) + 0.6*@0)) < 1e-6"])],
                rules=[("state", x)])
    m.gives("R", x, x)
    return made


def item_counter(m):
    n, top, by = m.fresh("n"), m.dice.randint(5, 9), m.dice.randint(1, 4)
    cond = m.moment()
    made = Item("counter", [n], [f"Integer {n}(start = {m.dice.randint(0, 4)}, fixed = true);"],
                [Equation(f"when @0 then\n    {n} = mod(pre({n}) + {by}, {top});\n  end when;", cond, check=None)])
    made.rules = [("when", n, cond, f"(pre_{n} + {by}) % {top}")]
    m.gives("I", n, n)
    return made


def item_elsewhen(m):
    n, d = m.fresh("n"), m.fresh("d")
    made = Item("elsewhen", [n, d], [f"Integer {n}(start = 1, fixed = true);", f"discrete Real {d}(start = 0.2, fixed = true);"],
                [Equation(f"when @0 then\n    {n} = mod(2*pre({n}) + 1, 11);\n    {d} = 0.5*pre({d}) + 0.5*@2;\n"
                          f"  elsewhen @1 then\n    {d} = -0.6*pre({d}) + 0.4*@3;\n    {n} = pre({n}) + (if {d} > 0 then 1 else -1);\n  end when;",
                          m.moment(), m.moment(), m.bounded(2), m.bounded(2), check=None)])
    m.gives("I", n, n)
    m.gives("R", d, d)
    return made


def item_several(m):
    """A when-clause of several moments."""
    n = m.fresh("n")
    made = Item("several", [n], [f"Integer {n}(start = 0, fixed = true);"],
                [Equation(f"when {{@0, @1, @2}} then\n    {n} = mod(pre({n}) + 1, 8);\n  end when;", m.moment(), m.moment(), m.relation(), check=None)])
    m.gives("I", n, n)
    return made


def item_sampled(m):
    d, start, period = m.fresh("d"), m.number(0, 0.2), m.number(0.06, 0.3)
    hole = m.pure() if m.chance(0.5) else m.bounded(2)
    made = Item("sampled", [d], [f"discrete Real {d}(start = {m.number(-1, 1)}, fixed = true);"],
                [Equation(f"when sample({start}, {period}) then\n    {d} = 0.6*pre({d}) + 0.4*@0;\n  end when;", hole, check=None)],
                rules=[("sampled", d, float(start), float(period), hole, f"0.6*pre_{d} + 0.4*@0")])
    m.gives("R", d, d)
    return made


def item_clocks(m):
    """Several sample() with common instants, a counter of a counter."""
    a, b, n = m.fresh("n"), m.fresh("n"), m.fresh("n")
    step = m.pick(["0.125", "0.0625", "0.25"])
    made = Item("clocks", [a, b, n], [f"Integer {a}(start = 0, fixed = true), {b}(start = 0, fixed = true), {n}(start = 0, fixed = true);"],
                [Equation(f"when sample(0.0625, {step}) then\n    {a} = mod(pre({a}) + 1, 6);\n  end when;", check=None),
                 Equation(f"when sample(0.0625, 2*{step}) then\n    {b} = mod(pre({b}) + {a}, 6);\n  end when;", check=None),
                 Equation(f"when change({a}) and {b} > 2 then\n    {n} = mod(pre({n}) + 1, 6);\n  end when;", check=None)])
    m.gives("I", b, b)
    m.gives("I", n, n)
    return made


def item_first(m):
    """when initial()"""
    d, x = m.fresh("d"), m.fresh("x")
    made = Item("first", [d, x], [f"discrete Real {d}(start = 0.3, fixed = true);", f"Real {x}(start = 0, fixed = true);"],
                [Equation(f"when initial() then\n    {d} = 0.5*pre({d}) + @0;\n  end when;", m.bounded(2), check=None), Equation(f"der({x}) = {d} - {x};")],
                rules=[("state", x), ("constant", d)])
    m.gives("R", d, d)
    m.gives("R", x, x, smooth=True)
    return made


def item_sawtooth(m):
    x, top = m.fresh("x"), m.number(0.3, 0.9)
    low = E("R", "0.2*@0 - 0.3", "", m.bounded(1))
    made = Item("sawtooth", [x], [f"Real {x}(start = 0, fixed = true);"],
                [Equation(f"der({x}) = {m.number(1.5, 4)} + 0.5*@0;", m.bounded(2)),
                 Equation(f"when {x} > {top} then\n    reinit({x}, @0);\n  end when;", low, check=None)],
                rules=[("state", x), ("most", x, float(top))])
    m.gives("R", x, x)
    return made


def item_bounce(m):
    """A ball on a floor that moves up and down, damped by air; restitution 0.9: few bounces."""
    h, v = m.fresh("h"), m.fresh("v")
    made = Item("bounce", [h, v], [f"Real {h}(start = {m.number(0.5, 1)}, fixed = true), {v}(start = 0, fixed = true);"],
                [Equation(f"der({h}) = {v};"), Equation(f"der({v}) = -{m.number(4, 8)} - 0.1*{v};"),
                 Equation(f"when {h} < 0 then\n    reinit({v}, {m.number(0.8, 0.95)}*abs(pre({v})) + 0.3 + 0.2*@0);\n  end when;", m.bounded(1), check=None)],
                rules=[("state", h), ("state", v), ("least", h, 0)])
    m.gives("R", h, h, smooth=True)
    m.gives("R", v, v)
    return made


def item_machine(m):
    s, t, y = m.fresh("m"), m.fresh("t"), m.fresh("y")
    made = Item("machine", [s, t, y], [f"Mode {s}(start = Mode.idle, fixed = true);", f"discrete Real {t}(start = 0, fixed = true);", f"Real {y};"],
                [Equation(f"when pre({s}) == Mode.idle and @0 then\n    {s} = Mode.busy;\n    {t} = time;\n"
                          f"  elsewhen pre({s}) == Mode.busy and time > pre({t}) + {m.number(0.1, 0.4)} then\n    {s} = Mode.done;\n    {t} = time;\n"
                          f"  elsewhen pre({s}) == Mode.done and time > pre({t}) + {m.number(0.05, 0.3)} then\n    {s} = Mode.idle;\n    {t} = time;\n  end when;",
                          m.truth(1), check=None),
                 Equation(f"{y} = if {s} == Mode.busy then @0 elseif {s} == Mode.done then @1 else 0.1;", m.bounded(2), m.bounded(2),
                          check=[f"{y} - (@0 if {s} == 2 else @1 if {s} == 3 else 0.1)"])])
    m.gives("R", y, y)
    return made


def item_timer(m):
    t, n = m.fresh("t"), m.fresh("n")
    made = Item("timer", [t, n], [f"discrete Real {t}(start = {m.number(0.05, 0.3)}, fixed = true);", f"Integer {n}(start = 0, fixed = true);"],
                [Equation(f"when time >= pre({t}) then\n    {n} = mod(pre({n}) + 1, 7);\n    {t} = time + {m.number(0.07, 0.2)}*(1 + 0.4*mod({n}, 3)) + 0.03*@0;\n  end when;",
                          m.bounded(1), check=None)])
    m.gives("I", n, n)
    return made


def item_algorithm(m):
    y, z, k = m.fresh("y"), m.fresh("z"), m.fresh("k")
    loops = m.dice.randint(2, 4)
    made = Item("algorithm", [y, z, k], [f"Real {y}, {z};", f"Integer {k};"], [],
                algorithms=[Equation(f"  {y} := @0;\n  {z} := 0;\n  {k} := 1;\n  for j in 1:{loops} loop\n    {z} := 0.5*{z} + {y}/j;\n    if @1 then\n      {z} := {z} - 0.2;\n"
                                     f"      {k} := {k} + j;\n    end if;\n  end for;\n  {y} := tanh({z}) + 0.1*{k};", m.bounded(2), m.truth(1),
                                     check=[f"{z} - fold(@0, {loops}, @1)", f"{y} - tanh({z}) - 0.1*{k}",
                                            f"{k} - (1 + ({loops * (loops + 1) // 2} if @1 else 0))"])])
    m.gives("R", y, y)
    m.gives("R", z, z)
    m.gives("I", k, k)
    return made


def item_when_algorithm(m):
    """A buffer and a counter in an algorithm section."""
    a, k = m.fresh("a"), m.fresh("k")
    size = m.dice.randint(2, 5)
    made = Item("when_algorithm", [a, k], [f"Real {a}[{size}](each start = 0.1, each fixed = true);", f"Integer {k}(start = 0, fixed = true);"], [],
                algorithms=[Equation(f"  when @0 then\n    {k} := mod(pre({k}), {size}) + 1;\n    {a}[{k}] := 0.5*{a}[{k}] + @1;\n  end when;", m.moment(), m.bounded(2), check=None)])
    m.gives("R", f"{a}[1]", a)
    m.gives("I", k, k)
    return made


def item_tuple(m):
    y, z = m.fresh("y"), m.fresh("z")
    made = Item("tuple", [y, z], [f"Real {y}, {z};"],
                [Equation(f"({y}, {z}) = polar(@0, @1);", m.bounded(2), m.bounded(2), check=[f"{y} - polar(@0, @1)[0]", f"{z} - polar(@0, @1)[1]"])])
    m.gives("R", y, y)
    m.gives("R", z, z)
    return made


def item_record(m):
    q, y = m.fresh("q"), m.fresh("y")
    made = Item("record", [q, y], [f"Pair {q};", f"Real {y};"],
                [Equation(f"{q} = make(@0, @1);", m.bounded(2), m.whole(), check=[f'V["{q}.a"] - @0', f'V["{q}.k"] - @1']),
                 Equation(f"{y} = weigh({q});", check=[f'{y} - weigh(V["{q}.a"], V["{q}.k"])'])])
    m.gives("R", y, y)
    m.gives("R", f"{q}.b", q)
    return made


def item_text(m):
    """Strings and external functions."""
    n, s = m.fresh("n"), m.fresh("s")
    made = Item("text", [n, s], [f"Integer {n};", f'String {s}(start = "", fixed = true);'],
                [Equation(f"when @0 then\n    {s} = tag(@1) + String({n});\n  end when;", m.moment(), m.whole(), check=None),
                 Equation(f"{n} = mod(length(tag(@0)), 7);", m.whole(), check=[f"{n} - len(tag(@0)) % 7"])])
    m.gives("I", n, n)
    return made


def item_table(m):
    t, y = m.fresh("t"), m.fresh("y")
    points = [(x, float(m.number(-1, 1))) for x in (-0.9, -0.35, 0.2, 0.75)]
    matrix = "; ".join(f"{a}, {b}" for a, b in points)
    made = Item("table", [t, y], [f"Table {t} = Table([{matrix}]);", f"Real {y};"],
                [Equation(f"{y} = look({t}, @0);", m.bounded(2), check=[f"{y} - look({points}, @0)"])], uses=["Table", "look"])
    m.gives("R", y, y)
    return made


def item_delay(m):
    y, t, w, p = m.fresh("y"), m.number(0.05, 0.5), m.number(1, 6), m.number(0, 6)
    if m.chance(0.5):
        hole, check = E("R", f"sin({w}*time + {p})"), [f"abs({y} - sin({w}*max(time - {t}, 0) + {p})) < 1e-5"]
    else:
        hole, check = m.signal(), None
    made = Item("delay", [y], [f"Real {y};"], [Equation(f"{y} = delay(@0, {t});", hole, check=check)])
    m.gives("R", y, y)
    return made


def item_initial(m):
    x = m.fresh("x")
    kind = m.dice.randrange(3)
    first = [Equation(f"der({x}) = 0;", check=None), Equation(f"{x} = 0.8*@0;", m.bounded(2), check=None), Equation(f"{x} + 0.2*{x}^3 = @0;", m.bounded(1), check=None)][kind]
    made = Item("initial", [x], [f"Real {x}(start = 0.1);"], [Equation(f"der({x}) = -{m.number(1, 3)}*{x} + @0;", m.bounded(2))], initial=[first], rules=[("state", x)])
    m.gives("R", x, x, smooth=True)
    return made


def item_parameter(m):
    """A parameter that the initial system gives."""
    p, y = m.fresh("p"), m.fresh("y")
    made = Item("parameter", [p, y], [f"parameter Real {p}(fixed = false);", f"Real {y};"],
                [Equation(f"{y} = {p}*@0;", m.bounded(2), check=None)], initial=[Equation(f"{p} = 0.7 + 0.2*@0;", m.bounded(1), check=None)])
    m.gives("R", y, y)
    return made


def item_homotopy(m):
    y = m.fresh("y")
    made = Item("homotopy", [y], [f"Real {y}(start = 0.1);"],
                [Equation(f"{y} + 0.4*{y}^3 = homotopy(@0, 0.3*@1);", m.bounded(2), m.bounded(1), check=[f"{y} + 0.4*{y}**3 - @0"])])
    m.gives("R", y, y)
    return made


def item_split(m):
    """An Integer and a Boolean that functions make of continuous values."""
    y, n, b, level = m.fresh("y"), m.fresh("n"), m.fresh("b"), m.number(-0.4, 0.4)
    u, v = m.signal(), m.signal()
    made = Item("split", [y, n, b], [f"Real {y};", f"Integer {n};", f"Boolean {b};"],
                [Equation(f"({y}, {n}) = split(@0);", u, check=[f"{n} - down(3*@0)", f"{y} - (@0)**2/(1 + (@0)**2)"]),
                 Equation(f"{b} = above(@0, {level});", v, check=[f"{b} == gt(@0, {level})"])])
    m.gives("R", y, y)
    m.gives("I", n, n)
    m.gives("B", b, b)
    return made


def item_loop_when(m):
    """when in a loop, pre of arrays."""
    d, b, s, n = m.fresh("d"), m.fresh("b"), m.fresh("s"), m.dice.randint(2, 4)
    made = Item("loop_when", [d, b, s], [f"discrete Real {d}[{n}](each start = 0.2, each fixed = true), {b}[{n}](start = {{0.1*j for j in 1:{n}}}, each fixed = true);", f"Real {s};"],
                [Equation(f"for j in 1:{n} loop\n    when @0 > 0.9*j/{n} - 0.513 then\n      {d}[j] = 0.5*pre({d}[j]) + 0.3*@1/j;\n    end when;\n  end for;", m.signal(), m.bounded(2), check=None),
                 Equation(f"when sample({m.number(0, 0.2)}, {m.number(0.1, 0.3)}) then\n    {b} = {{0.6*pre({b}[mod(j, {n}) + 1]) + 0.3*{d}[j] for j in 1:{n}}};\n  end when;", check=None),
                 Equation(f"{s} = 0.5*sum(pre({b})) + @0*{b}[1];", m.signal(), check=None)])
    m.gives("R", f"{d}[{n}]", d)
    m.gives("R", s, s)
    return made


def item_loop_reinit(m):
    """Several sawtooths in a loop."""
    x, n = m.fresh("x"), m.dice.randint(2, 4)
    made = Item("loop_reinit", [x], [f"Real {x}[{n}](start = {{0.05*j for j in 1:{n}}}, each fixed = true);"],
                [Equation(f"for j in 1:{n} loop\n    der({x}[j]) = {m.number(1, 2)} + 0.37*j + 0.3*@0;\n    when {x}[j] > {m.number(0.4, 0.8)} then\n      reinit({x}[j], -0.2*@1 - 0.1*j);\n    end when;\n  end for;",
                          m.bounded(2), m.bounded(1), check=None)])
    m.gives("R", f"{x}[{n}]", x)
    return made


def item_house(m):
    """inner, outer, and components under a condition."""
    h, big = m.fresh("h"), m.chance(0.5)
    other, rate = ("s", 2.3) if big else ("t", 0.7)
    slope = lambda r, a: f'V["der({h}.{r}.T)"] - {a}*(0.8*@0 - V["{h}.{r}.T"])'
    made = Item("house", [h], [f"House {h}(big = {'true' if big else 'false'});"], [Equation(f"{h}.u = @0;", m.bounded(2), check=[slope("r", 1), slope(other, rate)])])
    m.gives("R", f"{h}.r.T", h, smooth=True)
    return made


def item_wired(m):
    w = m.fresh("w")
    made = Item("wired", [w], [f"Wired {w};"], [Equation(f"{w}.u = @0;", m.bounded(2), check=[
        f'V["der({w}.l.y)"] - 3.1*(@0 - V["{w}.l.y"])', f'V["der({w}.m.y)"] - 1.7*(V["{w}.l.y"] - V["{w}.m.y"])'])])
    m.gives("R", f"{w}.m.y", w, smooth=True)
    return made


def item_levels(m):
    """An array whose subscripts are literals of an enumeration."""
    w, y = m.fresh("w"), m.fresh("y")
    made = Item("levels", [w, y], [f"parameter Real {w}[Mode] = {{0.23, -0.41, 0.77}};", f"Real {y};"],
                [Equation(f"{y} = {w}[if @0 then Mode.busy else Mode.done]*@1;", m.truth(1), m.bounded(2), check=[f"{y} - (-0.41 if @0 else 0.77)*@1"])])
    m.gives("R", y, y)
    return made


def item_own(m):
    """Assignments that read what they assign."""
    y, z, v = m.fresh("y"), m.fresh("z"), m.fresh("v")
    two = "polar(*reversed(polar(@0, @1)))"
    made = Item("own", [y, z, v], [f"Real {y}, {z}, {v}[2];"], [],
                algorithms=[Equation(f"  ({y}, {z}) := polar(@0, @1);\n  ({y}, {z}) := polar({z}, {y});\n  {v} := {{{y}, {z}}};\n  {v} := {{{v}[2], {v}[1] + {v}[2]}};", m.bounded(2), m.bounded(2),
                                     check=[f"{y} - {two}[0]", f"{z} - {two}[1]", f"{v}[1] - {two}[1]", f"{v}[2] - sum({two})"])])
    m.gives("R", z, z)
    m.gives("R", f"{v}[2]", v)
    return made


def item_when_own(m):
    """The same at events, with pre."""
    a, b, k = m.fresh("a"), m.fresh("b"), m.fresh("k")
    made = Item("when_own", [a, b, k], [f"Real {a}(start = 0.3, fixed = true), {b}(start = -0.2, fixed = true);", f"Integer {k}[3](start = {{1, 3, 2}}, each fixed = true);"], [],
                algorithms=[Equation(f"  when @0 then\n    ({a}, {b}) := polar({a} - 1, pre({b}) + 0.3*@1);\n    {k}[{k}[1]] := mod({k}[2] + 1, 3) + 1;\n  end when;", m.moment(), m.bounded(2), check=None)])
    m.gives("R", b, b)
    m.gives("I", f"{k}[3]", k)
    return made


def item_partners(m):
    """Two states that act on each other by discrete variables only."""
    x, z, n, k = m.fresh("x"), m.fresh("x"), m.fresh("n"), m.fresh("n")
    made = Item("partners", [x, z, n, k], [f"Real {x}(start = 0.4, fixed = true), {z}(start = -0.3, fixed = true);", f"Integer {n}(start = 0, fixed = true), {k}(start = 1, fixed = true);"],
                [Equation(f"der({x}) = -{m.number(1, 3)}*{x} + (if {k} > 2 then @0 else 0.9);", m.bounded(2), check=None),
                 Equation(f"der({z}) = -{m.number(1, 3)}*{z} + 0.31*{n} - 0.6;"),
                 Equation(f"when {x} > {m.number(0.3, 0.5)} then\n    {n} = mod(pre({n}) + 2, 5);\n  elsewhen {z} > {m.number(-0.2, 0.1)} then\n    {n} = mod(pre({n}) + 1, 5);\n  end when;", check=None),
                 Equation(f"when sample({m.number(0, 0.2)}, {m.number(0.1, 0.3)}) then\n    {k} = mod(pre({k}) + 1 + pre({n}), 5);\n  end when;", check=None)],
                rules=[("state", x), ("state", z)])
    m.gives("R", x, x, smooth=True)
    m.gives("I", k, k)
    return made


def item_field(m):
    """A relay whose switch others see: where it slides, they see the average."""
    x, f, z, k = m.fresh("x"), m.fresh("f"), m.fresh("z"), m.number(2, 5)
    made = Item("field", [x, f, z], [f"Real {x}(start = {m.number(-1, 1)}, fixed = true), {f}, {z}(start = 0, fixed = true);"],
                [Equation(f"{f} = if {x} > {m.number(-0.4, 0.4)} then -{k} else {k};", check=None), Equation(f"der({x}) = {f} + 0.6*@0;", m.bounded(2)), Equation(f"der({z}) = {f} - 2*{z};")],
                rules=[("state", x), ("state", z), ("least", f, -float(k)), ("most", f, float(k))])
    m.gives("R", x, x)
    m.gives("R", z, z)
    return made


# == items whose structure changes ==

def item_bind(m):
    """A state that is bound and freed."""
    x = m.fresh("x")
    c, free, bound = m.at_first(), m.bounded(2), m.bounded(2)
    made = Item("bind", [x], [f"Real {x}(start = {m.number(-1, 1)}, fixed = true);"],
                [Equation(f"if @0 then\n    der({x}) = -1.2*{x} + @1;\n  else\n    {x} = 0.9*@2;\n  end if;", c, free, bound,
                          check=[f"({x} - 0.9*@2) if not (@0) else (der_{x} - (-1.2*{x} + @1))"])])
    m.gives("R", x, x)
    return made


def item_appear(m):
    """Variables that only one of the modes has."""
    y, w = m.fresh("y"), m.fresh("w")
    c = m.at_first()
    made = Item("appear", [y, w], [f"Real {y}, {w};"],
                [Equation(f"if @0 then\n    {y} = @1;\n    {w} = {y} + 0.1;\n  else\n    {w} = @2;\n  end if;", c, m.bounded(2), m.bounded(3),
                          check=[f"({w} - @2) if not (@0) else ({y} - @1)"])])
    m.gives("R", w, w)
    return made


def item_systems(m):
    """Another system of equations in each mode; functions, records, loops in the later one."""
    y, z, a = m.fresh("y"), m.fresh("z"), m.fresh("a")
    made = Item("systems", [y, z, a], [f"Real {y}(start = 0.1), {z}(start = 0.1), {a}[3];"],
                [Equation(f"if @0 then\n    {y} = @1;\n    {z} = 0.3*{y};\n    for j in 1:3 loop\n      {a}[j] = j*{z};\n    end for;\n"
                          f"  else\n    2.2*{y} + 0.5*{z} = @2;\n    {z} + 0.3*{z}^3 - 0.4*{y} = @3;\n    {a}[1] = weigh(make({y}, 2));\n    {a}[2] = newton({z});\n"
                          f"    {a}[3] = sum(rotate({{{y}, {z}}}, 0.3));\n  end if;",
                          m.at_first() if m.chance(0.5) else m.truth(1), m.bounded(3), m.bounded(3), m.bounded(2),
                          check=[f"({y} - @1) if (@0) else (2.2*{y} + 0.5*{z} - @2)", f"({z} - 0.3*{y}) if (@0) else ({z} + 0.3*{z}**3 - 0.4*{y} - @3)",
                                 f"({a}[1] - {z}) if (@0) else ({a}[1] - weigh({y}, 2))", f"({a}[2] - 2*{z}) if (@0) else ({a}[2] - newton({z}))",
                                 f"({a}[3] - 3*{z}) if (@0) else ({a}[3] - sum(rotate({y}, {z}, 0.3)))"])])
    m.gives("R", y, y)
    m.gives("R", f"{a}[2]", a)
    return made


def item_becomes(m):
    """An algebraic variable that becomes a state."""
    y = m.fresh("y")
    made = Item("becomes", [y], [f"Real {y}(start = 0);"],
                [Equation(f"if @0 then\n    {y} = @1;\n  else\n    der({y}) = -1.5*{y} + @2;\n  end if;", m.at_first(), m.bounded(2), m.bounded(2),
                          check=[f"({y} - @1) if (@0) else (der_{y} - (-1.5*{y} + @2))"])])
    m.gives("R", y, y)
    return made


def item_later(m):
    """Several results, records, arrays, tables and Integers in a mode that comes later."""
    y, z, q, a, n, t, w = (m.fresh(c) for c in "yzqantw")
    points = [(x, float(m.number(-1, 1))) for x in (-0.8, -0.25, 0.3, 0.9)]
    made = Item("later", [y, z, q, a, n, t, w], [f"Real {y}, {z}, {a}[2], {w};", f"Pair {q};", f"Integer {n};", f"Table {t} = Table([{'; '.join(f'{u}, {v}' for u, v in points)}]);"],
                [Equation(f"if @0 then\n    {y} = @1;\n    {z} = 0.4*{y};\n    {q} = Pair({y}, {z}, 2);\n    {a} = {{{z}, {y}}};\n    {n} = 1;\n    {w} = 0.3*{y};\n"
                          f"  else\n    ({y}, {z}) = polar(@2, @3);\n    {q} = make({y} - {z}, 3);\n    {a} = rotate({{{y}, {z}}}, 0.4);\n    {n} = collatz(@4);\n    {w} = look({t}, {z});\n  end if;",
                          m.at_first(), m.bounded(2), m.bounded(2), m.bounded(2), m.whole(),
                          check=[f"({y} - @1) if (@0) else ({y} - polar(@2, @3)[0])", f"({z} - 0.4*{y}) if (@0) else ({z} - polar(@2, @3)[1])",
                                 f'(V["{q}.a"] - {y}) if (@0) else (V["{q}.a"] - {y} + {z})', f'V["{q}.k"] - (2 if (@0) else 3)', f"({a}[2] - {y}) if (@0) else ({a}[2] - rotate({y}, {z}, 0.4)[1])",
                                 f"{n} - (1 if (@0) else collatz(@4))", f"{w} - (0.3*{y} if (@0) else look({points}, {z}))"])], uses=["Table", "look"])
    m.gives("R", f"{a}[1]", a)
    m.gives("R", w, w)
    m.gives("R", f"{q}.b", q)
    m.gives("I", n, n)
    return made


def item_phases(m):
    """Three structures: other states in each."""
    x, y = m.fresh("x"), m.fresh("y")
    made = Item("phases", [x, y], [f"Real {x}(start = {m.number(-1, 1)}, fixed = true), {y}(start = 0.1);"],
                [Equation(f"if @0 then\n    der({x}) = -1.3*{x} + @2;\n    {y} = 0.5*@3;\n  elseif @1 then\n    {x} = 0.7*@3;\n    der({y}) = -0.8*{y} + {x};\n"
                          f"  else\n    der({x}) = -{x} + {y};\n    der({y}) = -0.5*{y} + @2;\n  end if;", m.at_first(), m.truth(1), m.bounded(2), m.bounded(2),
                          check=[f"(der_{x} - (-1.3*{x} + @2)) if (@0) else ({x} - 0.7*@3) if (@1) else (der_{x} - ({y} - {x}))",
                                 f"({y} - 0.5*@3) if (@0) else (der_{y} - ({x} - 0.8*{y})) if (@1) else (der_{y} - (@2 - 0.5*{y}))"])])
    m.gives("R", x, x)
    m.gives("R", y, y)
    return made


def item_wholes_later(m):
    """An Integer that a function makes of a state that is bound in one mode."""
    x, n, y = m.fresh("x"), m.fresh("n"), m.fresh("y")
    made = Item("wholes_later", [x, n, y], [f"Real {x}(start = {m.number(-1, 1)}, fixed = true), {y};", f"Integer {n};"],
                [Equation(f"if @0 then\n    der({x}) = -1.1*{x} + @1;\n    {n} = 2;\n    {y} = 0.2*{x};\n  else\n    {x} = 0.8*@2;\n    ({y}, {n}) = split(@2);\n  end if;", m.at_first(), m.bounded(2), m.signal(),
                          check=[f"({x} - 0.8*@2) if not (@0) else (der_{x} - (-1.1*{x} + @1))", f"{n} - (2 if (@0) else down(3*@2))"])])
    m.gives("R", x, x)
    m.gives("I", n, n)
    return made


def item_clutch(m):
    """Two masses that are joined and parted: momentum is conserved."""
    v, u, f = m.fresh("v"), m.fresh("v"), m.fresh("f")
    a, b = m.number(0.5, 2), m.number(0.5, 2)
    made = Item("clutch", [v, u, f], [f"Real {v}(start = {m.number(-1, 1)}, fixed = true), {u}(start = {m.number(-1, 1)}, fixed = true), {f};"],
                [Equation(f"{a}*der({v}) = @0 - 0.9*{v} - {f};", m.bounded(2), check=None), Equation(f"{b}*der({u}) = @0 - 0.4*{u} + {f};", m.bounded(2), check=None),
                 Equation(f"if @0 then\n    {f} = 0;\n  else\n    {v} = {u};\n  end if;", m.at_first(), check=[f"{f} if (@0) else ({v} - {u})"])],
                rules=[("kept", f"{a}*{v} + {b}*{u}"), ("energy", f"0.5*{a}*{v}**2 + 0.5*{b}*{u}**2", None)])
    m.gives("R", v, v)
    return made


def item_contact(m):
    """A slider that sticks and slips by a switch; the force that holds it."""
    x, v, f = m.fresh("x"), m.fresh("v"), m.fresh("f")
    made = Item("contact", [x, v, f], [f"Real {x}(start = 0.1, fixed = true), {v}(start = {m.number(-1, 1)}, fixed = true), {f};"],
                [Equation(f"der({x}) = {v};", check=None), Equation(f"der({v}) = 2*@0 - 3*{x} - 0.5*{v} + {f};", m.bounded(2), check=None),
                 Equation(f"if @0 then\n    {f} = -0.3*{v};\n  else\n    {v} = 0;\n  end if;", m.at_first(), check=[f"({f} + 0.3*{v}) if (@0) else {v}"])])
    m.gives("R", x, x, smooth=True)
    return made


# == networks ==

def item_loads(m):
    """A source and loads, connected by switches: what flows is known in each mode."""
    s, n = m.fresh("s"), m.dice.randint(1, 3)
    loads, names = [], [s]
    declarations = [f"Source {s}(R = {m.number(0.5, 2)});"]
    equations = [Equation(f"{s}.e = 2*@0;", m.bounded(2), check=[f'V["{s}.e"] - 2*@0'])]
    conditions = []
    for k in range(n):
        c = m.fresh("c")
        names.append(c)
        loads.append(c)
        declarations.append(f"Load {c}(R = {m.number(0.5, 4)});")
        conditions.append(m.truth(1) if m.chance(0.8) else E("B", "true", "True"))
    if n >= 2 and m.chance(0.5):  # one of two
        conditions[1] = E("B", "not @0", "", conditions[0])
        equations.append(Equation(f"if @0 then\n    connect({s}.p, {loads[0]}.p);\n  else\n    connect({s}.p, {loads[1]}.p);\n  end if;", conditions[0], check=None))
        rest = range(2, n)
    else:
        rest = range(n)
    for k in rest:
        equations.append(Equation(f"if @0 then\n    connect({s}.p, {loads[k]}.p);\n  end if;", conditions[k], check=None))
    pin = lambda c, q: f'V["{c}.p.{q}"]'
    balance = " + ".join([pin(s, "i")] + [f"{pin(c, 'i')}*(@{k})" for k, c in enumerate(loads)])
    checks = [balance] + [f"({pin(s, 'v')} - {pin(c, 'v')}) if (@{k}) else {pin(c, 'i')}" for k, c in enumerate(loads)]
    made = Item("loads", names, declarations, equations)
    made.rules = [("network", conditions, checks)]
    m.gives("R", f"{s}.p.v", s)
    m.gives("R", f"{loads[0]}.p.i", loads[0])
    return made


def item_stores(m):
    """Capacitors that are connected and parted: charge is conserved. The connections have no circles."""
    n = m.dice.randint(2, 4)
    cs = [m.fresh("c") for _ in range(n)]
    caps = [m.number(0.5, 2) for _ in cs]
    declarations = [f"Store {c}(C = {k}, v0 = {m.number(-1, 1)});" for c, k in zip(cs, caps)]
    equations, links, conditions, pairs = [], [], [], []
    stored, power = " + ".join(f'0.5*{k}*V["{c}.p.v"]**2' for c, k in zip(cs, caps)), "0"
    for k in range(1, n):
        other = m.dice.randrange(k)
        if m.chance(0.5):
            link = m.fresh("r")
            links.append((link, other, k))
            kind = m.pick(["Link", "Link", "Choke", "Valve"])
            resistance = m.number(0.3, 2) if kind != "Valve" else None
            declarations.append(f"{kind} {link}" + (f"(R = {resistance});" if resistance else ";"))
            stored += f' + 0.5*V["{link}.j"]**2' if kind == "Choke" else ""
            power += f' - {resistance}*V["{link}.p.i"]**2' if resistance else f' - V["{link}.p.i"]*(V["{link}.p.v"] - V["{link}.n.v"])'
            equations += [Equation(f"connect({cs[other]}.p, {link}.p);", check=None), Equation(f"connect({link}.n, {cs[k]}.p);", check=None)]
        else:
            c = E("B", "not @0", "", m.at_first())
            conditions.append(c)
            pairs.append((other, k))
            equations.append(Equation(f"if @0 then\n    connect({cs[other]}.p, {cs[k]}.p);\n  end if;", c, check=None))
    if m.chance(0.5):
        s = m.fresh("s")
        declarations.append(f"Source {s}(R = {m.number(0.5, 2)});")
        equations += [Equation(f"{s}.e = @0;", m.bounded(1), check=[f'V["{s}.e"] - @0']), Equation(f"connect({s}.p, {cs[0]}.p);", check=None)]
        power += f' - V["{s}.p.v"]*V["{s}.p.i"]'
        links.append((s, None, None))
    names = cs + [x[0] for x in links]
    made = Item("stores", names, declarations, equations)
    made.rules = [("kept", " + ".join(f'{k}*V["{c}.p.v"]' for c, k in zip(cs, caps))), ("energy", stored, power),
                  ("network", conditions, [f'(V["{cs[a]}.p.v"] - V["{cs[b]}.p.v"]) if (@{k}) else 0' for k, (a, b) in enumerate(pairs)]),
                  ("network", [], [" + ".join(f'V["{c}.p.i"]' for c in cs) + "".join(f' + V["{x[0]}.p.i"]' for x in links if x[1] is None) + "".join(
                      f' + V["{x[0]}.p.i"] + V["{x[0]}.n.i"]' for x in links if x[1] is not None)])]
    m.gives("R", f"{cs[0]}.p.v", cs[0])
    m.gives("R", f"{cs[-1]}.p.v", cs[-1])
    return made


ITEMS = {name[5:]: function for name, function in list(globals().items()) if name.startswith("item_")}


def model(seed):
    m = Maker(seed)
    count = m.pick([2, 3, 4, 5, 6, 8, 10, 14])
    return Model(seed, [m.item() for _ in range(count)], m.stop)


if __name__ == "__main__":
    import sys
    import library
    print(model(int(sys.argv[1])).text(library))
