"""words -- cases of tests/cli/run: new, completion, manual pages."""
import re

COMMANDS = ["run", "check", "flatten", "inspect", "dump", "fmt", "values", "plot", "diff", "new", "completion"]


# == new ==

@case
def new_models_run():
    """Each template checks without a word, with units, and runs as the printed steps say."""
    for number, template in enumerate(("ball", "circuit", "control")):
        name = f"try{number}"
        done = expect(nusim("new", name, "--template", template), 0, out=f"{name}/Try{number}.mo\n")
        steps = [line.strip().split("  ")[0] for line in done.stdout.split("next steps\n")[1].splitlines()]
        assert steps[0] == f"cd {name}" and steps[1] == f"nusim run Try{number}.mo", steps
        checked = expect(nusim("check", f"{name}/Try{number}.mo", "--units"), 0)
        assert checked.stderr == "" and f"Try{number}: ok" in checked.stdout
        assert expect(nusim("fmt", "--check", f"{name}/Try{number}.mo"), 0).stdout == ""
        script = "\n".join(steps[:3]).replace("nusim ", f"'{program}' ")
        ran = subprocess.run(["sh", "-ec", script], cwd=work, capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0 and "done" in ran.stderr, ran.stderr
        events = json.loads(expect(nusim("run", f"{name}/Try{number}.mo", "--json"), 0).stdout)["state_events"]
        assert events > 5, events
    assert expect(nusim("new", "plain"), 0) and "bounces" in Path(work, "plain/Plain.mo").read_text()


@case
def new_file():
    expect(nusim("new", "Ball.mo"), 0, out="nusim run Ball.mo")
    expect(nusim("check", "Ball.mo"), 0, out="Ball: ok")
    Path(work, "sub").mkdir()
    expect(nusim("new", "sub/heater.mo", "--template", "control"), 0, out="nusim run sub/heater.mo")
    expect(nusim("check", "sub/heater.mo"), 0, out="heater: ok")


@case
def new_refuses():
    put("ball/note.txt", "mine")
    expect(nusim("new", "ball"), 2, err="`ball` is there already; nothing was written")
    put("Ball.mo", "mine")
    expect(nusim("new", "Ball.mo"), 2, err="`Ball.mo` is there already")
    assert Path(work, "Ball.mo").read_text() == "mine" and os.listdir(Path(work, "ball")) == ["note.txt"]
    for name in ("1st", "a-b", "a b", "", ".mo", "Bäll", "a.b", "a/", "x" * 300, "'q'"):
        done = expect(nusim("new", name), 2, err="name")
        assert done.stdout == ""
    expect(nusim("new", "when.mo"), 2, err="`when` cannot be the name of a model: it is a word of Modelica")
    expect(nusim("new", "Real.mo"), 2, err="would hide something")
    expect(nusim("new", "no/such/Ball"), 6, err="error[F001]")
    expect(nusim("new", "x", "--template", "bal"), 2, err="ball|circuit|control")
    expect(nusim("new"), 2, err="needs NAME")
    assert sorted(os.listdir(work)) == ["Ball.mo", "ball"]


# == completion ==

def completed(*words):
    """What the program offers: words, with files as @kind."""
    return [line.split("\t")[0] for line in expect(nusim("__complete", *words), 0).stdout.splitlines()]


@case
def completion_from_the_tables():
    assert completed("") == [*COMMANDS, "help"] and completed("di") == ["diff"] and completed("sim") == ["simulate"]
    for command in COMMANDS:
        listed = re.findall(r"^\s+(?:-\w, )?(--[a-z-]+)", expect(nusim(command, "--help"), 0).stdout.split("\noptions\n")[1], re.M)
        assert completed(command, "--") == listed and len(listed) > 1, command
    assert completed("run", "--zeno", "") == ["project", "stop", "error"] == completed("run", "a.mo", "--zeno", "=", "")
    assert completed("run", "--zeno=s") == ["--zeno=stop"] and completed("run", "--zeno", "=") == ["project", "stop", "error"]
    assert completed("run", "--bounds", "") == ["warn", "error", "off"]
    assert completed("run", "--solver", "rk4") == ["rk45", "rk4"], completed("run", "--solver", "rk4")
    assert completed("run", "") == ["@mo"] and completed("simulate", "") == ["@mo"] and completed("run", "a.mo", "") == []
    assert completed("fmt", "a.mo", "") == ["@mo"] and completed("inspect", "") == ["@mo", "@result"]
    assert completed("run", "-o", "") == ["@file"] and completed("run", "--resume", "") == ["@result"] and completed("run", "-q", "") == ["@mo"] and completed("run", "--stop", "") == []
    assert completed("diff", "") == ["@result"] == completed("diff", "a.csv", "") and completed("check", "--", "--") == ["@mo"]
    assert completed("completion", "z") == ["zsh"] and completed("completion", "man", "fl") == ["flatten"]
    assert completed("help", "val") == ["values"] and completed("--explain", "A00") == [f"A00{k}" for k in range(1, 6)]
    assert completed("nothing", "") == [] and completed("--v") == ["--version"]


@case
def completion_of_variables():
    expect(nusim("run", BALL, "-q", "-o", "b.nus", "-o", "b.csv"), 0)
    assert completed("values", "b.nus", "") == ["g", "e", "h", "v", "bounces"] and completed("values", "b.nus", "h", "b") == ["bounces"]
    assert completed("plot", "b.csv", "") == ["@result", "h", "v", "bounces"]
    assert completed("diff", "b.csv", "b.nus", "'b") == ["bounces"] == completed("diff", "b.csv", "b.nus", "--var", "b")
    put("c.nus", "broken")
    assert completed("values", "c.nus", "") == [] == completed("values", "missing.nus", "")


BASH = """
{script}
words() {{
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _nusim
  printf '%s\\n' "${{COMPREPLY[@]}}" | sort
}}
{line}
"""


@case
def completion_in_bash():
    """In a real bash: the script is sourced, its function called as bash does, files found."""
    bash = shutil.which("bash")
    if not bash:
        raise Skip("no bash")
    for name in ("Ball.mo", "note.txt", "b.csv", "c d.nus"):
        put(name, "time,x[1],der(y)\n0,1,2\n")
    Path(work, "sub").mkdir()
    script = expect(nusim("completion", "bash"), 0).stdout
    assert subprocess.run([bash, "-n"], input=script, text=True).returncode == 0

    def words(line):
        done = subprocess.run([bash, "--norc", "-c", BASH.format(script=script, line=f"words {line}")], capture_output=True, text=True,
                              cwd=work, timeout=60)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        return done.stdout.split("\n")[:-1]

    assert words(f"'{program}' fl") == ["flatten"]
    assert words(f"'{program}' run ''") == ["Ball.mo", "sub"]
    assert words(f"'{program}' plot ''") == ["b.csv", "c d.nus", "sub"]
    assert words(f"'{program}' run --stop 1 --cod") == ["--code"]
    assert words(f"'{program}' run --code = e") == ["eval"]
    assert words(f"'{program}' plot b.csv x") == ["x\\[1\\]"]  # as bash must read it
    assert words(f"'{program}' plot b.csv \"'de\"") == ["der(y)"]
    assert words(f"'{program}' run -o n") == ["note.txt"]
    # bash itself knows the function
    done = subprocess.run([bash, "--norc", "-c", script + "complete -p nusim"], capture_output=True, text=True)
    assert done.stdout == "complete -F _nusim nusim\n", done.stdout


@case
def completion_on_a_terminal():
    """Somebody types in an interactive bash and presses the tabulator."""
    import pty
    bash = shutil.which("bash")
    if not bash:
        raise Skip("no bash")
    put("Ball.mo", "")
    put("rc", f"PS1='$ '\nPATH='{Path(program).parent}':$PATH\nbind 'set bell-style none' 'set enable-bracketed-paste off'\n" + nusim("completion", "bash").stdout)
    ours, theirs = pty.openpty()
    with subprocess.Popen([bash, "--rcfile", "rc", "-i"], cwd=work, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
                          env={**os.environ, "TERM": "dumb", "INPUTRC": "/dev/null"}) as p:
        os.close(theirs)
        time.sleep(0.5)
        os.write(ours, b"echo nusim\nnusim fla\tB\t")
        os.write(ours, b" > out.txt; exit\n")
        text = b""
        try:
            while piece := os.read(ours, 4096):
                text += piece
        except OSError:  # the other side is closed
            pass
        os.close(ours)
        p.wait(timeout=30)
    assert b"nusim flatten Ball.mo" in text.replace(b"\r", b""), text


@case
def completion_in_zsh():
    zsh = shutil.which("zsh")
    if not zsh:
        raise Skip("no zsh")
    assert subprocess.run([zsh, "-n"], input=expect(nusim("completion", "zsh"), 0).stdout, text=True).returncode == 0


@case
def completion_in_fish():
    fish = shutil.which("fish")
    if not fish:
        raise Skip("no fish")
    assert subprocess.run([fish, "-n"], input=expect(nusim("completion", "fish"), 0).stdout, text=True).returncode == 0


@case
def completion_scripts():
    for shell in ("bash", "zsh", "fish"):
        expect(nusim("completion", shell), 0, out="__complete")
        expect(nusim("completion", shell, "run"), 2, err="too many")
    expect(nusim("completion", "fisch"), 2, err="did you mean `fish`?")
    expect(nusim("completion", "man", "rnu"), 2, err="did you mean `run`?")


# == manual pages ==

def pages():
    yield "nusim", expect(nusim("completion", "man"), 0).stdout
    for command in COMMANDS:
        yield f"nusim-{command}", expect(nusim("completion", "man", command), 0).stdout


@case
def manual_pages():
    """All sections, all options, nothing that roff would take for its own."""
    for name, text in pages():
        sections = re.findall(r"^\.SH (.*)", text, re.M)
        assert sections == ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "ENVIRONMENT", "FILES", "SEE ALSO"], sections
        assert not re.search(r"^\.(?!TH|SH|SS|TP|B |BR |I |IR |EX|EE|PP|br)", text, re.M), text
        assert not re.search(r"[^\x00-\x7f]", text), name
        command = name.removeprefix("nusim-")
        for option in completed(command, "--") if command in COMMANDS else []:
            assert option.replace("-", "\\-") in text, (name, option)


@case
def manual_pages_by_man():
    man = shutil.which("man")
    if not man:
        raise Skip("no man")
    for name, text in pages():
        path = put(f"{name}.1", text)
        done = subprocess.run([man, "--warnings", "-l", path], capture_output=True, text=True, env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C"})
        assert done.returncode == 0 and done.stderr == "", done.stderr
        assert name in done.stdout and "EXIT STATUS" in done.stdout, done.stdout


@case
def manual_pages_by_mandoc():
    mandoc = shutil.which("mandoc")
    if not mandoc:
        raise Skip("no mandoc")
    for name, text in pages():
        done = subprocess.run([mandoc, "-T", "lint", "-W", "warning", put(f"{name}.1", text)], capture_output=True, text=True)
        said = [line for line in done.stdout.splitlines() if "missing date" not in line]  # the version says when
        assert not said, said


@case
def examples_come_first():
    for command in COMMANDS:
        lines = expect(nusim(command, "--help"), 0).stdout.splitlines()
        assert lines[1] == "" and "nusim " in lines[2] and lines[4].startswith("usage:"), lines[:5]


@case
def words_are_installed():
    done = subprocess.run([ROOT / "tools/install-words", program, Path(work, "share")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert Path(work, "share/bash-completion/completions/nusim").read_text() == nusim("completion", "bash").stdout
    assert {p.name for p in Path(work, "share/man/man1").iterdir()} == {"nusim.1", *(f"nusim-{c}.1" for c in COMMANDS)}
