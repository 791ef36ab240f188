"""compare -- runs a model in all the ways that must agree, and tells which do not.

`Tester(program, folder).differences(model)` yields a Difference per way: bits where bits are promised, else a tube around the
result of the first run. A difference of a tube is confirmed with tighter tolerances before it counts: where it shrinks with the
tolerance, or where the first run itself is another one with another tolerance, it is explained and not reported.
"""
import bisect
import csv
import io
import json
import os
import subprocess
from pathlib import Path

import library
import oracle

TIME_LIMIT = 60  # seconds for one run; none of these models needs two on a machine that is not busy
TIGHT = "1e-9"
VALUE = 1e-5     # tube: of the size of the column plus 1
SHIFT = 1e-5     # tube: of the time


class Difference:
    def __init__(self, way, text, commands):
        self.way, self.text, self.commands = way, text, commands


class Run:
    """One run: exit code, JSON document, CSV bytes."""

    def __init__(self, tester, target, words, name):
        self.words, self.name = words, name
        self.csv, self.store = tester.folder / f"{name}.csv", tester.folder / f"{name}.nus"
        for path in (self.csv, self.store):
            path.unlink(missing_ok=True)
        command = ["run", *target, *words, "--json", "-o", self.csv.name, "-o", self.store.name]
        self.command = tester.shown(command)
        done = tester.nusim(*command)
        self.exit, self.said = done.returncode, done.stderr
        try:
            self.document = json.loads(done.stdout)
        except ValueError:
            self.document = {}
        self.bytes = self.csv.read_bytes() if self.csv.exists() else b""

    def codes(self):
        return [d["code"] for d in self.document.get("diagnostics", [])]

    def table(self):
        return read(self.bytes.decode())


def read(text):
    """Header and rows of numbers; columns of texts are left out."""
    lines = list(csv.reader(io.StringIO(text, newline="")))
    header, rows = lines[0], lines[1:]
    keep = [k for k in range(len(header)) if all(number(r[k]) is not None for r in rows)]
    return [header[k] for k in keep], [[number(r[k]) for k in keep] for r in rows]


def number(text):
    try:
        return float(text)
    except ValueError:
        return {"true": 1.0, "false": 0.0}.get(text)


class Tester:
    def __init__(self, program, folder):
        self.program, self.folder = str(program), Path(folder)
        self.runs, self.limit = 0, TIME_LIMIT

    def nusim(self, *words):
        self.runs += 1
        try:
            return subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, errors="replace",
                                  timeout=self.limit, cwd=self.folder)
        except subprocess.TimeoutExpired as late:
            return subprocess.CompletedProcess(late.cmd, 124, "", f"no end after {self.limit} s")

    def shown(self, words):
        return "nusim " + " ".join(f"'{w}'" if "*" in str(w) else str(w) for w in words if w != "--json")

    def put(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run(self, target, *words, name):
        return Run(self, target if isinstance(target, list) else [target], [str(w) for w in words], name)

    # == all ways ==

    def differences(self, model, ways=None):
        """Differences of the ways named (all of them, if none is)."""
        self.notes = []  # differences that are explained
        source = self.put("M.mo", model.text(library))
        common = ["--rtol", TIGHT, "--intervals", "100"]
        base = self.run(source, *common, "--solver", "rk45", "--code", "tcc", name="base")
        self.base = base
        if crowded(base):
            self.notes.append("run: more surfaces than a motion can slide along")
            return
        if base.exit:
            yield Difference("run", f"exit {base.exit}\n{messages(base)}", [base.command])
            return
        for way, function in WAYS.items():
            if ways is None or way in ways:
                yield from function(self, way, model, source, base, common)

    def same_bits(self, way, base, other):
        if other.exit != base.exit or other.bytes != base.bytes:
            yield Difference(way, first_difference(base, other), [base.command, other.command])

    def same_tube(self, way, base, other, again):
        """`again(rtol, name)`: both runs with another tolerance."""
        text = tube(base, other)
        if crowded(other):
            self.notes.append(f"{way}: more surfaces than a motion can slide along")
            return
        if not text:
            if counts(base, other):
                self.notes.append(f"{way}: {counts(base, other)}")
            return
        tighter = again("1e-11", "tight")
        if not tighter[1].exit and not tighter[0].exit and not tube(*tighter):
            self.notes.append(f"{way}: gone with rtol 1e-11")
            return
        if not tighter[0].exit and not other.exit and tube(base, tighter[0]):
            self.notes.append(f"{way}: ill-conditioned, {tube(base, tighter[0])}")
            return
        yield Difference(way, text, [base.command, other.command])


def messages(run):
    return "\n".join(f"{d['code']}: {d['message']}" for d in run.document.get("diagnostics", [])) or run.said[-1500:]


def crowded(run):
    """Did the run say that it met its limit of surfaces to slide along? Parts need not have it where the whole has."""
    return any("can slide along" in note for d in run.document.get("diagnostics", []) for note in d.get("notes", []))


def first_difference(a, b):
    if a.exit != b.exit:
        return f"exit {a.exit} and {b.exit}\n{messages(b)}"
    return different_bytes(a.bytes, b.bytes)


def different_bytes(a, b):
    p, q = a.decode().split("\n"), b.decode().split("\n")
    header = next(csv.reader([p[0]]))
    if p[0] != q[0]:
        return "other columns"
    for k, (x, y) in enumerate(zip(p, q)):
        if x != y:
            cells = zip(header, next(csv.reader([x])), next(csv.reader([y])))
            return f"row {k}, time {x.split(',')[0]}: " + "; ".join(f"{n}: {u} and {v}" for n, u, v in cells if u != v)[:400]
    return f"{len(p) - 2} and {len(q) - 2} rows"


# == the tube ==

def tube(a, b):
    """What of b leaves the tube around a, at the rows that are on the grid of a."""
    if a.exit != b.exit:
        return f"exit {a.exit} and {b.exit}\n{messages(b if b.exit else a)}"
    return tube_of(a.table(), b.table())


def counts(a, b):
    """Numbers of state events; a relation that is on its limit may change there and back."""
    n, m = (x.document.get("state_events", 0) for x in (a, b))
    slides = a.document.get("slides", 0) or b.document.get("slides", 0) or a.document.get("contacts", 0)
    return f"{n} and {m} state events" if n != m and not slides else ""


def events(run):
    return run.document.get("state_events", 0) + run.document.get("time_events", 0)


def tube_of(a, b, value=VALUE):
    (names, rows), (others, more) = a, b
    times = [r[0] for r in more]
    shift = SHIFT * max(1.0, times[-1])
    for k, name in enumerate(names):
        if name not in others or name == "time":
            continue
        j = others.index(name)
        scale = value * (1 + max(abs(r[k]) for r in rows))
        for n, r in enumerate(rows):
            event = (n and rows[n - 1][0] == r[0]) or (n + 1 < len(rows) and rows[n + 1][0] == r[0])
            if event:
                continue
            low, high = span(times, more, j, r[0], shift)
            if not low - scale <= r[k] <= high + scale:
                return f"{name} at {r[0]!r}: {r[k]!r} and {low if r[k] < low else high!r}"
    return ""


def span(times, rows, j, t, shift):
    """Least and largest value in [t - shift, t + shift], straight lines between rows."""
    first, last = bisect.bisect_left(times, t - shift), bisect.bisect_right(times, t + shift)
    values = [rows[k][j] for k in range(first, last)]
    for edge in (t - shift, t + shift):
        k = bisect.bisect_left(times, edge)
        if 0 < k < len(times) and times[k] > times[k - 1]:
            p = (edge - times[k - 1]) / (times[k] - times[k - 1])
            values.append(rows[k - 1][j] + p * (rows[k][j] - rows[k - 1][j]))
    return min(values), max(values)


# == the ways ==

WAYS = {}


def way(name):
    def keep(function):
        WAYS[name] = function
        return function
    return keep


@way("oracle")
def equations_hold(t, way, model, source, base, common):
    """The fine grid: the oracle integrates from row to row."""
    fine = t.run(source, "--rtol", TIGHT, "--solver", "rk45", "--intervals", "1000", name="fine")
    t.fine = fine
    if fine.exit:
        yield Difference(way, f"exit {fine.exit}\n{messages(fine)}", [fine.command])
        return
    header, rows = fine.table()
    table = t.folder / "fine.der.csv"
    known = states(t)
    if known:
        done = t.nusim("values", fine.store.name, "*", *known, "-o", table.name)
        if done.returncode:
            yield Difference(way, f"values: exit {done.returncode}\n{done.stderr}", [f"nusim values {fine.store.name}"])
            return
        header, rows = read(table.read_text())
    for text in oracle.problems(model, oracle.Rows(header, rows)):
        yield Difference(way, text, [fine.command])
        return


def states(t):
    """der(x) of everything that is differentiated somewhere."""
    import re
    text = t.nusim("flatten", "M.mo").stdout
    return sorted({f"der({n.strip(chr(39))})" for n in re.findall(r"der\(('[^']*'|\w+)\)", text.split("equation", 1)[-1])})


@way("eval")
def evaluated(t, way, model, source, base, common):
    yield from t.same_bits(way, base, t.run(source, *common, "--solver", "rk45", "--code", "eval", name=way))


@way("cc")
def compiled(t, way, model, source, base, common):
    yield from t.same_bits(way, base, t.run(source, *common, "--solver", "rk45", "--code", "cc", name=way))


@way("values")
def computed_again(t, way, model, source, base, common):
    for rows in ("both", "all"):
        written = base
        if rows == "all":
            written = t.run(source, *common, "--solver", "rk45", "--event-rows", rows, name="all")
        (t.folder / "values.csv").unlink(missing_ok=True)
        command = ["values", written.store.name, "--event-rows", rows, "-o", "values.csv"]
        done = t.nusim(*command)
        got = (t.folder / "values.csv").read_bytes() if not done.returncode else b""
        if done.returncode or got != written.bytes:
            text = done.stderr or different_bytes(written.bytes, got)
            yield Difference(way, text, [written.command, t.shown(command)])
            return


def tubes(t, way, base, source, *words):
    """Another way to run, compared with the tube."""
    def pair(rtol, name):
        return (t.run(source, "--rtol", rtol, "--intervals", "100", "--solver", "rk45", name=name + "a"),
                t.run(source, "--rtol", rtol, "--intervals", "100", *words, name=name + "b"))
    other = t.run(source, "--rtol", TIGHT, "--intervals", "100", *words, name=way)
    yield from t.same_tube(way, base, other, pair)


@way("islands")
def one_step_size(t, way, model, source, base, common):
    yield from tubes(t, way, base, source, "--solver", "rk45", "--islands", "off")


@way("rosenbrock")
def by_rosenbrock(t, way, model, source, base, common):
    yield from tubes(t, way, base, source, "--solver", "rosenbrock")


@way("cvode")
def by_cvode(t, way, model, source, base, common):
    yield from tubes(t, way, base, source, "--solver", "cvode")


@way("ida")
def by_ida(t, way, model, source, base, common):
    yield from tubes(t, way, base, source, "--solver", "ida", "--islands", "off")


@way("auto")
def by_default(t, way, model, source, base, common):
    """The default solver, tcc and then cc if it wants."""
    yield from tubes(t, way, base, source)


@way("grid")
def other_grids(t, way, model, source, base, common):
    """Each row of the coarse grid is one of the fine grid. Long steps must not miss an event that short ones find: where the numbers
    of events differ, a tighter tolerance, which makes all steps short, explains nothing."""
    def run(intervals, rtol, name):
        return t.run(source, "--rtol", rtol, "--intervals", intervals, "--solver", "rk45", name=name + intervals)
    for coarse, fine in (("7", "700"), ("100", "1000")):
        def pair(rtol, name, grids=(coarse, fine)):
            return tuple(run(n, rtol, name) for n in grids)
        first, other = base if coarse == "100" else run(coarse, TIGHT, way), run(fine, TIGHT, way)
        if first.exit != base.exit:
            yield from t.same_bits(way, base, first)
        elif coarse == "7" and events(first) != events(other) and tube(first, other):
            yield Difference(way, tube(first, other), [first.command, other.command])
        else:
            yield from t.same_tube(way, first, other, pair)


@way("permuted")
def another_order(t, way, model, source, base, common):
    other = t.put("P.mo", model.text(library, shuffle=model.seed + 1))
    def pair(rtol, name):
        return tuple(t.run(f, "--rtol", rtol, "--intervals", "100", "--solver", "rk45", name=name + f) for f in (source, other))
    yield from t.same_tube(way, base, t.run(other, *common, "--solver", "rk45", name=way), pair)


@way("flat")
def flat_text(t, way, model, source, base, common):
    flat = t.nusim("flatten", source)
    other = t.put("F.mo", flat.stdout)
    run = t.run(other, *common, "--solver", "rk45", name=way)
    run.bytes = base.bytes.split(b"\n", 1)[0] + b"\n" + run.bytes.split(b"\n", 1)[-1]  # there names have quotes
    yield from t.same_bits(way, base, run)


@way("resume")
def interrupted(t, way, model, source, base, common):
    if events(base) < 2:
        return
    cut = t.run(source, *common, "--solver", "rk45", "--code", "tcc", "--checkpoint", "0", "--max-events", str(max(1, events(base) // 2)), name="cut")
    if cut.exit != 5:
        return
    done = t.nusim("run", "--resume", "cut.nus", "-q", "--trust")
    (t.folder / "resumed.csv").unlink(missing_ok=True)
    again = t.nusim("values", "cut.nus", "-o", "resumed.csv")
    got = (t.folder / "resumed.csv").read_bytes() if not again.returncode else b""
    if done.returncode or got != base.bytes:
        text = done.stderr or again.stderr or different_bytes(base.bytes, got)
        yield Difference(way, text, [base.command, cut.command, "nusim run --resume cut.nus", "nusim values cut.nus -o resumed.csv"])


@way("from")
def from_the_middle(t, way, model, source, base, common):
    moment = "0.83217"
    other = t.run(["--from", f"base.nus@{moment}", "--trust"], name=way)
    if other.exit != base.exit:
        yield from t.same_bits(way, base, other)
        return
    def pair(rtol, name):
        first = t.run(source, "--rtol", rtol, "--intervals", "100", "--solver", "rk45", name=name + "a")
        return first, t.run(["--from", f"{name}a.nus@{moment}", "--trust"], name=name + "b")
    yield from t.same_tube(way, base, other, pair)
