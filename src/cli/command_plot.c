/* cli/command_plot.c -- curves in the terminal: one picture per curve, results over each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/canvas.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "cli/table.h"

enum { DEFAULT_WIDTH = 80, WIDEST = 1000, DEFAULT_HEIGHT = 12, HIGHEST = 500, LABEL = 10, MOST_ALL = 4, MOST_NAMED = 8 };

typedef struct {
  const char *name; /* as shown */
  char *y, *x;      /* columns; x NULL: the first one */
} Curve;

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
  Curve c = {.name = word, .y = strdup(word)};
  char *vs = c.y ? strstr(c.y, " vs ") : NULL;
  if (vs) {
    *vs = 0;
    c.x = vs + 4;
  }
  return c;
}

/* The columns of a curve in a table; false after a message. */
static bool columns_of(const Curve *c, const Table *t, size_t *x, size_t *y) {
  const char *const names[] = {c->x ? c->x : t->names[0], c->y};
  size_t *const columns[] = {x, y};
  for (int i = 0; i < 2; i++) {
    *columns[i] = table_column(t, names[i]);
    if (*columns[i] < t->n_columns)
      continue;
    complain("A002", "`%s` has no column `%s`", t->path, names[i]);
    const char *best = NULL;
    if (nu_nearest(names[i], (const char *const *)t->names, t->n_columns, &best, 1))
      fprintf(stderr, "   = help: did you mean `%s`?\n", best);
    for (size_t k = 0; !best && k < t->n_columns && k < MOST_NAMED; k++)
      fprintf(stderr, "%s`%s`%s", k ? ", " : "   = note: it has ", t->names[k],
              k + 1 == t->n_columns ? "\n" : k + 1 == MOST_NAMED ? " ...\n" : "");
    return false;
  }
  return true;
}

static void draw(Canvas *canvas, const Table *t, size_t x, size_t y, Range rx, Range ry) {
  for (size_t i = 0; i < t->n_rows; i++) {
    const double *now = t->values + i * t->n_columns, *before = i ? now - t->n_columns : now;
    if (isfinite(now[x]) && isfinite(now[y]) && isfinite(before[x]) && isfinite(before[y]))
      canvas_line(canvas, part(rx, before[x]), part(ry, before[y]), part(rx, now[x]), part(ry, now[y]));
  }
}

static void print_picture(const Canvas *canvas, const Curve *c, const char *x_name, Range rx, Range ry) {
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
  int gap = (int)canvas->columns - n - (int)strlen(x_name);
  printf("%*s%s%*s%s%*s%s\n", LABEL + 1, "", lo, gap > 1 ? gap / 2 : 1, "", x_name, gap > 1 ? gap - gap / 2 : 1, "", hi);
}

/* One picture; the exit code. */
static int plot_curve(const Curve *c, const Table *tables, size_t n, const Args *args, size_t width) {
  Range rx = {INFINITY, -INFINITY}, ry = rx;
  size_t x = 0, y = 0, height = args->height ? args->height : DEFAULT_HEIGHT;
  for (size_t i = 0; i < n; i++) {
    if (!columns_of(c, &tables[i], &x, &y))
      return EXIT_USAGE;
    for (size_t row = 0; row < tables[i].n_rows; row++) {
      const double *values = tables[i].values + row * tables[i].n_columns;
      rx = widen(rx, values[x]);
      ry = widen(ry, values[y]);
    }
  }
  rx = settle(rx);
  ry = settle(ry);
  Canvas canvas;
  canvas_new(&canvas, width > LABEL + 10 ? width - LABEL - 1 : 10, height < HIGHEST ? height : HIGHEST, args->ascii);
  for (size_t i = 0; i < n; i++) {
    columns_of(c, &tables[i], &x, &y);
    draw(&canvas, &tables[i], x, y, rx, ry);
  }
  print_picture(&canvas, c, c->x ? c->x : tables[0].names[0], rx, ry);
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

/* Results come first: words that end in .csv or name a file. */
static bool is_result(const char *word) {
  size_t n = strlen(word);
  return (n > 4 && strcmp(word + n - 4, ".csv") == 0) || access(word, F_OK) == 0;
}

static int plot_words(const Table *tables, size_t n_tables, const Words *words, const Args *args) {
  size_t width = picture_width(args), n_all = tables[0].n_columns - 1;
  bool all = words->n == 0;
  size_t n = all ? (n_all < MOST_ALL ? n_all : MOST_ALL) : words->n;
  int code = 0;
  for (size_t i = 0; i < n && !code; i++) {
    Curve c = curve_of(all ? tables[0].names[i + 1] : words->at[i]);
    code = c.y ? plot_curve(&c, tables, n_tables, args, width) : 5;
    free(c.y);
  }
  if (all && n_all > MOST_ALL)
    fprintf(stderr, "%zu more columns; name the ones to draw\n", n_all - MOST_ALL);
  return code;
}

int command_plot(const Args *args) {
  if (args->outputs.n)
    return usage_error(NULL, NULL, 0, "`plot` draws in the terminal only; figure files are not supported yet");
  size_t n = 0;
  while (n < args->targets.n && is_result(args->targets.at[n]))
    n++;
  if (n == 0) {
    complain("L001", "cannot read `%s`: there is no such result file", args->targets.at[0]);
    return EXIT_FILE;
  }
  Table *tables = must_alloc(NULL, n * sizeof *tables);
  size_t opened = 0;
  while (opened < n && table_read(&tables[opened], args->targets.at[opened]))
    opened++;
  Words words = {args->targets.at + n, args->targets.n - n};
  int code = opened == n ? plot_words(tables, n, &words, args) : EXIT_FILE;
  for (size_t i = 0; i < opened; i++)
    table_free(&tables[i]);
  free(tables);
  return code;
}
