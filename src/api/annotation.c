/* api/annotation.c -- figures of programs and results, and their texts without markup. */
#include <math.h>
#include <string.h>

#include "api/api_impl.h"
#include "api/result_impl.h"
#include "flat/markup.h"

/* ---- from the flat model ---- */

static const char *or_empty(const char *text) { return text ? text : ""; }

static NuAxis give_axis(const FigureAxis *a) {
  return (NuAxis){.min = a->min, .max = a->max, .unit = a->unit, .label = a->label, .log = a->log};
}

static const char *reference(const FlatModel *m, FigureRef ref, Arena *a) {
  const char *name = ref.var == FIGURE_TIME ? "time" : m->vars.at[ref.var].name;
  return ref.der ? arena_printf(a, "der(%s)", name) : name;
}

static NuCurve give_curve(const FlatModel *m, const FigureCurve *c, Arena *a) {
  return (NuCurve){.x = c->x.var == FIGURE_TIME ? NULL : reference(m, c->x, a),
                   .y = reference(m, c->y, a),
                   .legend = c->legend,
                   .right = c->right,
                   .z_order = (int)c->z_order};
}

/* One that has none is called after its plots, or after what they show. */
static const char *title_of(const FlatModel *m, const FlatFigure *f, Arena *a) {
  if (f->title && *f->title)
    return f->title;
  Text out = {.arena = a};
  for (uint32_t i = 0; i < f->n_plots; i++)
    if (or_empty(f->plots[i].title)[0])
      text_printf(&out, "%s%s", out.n ? ", " : "", f->plots[i].title);
  for (uint32_t i = 0; i < f->n_plots && !out.n; i++)
    for (uint32_t k = 0; k < f->plots[i].n_curves; k++)
      text_printf(&out, "%s%s", k ? ", " : "", reference(m, f->plots[i].curves[k].y, a));
  return out.n ? text_str(&out) : m->name;
}

static NuPlot give_plot(const FlatModel *m, const FigurePlot *p, Arena *a) {
  NuCurve *curves = NEW_ARRAY(a, NuCurve, p->n_curves + 1);
  for (uint32_t i = 0; i < p->n_curves; i++)
    curves[i] = give_curve(m, &p->curves[i], a);
  return (NuPlot){.title = or_empty(p->title),
                  .identifier = or_empty(p->identifier),
                  .x = give_axis(&p->x),
                  .y = give_axis(&p->y),
                  .y2 = give_axis(&p->y2),
                  .curves = curves,
                  .n_curves = p->n_curves};
}

const NuFigure *api_figures(const FlatModel *m, Arena *a) {
  NuFigure *out = NEW_ARRAY(a, NuFigure, m->figures.n + 1);
  for (uint32_t i = 0; i < m->figures.n; i++) {
    const FlatFigure *f = &m->figures.at[i];
    NuPlot *plots = NEW_ARRAY(a, NuPlot, f->n_plots + 1);
    for (uint32_t k = 0; k < f->n_plots; k++)
      plots[k] = give_plot(m, &f->plots[k], a);
    out[i] = (NuFigure){.title = title_of(m, f, a),
                        .identifier = or_empty(f->identifier),
                        .group = or_empty(f->group),
                        .caption = or_empty(f->caption),
                        .preferred = f->preferred,
                        .plots = plots,
                        .n_plots = f->n_plots};
  }
  return out;
}

size_t nu_program_figures(const NuProgram *p, const NuFigure **figures) {
  *figures = p->figures;
  return p->structure->model->figures.n;
}

/* ---- texts ---- */

const char *api_plot_label(size_t k, Arena *a) {
  return k < 26 ? arena_printf(a, "(%c)", (int)('a' + k)) : arena_printf(a, "(%zu)", k + 1);
}

/* A text in two steps: values are asked for in between, by public functions with frames of their
 * own. */
typedef struct {
  const NuFigure *figure; /* NULL: none */
  const char *text;
  bool caption;
  const MarkupPiece *pieces;
  double *values; /* of the pieces; NaN: none */
  uint32_t n;
  char **out;
} Expansion;

static NuStatus split_text(NuResult *r, void *args) {
  Expansion *x = args;
  x->n = markup_split(x->text, x->caption, r->arena, &x->pieces);
  x->values = NEW_ARRAY(r->arena, double, x->n + 1);
  return NU_OK;
}

static void add_value(const NuResult *r, const char *name, double value, Text *out) {
  size_t i;
  NuVariable v = {.unit = strcmp(name, "time") ? "" : "s"};
  if (nu_result_find(r, name, &i))
    nu_result_variable(r, i, &v);
  if (isnan(value))
    text_add(out, name);
  else if (v.type == NU_BOOLEAN)
    text_add(out, value != 0 ? "true" : "false");
  else
    text_printf(out, "%.6g", value);
  if (!isnan(value) && *v.unit && strcmp(v.unit, "1"))
    text_printf(out, " %s", v.unit);
}

static const char *label_of(const NuFigure *f, const char *identifier, Arena *a) {
  for (size_t k = 0; f && k < f->n_plots; k++)
    if (!strcmp(f->plots[k].identifier, identifier))
      return api_plot_label(k, a);
  return identifier;
}

static NuStatus join_text(NuResult *r, void *args) {
  Arena *a = r->arena;
  const Expansion *x = args;
  Text out = {.arena = a};
  for (uint32_t i = 0; i < x->n; i++) {
    const MarkupPiece *p = &x->pieces[i];
    switch (p->kind) {
    case MARKUP_TEXT:
    case MARKUP_LINK:
    case MARKUP_VARIABLE: text_add(&out, p->shown ? p->shown : p->text); break;
    case MARKUP_VALUE: add_value(r, p->text, x->values[i], &out); break;
    case MARKUP_PLOT: text_add(&out, p->shown ? p->shown : label_of(x->figure, p->text, a)); break;
    case MARKUP_BREAK: text_add(&out, "\n"); break;
    }
  }
  return api_give_text(&out, x->out);
}

NuStatus nu_figure_markup(NuResult *r, const NuFigure *figure, const char *text, char **plain) {
  *plain = NULL;
  Expansion x = {
      .figure = figure, .text = text, .caption = figure && text == figure->caption, .out = plain};
  double end = nu_result_info(r).end;
  size_t k;
  NuStatus status = api_result_call(r, split_text, &x);
  for (uint32_t i = 0; i < x.n && status == NU_OK; i++) {
    const char *name = x.pieces[i].text;
    x.values[i] = strcmp(name, "time") ? NAN : end;
    bool known = x.pieces[i].kind == MARKUP_VALUE &&
                 (nu_result_find(r, name, &k) || !strncmp(name, "der(", 4));
    if (known && nu_result_get(r, name, end, &x.values[i]) != NU_OK)
      x.values[i] = NAN;
  }
  return status == NU_OK ? api_result_call(r, join_text, &x) : status;
}
