/* cli/command_plot.c -- curves in the terminal: one picture per curve, results over each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/canvas.h"
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/report.h"

enum { DEFAULT_WIDTH = 80, WIDEST = 1000, DEFAULT_HEIGHT = 12, HIGHEST = 500, LABEL = 10, MOST_ALL = 4, MOST_NAMED = 8 };

typedef struct {
  const char *name; /* as shown */
  char *y, *x;      /* columns; x NULL: the first one */
} Curve;

/* A result and the file it came from. */
typedef struct {
  const char *path;
  NuTable table;
} Result;

typedef struct {
  double lo, hi;
} Range;

static Range widen(Range r, double value) {
  if (!isfinite(value))
    return r;
  return (Range){fmin(r.lo, value), fmax(r.hi, value)};
}

/* A range that can be divided by; a constant gets some air. */
static Range settle(Range r) {
  if (!(r.lo <= r.hi))
    return (Range){0, 1};
  if (r.lo == r.hi)
    return (Range){r.lo - fmax(1, fabs(r.lo)) / 2, r.hi + fmax(1, fabs(r.hi)) / 2};
  return r;
}

static double part(Range r, double value) { return (value - r.lo) / (r.hi - r.lo); }

static Curve curve_of(const char *word) {
  Curve c = {.name = word, .y = must_alloc(NULL, strlen(word) + 1)};
  strcpy(c.y, word);
  char *vs = strstr(c.y, " vs ");
  if (vs) {
    *vs = 0;
    c.x = vs + 4;
  }
  return c;
}

/* The column of a name; NULL after a message. */
static const double *column_of(const Result *r, const char *name) {
  const NuTable *t = &r->table;
  for (size_t i = 0; i < t->n_columns; i++)
    if (strcmp(t->names[i], name) == 0)
      return t->columns[i];
  complain("A002", "`%s` has no column `%s`", r->path, name);
  const char *best = NULL;
  if (nu_nearest(name, t->names, t->n_columns, &best, 1))
    fprintf(stderr, "   = help: did you mean `%s`?\n", best);
  for (size_t k = 0; !best && k < t->n_columns && k < MOST_NAMED; k++)
    fprintf(stderr, "%s`%s`%s", k ? ", " : "   = note: it has ", t->names[k],
            k + 1 == t->n_columns ? "\n"
            : k + 1 == MOST_NAMED ? " ...\n"
                                  : "");
  return NULL;
}

static const char *x_name(const Curve *c, const Result *r) { return c->x ? c->x : r->table.names[0]; }

static void draw(Canvas *canvas, size_t rows, const double *x, const double *y, Range rx, Range ry) {
  for (size_t i = 0; i < rows; i++) {
    size_t before = i ? i - 1 : 0;
    if (isfinite(x[i]) && isfinite(y[i]) && isfinite(x[before]) && isfinite(y[before]))
      canvas_line(canvas, part(rx, x[before]), part(ry, y[before]), part(rx, x[i]), part(ry, y[i]));
  }
}

static void print_picture(const Canvas *canvas, const Curve *c, const char *x, Range rx, Range ry) {
  printf("%*s %s\n", LABEL, "", c->name);
  for (size_t line = 0; line < canvas->lines; line++) {
    bool top = line == 0, bottom = line + 1 == canvas->lines;
    if (top || bottom)
      printf("%*.4g ", LABEL - 1, top ? ry.hi : ry.lo);
    else
      printf("%*s", LABEL, "");
    fputs(canvas->ascii ? "|" : "\xE2\x94\x82", stdout);
    canvas_print(canvas, line, stdout);
    fputc('\n', stdout);
  }
  char lo[32], hi[32];
  int n = snprintf(lo, sizeof lo, "%.4g", rx.lo) + snprintf(hi, sizeof hi, "%.4g", rx.hi);
  int gap = (int)canvas->columns - n - (int)strlen(x);
  printf("%*s%s%*s%s%*s%s\n", LABEL + 1, "", lo, gap > 1 ? gap / 2 : 1, "", x, gap > 1 ? gap - gap / 2 : 1, "", hi);
}

/* One picture; the exit code. */
static int plot_curve(const Curve *c, const Result *results, size_t n, const Args *args, size_t width) {
  Range rx = {INFINITY, -INFINITY}, ry = rx;
  size_t height = args->height ? args->height : DEFAULT_HEIGHT;
  for (size_t i = 0; i < n; i++) {
    const double *x = column_of(&results[i], x_name(c, &results[i])), *y = x ? column_of(&results[i], c->y) : NULL;
    if (!y)
      return EXIT_USAGE;
    for (size_t row = 0; row < results[i].table.n_rows; row++) {
      rx = widen(rx, x[row]);
      ry = widen(ry, y[row]);
    }
  }
  rx = settle(rx);
  ry = settle(ry);
  Canvas canvas;
  canvas_new(&canvas, width > LABEL + 10 ? width - LABEL - 1 : 10, height < HIGHEST ? height : HIGHEST, args->ascii);
  for (size_t i = 0; i < n; i++)
    draw(&canvas, results[i].table.n_rows, column_of(&results[i], x_name(c, &results[i])), column_of(&results[i], c->y), rx,
         ry);
  print_picture(&canvas, c, x_name(c, &results[0]), rx, ry);
  canvas_free(&canvas);
  return 0;
}

static size_t picture_width(const Args *args) {
  struct winsize size = {0};
  size_t width = DEFAULT_WIDTH;
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
    width = size.ws_col;
  width = args->width ? args->width : width;
  return width < WIDEST ? width : WIDEST;
}

/* Results come first: words that end in .nus, .csv or .mat, or name a file. */
static bool is_result(const char *word) {
  const char *dot = strrchr(word, '.');
  for (int k = 0; dot && dot > word && k < OUT_FORMATS; k++)
    if (strcmp(dot, output_extensions[k]) == 0)
      return true;
  return access(word, F_OK) == 0;
}

/* The variables that the curves need. They point into `curves`, which is filled, too. */
static Words wanted(const Words *words, Curve *curves) {
  Words names = {must_alloc(NULL, (2 * words->n + 1) * sizeof *names.at), 0};
  for (size_t i = 0; i < words->n; i++) {
    curves[i] = curve_of(words->at[i]);
    const char *both[] = {curves[i].y, curves[i].x};
    for (int k = 0; k < 2; k++)
      if (both[k] && strcmp(both[k], "time") != 0)
        names.at[names.n++] = both[k];
  }
  return names;
}

static int plot_all(const Result *results, size_t n_results, const Args *args) {
  size_t width = picture_width(args), n = results[0].table.n_columns - 1;
  int code = 0;
  for (size_t i = 0; i < n && i < MOST_ALL && !code; i++) {
    Curve c = curve_of(results[0].table.names[i + 1]);
    code = plot_curve(&c, results, n_results, args, width);
    free(c.y);
  }
  if (n > MOST_ALL)
    fprintf(stderr, "%zu more columns; name the ones to draw\n", n - MOST_ALL);
  return code;
}

/* Reads the results and draws the curves; without any the first columns. */
static int plot_results(Result *results, size_t n, const Words *words, const Args *args) {
  Work w;
  int code = nu_exit_code(work_open_empty(&w, args));
  size_t opened = 0, width = picture_width(args);
  Curve *curves = must_alloc(NULL, (words->n + 1) * sizeof *curves);
  Words names = wanted(words, curves);
  for (; opened < n && !code; opened += !code)
    code = nu_exit_code(nu_table_read_some(w.session, results[opened].path, names.at, names.n, &results[opened].table));
  if (!code && !words->n)
    code = plot_all(results, n, args);
  for (size_t i = 0; i < words->n; i++) {
    if (!code)
      code = plot_curve(&curves[i], results, n, args, width);
    free(curves[i].y);
  }
  for (size_t i = 0; i < opened; i++)
    nu_table_free(&results[i].table);
  free(names.at);
  free(curves);
  work_close(&w);
  return code;
}

int command_plot(const Args *args) {
  if (args->outputs.n)
    return usage_error(NULL, NULL, 0, "`plot` draws in the terminal only; figure files are not supported yet");
  size_t n = 0;
  while (n < args->targets.n && is_result(args->targets.at[n]))
    n++;
  if (n == 0) {
    complain("F002", "cannot read `%s`: there is no such result file", args->targets.at[0]);
    return EXIT_FILE;
  }
  Result *results = must_alloc(NULL, n * sizeof *results);
  for (size_t i = 0; i < n; i++)
    results[i].path = args->targets.at[i];
  Words words = {args->targets.at + n, args->targets.n - n};
  int code = plot_results(results, n, &words, args);
  free(results);
  return code;
}
