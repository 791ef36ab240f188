"""options -- cases of tests/cli/run: every row of src/run/options.def at every station: header, command line, JSON, help, manual page,
completion, resumed runs. A station that forgets an option fails here."""
import re
import sqlite3
import zlib

STEPS = """model Steps
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -k*x;
  when sample(0.125, 0.125) then
    n = pre(n) + 1;
  end when;
end Steps;
"""
# fields of NuRunOptions that say where results go, who is called, and what is resumed
NO_OPTIONS = {"store", "csv", "mat", "row", "row_user", "progress", "progress_user", "resume", "resume_at"}
OUT_OF_RANGE = {"FINITE": ["nan", "inf", "-inf", "1e999", "much", "", "1x"],
                "POSITIVE": ["0", "-1", "-1e-300", "nan", "inf", "1e999", "much"],
                "NOT_NEGATIVE": ["-1", "-1e-300", "nan", "inf", "much"],
                "FRACTION": ["0", "1", "-1e-6", "1e300", "nan", "inf", "much"],
                "COUNT": ["0", "-3", " -3", "1.5", "1e300", "nan", "99999999999999999999", "many"],
                "COUNT_32": ["0", "-3", "1.5", "1e300", "nan", "4294967296", "99999999999999999999", "many"]}


class Row:
    """A row of the table; `some` is a value that is not the default, which `as_json` has in the document."""

    def __init__(self, macro, columns):
        columns = [c.strip().strip("'\"") for c in columns]
        self.type = columns.pop(0) if macro != "LIST" else "list"
        self.field, self.name, self.letter, self.value, self.range, self.resume = columns
        self.words = self.value.split("|") if re.fullmatch(r"[a-z|]+", self.value) else []
        self.some, self.as_json = self.choose()

    def choose(self):
        if self.words:
            return [self.words[-1]], self.words[-1]
        if self.type == "list":
            text = {"p": "k=2", "x": "x=3"}.get(self.letter, "x")
            return [text], [text]
        return {"bool": ([], True), "double": (["0.5"], 0.5), "uint64_t": (["1000"], 1000), "const char *": (["rk45"], "rk45")}[self.type]

    def given(self):
        return [f"--{self.name}", *self.some]


def table():
    text = (ROOT / "src/run/options.def").read_text()
    rows = [Row(macro, columns.split(",")) for macro, columns in re.findall(r"^(RUN|API|LIST)_OPTION\((.*?, (?:FREE|KEPT|FIXED)),", text, re.M | re.S)]
    assert len(rows) == len(re.findall(r"^(?:RUN|API|LIST)_OPTION\(", text, re.M)) > 20
    return rows


def kept(name):
    db = sqlite3.connect(Path(work, name))
    value = db.execute("SELECT value FROM about WHERE key = 'options'").fetchone()[0]
    db.close()
    return value


@case
def options_of_the_header():
    """A field of NuRunOptions is an option, or one of those that are known to be none."""
    text = (ROOT / "include/nusim.h").read_text()
    body = re.search(r"typedef struct \{([^{}]*)\} NuRunOptions;", text)[1]
    fields = set(re.findall(r"(\w+)(?=[,;])", re.sub(r"/\*.*?\*/", "", body, flags=re.S)))
    lists = {r.field for r in table() if r.type == "list"}
    assert fields == {r.field for r in table()} | {f"n_{f}" for f in lists} | NO_OPTIONS, fields ^ {r.field for r in table()}


@case
def options_are_taken():
    """By name with the value behind it or behind `=`, by letter; the document says so, and the result keeps what decides the run."""
    model = put("Steps.mo", STEPS)
    assert json.loads(expect(nusim("run", model, "-o", "o.csv", "--json"), 0).stdout)["options"] == {}
    for row in table():
        value = row.some[0] if row.some else None
        ways = [row.given(), [f"--{row.name}={value}"] if value else row.given(), [f"-{row.letter}", value] if row.letter != "0" else row.given()]
        for words in ways:
            document = json.loads(expect(nusim("run", model, "-o", "o.nus", "--json", *words), 0).stdout)
            assert document["options"] == {row.name: row.as_json}, (words, document["options"])
        if row.type == "list":  # has become part of the model
            continue
        lines = kept("o.nus").splitlines()
        written = {"step": "intervals"}.get(row.field, row.field)
        assert [line.split("=")[0] for line in lines] == ([written] if row.resume != "FREE" else []), (row.name, lines)
        for word in row.words:
            document = json.loads(expect(nusim("run", model, "-o", "o.csv", "--json", f"--{row.name}", word), 0).stdout)
            assert document["options"] == {row.name: word}, (row.name, word)


@case
def options_refuse():
    """What is out of range ends with 2 and says what is wanted; no file is touched."""
    model = put("Steps.mo", STEPS)
    for row in table():
        bad = OUT_OF_RANGE.get(row.range, [])
        if row.words:
            bad = ["", "x", row.value, row.words[0][:-1], row.words[0] + "x", row.words[0].upper()]
        for value in bad:
            done = expect(nusim("run", model, "-o", "o.csv", f"--{row.name}={value}"), 2, err=f"error[A001]: `--{row.name}` needs ")
            assert f"not `{value}`" in done.stderr, done.stderr
        if row.value == "NULL":
            expect(nusim("run", model, f"--{row.name}=1"), 2, err=f"`--{row.name}` takes no value")
        else:
            expect(nusim("run", model, f"--{row.name}"), 2, err=f"`--{row.name}` needs a value")
    assert not Path(work, "o.csv").exists()


@case
def options_are_told():
    """Help, manual page and completion have each option with what to write for its value."""
    text = expect(nusim("run", "--help"), 0).stdout
    page = re.sub(r"\\f[A-Z]", "", expect(nusim("completion", "man", "run"), 0).stdout).replace("\\-", "-")
    offered = [line.split("\t") for line in nusim("__complete", "run", "--").stdout.splitlines()]
    for row in table():
        letter = f"-{row.letter}, " if row.letter != "0" else ""
        shown = f"{letter}--{row.name}" + (f" {row.value}" if row.value != "NULL" else "")
        assert re.search(rf"^ +{re.escape(shown)}(\s|$)", text, re.M), shown
        assert re.search(rf"^\.TP\n{re.escape(shown)}\n\w", page, re.M), shown
        assert [f"--{row.name}"] == [w[0] for w in offered if w[0] == f"--{row.name}" and len(w[1]) > 10], row.name
        words = [line.split("\t")[0] for line in nusim("__complete", "run", f"--{row.name}", "").stdout.splitlines()]
        assert words == row.words if row.words else "rk45" in words if row.name == "solver" else True, (row.name, words)


@case
def options_of_resumed_runs():
    """What is fixed is as it was in the run that goes on, and is refused; the rest may be said anew."""
    model = put("Steps.mo", STEPS)
    for row in table():
        first = row.given() if row.resume != "FREE" else []
        expect(nusim("run", model, "-o", "part.nus", "--max-events", "2", *first), 5)
        before = kept("part.nus")
        done = nusim("run", "--resume", "part.nus", "-o", "rest.nus", "--json", *row.given())
        if row.resume == "FIXED":
            expect(done, 2, err=f"with `--resume` a run goes on as it began: no `--{row.name}`")
            expect(nusim("run", "--from", "part.nus@0.125", *row.given()), 2, err=f"with `--from` a run goes on as it began: no `--{row.name}`")
            if row.words:
                expect(nusim("run", "--resume", "part.nus", f"--{row.name}", row.words[0]), 2, err=f"no `--{row.name}`")
            expect(nusim("run", "--resume", "part.nus", "-o", "rest.nus"), 0)
            assert kept("rest.nus") == before and (row.type == "list" or before), (row.name, before, kept("rest.nus"))
        elif row.letter != "p":
            assert json.loads(expect(done, 0).stdout)["options"] == {row.name: row.as_json}, row.name


@case
def options_of_older_results():
    """Names and values that the first versions wrote."""
    model = put("Steps.mo", STEPS)
    now = ["--rtol", "1e-8", "--atol", "1e-7", "--formulation", "dae", "--intervals", "50", "--bounds", "off", "--islands", "off"]
    then = ("rtol=1e-08\natol_factor=10\nsolver_step=nan\nstart=nan\nstop=nan\nintervals=50\ndae=1\njump_path=0\nany_pulses=0\ntogether=1\n"
            "chatter=0\nzeno=0\nbounds=2\nsolver=auto\nparameter=k=3\ninitial=x=2\nchange=0.5 k=2\n")
    expect(nusim("run", model, "-o", "old.nus", "--max-events", "2", *now), 5)
    for text, code in ((then, 0), (then.replace("=50", "=-50"), 6), (then.replace("1e-08", "2"), 6), (then.replace("bounds=2", "bounds=3"), 6),
                       (then.replace("zeno", "zen"), 6), (then + "max_events=1\n", 6), (then.replace("dae=1", "dae=x"), 6)):
        db = sqlite3.connect(Path(work, "old.nus"))
        parts = b"".join(b"\x03" + len(b).to_bytes(8, "little") + b for b in (b"options", text.encode()))
        db.execute("UPDATE about SET value = ?, crc = ? WHERE key = 'options'", (text, zlib.crc32(parts)))
        db.commit()
        db.close()
        expect(nusim("run", "--resume", "old.nus", "-o", "rest.nus"), code, err="done" if code == 0 else "its options are not as they were written")
        lines = set(kept("rest.nus").splitlines())
        assert lines == {"rtol=1e-08", "atol=1e-07", "formulation=1", "intervals=50", "together=1", "bounds=2", "solver=auto",
                         "parameters=k=3", "starts=x=2", "change=0.5 k=2"}, lines
