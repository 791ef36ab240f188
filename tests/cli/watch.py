"""watch -- cases of tests/cli/run: run --watch, with files that really change."""
import re
import threading


class Watched:
    """A program that waits for changes; `runs` is how often it has begun to wait."""

    def __init__(self, *words, **options):
        self.text, self.runs = "", 0
        self.process = subprocess.Popen([program, "run", *map(str, words), "--watch"], cwd=work, text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={k: v for k, v in os.environ.items() if k != "MODELICAPATH"} | options)
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stderr:
            self.text += line
            self.runs += "waiting for changes" in line

    def until(self, runs, seconds=30):
        begun = time.time()
        while self.runs < runs and time.time() - begun < seconds:
            time.sleep(0.02)
        assert self.runs == runs, f"{self.runs} runs, expected {runs}:\n{self.text}"

    def until_file(self, name):
        begun = time.time()
        while not Path(work, name).exists() and time.time() - begun < 30:
            time.sleep(0.02)
        time.sleep(0.5)

    def stop(self, number=signal.SIGINT):
        self.process.send_signal(number)
        out, _ = self.process.communicate(timeout=30)
        time.sleep(0.05)
        assert "Sanitizer" not in self.text, self.text
        return self.process.returncode, out

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def growing(rate, name="G"):
    return f"model {name}\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = {rate};\nend {name};\n"


def last_value(result, name):
    return float(expect(nusim("values", result, name, "--at", "1"), 0).stdout.split()[-1])


@case
def watch_writes():
    model = put("G.mo", growing(1))
    put("Other.mo", growing(1, "Other"))
    with Watched("G.mo", "-o", "g.nus") as w:
        w.until(1)
        assert abs(last_value("g.nus", "x") - 1) < 1e-9
        model.write_text(growing(2))
        w.until(2)
        assert abs(last_value("g.nus", "x") - 2) < 1e-9 and "\nG.mo changed\n" in w.text, w.text
        for rate in (3, 4, 5):  # several quick writes are one run
            model.write_text(growing(rate))
        w.until(3)
        time.sleep(0.5)
        put("Other.mo", growing(2, "Other"))  # another file does not matter
        time.sleep(0.5)
        w.until(3)
        assert abs(last_value("g.nus", "x") - 5) < 1e-9
        assert re.search(r"took [0-9.e-]+ s; waiting for changes of 1 file, Ctrl-C ends", w.text), w.text
        code, out = w.stop()
        assert code == 0 and out == ""


@case
def watch_renames_and_errors():
    model = put("G.mo", growing(1))
    with Watched("G.mo", "-o", "g.nus") as w:
        w.until(1)
        put("G.mo~tmp", growing(2)).replace(model)  # as editors do
        w.until(2)
        assert abs(last_value("g.nus", "x") - 2) < 1e-9
        model.write_text("model G\n  Real x = y;\nend G;\n")
        w.until(3)
        assert "error[N001]" in w.text
        model.write_text(growing("1/0.5"))
        w.until(4)
        model.rename(Path(work, "away.mo"))
        w.until(5)
        assert "cannot read `G.mo`" in w.text
        model.write_text(growing("sqrt(-1 - x)"))
        w.until(6)
        code, _ = w.stop(signal.SIGTERM)
        assert code == nusim("run", "G.mo", "-q").returncode != 0, code  # that of the last run


@case
def watch_a_package():
    put("lib/P/package.mo", "package P end P;")
    put("lib/P/M.mo", "within P;\n" + growing("k.v", "M").replace("equation", "  K k;\nequation"))
    part = put("lib/P/K.mo", "within P;\nmodel K Real v = 2; end K;\n")
    with Watched("P.M", "-o", "p.nus", MODELICAPATH="lib") as w:
        w.until(1)
        part.write_text("within P;\nmodel K Real v = 3; end K;\n")
        w.until(2)
        assert abs(last_value("p.nus", "x") - 3) < 1e-9
        shutil.move(Path(work, "lib"), Path(work, "gone"))  # all of it goes and comes back
        time.sleep(0.3)
        shutil.move(Path(work, "gone"), Path(work, "lib"))
        part.write_text("within P;\nmodel K Real v = 4; end K;\n")
        w.until(3)
        assert abs(last_value("p.nus", "x") - 4) < 1e-9
        put("lib/P/New.mo", "within P;\nmodel New end New;\n")  # a class more may matter
        w.until(4)
        assert w.stop()[0] == 0


@case
def watch_during_a_run():
    """A change ends the run of a model that is no longer what it was; Ctrl-C stops a run, keeps its rows, and ends the program."""
    model = put("G.mo", growing("cos(1000*time)"))
    with Watched("G.mo", "--stop", "1e6", "-o", "g.nus") as w:
        w.until_file("g.nus")
        assert w.runs == 0
        model.write_text(growing(2))
        w.until(2)
        assert "interrupted" in w.text and "done" in w.text, w.text
        assert w.stop()[0] == 0
    value = expect(nusim("values", "g.nus", "x", "--at", "1e6"), 0).stdout.split()[-1]
    assert abs(float(value) / 2e6 - 1) < 1e-9, value
    model.write_text(growing("cos(1000*time)"))
    with Watched("G.mo", "--stop", "1e7", "--step", "0.01", "-o", "g.csv") as w:
        w.until_file("g.csv")
        assert w.stop()[0] == 130 and w.runs == 0, w.text
    assert len(Path(work, "g.csv").read_text().splitlines()) > 2


@case
def watch_as_json():
    model = put("G.mo", growing(1))
    with Watched("G.mo", "--json", "-o", "g.nus") as w:
        first = json.loads(w.process.stdout.readline())
        time.sleep(0.3)
        model.write_text(growing(2))
        second = json.loads(w.process.stdout.readline())
        assert first["schema"] == second["schema"] == "nusim.run/1" and w.text == ""
        before = Path(f"/proc/{w.process.pid}/stat").read_text().split()[13:15]
        time.sleep(1)
        assert before == Path(f"/proc/{w.process.pid}/stat").read_text().split()[13:15]  # it sleeps
        assert w.stop()[0] == 0


@case
def watch_refuses():
    expect(nusim("run", "-", "--watch", stdin=growing(1)), 2, err="standard input")
    put("G.mo", growing(1))
    expect(nusim("run", "G.mo", "--watch", "-o", "a.txt"), 2, err=".csv")
    expect(nusim("run", "Nothing.There", "--watch"), 6, err="neither a file nor a class")
