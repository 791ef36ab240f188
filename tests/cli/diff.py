"""diff -- cases of tests/cli/run: comparison of results."""


def diffed(code, *words):
    document = json.loads(expect(nusim("diff", *words, "--json"), code).stdout)
    assert document["schema"] == "nusim.diff/1", document
    return document


@case
def diff_of_any_formats():
    expect(nusim("run", BALL, "-q", "-o", "b.nus", "-o", "b.csv", "-o", "b.mat"), 0)
    for first in ("b.nus", "b.csv", "b.mat"):
        for second in ("b.nus", "b.csv", "b.mat"):
            document = diffed(0, first, second, "--strict")
            assert document["same"] is True and document["compared"] == 3 and document["differ"] == 0
            assert all(s["deviation"] == 0 and s["outside"] == 0 for s in document["signals"]), document
            assert document["events"] == {"result": 6, "reference": 6, "first": None}
    expect(nusim("diff", "b.nus", "b.mat"), 0, out="same: 3 signals")
    assert expect(nusim("diff", "b.nus", "b.mat", "-q"), 0).stdout == ""


@case
def diff_tells_the_worst():
    expect(nusim("run", BALL, "-q", "-o", "a.nus"), 0)
    expect(nusim("run", BALL, "-q", "-p", "e=0.7", "-o", "b.csv"), 0)
    document = diffed(1, "b.csv", "a.nus")
    deviations = [s["deviation"] for s in document["signals"]]
    assert deviations == sorted(deviations, reverse=True) and document["differ"] == 3 and document["same"] is False
    assert document["events"]["result"] > document["events"]["reference"] == 6
    assert 1 < document["events"]["first"] < 2, document["events"]
    text = expect(nusim("diff", "b.csv", "a.nus"), 1, out="differ: 3 of 3").stdout.splitlines()
    assert text[0].startswith("signal") and text[1].split()[0] == document["signals"][0]["name"]
    text = expect(nusim("diff", "b.csv", "a.nus", "--most", "1"), 1, out="and 2 more signals").stdout
    assert "bounces" not in text
    expect(nusim("diff", "b.csv", "a.nus", "-q"), 1)
    # before the second impact they are the same
    document = diffed(0, "b.csv", "a.nus", "--to", "0.45", "--tol", "1e-6")
    assert document["to"] == 0.45 and document["part"] is False
    expect(nusim("diff", "b.csv", "a.nus", "--to", "0.45", "--all"), 0, out="bounces")


@case
def diff_of_names():
    expect(nusim("run", BALL, "-q", "-o", "a.nus", "--var", "h"), 0)
    expect(nusim("run", BALL, "-q", "-o", "b.csv", "--var", "h", "--var", "v"), 0)
    document = diffed(0, "a.nus", "b.csv")
    assert sorted(s["name"] for s in document["signals"]) == ["h", "v"], document  # a store has every variable
    assert [s["name"] for s in diffed(0, "a.nus", "b.csv", "h")["signals"]] == ["h"]
    assert [s["name"] for s in diffed(0, "a.nus", "b.csv", "--var", "?")["signals"]] == ["h", "v"]
    put("c.csv", "time,h,other\n0,1,1\n1,1,1\n")
    document = diffed(0, "c.csv", "c.csv", "--strict")
    done = expect(nusim("diff", "b.csv", "c.csv", "--to", "0"), 0)
    assert "only in b.csv: v\n" in done.stdout and "only in c.csv: other\n" in done.stdout, done.stdout
    expect(nusim("diff", "b.csv", "c.csv", "--to", "0", "--strict"), 1, out="differ (--strict)")
    expect(nusim("diff", "b.csv", "c.csv", "v"), 2, err="`c.csv` has no variable `v`")
    expect(nusim("diff", "a.nus", "b.csv", "bonces"), 2, err="did you mean `bounces`?")
    expect(nusim("diff", "a.nus", "b.csv", "x*"), 2, err="no variable that both results have matches `x*`")
    put("d.csv", "time,y\n0,1\n1,1\n")
    expect(nusim("diff", "c.csv", "d.csv"), 2, err="no signal in common")


@case
def diff_of_spellings():
    """Names that differ in blanks only; derivatives; quotes around names or not."""
    expect(nusim("run", put("A.mo", "model A Real x[2,1](each start = 1, each fixed = true); equation der(x) = -x; end A;"), "-q", "-o", "a.nus"), 0)
    expect(nusim("values", "a.nus", "x[1,1]", "der(x[2,1])", "-o", "a.csv"), 0)
    text = Path(work, "a.csv").read_text()
    put("b.csv", text.replace('"x[1,1]"', '"x[1, 1]"').replace('"der(x[2,1])"', '"der( x[2, 1] )"'))
    for other in ("a.csv", "a.nus"):
        document = diffed(0, "b.csv", other)
        assert [s["name"] for s in document["signals"]] == ["x[1, 1]", "der( x[2, 1] )"], document
        assert document["signals"][0]["deviation"] == 0


@case
def diff_of_times():
    put("a.csv", "time,x\n0,0\n2,2\n")
    put("b.csv", "time,x\n1,1\n3,3\n")
    put("c.csv", "time,x\n5,5\n6,6\n")
    document = diffed(0, "a.csv", "b.csv")
    assert document["part"] is True and (document["from"], document["to"]) == (1, 2)
    expect(nusim("diff", "a.csv", "b.csv"), 0, out="t = 1 to 2 (all that both cover)")
    expect(nusim("diff", "a.csv", "c.csv"), 2, err="`c.csv` covers 5 to 6")
    expect(nusim("diff", "a.csv", "b.csv", "--from", "2.5"), 2, err="no time to compare")
    put("back.csv", "time,x\n0,0\n2,2\n1,1\n")
    expect(nusim("diff", "a.csv", "back.csv"), 6, err="in point 3 the time goes back")
    put("empty.csv", "time,x\n")
    expect(nusim("diff", "a.csv", "empty.csv"), 6, err="no points")


@case
def diff_of_events():
    """A shifted event is no difference, an additional one is told, and is a difference if values or --strict say so."""
    rows = lambda t, *more: "time,x,on\n0,0,0\n" + "".join(f"{u},{a},{b}\n" for u, a, b in [(t, 1, 0), (t, 2, 1), *more]) + "10,3,1\n"
    put("a.csv", rows(5))
    put("b.csv", rows(5.015))
    put("c.csv", rows(5.03))
    put("d.csv", rows(5, (7, 2.4, 1), (7, 2.4, 1)))
    put("e.csv", rows(5, (7, 2.4, 1), (7, 2.4, 0), (7.001, 2.4, 0), (7.001, 2.4, 1)))
    assert diffed(0, "b.csv", "a.csv")["events"]["first"] is None
    document = diffed(1, "c.csv", "a.csv")
    assert document["events"]["first"] == 5 and document["differ"] == 2, document
    document = diffed(0, "d.csv", "a.csv")
    assert document["events"] == {"result": 2, "reference": 1, "first": 7}
    diffed(1, "d.csv", "a.csv", "--strict")
    document = diffed(1, "a.csv", "e.csv")
    assert [s["name"] for s in document["signals"] if not s["inside"]] == ["on"] and document["signals"][0]["discrete"] is True
    # without rows at events nothing is known of their number
    put("f.csv", "time,x,on\n0,0,0\n4,0.8,0\n6,2.2,1\n10,3,1\n")
    assert diffed(0, "f.csv", "a.csv")["events"] == {"result": None, "reference": 1, "first": None}
    expect(nusim("diff", "f.csv", "a.csv"), 0, out="not known of f.csv")


@case
def diff_of_passes():
    """The number of the pass that --event-rows all writes is no signal."""
    expect(nusim("run", BALL, "-q", "--event-rows", "all", "-o", "all.csv", "-o", "a.nus"), 0)
    document = diffed(0, "all.csv", "a.nus")
    assert sorted(s["name"] for s in document["signals"]) == ["bounces", "h", "v"], document


@case
def diff_of_solvers():
    for model in ("BouncingBall", "HalfWaveRectifier", "Relay", "Cylinder", "Clutch"):
        source = ROOT / f"examples/{model}.mo"
        expect(nusim("run", source, "-q", "-o", "a.nus"), 0)
        expect(nusim("run", source, "-q", "--solver", "ida", "--rtol", "1e-7", "-o", "b.csv"), 0)
        assert expect(nusim("diff", "b.csv", "a.nus", "--tol", "0.02"), 0)
        assert expect(nusim("diff", "a.nus", "b.csv", "--tol", "0.02"), 0)


@case
def diff_of_bad_files():
    put("a.csv", "time,x\n0,0\n1,1\n")
    put("b.nus", "nothing")
    expect(nusim("diff", "a.csv", "missing.csv"), 6, err="error[F002]")
    expect(nusim("diff", "missing.nus", "a.csv"), 6, err="error[F002]")
    document = json.loads(expect(nusim("diff", "a.csv", "missing.csv", "--json"), 6).stdout)
    assert document["same"] is None and document["diagnostics"][0]["code"] == "F002"
    expect(nusim("diff", "a.csv"), 2, err="needs RESULT REFERENCE")
    expect(nusim("diff", "a.csv", "a.csv", "--tol", "-1"), 2, err="tolerance")
    expect(nusim("diff", "a.csv", "a.csv", "--tol", "0"), 0)


@case
def diff_of_small_signals():
    """Less than the nominal value says is rounding."""
    model = put("N.mo", "model N Real p(nominal = 1e5) = 1e-2*sin(time); Real q = 1e-2*sin(time); Real r = 1e-5*sin(time); end N;")
    expect(nusim("run", model, "-q", "-o", "a.nus"), 0)
    put("b.csv", "time,p,q,r\n0,0,0,0\n1,0,0,0\n")
    inside = {s["name"]: s["inside"] for s in diffed(1, "b.csv", "a.nus")["signals"]}
    assert inside == {"p": True, "q": False, "r": False}, inside
    heights = {s["name"]: s["height"] for s in diffed(1, "b.csv", "a.nus", "--nominal", "0.01")["signals"]}
    assert heights["p"] == 2 and heights["r"] == 2e-5, heights
