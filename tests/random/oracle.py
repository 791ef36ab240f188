"""oracle -- does a result satisfy the equations of its model? Evaluated here from the tree, row by row, independently of NuSim.

- Every equation with a Python text has residual 0 in every row. Rows in which a relation is on its limit are left out for the
  equations that contain it (`Tie`).
- A state moves by the integral of its derivative between two rows without an event.
- Discrete variables are constant between events.
- Rules of items: ("state", x), ("least", y, limit), ("most", y, limit), ("constant", d), ("kept", text): conserved at events, ("energy", stored, power): balanced, never more by an event,
  ("network", conditions, residuals), ("sampled", d, start, period, hole, text), ("when", n, condition, text): fires where the
  condition becomes true, nowhere else.
"""
import math
import re

import library

TIE = 1e-6       # a relation whose sides are so near may be on either side; far above the bands of events at rtol 1e-9
RESIDUAL = 1e-6  # equations hold in rows to rounding, iterated ones to the tolerance of their iteration
STEP = 5e-4      # error of the trapezoidal rule between rows of the fine grid, whose step is 0.002; kinks without events count


class Tie(Exception):
    pass


def gt(a, b):
    if abs(a - b) <= TIE * (1 + abs(a) + abs(b)):
        raise Tie
    return a > b


def down(a):
    if abs(a - round(a)) <= TIE * (1 + abs(a)):
        raise Tie
    return math.floor(a)


def trunc(a):
    return math.copysign(down(abs(a)), a)


def fold(y, n, c):
    z = 0.0
    for j in range(1, n + 1):
        z = 0.5 * z + y / j - (0.2 if c else 0)
    return z


TOOLS = {**{n: getattr(math, n) for n in "sin cos tan tanh exp sqrt atan2".split()}, **library.FUNCTIONS, "gt": gt,
         "lt": lambda a, b: gt(b, a), "down": down, "trunc": trunc, "reversed": reversed, "fold": fold, "abs": abs, "min": min, "max": max, "sum": sum, "len": len,
         "true": True, "false": False, "__builtins__": {}}


class Rows:
    """The rows of a result as names for Python texts."""

    def __init__(self, header, rows):
        self.header, self.rows = header, rows
        self.times = [r[0] for r in rows]
        self.scopes = [self.scope(r) for r in rows]
        n = len(rows)
        # a row belongs to an event if a neighbour has its time
        self.event = [(k > 0 and self.times[k - 1] == t) or (k + 1 < n and self.times[k + 1] == t) for k, t in enumerate(self.times)]

    def scope(self, row):
        scope = {"V": dict(zip(self.header, row))}
        for name, value in zip(self.header, row):
            plain = re.sub(r"^der\((\w+)(.*)\)$", r"der_\1\2", name)
            found = re.fullmatch(r"(\w+)\[(\d+)\]", plain)
            if found:
                scope.setdefault(found[1], {})[int(found[2])] = value
            elif plain.isidentifier():
                scope[plain] = value
        return scope

    def value(self, code, k, before=None):
        """The value of a text in row k; `before`: names pre_x are values of this row."""
        scope = self.scopes[k]
        if before is not None:
            scope = {**scope, **{"pre_" + n: v for n, v in self.scopes[before].items() if n != "V"}}
        return eval(code, TOOLS, scope)

    def truth(self, code, k):
        try:
            return bool(self.value(code, k))
        except Tie:
            return None


def problems(model, rows):
    """Texts of what is wrong."""
    alive = model.alive()
    yield from discrete_problems(model, rows)
    for item in model.items:
        for e in item.equations + item.algorithms:
            for text in e.residuals(alive):
                yield from residual_problems(item, text, rows)
        for rule in item.rules:
            yield from RULES[rule[0]](rows, alive, *rule[1:])


def discrete_problems(model, rows):
    """Between two rows of different times nothing discrete changes."""
    text = "\n".join(d for item in model.items for d in item.declarations)
    lists = re.findall(r"^\s*(?:discrete Real|Integer|Boolean|Mode) ([^;]*);", text, re.M)
    names = {n for words in lists for n in re.findall(r"(?:^|, )(\w+)", re.sub(r"\([^()]*\)", "", words))}
    columns = [k for k, n in enumerate(rows.header) if n.split("[")[0] in names]
    for a, b in smooth_spans(rows):
        for k in columns:
            if rows.rows[a][k] != rows.rows[b][k]:
                yield f"discrete {rows.header[k]} changes between {rows.times[a]!r} and {rows.times[b]!r}"
                return


def residual_problems(item, text, rows):
    code = compile(text, text, "eval")
    for k in range(len(rows.rows)):
        try:
            value = rows.value(code, k)
        except Tie:
            continue
        if value is True or (value is not False and abs(value) <= RESIDUAL):
            continue
        yield f"{item.what}: residual {value} at t = {rows.times[k]!r}: {text}"
        return


def smooth_spans(rows):
    """Pairs of rows with no event between them."""
    for k in range(len(rows.rows) - 1):
        if rows.times[k + 1] > rows.times[k]:
            yield k, k + 1


def rule_state(rows, alive, x):
    if f"der({x})" not in rows.header:
        return
    i, d = rows.header.index(x), rows.header.index(f"der({x})")
    for a, b in smooth_spans(rows):
        p, q, h = rows.rows[a], rows.rows[b], rows.times[b] - rows.times[a]
        off = q[i] - p[i] - 0.5 * h * (p[d] + q[d])
        if abs(off) > STEP * max(1.0, abs(p[d] - q[d])):
            yield f"state {x} is off by {off} from the integral of its derivative between {p[0]!r} and {q[0]!r}"
            return


def rule_least(rows, alive, y, limit):
    least = min(r[rows.header.index(y)] for r in rows.rows)
    if least < limit - 1e-5:
        yield f"{y} falls to {least} below {limit}"


def rule_most(rows, alive, y, limit):
    most = max(r[rows.header.index(y)] for r in rows.rows)
    if most > limit + 1e-5:
        yield f"{y} rises to {most} above {limit}"


def rule_constant(rows, alive, d):
    values = {r[rows.header.index(d)] for r in rows.rows[1:]}
    if len(values) > 1:
        yield f"{d} has the values {sorted(values)[:3]} and is assigned once"


def rule_kept(rows, alive, text):
    code = compile(text, text, "eval")
    for k in range(len(rows.rows) - 1):
        if rows.times[k] == rows.times[k + 1]:
            a, b = rows.value(code, k), rows.value(code, k + 1)
            if abs(a - b) > RESIDUAL:
                yield f"{text} jumps from {a} to {b} at t = {rows.times[k]!r}"
                return


def rule_energy(rows, alive, stored, power):
    """What is stored grows by the power that comes in less that which is lost, nothing else; no event adds to it. Between two rows
    the power lies between its values there (a capacitor behind an ideal valve is loaded in less than a row)."""
    energy, flow = compile(stored, stored, "eval"), compile(power, power, "eval") if power else None
    drift, unsure, since = 0.0, STEP, 0.0
    for k in range(len(rows.rows) - 1):
        a, b, h = rows.value(energy, k), rows.value(energy, k + 1), rows.times[k + 1] - rows.times[k]
        if h == 0:
            drift, unsure, since = 0.0, STEP, rows.times[k]
            if b > a + RESIDUAL:
                yield f"energy {stored} grows from {a} to {b} at t = {rows.times[k]!r}"
                return
            continue
        if not flow:
            continue
        p, q = rows.value(flow, k), rows.value(flow, k + 1)
        drift += b - a - 0.5 * h * (p + q)
        unsure += 0.5 * h * abs(p - q)
        if abs(drift) > unsure:
            yield f"energy {stored} is off by {drift} from the integral of {power} between {since!r} and {rows.times[k + 1]!r}"
            return


def rule_network(rows, alive, conditions, texts):
    holes = [c.oracle(alive) for c in conditions]
    for text in texts:
        used = {int(n) for n in re.findall(r"@(\d)", text)}
        if any(holes[n] is None for n in used):
            continue
        text = re.sub(r"@(\d)", lambda m: f"({holes[int(m[1])]})", text)
        yield from residual_problems(type("", (), {"what": "network"}), text, rows)


def rule_sampled(rows, alive, d, start, period, hole, text):
    """Values at the instants of sample(); what is read must not change in later passes of the event."""
    python = hole.oracle(alive)
    if python is None or "gt(" in python or "lt(" in python or not pure(hole, rows):
        python = None
    code = compile(text.replace("@0", f"({python})"), text, "eval") if python else None
    column, fired, last = rows.header.index(d), 0, -1
    for k in range(len(rows.rows) - 1):
        if rows.times[k] != rows.times[k + 1]:
            if rows.rows[k][column] != rows.rows[k + 1][column]:
                yield f"{d} changes between {rows.times[k]!r} and {rows.times[k + 1]!r}"
                return
            continue
        t = rows.times[k]
        instant = round((t - start) / period)
        if instant < 0 or abs(start + instant * period - t) > 1e-12:
            if rows.rows[k][column] != rows.rows[k + 1][column]:
                yield f"{d} changes at {t!r}, no instant of its sample"
                return
            continue
        if instant == last and rows.rows[k][column] == rows.rows[k + 1][column]:
            continue  # another event, a rounding later
        soon = range(k + 1, min(k + 8, len(rows.rows) - 1))
        if rows.rows[k][column] == rows.rows[k + 1][column] and any(rows.times[q] == rows.times[q + 1] and 0 < rows.times[q] - t <= 1e-12 for q in soon):
            continue  # another event, a rounding earlier
        fired, last = fired + 1, instant
        if code and abs(rows.value(code, k + 1, before=k) - rows.rows[k + 1][column]) > RESIDUAL:
            yield f"{d} is {rows.rows[k + 1][column]} at {t!r}, should be {rows.value(code, k + 1, before=k)}"
            return
    wanted = sum(1 for i in range(1000) if 0 < start + i * period < rows.times[-1] * (1 - 1e-12))
    if abs(start + round((rows.times[-1] - start) / period) * period - rows.times[-1]) > 1e-9 and fired != wanted:
        yield f"{d} is sampled {fired} times, should be {wanted}"


def pure(hole, rows):
    """Only variables that do not jump at any event."""
    names = [n for n in rows.header if n.split("[")[0].split(".")[0] in hole.refs()]
    columns = [rows.header.index(n) for n in names]
    return all(abs(a[c] - b[c]) < 1e-9 for a, b in zip(rows.rows, rows.rows[1:]) if a[0] == b[0] for c in columns)


def rule_when(rows, alive, n, condition, text):
    """Between two rows in which the condition is known: it became true (one change at least), or it did not."""
    python = condition.oracle(alive)
    if python is None or not rows.rows:
        return
    code, then, column = compile(python, python, "eval"), compile(text, text, "eval"), rows.header.index(n)
    known, last = 0, None
    for k in range(len(rows.rows)):
        now = rows.truth(code, k)
        if k and rows.rows[k][column] != rows.rows[k - 1][column]:
            if rows.times[k] != rows.times[k - 1]:
                yield f"{n} changes between {rows.times[k - 1]!r} and {rows.times[k]!r}"
                return
            if rows.value(then, k, before=k - 1) != rows.rows[k][column]:
                yield f"{n} becomes {rows.rows[k][column]} at {rows.times[k]!r}, not {rows.value(then, k, before=k - 1)}"
                return
        if now is None:
            continue
        if last is not None:
            changes = sum(rows.rows[j][column] != rows.rows[j - 1][column] for j in range(known + 1, k + 1))
            if now and not last and not changes:
                yield f"{n} stays as it was where {python} became true, between {rows.times[known]!r} and {rows.times[k]!r}"
                return
            if k == known + 1 and changes and not (now and not last):
                yield f"{n} changes at {rows.times[k]!r}, where {python} did not become true"
                return
        known, last = k, now


RULES = {name[5:]: function for name, function in list(globals().items()) if name.startswith("rule_")}
