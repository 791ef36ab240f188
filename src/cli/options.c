/* cli/options.c -- the options of the program itself; those of a run come from nu_run_option. The
 * parser and the help follow from both. */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

#define AT(field) offsetof(Args, field), 0
#define LIST(field) offsetof(Args, field.at), offsetof(Args, field.n)

static const Option own[] = {
    {"class", 'm', NU_OPTION_TEXT, AT(class_name), "run check flatten dump inspect", "CLASS",
     .help = "the class to work on (else the last model with an experiment annotation, else the "
             "last model)",
     .fixed = true},
    {"ideal", 0, NU_OPTION_TEXTS, LIST(ideal), "run", "NAME|GLOB",
     .help = "take this element at its ideal level, and tell the time constants that go; may be "
             "repeated",
     .fixed = true},
    {"code", 0, NU_OPTION_CHOICE, AT(code), "run", "auto|tcc|cc|eval",
     .help = "what computes the model: built-in compiler, C compiler, no machine code (else "
             "auto: built-in, long runs change to the C compiler)"},
    {"output", 'o', NU_OPTION_TEXTS, LIST(outputs), "run values plot", "FILE",
     .help = "result file, .nus, .csv or .mat; may be repeated (run: else <Class>.nus; values: "
             "else CSV on standard output); plot: figure, .svg, .png or .pdf (else in the "
             "terminal)"},
    {"tol", 0, NU_OPTION_REAL, AT(tolerance), "diff", "TOL",
     .help = "half width of the tube over the time span, half height over the range of the "
             "signal (else 0.002)"},
    {"nominal", 0, NU_OPTION_REAL, AT(nominal), "diff", "RANGE",
     .help = "the least range of a signal that counts, over its nominal value (else 0.001)"},
    {"resume", 0, NU_OPTION_TEXT, AT(resume), "run", "FILE.nus",
     .help = "go on with a run that was interrupted, or make it longer by --stop; no TARGET: the "
             "model is in the result"},
    {"from", 0, NU_OPTION_TEXT, AT(from_result), "run", "FILE.nus@T",
     .help = "go on from a time of a result, from there on with the parameters of -p; the new "
             "result (else FILE-from-T.nus) has the whole run"},
    {"trust", 0, NU_OPTION_FLAG, AT(trust), "run", NULL,
     .help = "the model in the result of --resume or --from may call functions of libraries and "
             "of the system"},
    {"from", 0, NU_OPTION_REAL, AT(from), "values inspect diff plot", "T",
     .help = "only from this time on"},
    {"to", 0, NU_OPTION_REAL, AT(to), "values inspect diff plot", "T",
     .help = "only up to this time"},
    {"at", 0, NU_OPTION_REAL, AT(at), "values", "T",
     .help = "only the last point that is not later than T, one value per line"},
    {"events", 0, NU_OPTION_FLAG, AT(events), "inspect plot", NULL,
     .help = "list the events of a result .nus: what fired, where, and what it changed; plot: "
             "mark them"},
    {"watch", 0, NU_OPTION_FLAG, AT(watch), "run", NULL,
     .help = "run again whenever a file of the model changes; Ctrl-C ends it"},
    {"stats", 0, NU_OPTION_FLAG, AT(stats), "run", NULL, .help = "say what the run took"},
    {"units", 0, NU_OPTION_FLAG, AT(units), "check", NULL,
     .help = "report units that do not agree"},
    {"std", 0, NU_OPTION_FLAG, AT(strict), "check flatten", NULL,
     .help = "report extensions of Modelica that the model uses"},
    {"origin", 0, NU_OPTION_FLAG, AT(origin), "flatten", NULL,
     .help = "name component and source line behind each equation"},
    {"tokens", 0, NU_OPTION_FLAG, AT(tokens), "dump", NULL, .help = "the words of a file"},
    {"ast", 0, NU_OPTION_FLAG, AT(ast), "dump", NULL, .help = "the syntax tree of a file"},
    {"instance", 0, NU_OPTION_FLAG, AT(instance), "dump", NULL, .help = "the instance tree"},
    {"flat", 0, NU_OPTION_FLAG, AT(flat), "dump", NULL, .help = "the flat model"},
    {"structure", 0, NU_OPTION_FLAG, AT(structure), "dump inspect", NULL,
     .help = "states, constraints, sorted blocks of equations, islands, parts"},
    {"init", 0, NU_OPTION_FLAG, AT(init), "inspect", NULL,
     .help = "what determines the initial values"},
    {"vars", 0, NU_OPTION_FLAG, AT(vars), "inspect", NULL,
     .help = "all variables with type, kind, unit, value or start, comment; also of a result .nus"},
    {"modes", 0, NU_OPTION_FLAG, AT(modes), "inspect plot", NULL,
     .help = "modes of a model whose equations change: states, constraints, index, jumps and "
             "pulses; of a result .nus: when it was in which mode, for how long; plot: strips "
             "below the curves"},
    {"all", 0, NU_OPTION_FLAG, AT(all), "inspect diff", NULL,
     .help = "do not cut long lists and equations; diff: also signals that stay in the tube"},
    {"c", 0, NU_OPTION_FLAG, AT(c_text), "dump", NULL, .help = "the C that is compiled and run"},
    {"template", 0, NU_OPTION_CHOICE, AT(template), "new", "ball|circuit|control",
     .help = "what to begin with: a bouncing ball, a diode and a capacitor, a thermostat (else "
             "ball)"},
    {"in-place", 'i', NU_OPTION_FLAG, AT(in_place), "fmt", NULL, .help = "write the files anew"},
    {"check", 0, NU_OPTION_FLAG, AT(check_only), "fmt", NULL,
     .help = "only name the files that would change; exit code 1 if any"},
    {"figure", 0, NU_OPTION_TEXT, AT(figure), "plot", "ID",
     .help = "of the figures that the model describes, draw the one of this identifier or title"},
    {"title", 0, NU_OPTION_TEXT, AT(title), "plot", "TEXT",
     .help = "what to write above the figure"},
    {"unit", 0, NU_OPTION_TEXTS, LIST(show_units), "plot", "NAME=UNIT",
     .help = "show in this unit: v=km/h, time=ms, or just bar for all pressures; may be repeated"},
    {"log", 0, NU_OPTION_CHOICE, AT(log), "plot", "none|x|y|xy",
     .help = "logarithmic axes (else none)"},
    {"size", 0, NU_OPTION_TEXT, AT(size), "plot", "WxH",
     .help = "width and height of the figure in cm (else 16x10, higher for several plots)"},
    {"width", 0, NU_OPTION_COUNT, AT(width), "plot inspect", "N",
     .help = "columns of a picture in the terminal (else those of the terminal)"},
    {"height", 0, NU_OPTION_COUNT, AT(height), "plot", "N",
     .help = "lines of each plot in the terminal (else 12)"},
    {"most", 0, NU_OPTION_COUNT, AT(most), "diff", "N", .help = "list at most N signals (else 10)"},
    {"strict", 0, NU_OPTION_FLAG, AT(strict_diff), "diff", NULL,
     .help = "signals that only one result has, and other numbers of events, are differences, too"},
    {"ascii", 0, NU_OPTION_FLAG, AT(ascii), "plot inspect", NULL,
     .help = "draw with ASCII characters"},
    {"json", 0, NU_OPTION_FLAG, AT(json), "run check inspect values diff", NULL,
     .help = "one JSON document on standard output"},
    {"quiet", 'q', NU_OPTION_FLAG, AT(quiet), "run diff", NULL,
     .help = "say nothing unless something is wrong"},
    {"memory", 0, NU_OPTION_REAL, AT(memory), "run check flatten dump inspect values plot diff",
     "GB", .help = "limit of memory for translation (else 4)"},
    {"color", 0, NU_OPTION_CHOICE, AT(color), "*", "auto|always|never",
     .help = "colours on a terminal (else auto)"},
    {"help", 'h', NU_OPTION_FLAG, AT(help), "*", NULL, .help = "these options"},
};

enum { N_OWN = sizeof own / sizeof *own };

/* Options of a run that other commands have, too. */
static const struct {
  const char *name, *commands;
} shared[] = {{"parameter", "run check flatten dump inspect"},
              {"initial", "run check flatten dump inspect"},
              {"var", "run diff"},
              {"event-rows", "run values"}};

/* ---- looking up ---- */

static bool has_word(const char *list, const char *word) {
  size_t n = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += n)
    if ((at == list || at[-1] == ' ') && (at[n] == 0 || at[n] == ' '))
      return true;
  return false;
}

static Option of_run(const NuOption *r) {
  const size_t base = offsetof(Args, run);
  Option o = {r->name,
              r->letter,
              r->kind,
              base + r->at,
              base + r->count_at,
              "run",
              r->value,
              r->help,
              r->resume == NU_RESUME_FIXED,
              r->least,
              r->most,
              r->expects};
  for (size_t k = 0; k < sizeof shared / sizeof *shared; k++)
    if (strcmp(r->name, shared[k].name) == 0)
      o.commands = shared[k].commands;
  return o;
}

static size_t count_of_run(void) {
  size_t n = 0;
  while (nu_run_option(n))
    n++;
  return n;
}

static size_t count_options(void) { return count_of_run() + N_OWN; }

bool option_at(size_t i, Option *o) {
  size_t n_run = count_of_run();
  if (i < n_run)
    *o = of_run(nu_run_option(i));
  else if (i - n_run < N_OWN)
    *o = own[i - n_run];
  return i < n_run + N_OWN;
}

bool option_has_words(const Option *o) {
  return o->kind == NU_OPTION_CHOICE || (o->kind == NU_OPTION_FLAG && o->value);
}

bool option_applies(const Option *o, const CommandInfo *command) {
  return strcmp(o->commands, "*") == 0 || has_word(o->commands, command->name);
}

const CommandInfo *command_find(const char *name) {
  const char **names = must_alloc(NULL, n_commands * sizeof *names);
  for (size_t i = 0; i < n_commands; i++) {
    names[i] = commands[i].name;
    if (strcmp(name, commands[i].name) == 0 ||
        (commands[i].alias && strcmp(name, commands[i].alias) == 0)) {
      free(names);
      return &commands[i];
    }
  }
  usage_error(name, names, n_commands, "there is no command `%s`", name);
  free(names);
  return NULL;
}

static void no_option(const CommandInfo *command, const char *word) {
  enum { ROOM = 64 };
  size_t n = 0, most = count_options();
  char(*texts)[ROOM] = must_alloc(NULL, most * sizeof *texts);
  const char **names = must_alloc(NULL, most * sizeof *names);
  Option o;
  for (size_t i = 0; option_at(i, &o); i++)
    if (option_applies(&o, command)) {
      snprintf(texts[n], ROOM, "--%s", o.name);
      names[n] = texts[n];
      n++;
    }
  bool is_long = word[0] && word[1] == '-';
  usage_error(is_long ? word : "", names, n, "`%s` has no option `%s`", command->name, word);
  free(texts);
  free(names);
}

/* The option `--name` or `-letter` (then `name` is NULL) of a command, which is noted as given. */
static bool option_find(const CommandInfo *command, const char *name, char letter, Args *args,
                        Option *o) {
  for (size_t i = 0; option_at(i, o); i++)
    if (option_applies(o, command) && (name ? strcmp(o->name, name) == 0 : o->letter == letter)) {
      args->given[i] = true;
      return true;
    }
  return false;
}

/* ---- values ---- */

static void add_text(const char *const **list, size_t *n, const char *text) {
  const char **longer = must_alloc((void *)(uintptr_t)*list, (*n + 1) * sizeof *longer);
  longer[(*n)++] = text;
  *list = longer;
}

static bool bad_value(const Option *o, const char *value, const char *expected) {
  usage_error(NULL, NULL, 0, "`--%s` needs %s, not `%s`", o->name, expected, value);
  return false;
}

/* Number of a word among those of a list, "slide|keep|error"; -1: it is none of them. */
static int word_number(const char *list, const char *word) {
  size_t n = strlen(word);
  int k = 0;
  for (const char *at = list;; at++, k++) {
    size_t length = strcspn(at, "|");
    if (length == n && strncmp(at, word, n) == 0)
      return k;
    at += length;
    if (!*at)
      return -1;
  }
}

static bool set_word(const Option *o, const char *value, void *field) {
  int k = word_number(o->value, value);
  if (k < 0)
    return bad_value(o, value, o->value);
  if (o->kind == NU_OPTION_FLAG)
    *(bool *)field = k == 1;
  else
    *(int *)field = k;
  return true;
}

static bool in_range(const Option *o, double x) {
  return isfinite(x) && (!o->expects || (x >= o->least && x <= o->most));
}

static bool set_real(const Option *o, const char *value, double *x) {
  char *end = NULL;
  *x = strtod(value, &end);
  return (end != value && !*end && in_range(o, *x)) ||
         bad_value(o, value, o->expects ? o->expects : "a number");
}

static bool set_count(const Option *o, const char *value, uint64_t *n) {
  char *end = NULL;
  errno = 0;
  *n = strtoull(value, &end, 10);
  return (end != value && !*end && !errno && !strchr(value, '-') && *n > 0 &&
          in_range(o, (double)*n)) ||
         bad_value(o, value, o->expects ? o->expects : "a positive whole number");
}

static bool set_value(const Option *o, const char *value, Args *args) {
  void *field = (char *)args + o->at;
  if (option_has_words(o))
    return set_word(o, value, field);
  switch (o->kind) {
  case NU_OPTION_FLAG: *(bool *)field = true; return true;
  case NU_OPTION_TEXT: *(const char **)field = value; return true;
  case NU_OPTION_TEXTS: add_text(field, (size_t *)((char *)args + o->count_at), value); return true;
  case NU_OPTION_REAL: return set_real(o, value, field);
  case NU_OPTION_COUNT: return set_count(o, value, field);
  case NU_OPTION_CHOICE: break;
  }
  return false;
}

/* The value of an option stands behind `=` or in the next word. */
static bool take_value(const Option *o, const char *attached, int *i, int argc, char **argv,
                       Args *args) {
  if (!o->value) {
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
  char shown[68] = "--";
  memcpy(shown + 2, word, n < 64 ? n : 63);
  Option o;
  if (!option_find(command, shown + 2, 0, args, &o)) {
    no_option(command, shown);
    return false;
  }
  return take_value(&o, equal ? equal + 1 : NULL, i, argc, argv, args);
}

/* -q -oFILE -o FILE; flags may stand together. */
static bool parse_short(const CommandInfo *command, int *i, int argc, char **argv, Args *args) {
  for (const char *at = argv[*i] + 1; *at; at++) {
    Option o;
    if (!option_find(command, NULL, *at, args, &o)) {
      no_option(command, (char[]){'-', *at, 0});
      return false;
    }
    if (o.value)
      return take_value(&o, at[1] ? at + 1 : NULL, i, argc, argv, args);
    set_value(&o, NULL, args);
  }
  return true;
}

static bool check_assignments(const char *const *words, size_t n, const char *option) {
  for (size_t i = 0; i < n; i++) {
    const char *equal = strchr(words[i], '=');
    if (!equal || equal == words[i] || !equal[1]) {
      usage_error(NULL, NULL, 0, "`%s` needs NAME=VALUE, not `%s`", option, words[i]);
      return false;
    }
  }
  return true;
}

bool options_parse(const CommandInfo *command, int argc, char **argv, Args *args) {
  *args = (Args){.run = nu_run_options(),
                 .given = must_alloc(NULL, count_options() * sizeof *args->given),
                 .memory = NAN,
                 .from = NAN,
                 .to = NAN,
                 .at = NAN,
                 .tolerance = NAN,
                 .nominal = NAN};
  memset(args->given, 0, count_options() * sizeof *args->given);
  bool plain = false, good = true;
  for (int i = 0; i < argc && good; i++) {
    if (!plain && strcmp(argv[i], "--") == 0)
      plain = true;
    else if (!plain && argv[i][0] == '-' && argv[i][1] == '-')
      good = parse_long(command, &i, argc, argv, args);
    else if (!plain && argv[i][0] == '-' && argv[i][1])
      good = parse_short(command, &i, argc, argv, args);
    else
      add_text(&args->targets.at, &args->targets.n, argv[i]);
  }
  if (!good || args->help)
    return good;
  if (args->targets.n < command->least) {
    usage_error(NULL, NULL, 0, "`%s` needs %s; `nusim %s --help` tells more", command->name,
                command->arguments, command->name);
    return false;
  }
  if (args->targets.n > command->most) {
    usage_error(NULL, NULL, 0, "`%s` is one argument too many for `%s`",
                args->targets.at[command->most], command->name);
    return false;
  }
  return check_assignments(args->run.parameters, args->run.n_parameters, "-p") &&
         check_assignments(args->run.starts, args->run.n_starts, "-x");
}

void options_free(Args *args) {
  Option o;
  for (size_t i = 0; option_at(i, &o); i++)
    if (o.kind == NU_OPTION_TEXTS)
      free((void *)(uintptr_t) * (const char *const **)((char *)args + o.at));
  free((void *)(uintptr_t)args->targets.at);
  free(args->given);
}

/* ---- JSON ---- */

static void json_word(FILE *out, const char *list, int k) {
  while (k-- > 0)
    list += strcspn(list, "|") + 1;
  fprintf(out, "\"%.*s\"", (int)strcspn(list, "|"), list);
}

static void json_texts(FILE *out, const char *const *texts, size_t n) {
  fputc('[', out);
  for (size_t k = 0; k < n; k++) {
    fputs(k ? "," : "", out);
    json_string(out, texts[k]);
  }
  fputc(']', out);
}

static void json_value(FILE *out, const Option *o, const Args *args) {
  const void *field = (const char *)args + o->at;
  switch (o->kind) {
  case NU_OPTION_FLAG:
    if (o->value)
      json_word(out, o->value, *(const bool *)field);
    else
      fputs("true", out);
    return;
  case NU_OPTION_REAL: json_number(out, *(const double *)field); return;
  case NU_OPTION_COUNT: fprintf(out, "%llu", (unsigned long long)*(const uint64_t *)field); return;
  case NU_OPTION_CHOICE: json_word(out, o->value, *(const int *)field); return;
  case NU_OPTION_TEXT: json_string(out, *(const char *const *)field); return;
  case NU_OPTION_TEXTS:
    json_texts(out, *(const char *const *const *)field,
               *(const size_t *)((const char *)args + o->count_at));
    return;
  }
}

void options_json(FILE *out, const Args *args) {
  const char *before = "{";
  for (size_t i = 0; nu_run_option(i); i++) {
    Option o;
    if (!args->given[i] || !option_at(i, &o))
      continue;
    fprintf(out, "%s\"%s\":", before, o.name);
    json_value(out, &o, args);
    before = ",";
  }
  fputs(*before == '{' ? "{}" : "}", out);
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
  int n = snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->value ? " " : "",
                   o->value ? o->value : "");
  fputs(left, out);
  help_text(out, n, o->help);
}

void help_command(const CommandInfo *command, FILE *out) {
  fprintf(out, "%s\n\n  %s\n\nusage: nusim %s [options] %s\n", command->summary, command->example,
          command->name, command->arguments);
  if (command->alias)
    fprintf(out, "       nusim %s is the same\n", command->alias);
  if (command->more)
    fprintf(out, "\n%s", command->more);
  fputs("\noptions\n", out);
  Option o;
  for (size_t i = 0; option_at(i, &o); i++)
    if (option_applies(&o, command))
      help_option(&o, out);
}

void help_program(FILE *out) {
  fputs("NuSim simulates hybrid dynamic systems written in Modelica.\n\n"
        "  nusim run BouncingBall.mo -o ball.nus && nusim plot ball.nus h\n\n"
        "usage: nusim COMMAND [options] ...\n\ncommands\n",
        out);
  for (size_t i = 0; i < n_commands; i++)
    help_text(out, fprintf(out, "  %s %s", commands[i].name, commands[i].arguments),
              commands[i].summary);
  fputs("\nmore\n", out);
  help_text(out, fprintf(out, "  COMMAND --help"), "the options of a command");
  help_text(out, fprintf(out, "  --explain CODE"), "what an error code means and what to do");
  help_text(out, fprintf(out, "  --version"), "the version");
  fputs("\nTARGET is a .mo file, a package directory, a class name found along MODELICAPATH, or - "
        "for standard input.\n"
        "Exit codes: 0 ok, 1 model error, 2 usage, 3 initialisation failed, 4 run failed, 5 limit, "
        "6 file problem,\n"
        "130 interrupted.\n",
        out);
}
