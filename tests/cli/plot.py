"""plot -- cases of tests/cli/run: figures. SVG is read back: what an axis says must be where its curve is."""
import re
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"


class Picture:
    """An SVG figure: curves by name, marks along the axes by their numbers."""

    def __init__(self, name):
        self.root = tree.parse(Path(work, name)).getroot()
        self.width, self.height = (float(v) for v in self.root.get("viewBox").split()[2:])
        self.texts = []
        for t in self.root.iter(f"{SVG}text"):
            upward = t.get("transform")
            x, y = map(float, re.match(r"translate\((.*?),(.*?)\)", upward).groups()) if upward else (float(t.get("x")), float(t.get("y")))
            self.texts.append((t.text, x, y, t.get("text-anchor", "start"), float(t.get("font-size")), bool(upward)))

    def group(self, name):
        found = [g for g in self.root.iter(f"{SVG}g") if g.find(f"{SVG}title").text.split(" (")[0] == name]
        assert found, f"no curve {name}"
        return found[0]

    def lines(self, name, dotted=False):
        """Polylines of a curve; dotted: those of its jumps."""
        paths = [p for p in self.group(name).iter(f"{SVG}path") if not p.get("d").endswith("Z")]
        thin = [p for p in paths if float(p.get("stroke-width")) < 0.8]
        chosen = thin if dotted else [p for p in paths if p not in thin]
        return [[tuple(map(float, q.split(","))) for q in p.get("d")[1:].split()] for p in chosen]

    def circles(self, name):
        return [(float(c.get("cx")), float(c.get("cy")), c.get("fill")) for c in self.group(name).iter(f"{SVG}circle")]

    def has(self, text):
        return any(text in t[0] for t in self.texts)

    def scale(self, side, value=float, log=False):
        """From numbers to places, by the marks along the bottom, the left or the right side."""
        marks = []
        for text, x, y, anchor, size, upward in self.texts:
            try:
                number = value(text.replace("\u2212", "-"))
            except ValueError:
                continue
            if not upward and anchor == {"bottom": "middle", "left": "end", "right": "start"}[side]:
                marks.append((math.log10(number) if log else number, x if side == "bottom" else y - 0.36 * size))
        assert len(marks) >= 2, (side, self.texts)
        (a, p), (b, q) = min(marks), max(marks)
        for c, r in marks:  # all marks agree
            assert abs(p + (c - a) / (b - a) * (q - p) - r) < 0.02, marks
        return lambda v: p + ((math.log10(v) if log else v) - a) / (b - a) * (q - p)


def near(points, x, y, tolerance=0.06):
    return any(abs(p[0] - x) < tolerance and abs(p[1] - y) < tolerance for p in points)


def figure(*words, name="f.svg", err=None):
    done = expect(nusim("plot", *words, "-o", name), 0, err=err)
    assert done.stdout == ""
    return Picture(name) if name.endswith(".svg") else None


def ball(*words, name="b.nus"):
    expect(nusim("run", BALL, "-q", "-o", name, *words), 0)
    return name


@case
def plot_points_are_where_the_axes_say():
    values = [(0, -3.5), (1, 7), (2.5, 0.25), (4, 12), (10, -8)]
    put("t.csv", "time,y\n" + "".join(f"{t},{y}\n" for t, y in values))
    p = figure("t.csv", "y")
    sx, sy = p.scale("bottom"), p.scale("left")
    (line,) = p.lines("y")
    assert len(line) == len(values), line
    for (t, y), at in zip(values, line):
        assert near([at], sx(t), sy(y)), (t, y, at, sx(t), sy(y))
    assert p.has("time [s]") and p.root.find(f"{SVG}title").text and p.root.find(f"{SVG}desc").text
    # upwards is more
    assert sy(1) < sy(0) and sx(1) > sx(0)


@case
def plot_logarithmic_axes():
    put("t.csv", "time,f,y\n" + "".join(f"{k},{10 ** (k / 10)},{1000 / (1 + k * k)}\n" for k in range(41)))
    p = figure("t.csv", "y vs f", "--log", "xy")
    sx, sy = p.scale("bottom", log=True), p.scale("left", log=True)
    for k in (0, 7, 23, 40):
        assert near(p.lines("y")[0], sx(10 ** (k / 10)), sy(1000 / (1 + k * k))), k
    put("wide.csv", "time,y\n" + "".join(f"{k},1e{k}\n" for k in range(-8, 13)))
    powers = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", "0123456789-")
    p = figure("wide.csv", "y", "--log", "y")

    def power(text):
        if not re.fullmatch("10[\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207b]+", text):
            raise ValueError
        return float("1e" + text[2:].translate(powers))

    out = expect(nusim("plot", "wide.csv", "y", "--log", "y", "--ascii"), 0, out="1e-6 +").stdout
    assert out.isascii()
    sy = p.scale("left", value=power, log=True)
    assert near(p.lines("y")[0], p.lines("y")[0][3][0], sy(1e-5))
    put("s.csv", "time,y\n0,1\n1,0\n2,10\n3,-4\n4,100\n5,1000\n")
    done = expect(nusim("plot", "s.csv", "y", "--log", "y", "-o", "f.svg"), 0, err="warning[G004]")
    assert len(Picture("f.svg").lines("y")) == 1 and len(Picture("f.svg").circles("y")) == 2, done.stderr


@case
def plot_limits_of_events():
    """A jump is upright, with a ring at its left and a dot at its right limit; a line never leads through it."""
    expect(nusim("run", BALL, "-q", "-o", "b.nus", "-o", "b.csv"), 0)
    rows = [tuple(map(float, line.split(","))) for line in Path(work, "b.csv").read_text().splitlines()[1:]]
    pairs = [(a, b) for a, b in zip(rows, rows[1:]) if a[0] == b[0]]
    assert len(pairs) == 6
    for source in ("b.nus", "b.csv"):
        p = figure(source, "v")
        sx, sy = p.scale("bottom"), p.scale("left")
        jumps, rings = p.lines("v", dotted=True), p.circles("v")
        assert len(jumps) == 6 and len(p.lines("v")) == 7 and len(rings) == 12
        for (before, after), jump in zip(pairs, jumps):
            assert jump[0][0] == jump[1][0] and near(jump[:1], sx(before[0]), sy(before[2])) and near(jump[1:], sx(after[0]), sy(after[2]))
            assert near([r for r in rings if r[2] == "#ffffff"], *jump[0]) and near([r for r in rings if r[2] != "#ffffff"], *jump[1])
        # what is continuous has no jumps, what is discrete only steps
        p = figure(source, "h", "bounces")
        assert not p.lines("h", dotted=True) and len(p.lines("h")) == 1
        assert all(len({y for _, y in line}) == 1 for line in p.lines("bounces"))
        assert all(a[0] == b[0] for a, b in p.lines("bounces", dotted=True)) and not p.circles("bounces")


@case
def plot_second_axis_and_units():
    put("T.mo", "model T Real v(unit = \"m/s\") = 10*time; Real T(unit = \"K\") = 300 + 100*time; Real x(unit = \"m\", displayUnit = \"mm\") = time; Real s(unit = \"m\", start = 0, fixed = true); "
                "Real w(unit = \"rad/s\") = 100*time; Real p(unit = \"Pa\", displayUnit = \"bar\") = 1e5*(1 + time); equation der(s) = 1; annotation(experiment(StopTime = 1)); end T;")
    expect(nusim("run", "T.mo", "-q", "-o", "t.nus", "-o", "t.mat"), 0)
    for source in ("t.nus", "t.mat"):
        p = figure(source, "v, T @right", "--unit", "v=km/h", "--unit", "T=degC", "--unit", "time=ms")
        assert p.has("v [km/h]") and p.has("T [\u00b0C]") and p.has("time [ms]")
        sx, left, right = p.scale("bottom"), p.scale("left"), p.scale("right")
        assert near(p.lines("v")[0], sx(1000), left(36)) and near(p.lines("T")[0], sx(1000), right(126.85)) and near(p.lines("T")[0], sx(0), right(26.85))
    p = figure("t.nus", "w", "--unit", "rpm")
    assert p.has("w [rpm]") and near(p.lines("w")[0], p.scale("bottom")(1), p.scale("left")(100 * 30 / math.pi))
    # the display unit of the model, and back
    assert figure("t.nus", "x").has("x [mm]") and figure("t.nus", "x", "--unit", "x=m").has("x [m]") and figure("t.nus", "p").has("p [bar]")
    assert figure("t.nus", "der(s)").has("der(s) [m/s]")
    for words, code in ((["v", "--unit", "v=bar"], "G003"), (["v", "--unit", "v=blob"], "G003"), (["v", "--unit", "w=rpm"], "G003"),
                        (["v, x"], "G001"), (["v, x @right, T @right"], "G001")):
        expect(nusim("plot", "t.nus", *words, "-o", "no.svg"), 2, err=f"error[{code}]")
    expect(nusim("plot", "t.nus", "v, x"), 2, err="'v, x @right'")
    assert not Path(work, "no.svg").exists()


@case
def plot_groups_by_unit():
    put("G.mo", "model G Real a(unit = \"m\") = time; Real b(unit = \"mm\") = 2000*time; Real v(unit = \"m/s\") = 1; Real n = 3; Real k = 4; Boolean on = time > 0.5; "
                "type E = enumeration(low, high); E e = if time > 0.3 then E.high else E.low; end G;")
    expect(nusim("run", "G.mo", "-q", "-o", "g.nus"), 0)
    p = figure("g.nus", "a", "v", "b", "n", "k", "on", "e")
    labels = [t[0] for t in p.texts if t[5]]
    assert labels == ["[m]", "v [m/s]", "n", "k", "on", "e"], labels
    assert p.has("true") and p.has("high")
    assert [t[0] for t in figure("g.nus", "n, k").texts if t[5]] == []  # one plot, no label
    p = figure("g.nus", "?")
    assert len([t for t in p.texts if t[5]]) == 4 + 1  # [m], v, n, k, e; not `on`
    p = figure("g.nus", "a, b")
    sx, sy = p.scale("bottom"), p.scale("left")
    assert near(p.lines("b")[0], sx(1), sy(2)) and near(p.lines("a")[0], sx(1), sy(1))


@case
def plot_gaps_and_ranges():
    put("t.csv", "time,y,z\n" + "".join(f"{k},{'' if 4 <= k <= 6 else k * k},\n" for k in range(11)))
    p = figure("t.csv", "y")
    first, second = p.lines("y")
    assert len(first) == 4 and len(second) == 4
    # the range cuts between points
    p = figure("t.csv", "y", "--from", "0.5", "--to", "2.5")
    sx, sy = p.scale("bottom"), p.scale("left")
    (line,) = p.lines("y")
    assert near(line[:1], sx(0.5), sy(0.5)) and near(line[-1:], sx(2.5), sy(6.5)) and len(line) == 4
    for words, text in ((["z"], "`z` has no values"), (["y", "--from", "20", "--to", "30"], "times from 0 to 10"), (["y", "--from", "4.5", "--to", "5.5"], "no values in `t.csv` in this time range"),
                        (["z", "--log", "y"], "nothing to draw")):
        expect(nusim("plot", "t.csv", *words), 2, err="error[G002]")
        expect(nusim("plot", "t.csv", *words, "-o", "no.pdf"), 2, err=text)
    put("n.csv", "time,y\n0,-1\n1,-2\n")
    expect(nusim("plot", "n.csv", "y", "--log", "y"), 2, err="no value of `y` is positive")
    expect(nusim("plot", "t.csv", "y", "--from", "3", "--to", "2"), 2, err="error[A001]")
    put("e.csv", "time,y\n")
    expect(nusim("plot", "e.csv", "y"), 2, err="has no rows")
    put("empty.csv", "")
    expect(nusim("plot", "empty.csv", "y"), 6, err="error[F002]")
    for rows in ("0,1e308\n1,-1e308\n2,1\n3,5\n", "0,1e-320\n1,2e-320\n", "0,1\n1,1.0000000000000002\n", "0,inf\n1,-inf\n2,3\n", "0,-1e299\n1,1e299\n", "1e12,1\n1000000000000.001,2\n",
                 "5,1\n3,2\n4,3\n", "0,0\n0,1\n0,2\n"):
        put("odd.csv", "time,y\n" + rows)
        expect(nusim("plot", "odd.csv", "y"), 0)
        assert nusim("plot", "odd.csv", "y vs time", "--log", "xy", "-o", "odd.svg").returncode in (0, 2)
        figure("odd.csv", "y")
    expect(nusim("plot", "odd.csv", "y", "--log", "x"), 2, err="no value of `time` is positive")
    put("one.csv", "time,y\n3,4\n")
    figure("one.csv", "y")
    expect(nusim("plot", "one.csv", "y"), 0)
    assert not Path(work, "no.pdf").exists()


@case
def plot_tells_results_apart():
    a, b = ball("-p", "e=0.5", name="a.nus"), ball("-p", "e=0.7", name="b.nus")
    p = figure(a, b, "h", "v")
    assert p.has("e = 0.5") and p.has("e = 0.7") and sum(t[0] == "e = 0.5" for t in p.texts) == 1
    expect(nusim("run", BALL, "-q", "-o", "c.csv"), 0)
    p = figure(a, "c.csv", "h")
    assert p.has("a.nus") and p.has("c.csv")
    out = expect(nusim("plot", a, b, "h"), 0, out="a e = 0.5   b e = 0.7").stdout
    assert "a" in out.splitlines()[1] or "b" in out


@case
def plot_names_that_are_wrong():
    ball()
    expect(nusim("plot", "b.nus", "bounce"), 2, err="did you mean `bounces`?")
    expect(nusim("plot", "b.nus", "h vs"), 2, err="error[A002]")
    expect(nusim("plot", "b.nus", "h,"), 2, err="is no curve")
    expect(nusim("plot", "b.nus", "x*"), 2, err="error[A002]")
    expect(nusim("plot", "b.nus", "h", "-o", "f.gif"), 2, err=".svg, .png or .pdf")
    expect(nusim("plot", "b.nus", "h", "-o", "none/f.svg"), 6, err="error[F001]")
    expect(nusim("plot", "none.nus", "h", "-o", "f.svg"), 6, err="error[F002]")
    expect(nusim("plot", "b.nus", "h", "--log", "z"), 2)
    for size in ("16", "0x3", "axb", "16x10x", "1e9x2"):
        expect(nusim("plot", "b.nus", "h", "--size", size, "-o", "f.svg"), 2, err="--size")
    assert sorted(p.name for p in Path(work).iterdir()) == ["b.nus"]
    expect(nusim("plot", "b.nus", "h", "-o", "f.svg", "--figure", "x"), 2, err="curves are named")
    figure("b.nus", "h")
    expect(nusim("plot", "b.nus", "h", "-o", "large.png", "--size", "200x200"), 6, err="too large")  # MOST_PICTURE_DOTS
    expect(nusim("plot", "b.nus", "--figure", "x"), 2, err="no figure `x`")
    Path(work, "d.svg").mkdir()
    expect(nusim("plot", "b.nus", "h", "-o", "d.svg"), 6, err="error[F001]")
    assert sorted(p.name for p in Path(work).iterdir()) == ["b.nus", "d.svg", "f.svg"]


@case
def plot_gives_equal_bytes():
    ball()
    for kind in ("svg", "png", "pdf"):
        for name in (f"1.{kind}", f"2.{kind}"):
            figure("b.nus", "h", "v", "--events", "--modes", name=name)
        first = Path(work, f"1.{kind}").read_bytes()
        assert first == Path(work, f"2.{kind}").read_bytes() and len(first) > 1000
    assert Path(work, "1.png").read_bytes().startswith(b"\x89PNG") and Path(work, "1.pdf").read_bytes().startswith(b"%PDF")


@case
def plot_leaves_no_half_file():
    ball()
    put("f.svg", "old")
    script = f"ulimit -f 1; '{program}' plot b.nus h v -o f.svg"
    done = subprocess.run(["sh", "-c", script], cwd=work, capture_output=True, text=True, timeout=100)
    assert done.returncode == 6 and "error[F001]" in done.stderr, done
    assert Path(work, "f.svg").read_text() == "old" and sorted(p.name for p in Path(work).iterdir()) == ["b.nus", "f.svg"]
    expect(nusim("plot", "b.nus", "h", "--memory", "0.0001"), 5, err="error[K001]")
    expect(nusim("plot", "b.nus", "h", "-o", "f.svg", "--memory", "0.0003"), 5, err="error[K001]")
    assert Path(work, "f.svg").read_text() == "old"
    # a pipe is written as it is
    os.symlink("/dev/stdout", Path(work, "out.svg"))
    done = subprocess.run([program, "plot", "b.nus", "h", "-o", "out.svg"], cwd=work, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and done.stdout.startswith("<?xml"), done


@case
def plot_of_a_million_points():
    with open(Path(work, "m.csv"), "w") as f:
        f.write("time,y\n")
        f.writelines(f"{k},{1000 if k == 123456 else math.sin(k / 5000):.6f}\n" for k in range(1000000))
    begun = time.time()
    p = figure("m.csv", "y")
    assert time.time() - begun < 60
    sx, sy = p.scale("bottom", value=lambda t: float(t) * 1000), p.scale("left")
    assert near(p.lines("y")[0], sx(123456), sy(1000), tolerance=0.3), "the peak is lost"
    assert Path(work, "f.svg").stat().st_size < 200000
    put("x.csv", "time,x,y\n" + "".join(f"{k},{math.cos(k / 100)},{math.sin(k / 100)}\n" for k in range(100000)))
    figure("x.csv", "y vs x")
    assert Path(work, "f.svg").stat().st_size < 3000000


@case
def plot_events_modes_pulses():
    put("J.mo", "model J Real u1(start = 10, fixed = true, unit = \"V\"), u2(start = 2, fixed = true, unit = \"V\"), i(unit = \"A\"); equation 1*der(u1) = -i; 3*der(u2) = i; "
                "if time > 0.5 then u1 = u2; else i = 0; end if; end J;")
    expect(nusim("run", "J.mo", "-q", "-o", "j.nus"), 0)
    p = figure("j.nus", "i", "u1", "--events", "--modes")
    assert p.has("6 A\u00b7s") and p.has("projection"), p.texts
    assert p.has("time > 0.5") and p.has("not (time > 0.5)")
    assert not figure("j.nus", "i").has("projection")
    put("t.csv", "time,y\n0,1\n1,2\n")
    expect(nusim("plot", "t.csv", "y", "--events"), 2, err="stored results")
    out = expect(nusim("plot", "j.nus", "u1", "--events", "--modes", "--ascii"), 0, out="! projection").stdout
    assert out.isascii() and "time > 0.5" in out
    # more than can be seen
    put("C.mo", "model C Boolean b(start = false, fixed = true); equation when sample(0, 1e-4) then b = not pre(b); end when; end C;")
    expect(nusim("run", "C.mo", "-q", "-o", "c.nus"), 0)
    p = figure("c.nus", "b", "--events", "--modes")
    assert p.has("not all events are shown") and Path(work, "f.svg").stat().st_size < 300000


@case
def plot_figures_of_a_model():
    put("F.mo", """model F
  Real x(start = 1, fixed = true, unit = "m"), v(unit = "m/s") = -x;
  parameter Real k = 2;
equation
  der(x) = v;
  annotation(Documentation(figures = {
    Figure(title = "Phase", identifier = "phase", plots = {Plot(curves = {Curve(x = x, y = v)})}),
    Figure(title = "Motion for %{k}", identifier = "motion", preferred = true, caption = "Ends at %{time}.",
      plots = {Plot(y = Axis(unit = "mm", min = 0, max = 1200, label = "place"), curves = {Curve(y = x, legend = "x of F")}), Plot(curves = {Curve(y = v)})})}));
end F;
""")
    expect(nusim("run", "F.mo", "-q", "-o", "f.nus"), 0)
    expect(nusim("plot", "f.nus", "-o", "g.svg"), 0)
    first, second = Picture("g.svg"), Picture("g-2.svg")
    assert first.has("Motion for 2") and first.has("place [mm]") and first.has("Ends at") and first.has("x of F") and second.has("Phase")
    assert near(first.lines("x")[0], first.lines("x")[0][0][0], first.scale("left", value=lambda t: float(t) if float(t) >= 100 or t == "0" else float("x"))(1000))
    expect(nusim("plot", "f.nus", "-o", "g.pdf"), 0)
    assert len(re.findall(rb"/Type /Page\b", Path(work, "g.pdf").read_bytes())) == 2
    expect(nusim("plot", "f.nus", "--figure", "phase", "-o", "h.svg"), 0)
    assert Picture("h.svg").has("Phase") and not Path(work, "h-2.svg").exists()
    expect(nusim("plot", "f.nus", "--figure", "phas"), 2, err="did you mean `phase`?")
    expect(nusim("plot", "f.nus"), 0, out="Motion for 2")
    expect(nusim("plot", "f.nus", "--title", "Mine", "--figure", "phase"), 0, out="Mine")


@case
def plot_labels_stay_on_the_paper():
    ball()
    put("long.csv", '"time","' + "a.very.long.name.of.a.component" * 4 + '","b","<&\'""é"\n' + "".join(f"{k},{k * 1e-9},{k * 123456789},{1e6 + k * 1e-3}\n" for k in range(9)))
    for words in (["b.nus", "h", "v", "--events", "--modes", "--title", "A title " * 30], ["b.nus", "h, v @right", "bounces", "--size", "8x6"],
                  ["long.csv"], ["b.nus", *["h vs v"] * 12, "--size", "8x4"], ["b.nus", *["h vs v"] * 12], ["long.csv", "b, <&'\"é @right"], ["long.csv", "--size", "4x4"]):
        p = figure(*words)
        for text, x, y, anchor, size, upward in p.texts:
            width = size * sum(0.3 if c in " il.,'|tj" else 0.6 for c in text)
            if upward:
                assert 0 < x < p.width and -15 <= y - width / 2 and y + width / 2 <= p.height + 15, (words, text, x, y)
            else:
                left = x - width * {"start": 0, "middle": 0.5, "end": 1}[anchor]
                assert left > -8 and left + width < p.width + 12 and 0 < y < p.height, (words, text, x, y, p.width)
