# Cases of tests/cli/run: results that are none, are damaged, come from other tools or have nothing to show; the timeline of a result.

RELAY, BRIDGE = ROOT / "examples/Relay.mo", ROOT / "examples/BridgeRectifier.mo"
# every command that reads a result; RESULT stands for its path
READERS = [["plot", "RESULT", "x"], ["values", "RESULT", "x"], ["inspect", "--modes", "RESULT"], ["inspect", "--events", "RESULT"],
           ["inspect", "--vars", "RESULT"], ["diff", "RESULT", "good.nus"], ["diff", "good.nus", "RESULT"]]


def relay(name="good.nus", *words):
    expect(nusim("run", RELAY, "-q", "-o", name, *words), 0)
    return Path(work, name)


def read_all(path, code, err, readers=None):
    """What every reader says of a file; none crashes, hangs or writes."""
    before = Path(work, path).read_bytes() if Path(work, path).is_file() else None
    for reader in readers or READERS:
        done = expect(nusim(*[path if w == "RESULT" else w for w in reader]), code, err=err)
        assert done.stdout == "" or code == 0, done.stdout
    assert before is None or Path(work, path).read_bytes() == before


def set_version(path, version):
    import sqlite3
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version={version}")
    db.close()


# == stores ==

@case
def results_that_are_none():
    relay()
    for name, content, err in (("text.nus", b"hello\n", "it is not a result of NuSim"), ("empty.nus", b"", "it is empty"),
                               ("png.nus", b"\x89PNG\r\n\x1a\n" + bytes(100), "it is not a result of NuSim"),
                               ("model.nus", BALL.read_bytes(), "it is not a result of NuSim")):
        Path(work, name).write_bytes(content)
        read_all(name, 6, f"cannot read `{name}`: {err}")
    read_all("missing.nus", 6, "cannot read `missing.nus`: No such file")
    Path(work, "folder.nus").mkdir()
    read_all("folder.nus", 6, "error[F002]")
    for name in ("pipe.nus", "pipe.csv", "pipe.mat"):  # nobody waits for what comes out of it
        os.mkfifo(Path(work, name))
        read_all(name, 6, "error[F002]", READERS if name == "pipe.nus" else [READERS[0], READERS[-1], READERS[-2]])


@case
def results_of_other_versions():
    good = relay().read_bytes()
    Path(work, "new.nus").write_bytes(good)
    set_version(Path(work, "new.nus"), 7)
    read_all("new.nus", 6, "it was written by a newer NuSim (format 7;")


@case
def results_of_older_versions():
    """Files of every format that there was."""
    import gzip
    for name, variable, text in (("ball1", "h", "in contact, h <= 0"), ("pendulum2", "slow.x", "not slow.tight, fast.tight")):
        path = put(f"{name}.nus", "")
        path.write_bytes(gzip.decompress((ROOT / f"tests/cli/formats/{name}.nus.gz").read_bytes()))
        expect(nusim("inspect", "--modes", path), 0, out=text)
        expect(nusim("inspect", "--events", path), 0, out="state")
        expect(nusim("inspect", "--vars", path), 0, out=variable)
        expect(nusim("plot", path, variable), 0)
        expect(nusim("plot", path, variable, "-o", "f.svg"), 0)
        expect(nusim("values", path, "-o", "v.csv", "-o", "v.mat"), 0)
        expect(nusim("diff", path, "v.csv"), 0, out="same")
        expect(nusim("diff", path, "v.mat"), 0, out="same")


@case
def truncated_results():
    content = relay("whole.nus").read_bytes()
    relay()
    for part in (17, 100, 4096, len(content) // 2):
        Path(work, "cut.nus").write_bytes(content[:part])
        read_all("cut.nus", 6, "cut.nus")


@case
def names_that_do_not_exist():
    expect(nusim("run", BALL, "-q", "-o", "b.nus", "-o", "b.csv", "-o", "b.mat"), 0)
    for path in ("b.nus", "b.csv", "b.mat"):
        expect(nusim("plot", path, "bouncs"), 2, err="did you mean `bounces`?")
        expect(nusim("plot", path, "h vs bouncs"), 2, err="did you mean `bounces`?")
        expect(nusim("plot", path, "z" * 100000), 2, err="error[A002]")
    expect(nusim("values", "b.nus", "bouncs"), 2, err="did you mean `bounces`?")
    expect(nusim("values", "b.nus", "der(bounces)"), 2, err="error[A002]")
    expect(nusim("diff", "b.nus", "b.csv", "bouncs"), 2, err="did you mean `bounces`?")


@case
def derivatives_of_what_is_no_state():
    """Of x, which follows from an equation in the second mode, no derivative is known there; z keeps its value; v stays a state."""
    put("B.mo", "model B Real x(start = 0.7, fixed = true), z(start = 2, fixed = true), v(start = 1, fixed = true), y; equation "
                "if time < 0.4 or time > 0.9 then der(x) = -2*x; der(z) = 3; else x = cos(5*time); end if; der(v) = -v; y = x + v; end B;")
    for code in ("tcc", "eval"):
        expect(nusim("run", "B.mo", "-q", "--stop", "1.2", "--intervals", "12", "--code", code, "-o", "b.nus", "-o", "b.csv"), 0)
        rows = expect(nusim("values", "b.nus", "x", "der(x)", "der(z)", "v", "der(v)", "--at", "0.6"), 0).stdout
        expect(nusim("values", "b.nus", "x", "der(x)", "der(z)", "v", "der(v)", "-o", "all.csv"), 0)
        lines = [line.split(",") for line in Path(work, "all.csv").read_text().replace('"', "").split()]
        for row in (dict(zip(lines[0], line)) for line in lines[1:]):
            assert float(row["der(v)"]) == -float(row["v"]), row
            if row["time"] in ("0.4", "0.9"):
                continue
            bound = 0.4 < float(row["time"]) < 0.9
            assert bound == (row["der(x)"] == "nan") and float(row["der(z)"]) == (0 if bound else 3), row
            assert bound or abs(float(row["der(x)"]) + 2*float(row["x"])) < 1e-9, row
        assert "nan" in rows and "nan" not in Path(work, "b.csv").read_text(), rows


@case
def empty_parts():
    relay()
    done = expect(nusim("values", "good.nus", "x", "--from", "20"), 0)
    assert done.stdout == '"time","x"\n', done.stdout
    for words in (["--from", "20"], ["--to", "-1"], ["--from", "3", "--to", "2"], ["--from", "3", "--to", "3"]):
        expect(nusim("inspect", "--modes", "good.nus", *words), 2, err="the result has times from 0 to 10")
        assert json.loads(expect(nusim("inspect", "--modes", "good.nus", "--json", *words), 2).stdout)["status"] != "ok"
    expect(nusim("inspect", "--modes", "good.nus", "--from", "x"), 2, err="needs a number")


# == CSV ==

@case
def csv_of_other_tools():
    """A byte order mark, CR LF, semicolons, tabs, decimal commas, bare names with subscripts, truth values, a last line that is cut."""
    wanted = expect(nusim("plot", put("a.csv", "time,x,b\n0,1.5,1\n1,2.5,0\n2,-3.5,1\n"), "x", "b"), 0).stdout
    for text in ("\ufefftime,x,b\n0,1.5,1\n1,2.5,0\n2,-3.5,1\n", "time,x,b\r\n0,1.5,1\r\n1,2.5,0\r\n2,-3.5,1\r\n", '"time";"x";"b"\n0;1.5;1\n1;2.5;0\n2;-3.5;1\n',
                 "time;x;b\n0;1,5;true\n1;2,5;false\n2;-3,5;true\n", "time\tx\tb\n0\t1.5\t1\n1\t2,5\t0\n2\t-3.5\t1", "time,x,b\n0,1.5,1\n\n1,2.5,0\n2,-3.5,1\n\n",
                 "time,x,b\n0,1.5,1\n1,2.5,0\n2,-3.5,1\n3,7"):
        Path(work, "b.csv").write_bytes(text.encode())
        assert expect(nusim("plot", "b.csv", "x", "b"), 0).stdout == wanted, text
        expect(nusim("diff", "b.csv", "a.csv"), 0)
    expect(nusim("plot", put("c.csv", "time,a[1,2],f\n0,1,2\n1,3,4\n"), "a[1,2]"), 0)


@case
def csv_that_is_wrong():
    for text, err in (("time,x\n0,1\n1\n2,3\n", "bad.csv:3: 1 field, but the header names 2 columns"),
                      ("time,x\n0,1\n0,5,1,5\n", "bad.csv:3: 4 fields, but the header names 2 columns"),
                      ("time,x\n0,5,1,5\n", "semicolons between the columns"),
                      ('time,x\n"0,5","1,5"\n', "bad.csv:2: `0,5` has a decimal comma"),
                      ("0,1\n1,2\n", "bad.csv:1: the file begins with the number `0`"),
                      ("time,x\ns,m\n0,1\n", "bad.csv:2: `s` is no time"),
                      ('time,"x\n0,1\n', "bad.csv:1: this is no CSV file"),
                      ("", "bad.csv:1: this is no CSV file"), ("\n\n", "bad.csv:1: this is no CSV file")):
        put("bad.csv", text)
        for words in (["plot", "bad.csv", "x"], ["diff", "bad.csv", "bad.csv"]):
            expect(nusim(*words), 6, err=err)
    for content, err in ((b"\xff\xfet\0i\0m\0e\0", "UTF-16"), (b"\x89HDF\r\n\x1a\n", "HDF5"), (b"PK\x03\x04" + bytes(30), "ZIP archive"),
                         (b"MATLAB 5.0 MAT-file, Platform: GLNXA64" + bytes(90), "version 5"), (b"\x7fELF" + bytes(60), "it is no text")):
        Path(work, "bad.csv").write_bytes(content)
        expect(nusim("plot", "bad.csv", "x"), 6, err=err)
        Path(work, "bad.mat").write_bytes(content)
        expect(nusim("plot", "bad.mat", "x"), 6, err=err)


@case
def nothing_to_see():
    """No rows, no numbers, names that are long or equal."""
    expect(nusim("plot", put("rows.csv", "time,x\n"), "x"), 2, err="has no rows")
    expect(nusim("plot", put("nan.csv", "time,x\n" + "".join(f"{k},nan\n" for k in range(5))), "x"), 2, err="has no values")
    expect(nusim("plot", put("inf.csv", "time,x\n0,inf\n1,-inf\n2,1e290\n3,-1e290\n4,1e308\n"), "x"), 0)
    expect(nusim("plot", put("text.csv", "time,x\n0,a\n1,b\n"), "x"), 2, err="has no values")
    expect(nusim("plot", put("one.csv", "time,x\n0,1\n"), "x"), 0)
    name = "a" * 100000
    expect(nusim("plot", put("name.csv", f"time,{name}\n0,1\n1,2\n"), name, "--height", "2"), 0)
    expect(nusim("plot", put("same.csv", "time,x,x\n0,1,2\n1,2,3\n"), "x"), 0)
    expect(nusim("plot", put("wide.csv", ",".join(["time"] + [f"v{k}" for k in range(20000)]) + "\n" + ",".join(["0"] * 20001) + "\n"), "v19999"), 0)
    expect(nusim("diff", "rows.csv", "rows.csv"), 6)
    expect(nusim("diff", "nan.csv", "nan.csv"), 2, err="no signal with numbers")
    numbers = put("numbers.csv", "time,x\n" + "".join(f"{k},{k}\n" for k in range(5)))
    expect(nusim("diff", "nan.csv", numbers), 1)
    expect(nusim("diff", numbers, "nan.csv"), 1)


# == the timeline ==

@case
def timeline():
    expect(nusim("run", BRIDGE, "-q", "-o", "b.nus"), 0)
    text = expect(nusim("inspect", "--modes", "b.nus"), 0, out="bridge.d4.off").stdout
    assert max(map(len, text.splitlines())) <= 100 and "\u2588" in text, text
    assert expect(nusim("inspect", "--modes", "b.nus", "--ascii", "--width", "40"), 0).stdout.isascii()
    document = json.loads(expect(nusim("inspect", "--modes", "b.nus", "--json"), 0).stdout)
    assert document["schema"] == "nusim.modes/1" and document["class"] == "BridgeRectifier" and document["status"] == "ok"
    assert [t["name"] for t in document["tracks"] if not t["minor"]] == [f"bridge.d{k}.off" for k in (1, 2, 3, 4)]
    assert document["events"] == {"state": 19} and len(document["marks"]) == 19 and document["pulses"] == []
    part = json.loads(expect(nusim("inspect", "--modes", "b.nus", "--json", "--from", "0.01", "--to", "0.02"), 0).stdout)
    assert (part["from"], part["to"]) == (0.01, 0.02) and part["events"] == {"state": 2}
    for track in part["tracks"]:
        assert abs(sum(v["time"] for v in track["values"]) - 0.01) < 1e-12 and track["spans"][0][0] == 0.01
    expect(nusim("inspect", "--modes", "--vars", "b.nus"), 2, err="one of --events, --modes and --vars")
    expect(nusim("inspect", "--modes", "--structure", "b.nus"), 2, err="one of --events, --modes and --vars")
    expect(nusim("inspect", "b.nus"), 2, err="one of --events, --modes and --vars")
    expect(nusim("inspect", "--modes", put("b.csv", "time,x\n0,1\n")), 2, err="holds values alone")
    expect(nusim("inspect", "--modes", BRIDGE), 0)


@case
def timeline_without_modes():
    expect(nusim("run", PENDULUM, "-q", "-o", "p.nus", "--stop", "0.1"), 0)
    expect(nusim("inspect", "--modes", "p.nus"), 0, out="nothing switches in this model")
    expect(nusim("run", RELAY, "-q", "-o", "z.nus", "--stop", "0"), 0)
    expect(nusim("inspect", "--modes", "z.nus"), 0)
    assert json.loads(expect(nusim("inspect", "--modes", "z.nus", "--json"), 0).stdout)["from"] == 0


@case
def timeline_of_a_run_that_goes_on():
    slow = put("Slow.mo", "model Slow\n  Real x(start = 0, fixed = true);\n  Boolean up(start = true, fixed = true);\nequation\n"
               "  der(x) = if up then 1 else -1;\n  up = if pre(up) then x < 1 else x < 0;\nend Slow;\n")
    run = subprocess.Popen([program, "run", str(slow), "--stop", "1e9", "-q", "-o", "s.nus"], cwd=work)
    try:
        for _ in range(300):
            time.sleep(0.1)
            done = nusim("inspect", "--modes", "s.nus") if Path(work, "s.nus").exists() else None
            if done and done.returncode == 0 and "not up" in done.stdout:
                break
        expect(done, 0, out="(the run goes on, or was killed)")
    finally:
        run.kill()
        run.wait()
    expect(nusim("inspect", "--modes", "s.nus"), 0, out="(the run goes on, or was killed)")
