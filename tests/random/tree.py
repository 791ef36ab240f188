"""tree -- the tree of a random model: expressions, equations, items; its text, and what can be left out of it.

An *item* declares some variables and has as many equations. Items read variables of other items by name; where an item is gone, a
constant stands in the place of its variables. So every part of a tree is a model again, and `smaller` needs to know no Modelica.

An expression has two texts: Modelica, and Python for the oracle (`oracle.py`), which evaluates it from a row of the result. An
expression without Python text (`delay`, say) is not checked there.
"""
import copy
import random
import re

SECTIONS = ("equations", "initial", "algorithms")
DEFAULT = {"R": "0.4", "B": "false", "I": "2"}


class E:
    """An expression: `text` and `python` have @0, @1, ... for its arguments; a reference to a variable has its name."""

    def __init__(self, kind, text, python="", *args, ref=None):
        self.kind, self.text, self.args, self.ref = kind, text, list(args), ref
        self.python = text if python == "" else python

    def modelica(self, alive):
        if self.ref and self.ref not in alive:
            return DEFAULT[self.kind]
        return filled(self.text, [a.modelica(alive) for a in self.args])

    def oracle(self, alive):
        """Python text, or None."""
        if self.ref and self.ref not in alive:
            return DEFAULT[self.kind].capitalize()
        args = [a.oracle(alive) for a in self.args]
        if self.python is None or None in args:
            return None
        return filled(self.python, args)

    def refs(self):
        return ({self.ref} if self.ref else set()).union(*[a.refs() for a in self.args])

    def size(self):
        return 1 + sum(a.size() for a in self.args)

    def smaller(self):
        """Expressions in its place, the smallest first: a constant, a part of it, or it with one part made smaller."""
        if self.size() == 1 and not self.ref:
            return
        yield E(self.kind, DEFAULT[self.kind], DEFAULT[self.kind].capitalize())
        yield from (a for a in self.args if a.kind == self.kind)
        for k, a in enumerate(self.args):
            for other in a.smaller():
                new = copy.copy(self)
                new.args = self.args[:k] + [other] + self.args[k + 1:]
                yield new


def filled(text, args):
    """The text with its @k replaced; brackets keep what belongs together."""
    return re.sub(r"@(\d)", lambda m: f"({args[int(m[1])]})", text) if args else text


class Equation:
    """A text with holes; `check` is the Python text of residuals (all 0), () if the text itself says it, None if nothing can be
    checked. `optional`: the item is complete without it."""

    def __init__(self, text, *holes, check=(), optional=False):
        self.text, self.holes, self.check, self.optional = text, list(holes), check, optional

    def modelica(self, alive):
        return filled(self.text, [h.modelica(alive) for h in self.holes])

    def residuals(self, alive):
        """Python expressions that are 0 (or True) in every row."""
        if self.check is None:
            return []
        texts = self.check or [residual(self.text)]
        holes = [h.oracle(alive) for h in self.holes]
        used = {int(k) for t in texts for k in re.findall(r"@(\d)", t)}
        if any(holes[k] is None for k in used):
            return []
        return [filled(t, holes) for t in texts]


def residual(text):
    left, right = text.rstrip(";").split(" = ", 1)
    return f"({derivatives(left)}) - ({derivatives(right)})"


def derivatives(text):
    return re.sub(r"der\((\w+)\)", r"der_\1", text)


class Item:
    def __init__(self, what, names, declarations, equations, initial=(), algorithms=(), uses=(), rules=()):
        self.what = what                          # the name of the kind of item
        self.names = names                        # its variables, without subscripts
        self.declarations = list(declarations)
        self.equations = list(equations)
        self.initial = list(initial)              # initial equations
        self.algorithms = list(algorithms)        # algorithm sections, each an equation
        self.uses = set(uses)                     # names of classes and functions (library.py)
        self.rules = list(rules)                  # what else the oracle checks: (kind, ...), see oracle.py

    def sections(self):
        return self.equations + self.initial + self.algorithms


class Model:
    def __init__(self, seed, items, stop):
        self.seed, self.items, self.stop = seed, items, stop

    def alive(self):
        return {name for item in self.items for name in item.names}

    def size(self):
        return sum(4 + sum(3 + sum(h.size() for h in e.holes) for e in i.sections()) for i in self.items)

    def text(self, library, shuffle=None):
        """Modelica. With `shuffle` (a seed) declarations and equations stand in another order."""
        alive = self.alive()
        declarations = [d for i in self.items for d in i.declarations]
        equations = [e.modelica(alive) for i in self.items for e in i.equations]
        initial = [e.modelica(alive) for i in self.items for e in i.initial]
        algorithms = [e.modelica(alive) for i in self.items for e in i.algorithms]
        if shuffle is not None:
            for lines in (declarations, equations, initial, algorithms):
                random.Random(shuffle).shuffle(lines)
        body = "\n".join(declarations + equations + initial + algorithms)
        used = library.needed(set().union(*[i.uses for i in self.items]), body)
        lines = [f"model R{self.seed}", *used, *declarations, "equation", *equations]
        if initial:
            lines += ["initial equation", *initial]
        for a in algorithms:
            lines += ["algorithm", a]
        lines += [f"annotation(experiment(StopTime = {self.stop}));", f"end R{self.seed};", ""]
        return "\n".join("  " + x if not x.startswith(("model R", "end R", "equation", "initial eq", "algorithm")) else x
                         for x in lines if x)

    def smaller(self):
        """Models with less in them, the largest cuts first."""
        n = len(self.items)
        size = n // 2
        while size >= 1:
            for k in range(0, n, size):
                if n - len(self.items[k:k + size]) > 0:
                    yield Model(self.seed, self.items[:k] + self.items[k + size:], self.stop)
            size //= 2
        for k, item in enumerate(self.items):
            for new in smaller_items(item):
                yield Model(self.seed, self.items[:k] + [new] + self.items[k + 1:], self.stop)


def smaller_items(item):
    for part in SECTIONS:
        for k, e in enumerate(getattr(item, part)):
            if e.optional:
                new = copy.deepcopy(item)
                del getattr(new, part)[k]
                yield new
    for part in SECTIONS:
        for k, e in enumerate(getattr(item, part)):
            for h, hole in enumerate(e.holes):
                for other in hole.smaller():
                    new = copy.copy(item)
                    equations = list(getattr(item, part))
                    equations[k] = copy.copy(e)
                    equations[k].holes = e.holes[:h] + [other] + e.holes[h + 1:]
                    setattr(new, part, equations)
                    yield new
