/* plot/chart.c -- a figure with the columns of results -> a chart, in which nothing is left to
 * choose: units, ranges, legends. One axis has one unit: that which was asked for, else that of the
 * axis of the figure, else the display unit of the first curve that has one. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "base/limits.h"
#include "plot/chart_impl.h"

/* ---- columns ---- */

static const PlotColumn *find_column(const PlotSource *s, const char *name) {
  for (uint32_t k = 0; k < s->n; k++)
    if (strcmp(s->columns[k].name, name) == 0)
      return &s->columns[k];
  return strcmp(name, "time") == 0 ? &s->columns[0] : NULL;
}

const PlotColumn *plot_column(const PlotSource *s, const char *name, Arena *a, Diags *diags) {
  const PlotColumn *c = find_column(s, name);
  if (c)
    return c;
  const char **names = NEW_ARRAY(a, const char *, s->n + 1), *best;
  Diag *d = diag_add(diags, D_A002, (Span){0, 0}, "`%s` has no column `%s`", s->path, name);
  Text list = {.arena = a};
  for (uint32_t k = 0; k < s->n; k++) {
    names[k] = s->columns[k].name;
    if (k < MOST_COLUMNS_NAMED)
      text_printf(&list, "%s`%s`", k ? ", " : "", names[k]);
  }
  if (nearest_names(name, names, s->n, &best, 1))
    diag_help(diags, d, "did you mean `%s`?", best);
  else
    diag_note(diags, d, "it has %s%s", text_str(&list), s->n > MOST_COLUMNS_NAMED ? " ..." : "");
  return NULL;
}

/* ---- units ---- */

/* What an axis has learned from its curves so far. A figure of a model may have curves of several
 * units on one axis (MLS 3.6 section 18.2.2.2 leaves it open); who types them is told. */
typedef struct {
  const char *unit;  /* of the first curve with a unit; "" none */
  const char *name;  /* of that curve */
  const char *shown; /* NULL: not chosen */
  bool mixed;        /* curves keep their own units, which the legend tells */
} AxisUnit;

static bool meet_unit(const Builder *b, AxisUnit *u, const NuAxis *axis, const PlotColumn *c) {
  const char *wish;
  if (!units_wished(&b->wishes, c->name, c->unit, &wish, b->diags))
    return false;
  bool other = *c->unit && *u->unit && !units_agree(u->unit, c->unit);
  bool refused = *c->unit && axis->unit && *axis->unit && !units_agree(axis->unit, c->unit);
  if ((other || refused) && !b->strict) {
    u->mixed = true;
    return true;
  }
  if (other) {
    Diag *d = diag_add(b->diags, D_G001, (Span){0, 0},
                       "`%s` [%s] and `%s` [%s] have different units and cannot share an axis",
                       u->name, u->unit, c->name, c->unit);
    diag_help(b->diags, d,
              "use the second axis: '%s, %s @right', or leave the comma: each unit has a plot of "
              "its own then",
              u->name, c->name);
    return false;
  }
  if (refused) {
    diag_add(b->diags, D_G003, (Span){0, 0}, "`%s` is in %s and cannot be shown in %s", c->name,
             c->unit, axis->unit);
    return false;
  }
  if (*c->unit && !*u->unit) {
    u->unit = c->unit;
    u->name = c->name;
    u->shown = axis->unit && *axis->unit                         ? axis->unit
               : *c->display && units_agree(c->display, c->unit) ? c->display
                                                                 : c->unit;
  }
  if (wish)
    u->shown = wish;
  return true;
}

/* ---- values ---- */

/* The value between two rows at a time; what is discrete keeps the one before. */
static double between(const PlotColumn *c, const double *time, size_t i, double at) {
  if (c->discrete || time[i] == time[i - 1])
    return c->values[i - 1];
  double part = (at - time[i - 1]) / (time[i] - time[i - 1]);
  return c->values[i - 1] + part * (c->values[i] - c->values[i - 1]);
}

typedef struct {
  size_t first, last; /* rows [first, last) are inside */
  bool before, after; /* there is a point to compute at the end */
} Rows;

static Rows rows_between(const double *time, size_t n, double from, double to) {
  Rows r = {0, n, false, false};
  while (r.first < n && !(time[r.first] >= from))
    r.first++;
  while (r.last > r.first && !(time[r.last - 1] <= to))
    r.last--;
  r.before = r.first > 0 && r.first < n && time[r.first] > from;
  r.after = r.last < n && r.last > 0 && time[r.last - 1] < to;
  return r;
}

/* A column from first to last row in the unit of its axis. */
static const double *values_of(const Builder *b, const PlotSource *s, const PlotColumn *c,
                               const Rows *r, const char *shown) {
  size_t n = 0;
  const double *time = s->columns[0].values;
  UnitChange u = units_change(c->unit, shown ? shown : "");
  double *out = NEW_ARRAY(b->arena, double, r->last - r->first + 3);
  if (r->before)
    out[n++] = between(c, time, r->first, b->from);
  for (size_t k = r->first; k < r->last; k++)
    out[n++] = c->values[k];
  if (r->after)
    out[n++] = between(c, time, r->last, b->to);
  for (size_t k = 0; k < n && (u.factor != 1 || u.shift != 0); k++)
    out[k] = out[k] * u.factor + u.shift;
  return out;
}

static bool never_back(const double *x, size_t n) {
  double last = -INFINITY;
  for (size_t k = 0; k < n; k++) {
    if (x[k] < last)
      return false;
    last = isfinite(x[k]) ? x[k] : last;
  }
  return true;
}

/* Is it constant between events? Files of other tools do not say what is discrete. */
static bool only_jumps(const double *time, const double *y, size_t n) {
  bool any = false;
  for (size_t k = 1; k < n; k++) {
    if (y[k] != y[k - 1] && time[k] != time[k - 1])
      return false;
    any = any || y[k] != y[k - 1];
  }
  return any;
}

/* ---- one plot ---- */

typedef struct {
  const PlotColumn *x, *y;
} CurveColumns;

static bool find_columns(const Builder *b, const NuPlot *p, CurveColumns *out) {
  for (size_t k = 0; k < p->n_curves; k++) {
    const NuCurve *c = &p->curves[k];
    const PlotSource *s = &b->sources[c->result];
    out[k].y = plot_column(s, c->y, b->arena, b->diags);
    out[k].x = c->x ? plot_column(s, c->x, b->arena, b->diags) : &s->columns[0];
    if (!out[k].x || !out[k].y)
      return false;
  }
  return true;
}

static void fill_curve(const Builder *b, const NuCurve *c, const CurveColumns *columns,
                       const AxisUnit units[3], ChartCurve *out) {
  const PlotSource *s = &b->sources[c->result];
  const double *time = s->columns[0].values;
  Rows r = rows_between(time, s->rows, b->from, b->to);
  *out = (ChartCurve){.name = columns->y->name,
                      .right = c->right,
                      .source = (uint32_t)c->result,
                      .steps = columns->y->discrete};
  out->n = r.last - r.first + (size_t)r.before + (size_t)r.after;
  if (r.first >= r.last && !(r.before && r.after)) {
    out->n = 0;
    return;
  }
  out->time = values_of(b, s, &s->columns[0], &r, NULL);
  out->x = values_of(b, s, columns->x, &r, units[0].shown);
  out->y = values_of(b, s, columns->y, &r, units[c->right ? 2 : 1].shown);
  out->steps = out->steps || (!columns->y->typed && only_jumps(out->time, out->y, out->n));
  out->ordered = never_back(out->x, out->n);
}

/* Names of values, if all curves of an axis have the same. */
static void take_literals(const NuPlot *p, const CurveColumns *columns, bool right,
                          ChartAxis *axis) {
  const PlotColumn *first = NULL;
  for (size_t k = 0; k < p->n_curves; k++) {
    const PlotColumn *c = columns[k].y;
    if (p->curves[k].right != right)
      continue;
    if (!c->literals || (first && (first->n_literals != c->n_literals || first->first != c->first)))
      return;
    first = first ? first : c;
  }
  if (first) {
    axis->literals = first->literals;
    axis->n_literals = first->n_literals;
    axis->first = first->first;
  }
}

static bool meet_units(const Builder *b, const NuPlot *p, const CurveColumns *columns,
                       AxisUnit units[3]) {
  const NuAxis *const axes[3] = {&p->x, &p->y, &p->y2};
  for (int k = 0; k < 3; k++)
    units[k] = (AxisUnit){"", "", NULL, false};
  for (size_t k = 0; k < p->n_curves; k++) {
    int side = p->curves[k].right ? 2 : 1;
    if (!meet_unit(b, &units[0], axes[0], columns[k].x) ||
        !meet_unit(b, &units[side], axes[side], columns[k].y))
      return false;
  }
  for (int k = 0; k < 3; k++)
    if (units[k].mixed)
      units[k].shown = NULL;
  return true;
}

static bool build_plot(const Builder *b, const NuPlot *p, ChartPlot *out) {
  CurveColumns *columns = NEW_ARRAY(b->arena, CurveColumns, p->n_curves + 1);
  AxisUnit units[3];
  ChartAxis *const axes[3] = {&out->x, &out->y, &out->y2};
  const NuAxis *const given[3] = {&p->x, &p->y, &p->y2};
  if (!find_columns(b, p, columns) || !meet_units(b, p, columns, units))
    return false;
  *out = (ChartPlot){.title = p->title ? p->title : "",
                     .curves = NEW_ARRAY(b->arena, ChartCurve, p->n_curves + 1),
                     .over_time = true,
                     .weight = 1};
  for (size_t k = 0; k < p->n_curves; k++) {
    fill_curve(b, &p->curves[k], &columns[k], units, &out->curves[out->n++]);
    out->curves[k].unit = units[p->curves[k].right ? 2 : 1].mixed ? columns[k].y->unit : "";
    *(p->curves[k].right ? &out->has_right : &out->has_left) = true;
    out->over_time = out->over_time && columns[k].x == &b->sources[p->curves[k].result].columns[0];
  }
  take_literals(p, columns, false, &out->y);
  take_literals(p, columns, true, &out->y2);
  for (int k = 0; k < 3; k++) {
    out->fixed = out->fixed || isfinite(given[k]->min) || isfinite(given[k]->max);
    axes[k]->unit = units[k].shown ? units[k].shown : "";
    axes[k]->source_unit = units[k].unit;
    axes[k]->log = given[k]->log || (k == 0 ? b->o->log_x : b->o->log_y);
  }
  return chart_name(b, p, out) && chart_range(b, p, out);
}

/* ---- the figure ---- */

/* (a), (b), ... if texts can refer to plots. */
static void mark_plots(const NuFigure *f, Chart *c, Arena *a) {
  bool marked = false;
  for (size_t k = 0; k < f->n_plots; k++)
    marked = marked || (f->plots[k].identifier && *f->plots[k].identifier);
  for (uint32_t k = 0; k < c->n && marked; k++)
    c->plots[k].title = arena_printf(a, "(%c) %s", 'a' + (int)(k % 26), c->plots[k].title);
}

static bool check_range(const NuFigureOptions *o, Diags *diags) {
  if (!(o->from > o->to))
    return true;
  diag_add(diags, D_A001, (Span){0, 0},
           "the time range is empty: it begins at %.9g and ends at %.9g", o->from, o->to);
  return false;
}

/* Plots over time that leave the range open share it. */
static void share_time(const NuFigure *f, Chart *c) {
  c->common_x = true;
  for (uint32_t k = 0; k < c->n; k++)
    c->common_x = c->common_x && c->plots[k].over_time && c->plots[k].x.log == c->plots[0].x.log &&
                  strcmp(c->plots[k].x.unit, c->plots[0].x.unit) == 0 && isnan(f->plots[k].x.min) &&
                  isnan(f->plots[k].x.max);
  double lo = INFINITY, hi = -INFINITY;
  for (uint32_t k = 0; k < c->n && c->common_x; k++) {
    lo = fmin(lo, c->plots[k].x.lo);
    hi = fmax(hi, c->plots[k].x.hi);
  }
  for (uint32_t k = 0; k < c->n && c->common_x; k++) {
    c->plots[k].x.lo = lo;
    c->plots[k].x.hi = hi;
  }
}

/* Events and modes are those of the first result that has some; modes need a time axis. */
static void take_modes(const Builder *b, Chart *c) {
  c->second = 1;
  for (uint32_t k = 0; k < c->n; k++)
    if (c->plots[k].over_time)
      c->second = units_change("s", c->plots[k].x.unit).factor;
  for (uint32_t k = 0; k < b->n && c->n; k++)
    if (b->sources[k].modes) {
      c->modes = b->o->modes && c->plots[c->n - 1].over_time ? b->sources[k].modes : NULL;
      c->marks = b->o->events ? b->sources[k].modes : NULL;
      return;
    }
}

Chart *chart_build(const NuFigure *f, const PlotInput *in, Arena *a, Diags *diags) {
  const NuFigureOptions *o = in->o;
  Builder b = {.figure = f,
               .sources = in->sources,
               .n = in->n,
               .o = o,
               .strict = o->n_curves > 0,
               .wishes = {o->units, o->n_units, in->used},
               .from = isnan(o->from) ? -INFINITY : o->from,
               .to = isnan(o->to) ? INFINITY : o->to,
               .arena = a,
               .diags = diags};
  Chart *c = NEW(a, Chart);
  if (!check_range(o, diags))
    return NULL;
  *c = (Chart){.title = o->title   ? o->title
                        : f->title ? f->title
                                   : "",
               .caption = f->caption ? f->caption : "",
               .identifier = f->identifier ? f->identifier : "",
               .from = b.from,
               .to = b.to,
               .plots = NEW_ARRAY(a, ChartPlot, f->n_plots + 1)};
  for (size_t k = 0; k < f->n_plots; k++)
    if (!build_plot(&b, &f->plots[k], &c->plots[c->n++]))
      return NULL;
  mark_plots(f, c, a);
  share_time(f, c);
  take_modes(&b, c);
  return c;
}
