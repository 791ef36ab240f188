/* api/figure.c -- figures of results: which columns they need, and what they become.
 * Results are opened and read by public functions, each with a frame of its own; only then the
 * figure is drawn. What is open belongs to the job and is freed when the last frame has ended,
 * however it has ended. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/figure_impl.h"

enum { FIRST_COLUMNS = 4 }; /* drawn if nothing is named */

NuFigureOptions nu_figure_options(void) {
  return (NuFigureOptions){.from = NAN, .to = NAN, .width = NAN, .height = NAN};
}

/* ---- which columns ---- */

static NuStatus prepare(Call *c, void *args) {
  FigureJob *j = args;
  j->arena = arena_new(&c->s->mem);
  if (j->path && !plot_writable(j->path, c->diags))
    return NU_USAGE;
  if (!j->o->n_results) {
    diag_add(c->diags, D_A001, (Span){0, 0}, "a figure needs a result");
    return NU_USAGE;
  }
  if (j->o->figure && (j->o->n_curves || j->n_figures)) {
    diag_add(c->diags, D_A001, (Span){0, 0},
             "`%s` is to be chosen among the figures of the model, but curves are named, too",
             j->o->figure);
    return NU_USAGE;
  }
  for (size_t f = 0; f < j->n_figures; f++)
    for (size_t p = 0; p < j->figures[f].n_plots; p++)
      for (size_t k = 0; k < j->figures[f].plots[p].n_curves; k++)
        if (j->figures[f].plots[p].curves[k].result >= j->o->n_results) {
          diag_add(c->diags, D_A001, (Span){0, 0},
                   "a curve of `%s` is of a result that is not there",
                   j->figures[f].plots[p].curves[k].y);
          return NU_USAGE;
        }
  j->sources = NEW_ARRAY(j->arena, PlotSource, j->o->n_results);
  return plot_words(j->o->curves, j->o->n_curves, &j->words, &j->n_words, j->arena, c->diags)
             ? NU_OK
             : NU_USAGE;
}

static void want(FigureNames *names, const char *name, Arena *a) {
  bool known = !name || strcmp(name, "time") == 0;
  for (uint32_t k = 0; k < names->n && !known; k++)
    known = strcmp(names->at[k], name) == 0;
  if (!known)
    vec_push(a, names, name);
}

/* The variables that a result has to give. */
static FigureNames wanted(const FigureJob *j, size_t result) {
  FigureNames names = {0};
  for (uint32_t k = 0; k < j->n_words; k++) {
    want(&names, j->words[k].y, j->arena);
    want(&names, j->words[k].x, j->arena);
  }
  for (size_t f = 0; f < j->n_figures; f++)
    for (size_t p = 0; p < j->figures[f].n_plots; p++)
      for (size_t k = 0; k < j->figures[f].plots[p].n_curves; k++) {
        const NuCurve *c = &j->figures[f].plots[p].curves[k];
        if (c->result == result) {
          want(&names, c->y, j->arena);
          want(&names, c->x, j->arena);
        }
      }
  return names;
}

static NuStatus name_columns(Call *c, void *args) {
  FigureFile *f = args;
  (void)c;
  f->names = wanted(f->job, f->number);
  return NU_OK;
}

/* ---- what is drawn if nothing is named ---- */

/* The first columns of the first result. */
static NuStatus take_first(Call *c, void *args) {
  FigureJob *j = args;
  const PlotSource *s = &j->sources[0];
  uint32_t n = s->n ? s->n - 1 : 0, most = n < FIRST_COLUMNS ? n : FIRST_COLUMNS;
  j->words = NEW_ARRAY(j->arena, PlotWord, most + 1);
  for (uint32_t k = 0; k < most; k++)
    j->words[j->n_words++] = (PlotWord){.y = s->columns[k + 1].name};
  if (n > most)
    diag_add(c->diags, D_G005, (Span){0, 0}, "`%s` has %u more columns; name the ones to draw",
             s->path, n - most);
  return NU_OK;
}

/* ---- drawing ---- */

static NuStatus give(Call *c, FigureJob *j, const Chart *const *charts, uint32_t n) {
  if (!j->path) {
    Text out = {.arena = c->arena};
    for (uint32_t k = 0; k < n; k++) {
      text_add(&out, k ? "\n" : "");
      plot_terminal(charts[k], j->o, &out);
    }
    return api_give_text(&out, j->text);
  }
  const Drawing **pages = NEW_ARRAY(c->arena, const Drawing *, n + 1);
  for (uint32_t k = 0; k < n; k++)
    pages[k] = plot_layout(charts[k], j->o, c->arena);
  return plot_write(pages, n, j->path, c->arena, c->diags) ? NU_OK : NU_FILE;
}

static NuStatus draw(Call *c, void *args) {
  FigureJob *j = args;
  uint32_t n_sources = (uint32_t)j->o->n_results, n = 0;
  const NuFigure *figures = j->figures;
  size_t n_figures = j->n_figures;
  if (!n_figures) {
    if (!plot_expand(&j->words, &j->n_words, &j->sources[0], c->arena, c->diags))
      return NU_USAGE;
    figures = plot_figure(j->words, j->n_words, j->sources, n_sources, c->arena, c->diags);
    n_figures = 1;
  }
  const Chart **charts = NEW_ARRAY(c->arena, const Chart *, n_figures + 1);
  PlotInput in = {j->sources, n_sources, j->o, NEW_ARRAY(c->arena, bool, j->o->n_units + 1)};
  for (size_t k = 0; k < n_figures && figures; k++, n++) {
    charts[k] = chart_build(&figures[k], &in, c->arena, c->diags);
    if (!charts[k])
      return NU_USAGE;
  }
  return figures && chart_units_used(&in, c->diags) ? give(c, j, charts, n) : NU_USAGE;
}

/* Only a stored result knows its events and modes. */
static NuStatus check_timeline(Call *c, void *args) {
  FigureJob *j = args;
  if (!j->o->events && !j->o->modes)
    return NU_OK;
  for (size_t k = 0; k < j->o->n_results; k++)
    if (j->files[k].result)
      return NU_OK;
  diag_add(c->diags, D_A001, (Span){0, 0},
           "`%s` has no events and modes: these are in stored results (.nus) only",
           j->files[0].path);
  return NU_USAGE;
}

static NuStatus make(FigureJob *j) {
  NuStatus status = api_call(j->s, prepare, j);
  for (size_t k = 0; k < j->o->n_results && status == NU_OK; k++)
    status = figure_open(&j->files[k]);
  if (status == NU_OK)
    status = api_call(j->s, check_timeline, j);
  if (status == NU_OK)
    status = figure_choose(j);
  for (size_t k = 0; k < j->o->n_results && status == NU_OK; k++) {
    status = api_call(j->s, name_columns, &j->files[k]);
    if (status == NU_OK)
      status = figure_read(&j->files[k]);
  }
  if (status == NU_OK && !j->n_words && !j->n_figures)
    status = api_call(j->s, take_first, j);
  if (status == NU_OK)
    status = figure_label(j);
  return status == NU_OK ? api_call(j->s, draw, j) : status;
}

static NuStatus run_job(FigureJob *j) {
  size_t n = j->o->n_results;
  j->files = calloc(n + 1, sizeof *j->files);
  if (!j->files)
    return NU_MEMORY;
  for (size_t k = 0; k < n; k++)
    j->files[k] = (FigureFile){.job = j, .path = j->o->results[k], .number = k};
  NuStatus status = make(j);
  for (size_t k = 0; k < n; k++)
    figure_close(&j->files[k]);
  arena_free(j->arena);
  free(j->files);
  return status;
}

NuStatus nu_figure_write(NuSession *s, const NuFigure *figures, size_t n,
                         const NuFigureOptions *options, const char *path) {
  return run_job(&(FigureJob){
      .s = s, .figures = figures, .n_figures = figures ? n : 0, .o = options, .path = path});
}

NuStatus nu_figure_text(NuSession *s, const NuFigure *figures, size_t n,
                        const NuFigureOptions *options, char **text) {
  *text = NULL;
  return run_job(&(FigureJob){
      .s = s, .figures = figures, .n_figures = figures ? n : 0, .o = options, .text = text});
}
