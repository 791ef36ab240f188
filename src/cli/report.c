/* cli/report.c -- sessions, messages and JSON for all commands. Results go to stdout, everything
 * else to stderr. */
#include "cli/report.h"
#include "base/limits.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *must_alloc(void *old, size_t size) {
  void *p = realloc(old, size ? size : 1);
  if (!p) {
    fputs("nusim: out of memory\n", stderr);
    exit(5);
  }
  return p;
}

char *read_all(FILE *in, size_t *length) {
  size_t room = 1 << 16, n = 0;
  char *text = must_alloc(NULL, room);
  for (size_t got; (got = fread(text + n, 1, room - n - 1, in)) > 0;) {
    n += got;
    if (n + 1 == room)
      text = must_alloc(text, room *= 2);
  }
  text[n] = 0;
  *length = n;
  return text;
}

bool use_color(Color option, FILE *out) {
  if (option != COLOR_AUTO)
    return option == COLOR_ALWAYS;
  const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
  return isatty(fileno(out)) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

/* ---- messages ---- */

void complain(const char *code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "error[%s]: ", code);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

int usage_error(const char *name, const char *const *candidates, size_t n, const char *format,
                ...) {
  va_list args;
  va_start(args, format);
  fputs("error[A001]: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  const char *best[MOST_NEAR_SHOWN];
  size_t found = name ? nu_nearest(name, candidates, n, best, MOST_NEAR_SHOWN) : 0;
  for (size_t i = 0; i < found; i++)
    fprintf(stderr, "%s`%s`", i ? ", " : "   = help: did you mean ", best[i]);
  if (found)
    fputs("?\n", stderr);
  return EXIT_USAGE;
}

static void sink(void *user, const NuDiagnostic *d) {
  Report *r = user;
  r->errors += d->severity == NU_ERROR;
  r->warnings += d->severity == NU_WARNING;
  char *text = r->json ? nu_diagnostic_json(d) : NULL;
  if (r->json && text) {
    r->items = must_alloc(r->items, (r->n_items + 1) * sizeof *r->items);
    r->items[r->n_items++] = text;
    return;
  }
  if (r->errors + r->warnings > MOST_MESSAGES_SHOWN) {
    r->hidden++;
    return;
  }
  if (r->progress)
    progress_end(r->progress);
  text = nu_diagnostic_text(d, r->color);
  fputs(text ? text : d->message, stderr);
  nu_free(text);
}

void report_finish(const Report *r) {
  if (r->hidden)
    fprintf(stderr, "%u more message%s not shown (--json gives all)\n", r->hidden,
            r->hidden == 1 ? "" : "s");
}

/* ---- sessions ---- */

/* NuSim's own models: beside the program in a build directory, in ../share/nusim after
 * installation. NULL if there are none. */
static const char *own_library(char *room, size_t n) {
  char program[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0)
    return NULL;
  program[length] = 0;
  const char *const places[] = {"library", "../share/nusim/library"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    int used = snprintf(room, n, "%.*s/%s", (int)(strrchr(program, '/') - program), program,
                        places[i]);
    if (used > 0 && (size_t)used < n && access(room, R_OK) == 0)
      return room;
  }
  return NULL;
}

NuStatus work_open_empty(Work *w, const Args *args) {
  *w = (Work){.report = {.json = args->json, .color = use_color(args->color, stderr)}};
  NuSessionOptions options = nu_session_options();
  options.path = getenv("MODELICAPATH");
  char own[PATH_MAX];
  options.own = own_library(own, sizeof own);
  options.sink = sink;
  options.sink_user = &w->report;
  if (!isnan(args->memory))
    options.memory_limit = args->memory > 0 ? (size_t)(args->memory * 1024 * 1024 * 1024) : 0;
  if (args->run.time_limit > 0)
    options.time_limit = args->run.time_limit;
  return nu_session_new(&options, &w->session);
}

/* -p a=1 becomes the modification a=1, -x a=1 becomes a.start=1. */
static void collect_overrides(Work *w, const Args *args) {
  const NuRunOptions *o = &args->run;
  size_t n = o->n_parameters + o->n_starts;
  w->overrides = must_alloc(NULL, n * sizeof *w->overrides);
  for (size_t i = 0; i < n; i++) {
    bool start = i >= o->n_parameters;
    const char *word = start ? o->starts[i - o->n_parameters] : o->parameters[i];
    size_t name = strcspn(word, "="), length = strlen(word);
    w->overrides[i] = must_alloc(NULL, length + sizeof ".start");
    snprintf(w->overrides[i], length + sizeof ".start", "%.*s%s%s", (int)name, word,
             start ? ".start" : "", word + name);
  }
  w->target.overrides = (const char *const *)w->overrides;
  w->target.n_overrides = n;
}

NuStatus work_open(Work *w, const Args *args) {
  NuStatus status = work_open_empty(w, args);
  if (status != NU_OK)
    return status;
  const char *target = args->targets.at[0], *class_name = NULL;
  size_t length = strlen(target);
  if (length > 4 && strcmp(target + length - 4, ".nus") == 0) {
    complain("A001", "`%s` is a result, not a model", target);
    fprintf(stderr,
            "   = help: the run goes on: nusim run --resume %s; what it holds: nusim inspect "
            "--vars %s\n",
            target, target);
    return NU_USAGE;
  }
  if (strcmp(target, "-") == 0) {
    size_t n = 0;
    char *text = read_all(stdin, &n);
    status = nu_load_text(w->session, "<stdin>", text, n);
    free(text);
  } else {
    status = nu_load_target(w->session, target, &class_name);
  }
  collect_overrides(w, args);
  w->target.class_name = args->class_name ? args->class_name : class_name;
  w->target.strict = args->strict;
  w->target.units = args->units;
  return status;
}

void work_close(Work *w) {
  nu_session_free(w->session);
  for (size_t i = 0; i < w->target.n_overrides; i++)
    free(w->overrides[i]);
  free(w->overrides);
  for (size_t i = 0; i < w->report.n_items; i++)
    nu_free(w->report.items[i]);
  free(w->report.items);
}

/* ---- JSON ---- */

void json_string(FILE *out, const char *text) {
  if (!text) {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
    if (*p == '"' || *p == '\\')
      fprintf(out, "\\%c", *p);
    else if (*p < 0x20)
      fprintf(out, "\\u%04x", *p);
    else
      fputc(*p, out);
  }
  fputc('"', out);
}

void json_number(FILE *out, double value) {
  char digits[32];
  for (int precision = 15; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value)
      break;
  }
  fputs(isfinite(value) ? digits : "null", out);
}

void json_diagnostics(FILE *out, const Report *r) {
  fputc('[', out);
  for (size_t i = 0; i < r->n_items; i++)
    fprintf(out, "%s%s", i ? "," : "", r->items[i]);
  fputc(']', out);
}
