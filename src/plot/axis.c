/* plot/axis.c -- what stands at the axes of a plot: ranges, labels, legends. */
#include <math.h>
#include <string.h>

#include "plot/chart_impl.h"

/* ---- ranges ---- */

typedef struct {
  double lo, hi;
  bool any, left_out; /* some value was seen; some cannot be shown on a logarithmic axis */
} Range;

/* Numbers whose differences can be computed. */
static bool is_usable(double v) { return fabs(v) < 1e300; }

static void widen(Range *r, const double *values, const double *others, size_t n, bool log) {
  for (size_t k = 0; k < n; k++) {
    if (!is_usable(values[k]) || !is_usable(others[k]))
      continue;
    if (log && values[k] <= 0) {
      r->left_out = true;
      continue;
    }
    r->lo = r->any ? fmin(r->lo, values[k]) : values[k];
    r->hi = r->any ? fmax(r->hi, values[k]) : values[k];
    r->any = true;
  }
}

/* Numbers near the largest that there are: the range must be one, too. */
static void keep_finite(ChartAxis *axis) {
  static const double most = 8e307, least = 1e-307;
  double lo = axis->log ? fmax(axis->lo, least) : fmax(axis->lo, -most), hi = fmin(axis->hi, most);
  if (hi > lo) {
    axis->lo = lo, axis->hi = hi;
  } else { /* all beyond one end */
    axis->lo = hi > 0 ? most / 2 : -most;
    axis->hi = hi > 0 ? most : -most / 2;
  }
}

/* Ends that can be told apart, with some air around the curves unless the ends are those of
 * time. */
static void settle(Range r, const NuAxis *given, bool tight, ChartAxis *axis) {
  /* Of the range; of a number: what is less is not seen */
  static const double air = 0.05, rounding = 1e-12;
  double lo = r.lo, hi = r.hi;
  bool flat = !(hi - lo > rounding * fmax(fabs(lo), fabs(hi)));
  if (axis->log) {
    double more = flat ? 2 : tight || !isfinite(hi / lo) ? 1 : pow(hi / lo, air);
    lo /= more, hi *= more;
  } else if (flat) {
    double half = fmax(fabs(lo), fabs(hi)) > 0 ? fabs(lo) / 10 : 1;
    lo -= half, hi += half;
  } else if (!tight) {
    double more = air * (hi - lo);
    lo -= more, hi += more;
  }
  bool usable = !axis->log || given->min > 0;
  axis->lo = isfinite(given->min) && usable ? given->min : lo;
  axis->hi = isfinite(given->max) && (!axis->log || given->max > 0) ? given->max : hi;
  if (!(axis->hi > axis->lo)) { /* the end that was given lies beyond all curves */
    if (isfinite(given->min))
      axis->hi = axis->log ? axis->lo * 10 : axis->lo + 1;
    else
      axis->lo = axis->log ? axis->hi / 10 : axis->hi - 1;
  }
  keep_finite(axis);
}

static void settle_literals(ChartAxis *axis) {
  static const double air = 0.25;
  axis->lo = axis->first - air;
  axis->hi = axis->first + (double)axis->n_literals - 1 + air;
  axis->log = false;
}

static bool nothing(const Builder *b, const ChartPlot *p, const char *log) {
  const PlotSource *s = &b->sources[p->n ? p->curves[0].source : 0];
  const double *time = s->columns[0].values;
  const char *name = p->n ? p->curves[0].name : "";
  Diag *d;
  if (!p->n) {
    diag_add(b->diags, D_G002, (Span){0, 0}, "there is nothing to draw: a plot has no curves");
    return false;
  }
  if (log) {
    d = diag_add(b->diags, D_G002, (Span){0, 0},
                 "there is nothing to draw: no value of `%s` is positive, so that a logarithmic "
                 "axis could show it",
                 log);
    diag_help(b->diags, d, "leave out --log");
  } else if (!s->rows) {
    diag_add(b->diags, D_G002, (Span){0, 0}, "there is nothing to draw: `%s` has no rows", s->path);
  } else if (!p->curves[0].n) {
    d = diag_add(b->diags, D_G002, (Span){0, 0}, "there is nothing to draw in this time range");
    diag_note(b->diags, d, "`%s` has times from %.9g to %.9g", s->path, time[0], time[s->rows - 1]);
  } else {
    diag_add(b->diags, D_G002, (Span){0, 0},
             "there is nothing to draw: `%s` has no values in `%s`%s", name, s->path,
             isfinite(b->from) || isfinite(b->to) ? " in this time range" : "");
  }
  return false;
}

static void warn_left_out(const Builder *b, const char *axis) {
  Diag *d = diag_add(b->diags, D_G004, (Span){0, 0},
                     "values that are not positive are left out of the logarithmic %s axis", axis);
  diag_help(b->diags, d, "draw a plot without --log to see them");
}

bool chart_range(const Builder *b, const NuPlot *given, ChartPlot *p) {
  Range x = {0}, y = {0}, y2 = {0};
  for (uint32_t k = 0; k < p->n; k++) {
    const ChartCurve *c = &p->curves[k];
    widen(&x, c->x, c->y, c->n, p->x.log);
    widen(c->right ? &y2 : &y, c->y, c->x, c->n, (c->right ? &p->y2 : &p->y)->log);
  }
  Range *empty = !x.any ? &x : p->has_left && !y.any ? &y : p->has_right && !y2.any ? &y2 : NULL;
  const char *on_x = *p->x.label ? p->x.label : "x";
  if (empty)
    return nothing(b, p, !empty->left_out ? NULL : empty == &x ? on_x : p->curves[0].name);
  if (x.left_out)
    warn_left_out(b, "x");
  if (y.left_out || y2.left_out)
    warn_left_out(b, "y");
  if (p->over_time && isfinite(b->from) && !p->x.log)
    x.lo = b->from * units_change("s", p->x.unit).factor;
  if (p->over_time && isfinite(b->to) && !p->x.log)
    x.hi = b->to * units_change("s", p->x.unit).factor;
  settle(x, &given->x, p->over_time, &p->x);
  settle(y, &given->y, false, &p->y);
  settle(y2, &given->y2, false, &p->y2);
  if (p->y.literals)
    settle_literals(&p->y);
  if (p->y2.literals)
    settle_literals(&p->y2);
  bool narrow = (!p->has_left || p->y.literals) && (!p->has_right || p->y2.literals);
  p->weight = narrow ? fmin(0.25 + 0.1 * fmax(p->y.n_literals, p->y2.n_literals), 0.8) : 1;
  return true;
}

/* ---- names ---- */

/* The name that all curves of an axis have; NULL: they differ, or there is none. */
static const char *common_name(const NuPlot *p, int axis) {
  const char *name = NULL;
  for (size_t k = 0; k < p->n_curves; k++) {
    const NuCurve *c = &p->curves[k];
    const char *own = axis == 0 ? (c->x ? c->x : "time") : c->y;
    if (axis && c->right != (axis == 2))
      continue;
    if (name && strcmp(name, own) != 0)
      return NULL;
    name = own;
  }
  return name;
}

static const char *legend_of(const Builder *b, const NuPlot *p, const NuCurve *c, bool one_name) {
  bool runs = b->n > 1;
  const char *label = b->sources[c->result].label;
  if (c->legend && (!runs || !*c->legend))
    return c->legend;
  const char *name = c->legend                    ? c->legend
                     : c->x && !common_name(p, 0) ? arena_printf(b->arena, "%s vs %s", c->y, c->x)
                                                  : c->y;
  if (!runs)
    return p->n_curves == 1 ? "" : name;
  return one_name && !c->legend ? label : arena_printf(b->arena, "%s, %s", name, label);
}

/* Lower curves first. */
static void sort_by_order(const NuPlot *p, ChartPlot *out) {
  for (uint32_t i = 1; i < out->n; i++)
    for (uint32_t k = i; k > 0 && p->curves[out->curves[k].style].z_order <
                                      p->curves[out->curves[k - 1].style].z_order;
         k--) {
      ChartCurve c = out->curves[k];
      out->curves[k] = out->curves[k - 1];
      out->curves[k - 1] = c;
    }
}

bool chart_name(const Builder *b, const NuPlot *p, ChartPlot *out) {
  ChartAxis *const axes[3] = {&out->x, &out->y, &out->y2};
  const NuAxis *const given[3] = {&p->x, &p->y, &p->y2};
  bool one_name = common_name(p, 1) && !common_name(p, 2);
  for (int k = 0; k < 3; k++) {
    const char *name = given[k]->label ? given[k]->label : common_name(p, k);
    axes[k]->label = name ? name : "";
  }
  for (uint32_t k = 0; k < out->n; k++) {
    ChartCurve *c = &out->curves[k];
    c->legend = legend_of(b, p, &p->curves[k], one_name);
    if (*c->unit && *c->legend)
      c->legend = arena_printf(b->arena, "%s [%s]", c->legend, units_pretty(c->unit, b->arena));
    out->curves[k].style = k;
  }
  sort_by_order(p, out);
  return true;
}

Ticks chart_ticks(const ChartAxis *axis, uint32_t most, Arena *a) {
  if (!axis->literals) {
    Ticks some = {0};
    for (uint32_t n = most; n <= most + 4 && some.n_major < 2; n++) /* one number tells nothing */
      some = axis->log ? ticks_log(axis->lo, axis->hi, n, a)
                       : ticks_linear(axis->lo, axis->hi, n, a);
    return some;
  }
  Ticks t = {.major = NEW_ARRAY(a, Tick, axis->n_literals + 1)};
  for (uint32_t k = 0; k < axis->n_literals; k++)
    t.major[t.n_major++] = (Tick){axis->first + (int)k, axis->literals[k]};
  return t;
}

const char *chart_axis_label(const ChartAxis *axis, const Ticks *t, bool ascii, Arena *a) {
  Text out = {.arena = a};
  text_add(&out, axis->label);
  if (t->offset != 0) {
    text_add(&out, *axis->label ? "" : "value");
    text_add(&out, t->offset > 0 ? (ascii ? " - " : " \xE2\x88\x92 ") : " + ");
    text_real(&out, fabs(t->offset));
  }
  if (!*axis->unit && !t->exponent)
    return text_str(&out);
  text_add(&out, out.n ? " [" : "[");
  if (t->exponent && ascii) {
    text_printf(&out, "1e%d", t->exponent);
  } else if (t->exponent) {
    text_add(&out, "10");
    text_raised(&out, t->exponent);
  }
  text_add(&out, t->exponent && *axis->unit ? " " : "");
  text_add(&out, ascii ? axis->unit : units_pretty(axis->unit, a));
  text_add(&out, "]");
  return text_str(&out);
}
