/* api/figure_model.c -- the figures that a model describes: which are drawn, for which results,
 * their texts without markup. */
#include <string.h>

#include "api/figure_impl.h"

/* A text without markup, as long as the job lives. NULL and "" stay. */
static const char *plain(FigureJob *j, const NuFigure *f, const char *text) {
  char *out = NULL;
  if (!text || !*text || nu_figure_markup(j->files[0].result, f, text, &out) != NU_OK)
    return text;
  const char *kept = arena_strdup(j->arena, out);
  nu_free(out);
  return kept;
}

static NuAxis plain_axis(FigureJob *j, const NuFigure *f, NuAxis axis) {
  axis.label = plain(j, f, axis.label);
  return axis;
}

/* All results over each other. */
static NuPlot overlay(FigureJob *j, const NuFigure *f, const NuPlot *p) {
  size_t n = j->o->n_results;
  NuCurve *curves = NEW_ARRAY(j->arena, NuCurve, n * p->n_curves + 1);
  for (size_t k = 0; k < p->n_curves; k++)
    for (size_t r = 0; r < n; r++) {
      curves[k * n + r] = p->curves[k];
      curves[k * n + r].legend = plain(j, f, p->curves[k].legend);
      curves[k * n + r].result = r;
    }
  NuPlot out = *p;
  out.title = plain(j, f, p->title);
  out.x = plain_axis(j, f, p->x);
  out.y = plain_axis(j, f, p->y);
  out.y2 = plain_axis(j, f, p->y2);
  out.curves = curves;
  out.n_curves = n * p->n_curves;
  return out;
}

static NuFigure prepare(FigureJob *j, const NuFigure *f) {
  NuPlot *plots = NEW_ARRAY(j->arena, NuPlot, f->n_plots + 1);
  NuFigure out = *f;
  out.n_plots = 0;
  for (size_t k = 0; k < f->n_plots; k++)
    if (f->plots[k].n_curves)
      plots[out.n_plots++] = overlay(j, f, &f->plots[k]);
  out.plots = plots;
  out.title = plain(j, f, f->title);
  out.caption = plain(j, f, f->caption);
  return out;
}

static bool is_asked(const FigureJob *j, const NuFigure *f) {
  return !j->o->figure || strcmp(f->identifier, j->o->figure) == 0 ||
         strcmp(f->title, j->o->figure) == 0;
}

static NuStatus not_found(Call *c, const FigureJob *j, const NuFigure *all, size_t n) {
  const char **names = NEW_ARRAY(c->arena, const char *, n + 1), *best;
  Text list = {.arena = c->arena};
  for (size_t k = 0; k < n; k++) {
    names[k] = *all[k].identifier ? all[k].identifier : all[k].title;
    text_printf(&list, "%s`%s`", k ? ", " : "", names[k]);
  }
  Diag *d = diag_add(c->diags, D_A002, (Span){0, 0}, "`%s` has no figure `%s`", j->files[0].path,
                     j->o->figure);
  if (nearest_names(j->o->figure, names, (uint32_t)n, &best, 1))
    diag_help(c->diags, d, "did you mean `%s`?", best);
  else if (n)
    diag_note(c->diags, d, "it has %s", text_str(&list));
  return NU_USAGE;
}

/* Preferred ones first. */
static NuStatus choose(Call *c, void *args) {
  FigureJob *j = args;
  const NuFigure *all = NULL;
  size_t n = j->files[0].result ? nu_result_figures(j->files[0].result, &all) : 0;
  NuFigure *figures = NEW_ARRAY(j->arena, NuFigure, n + 1);
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = 0; k < n; k++)
      if (all[k].preferred == (pass == 0) && is_asked(j, &all[k])) {
        figures[j->n_figures] = prepare(j, &all[k]);
        j->n_figures += figures[j->n_figures].n_plots > 0;
      }
  if (j->o->figure && !j->n_figures)
    return not_found(c, j, all, n);
  j->figures = figures;
  return NU_OK;
}

NuStatus figure_choose(FigureJob *j) {
  return j->n_words || j->n_figures ? NU_OK : api_call(j->s, choose, j);
}
