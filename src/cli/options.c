/* cli/options.c -- the option table, the parser and the help that follow from it. */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

#define AT(field) offsetof(Args, field)

const Option option_table[] = {
    {"class", 'm', OPT_WORD, AT(class_name), "run check flatten dump inspect", "CLASS",
     "the class to work on (else the last model with an experiment annotation, else the last model)"},
    {"parameter", 'p', OPT_WORDS, AT(parameters), "run check flatten dump inspect", "NAME=VALUE", "set a parameter; may be repeated"},
    {"initial", 'x', OPT_WORDS, AT(starts), "run check flatten dump inspect", "NAME=START", "set a start value; may be repeated"},
    {"ideal", 0, OPT_WORDS, AT(ideal), "run", "NAME|GLOB", "take this element at its ideal level, and tell the time constants that go; may be repeated"},
    {"start", 0, OPT_REAL, AT(start), "run", "T", "start time (experiment annotation, else 0)"},
    {"stop", 't', OPT_REAL, AT(stop), "run", "T", "stop time (experiment annotation, else 1)"},
    {"intervals", 0, OPT_COUNT, AT(intervals), "run", "N", "number of output intervals (else 500)"},
    {"step", 0, OPT_REAL, AT(step), "run", "H", "output interval, instead of --intervals; must divide the time span"},
    {"solver", 0, OPT_WORD, AT(solver), "run", "NAME", "integration method: auto, ida (dassl), cvode, rosenbrock, rk45, rkf45, rk4, euler (else auto)"},
    {"solver-step", 0, OPT_REAL, AT(solver_step), "run", "H", "step of euler and rk4 (else the output interval)"},
    {"formulation", 0, OPT_CHOICE, AT(formulation), "run", "ode|dae", "what the solver integrates: states, or with dae also unknowns of simultaneous equations (solver ida; else ode)"},
    {"jump-path", 0, OPT_FLAG, AT(jump_path), "run", NULL, "a jump at a change of mode ends where a relation of states changes on its way"},
    {"pulses", 0, OPT_CHOICE, AT(pulses), "run", "finite|any", "changes of mode that would need derivatives of Dirac pulses are refused or allowed (else finite)"},
    {"islands", 0, OPT_CHOICE, AT(islands), "run", "on|off", "parts of the model that act on each other one way, through events, or not at all have steps of their own (else on)"},
    {"chatter", 0, OPT_CHOICE, AT(chatter), "run", "slide|keep|error",
     "where a relation would change again and again on the spot: slide along its surface, make all these events, or stop (else slide)"},
    {"zeno", 0, OPT_CHOICE, AT(zeno), "run", "project|stop|error",
     "where events accumulate: stay in contact, end the run, or stop with an error (else project)"},
    {"bounds", 0, OPT_CHOICE, AT(bounds), "run", "error|warn|off",
     "a variable that leaves its min and max ends the run, is told, or not; off: nor are parameters checked (else warn)"},
    {"code", 0, OPT_CHOICE, AT(code), "run", "auto|tcc|cc|eval",
     "what computes the model: built-in compiler, C compiler, no machine code (else auto: built-in, long runs change to the C compiler)"},
    {"rtol", 0, OPT_REAL, AT(rtol), "run", "R", "relative tolerance (experiment annotation, else 1e-6)"},
    {"atol", 0, OPT_REAL, AT(atol), "run", "A", "absolute tolerance of states with nominal value 1 (else 0.01 * rtol)"},
    {"var", 0, OPT_WORDS, AT(variables), "run diff", "NAME|GLOB", "only these variables; * and ? match; may be repeated"},
    {"output", 'o', OPT_WORDS, AT(outputs), "run values plot", "FILE", "result file, .nus, .csv or .mat; may be repeated (run: else <Class>.nus; values: else CSV on standard output); plot: figure, .svg, .png or .pdf (else in the terminal)"},
    {"tol", 0, OPT_REAL, AT(tolerance), "diff", "TOL", "half width of the tube over the time span, half height over the range of the signal (else 0.002)"},
    {"nominal", 0, OPT_REAL, AT(nominal), "diff", "RANGE", "the least range of a signal that counts, over its nominal value (else 0.001)"},
    {"resume", 0, OPT_WORD, AT(resume), "run", "FILE.nus", "go on with a run that was interrupted, or make it longer by --stop; no TARGET: the model is in the result"},
    {"from", 0, OPT_WORD, AT(from_result), "run", "FILE.nus@T", "go on from a time of a result, from there on with the parameters of -p; the new result (else FILE-from-T.nus) has the whole run"},
    {"trust", 0, OPT_FLAG, AT(trust), "run", NULL, "the model in the result of --resume or --from may call functions of libraries and of the system"},
    {"checkpoint", 0, OPT_REAL, AT(checkpoint), "run", "S", "seconds of real time after which a run could be resumed (else 1; 0: after each step)"},
    {"from", 0, OPT_REAL, AT(from), "values inspect diff plot", "T", "only from this time on"},
    {"to", 0, OPT_REAL, AT(to), "values inspect diff plot", "T", "only up to this time"},
    {"at", 0, OPT_REAL, AT(at), "values", "T", "only the last point that is not later than T, one value per line"},
    {"event-rows", 0, OPT_CHOICE, AT(event_rows), "run values", "both|all|none",
     "rows at an event: one before and one after it, one per pass with its number in a column k, or none (else both)"},
    {"max-events", 0, OPT_COUNT, AT(max_events), "run", "N", "stop after that many events"},
    {"time-limit", 0, OPT_REAL, AT(time_limit), "run", "S", "stop after S seconds of computing"},
    {"events", 0, OPT_FLAG, AT(events), "run inspect plot", NULL, "list the events (inspect: of a result .nus): what fired, where, and what it changed; plot: mark them"},
    {"watch", 0, OPT_FLAG, AT(watch), "run", NULL, "run again whenever a file of the model changes; Ctrl-C ends it"},
    {"stats", 0, OPT_FLAG, AT(stats), "run", NULL, "say what the run took"},
    {"units", 0, OPT_FLAG, AT(units), "check", NULL, "report units that do not agree"},
    {"std", 0, OPT_FLAG, AT(strict), "check flatten", NULL, "report extensions of Modelica that the model uses"},
    {"origin", 0, OPT_FLAG, AT(origin), "flatten", NULL, "name component and source line behind each equation"},
    {"tokens", 0, OPT_FLAG, AT(tokens), "dump", NULL, "the words of a file"},
    {"ast", 0, OPT_FLAG, AT(ast), "dump", NULL, "the syntax tree of a file"},
    {"instance", 0, OPT_FLAG, AT(instance), "dump", NULL, "the instance tree"},
    {"flat", 0, OPT_FLAG, AT(flat), "dump", NULL, "the flat model"},
    {"structure", 0, OPT_FLAG, AT(structure), "dump inspect", NULL, "states, constraints, sorted blocks of equations, islands, parts"},
    {"init", 0, OPT_FLAG, AT(init), "inspect", NULL, "what determines the initial values"},
    {"vars", 0, OPT_FLAG, AT(vars), "inspect", NULL, "all variables with type, kind, unit, value or start, comment; also of a result .nus"},
    {"modes", 0, OPT_FLAG, AT(modes), "inspect plot", NULL, "modes of a model whose equations change: states, constraints, index, jumps and pulses; of a result .nus: when it was in which mode, for how long; plot: strips below the curves"},
    {"all", 0, OPT_FLAG, AT(all), "inspect diff", NULL, "do not cut long lists and equations; diff: also signals that stay in the tube"},
    {"c", 0, OPT_FLAG, AT(c_text), "dump", NULL, "the C that is compiled and run"},
    {"template", 0, OPT_CHOICE, AT(template_name), "new", "ball|circuit|control",
     "what to begin with: a bouncing ball, a diode and a capacitor, a thermostat (else ball)"},
    {"in-place", 'i', OPT_FLAG, AT(in_place), "fmt", NULL, "write the files anew"},
    {"check", 0, OPT_FLAG, AT(check_only), "fmt", NULL, "only name the files that would change; exit code 1 if any"},
    {"figure", 0, OPT_WORD, AT(figure), "plot", "ID", "of the figures that the model describes, draw the one of this identifier or title"},
    {"title", 0, OPT_WORD, AT(title), "plot", "TEXT", "what to write above the figure"},
    {"unit", 0, OPT_WORDS, AT(show_units), "plot", "NAME=UNIT", "show in this unit: v=km/h, time=ms, or just bar for all pressures; may be repeated"},
    {"log", 0, OPT_CHOICE, AT(log), "plot", "x|y|xy", "logarithmic axes"},
    {"size", 0, OPT_WORD, AT(size), "plot", "WxH", "width and height of the figure in cm (else 16x10, higher for several plots)"},
    {"width", 0, OPT_COUNT, AT(width), "plot inspect", "N", "columns of a picture in the terminal (else those of the terminal)"},
    {"height", 0, OPT_COUNT, AT(height), "plot", "N", "lines of each plot in the terminal (else 12)"},
    {"most", 0, OPT_COUNT, AT(most), "diff", "N", "list at most N signals (else 10)"},
    {"strict", 0, OPT_FLAG, AT(strict_diff), "diff", NULL, "signals that only one result has, and other numbers of events, are differences, too"},
    {"ascii", 0, OPT_FLAG, AT(ascii), "plot inspect", NULL, "draw with ASCII characters"},
    {"json", 0, OPT_FLAG, AT(json), "run check inspect values diff", NULL, "one JSON document on standard output"},
    {"quiet", 'q', OPT_FLAG, AT(quiet), "run diff", NULL, "say nothing unless something is wrong"},
    {"memory", 0, OPT_REAL, AT(memory), "run check flatten dump inspect values plot diff", "GB", "limit of memory for translation (else 4)"},
    {"color", 0, OPT_CHOICE, AT(color), "*", "auto|always|never", "colours on a terminal (else auto)"},
    {"help", 'h', OPT_FLAG, AT(help), "*", NULL, "these options"},
};

enum { N_OPTIONS = sizeof option_table / sizeof *option_table };
const size_t n_options = N_OPTIONS;

/* ---- looking up ---- */

static bool has_word(const char *list, const char *word) {
  size_t n = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += n)
    if ((at == list || at[-1] == ' ' || at[-1] == '|') && (at[n] == 0 || at[n] == ' ' || at[n] == '|'))
      return true;
  return false;
}

bool option_applies(const Option *o, const CommandInfo *command) {
  return strcmp(o->commands, "*") == 0 || has_word(o->commands, command->name);
}

const CommandInfo *command_find(const char *name) {
  const char **names = must_alloc(NULL, n_commands * sizeof *names);
  for (size_t i = 0; i < n_commands; i++) {
    names[i] = commands[i].name;
    if (strcmp(name, commands[i].name) == 0 || (commands[i].alias && strcmp(name, commands[i].alias) == 0)) {
      free(names);
      return &commands[i];
    }
  }
  usage_error(name, names, n_commands, "there is no command `%s`", name);
  free(names);
  return NULL;
}

/* The option `--name` or `-letter` of a command; NULL after a message. */
static const Option *option_find(const CommandInfo *command, const char *word, const char *name, char letter) {
  const char *names[N_OPTIONS];
  char texts[N_OPTIONS][24];
  size_t n = 0;
  for (size_t i = 0; i < N_OPTIONS; i++) {
    if (!option_applies(&option_table[i], command))
      continue;
    if (name ? strcmp(option_table[i].name, name) == 0 : option_table[i].letter == letter)
      return &option_table[i];
    snprintf(texts[n], sizeof texts[n], "--%s", option_table[i].name);
    names[n] = texts[n];
    n++;
  }
  usage_error(name ? word : "", names, n, "`%s` has no option `%s`", command->name, word);
  return NULL;
}

/* ---- values ---- */

static void add_word(Words *words, const char *word) {
  words->at = must_alloc(words->at, (words->n + 1) * sizeof *words->at);
  words->at[words->n++] = word;
}

static bool bad_value(const Option *o, const char *value, const char *expected) {
  usage_error(NULL, NULL, 0, "`--%s` needs %s, not `%s`", o->name, expected, value);
  return false;
}

static bool set_value(const Option *o, const char *value, Args *args) {
  void *field = (char *)args + o->field;
  char *end = NULL;
  errno = 0;
  switch (o->kind) {
  case OPT_FLAG:
    *(bool *)field = true;
    return true;
  case OPT_WORD:
    *(const char **)field = value;
    return true;
  case OPT_WORDS:
    add_word(field, value);
    return true;
  case OPT_REAL:
    *(double *)field = strtod(value, &end);
    return (end != value && !*end && isfinite(*(double *)field)) || bad_value(o, value, "a number");
  case OPT_COUNT:
    *(uint64_t *)field = strtoull(value, &end, 10);
    return (end != value && !*end && !errno && *value != '-' && *(uint64_t *)field > 0) ||
           bad_value(o, value, "a positive whole number");
  case OPT_CHOICE:
    *(const char **)field = value;
    return (*value && has_word(o->value, value)) || bad_value(o, value, o->value);
  }
  return false;
}

/* The value of an option stands behind `=` or in the next word. */
static bool take_value(const Option *o, const char *attached, int *i, int argc, char **argv, Args *args) {
  if (o->kind == OPT_FLAG) {
    if (attached) {
      usage_error(NULL, NULL, 0, "`--%s` takes no value", o->name);
      return false;
    }
    return set_value(o, NULL, args);
  }
  if (!attached && *i + 1 >= argc) {
    usage_error(NULL, NULL, 0, "`--%s` needs a value: --%s %s", o->name, o->name, o->value);
    return false;
  }
  return set_value(o, attached ? attached : argv[++*i], args);
}

static bool parse_long(const CommandInfo *command, int *i, int argc, char **argv, Args *args) {
  const char *word = argv[*i] + 2, *equal = strchr(word, '=');
  size_t n = equal ? (size_t)(equal - word) : strlen(word);
  char name[64] = {0}, shown[68];
  memcpy(name, word, n < sizeof name ? n : sizeof name - 1);
  snprintf(shown, sizeof shown, "--%s", name);
  const Option *o = option_find(command, shown, name, 0);
  return o && take_value(o, equal ? equal + 1 : NULL, i, argc, argv, args);
}

/* -q -oFILE -o FILE; flags may stand together. */
static bool parse_short(const CommandInfo *command, int *i, int argc, char **argv, Args *args) {
  for (const char *at = argv[*i] + 1; *at; at++) {
    const Option *o = option_find(command, (char[]){'-', *at, 0}, NULL, *at);
    if (!o)
      return false;
    if (o->kind != OPT_FLAG)
      return take_value(o, at[1] ? at + 1 : NULL, i, argc, argv, args);
    set_value(o, NULL, args);
  }
  return true;
}

static bool check_assignments(const Words *words, const char *option) {
  for (size_t i = 0; i < words->n; i++) {
    const char *equal = strchr(words->at[i], '=');
    if (!equal || equal == words->at[i] || !equal[1]) {
      usage_error(NULL, NULL, 0, "`%s` needs NAME=VALUE, not `%s`", option, words->at[i]);
      return false;
    }
  }
  return true;
}

bool options_parse(const CommandInfo *command, int argc, char **argv, Args *args) {
  *args = (Args){.start = NAN, .stop = NAN, .step = NAN, .rtol = NAN, .atol = NAN, .solver_step = NAN, .time_limit = NAN, .memory = NAN,
                 .from = NAN, .to = NAN, .at = NAN, .tolerance = NAN, .nominal = NAN, .checkpoint = NAN};
  bool plain = false, good = true;
  for (int i = 0; i < argc && good; i++) {
    if (!plain && strcmp(argv[i], "--") == 0)
      plain = true;
    else if (!plain && argv[i][0] == '-' && argv[i][1] == '-')
      good = parse_long(command, &i, argc, argv, args);
    else if (!plain && argv[i][0] == '-' && argv[i][1])
      good = parse_short(command, &i, argc, argv, args);
    else
      add_word(&args->targets, argv[i]);
  }
  if (!good || args->help)
    return good;
  if (args->targets.n < command->least) {
    usage_error(NULL, NULL, 0, "`%s` needs %s; `nusim %s --help` tells more", command->name, command->arguments, command->name);
    return false;
  }
  if (args->targets.n > command->most) {
    usage_error(NULL, NULL, 0, "`%s` is one argument too many for `%s`", args->targets.at[command->most], command->name);
    return false;
  }
  return check_assignments(&args->parameters, "-p") && check_assignments(&args->starts, "-x");
}

void options_free(Args *args) {
  free(args->targets.at);
  free(args->parameters.at);
  free(args->starts.at);
  free(args->variables.at);
  free(args->outputs.at);
  free(args->ideal.at);
  free(args->show_units.at);
}

/* ---- help ---- */

enum { HELP_COLUMN = 28, HELP_WIDTH = 100 };

/* A text from column HELP_COLUMN on, broken at blanks. */
static void help_text(FILE *out, int column, const char *text) {
  if (column >= HELP_COLUMN) {
    fputc('\n', out);
    column = 0;
  }
  fprintf(out, "%*s", HELP_COLUMN - column, "");
  column = HELP_COLUMN;
  for (const char *at = text; *at; at += strspn(at, " ")) {
    size_t n = strcspn(at, " ");
    bool first = column == HELP_COLUMN, breaks = !first && column + 1 + (int)n > HELP_WIDTH;
    if (breaks)
      fprintf(out, "\n%*s", HELP_COLUMN, "");
    column = breaks ? HELP_COLUMN : column;
    column += fprintf(out, "%s%.*s", first || breaks ? "" : " ", (int)n, at);
    at += n;
  }
  fputc('\n', out);
}

static void help_option(const Option *o, FILE *out) {
  char left[80];
  char letter[8] = "    ";
  if (o->letter)
    snprintf(letter, sizeof letter, "-%c, ", o->letter);
  int n = snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->value ? " " : "", o->value ? o->value : "");
  fputs(left, out);
  help_text(out, n, o->help);
}

void help_command(const CommandInfo *command, FILE *out) {
  fprintf(out, "%s\n\n  %s\n\nusage: nusim %s [options] %s\n", command->summary, command->example, command->name,
          command->arguments);
  if (command->alias)
    fprintf(out, "       nusim %s is the same\n", command->alias);
  if (command->more)
    fprintf(out, "\n%s", command->more);
  fputs("\noptions\n", out);
  for (size_t i = 0; i < N_OPTIONS; i++)
    if (option_applies(&option_table[i], command))
      help_option(&option_table[i], out);
}

void help_program(FILE *out) {
  fputs("NuSim simulates hybrid dynamic systems written in Modelica.\n\n"
        "  nusim run BouncingBall.mo -o ball.nus && nusim plot ball.nus h\n\n"
        "usage: nusim COMMAND [options] ...\n\ncommands\n",
        out);
  for (size_t i = 0; i < n_commands; i++)
    help_text(out, fprintf(out, "  %s %s", commands[i].name, commands[i].arguments), commands[i].summary);
  fputs("\nmore\n", out);
  help_text(out, fprintf(out, "  COMMAND --help"), "the options of a command");
  help_text(out, fprintf(out, "  --explain CODE"), "what an error code means and what to do");
  help_text(out, fprintf(out, "  --version"), "the version");
  fputs("\nTARGET is a .mo file, a package directory, a class name found along MODELICAPATH, or - for standard input.\n"
        "Exit codes: 0 ok, 1 model error, 2 usage, 3 initialisation failed, 4 run failed, 5 limit, 6 file problem,\n"
        "130 interrupted.\n",
        out);
}
