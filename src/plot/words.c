/* plot/words.c -- curves as they are typed, and how they share plots. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "flat/unit.h"
#include "plot/plot.h"
#include "plot/units.h"

/* ---- reading ---- */

/* The place of the next comma that separates curves: not in brackets, nor in a quoted name. */
static const char *part_end(const char *at) {
  int depth = 0;
  bool quoted = false;
  for (; *at; at++) {
    if (quoted && *at == '\\' && at[1])
      at++;
    else if (*at == '\'')
      quoted = !quoted;
    else if (!quoted && strchr("([{", *at))
      depth++;
    else if (!quoted && strchr(")]}", *at))
      depth--;
    else if (!quoted && depth <= 0 && *at == ',')
      break;
  }
  return at;
}

static const char *trimmed(const char *from, const char *to, Arena *a) {
  while (from < to && isspace((unsigned char)*from))
    from++;
  while (to > from && isspace((unsigned char)to[-1]))
    to--;
  return arena_strndup(a, from, (size_t)(to - from));
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), k = strlen(end);
  return n >= k && strcmp(text + n - k, end) == 0;
}

static bool read_curve(const char *word, const char *text, PlotWord *out, Arena *a, Diags *diags) {
  static const char right[] = "@right", left[] = "@left", vs[] = " vs ";
  out->right = ends_with(text, right);
  size_t side = out->right ? strlen(right) : ends_with(text, left) ? strlen(left) : 0;
  const char *end = text + strlen(text) - side, *middle = strstr(text, vs);
  out->y = trimmed(text, middle ? middle : end, a);
  out->x = middle ? trimmed(middle + strlen(vs), end, a) : NULL;
  if (*out->y && (!out->x || *out->x))
    return true;
  Diag *d = diag_add(diags, D_A001, (Span){0, 0}, "`%s` is no curve", word);
  diag_help(diags, d, "a curve is 'y', 'y vs x' or 'y @right'; 'a, b' are two curves in one plot");
  return false;
}

bool plot_words(const char *const *words, size_t n, PlotWord **out, uint32_t *n_out, Arena *a,
                Diags *diags) {
  VEC(PlotWord) all = {0};
  for (size_t k = 0; k < n; k++) {
    bool first = true;
    for (const char *at = words[k], *end; at; at = *end ? end + 1 : NULL, first = false) {
      end = part_end(at);
      PlotWord w = {.joined = !first};
      if (!read_curve(words[k], trimmed(at, end, a), &w, a, diags))
        return false;
      vec_push(a, &all, w);
    }
  }
  *out = all.at;
  *n_out = all.n;
  return true;
}

/* A name with * or ? stands for all columns that it matches. */
bool plot_expand(PlotWord **words, uint32_t *n, const PlotSource *s, Arena *a, Diags *diags) {
  VEC(PlotWord) all = {0};
  for (uint32_t k = 0; k < *n; k++) {
    PlotWord w = (*words)[k];
    uint32_t before = all.n;
    bool pattern = strpbrk(w.y, "*?");
    for (uint32_t i = 0; i < s->n && pattern; i++) {
      pattern = strcmp(s->columns[i].name, w.y) != 0; /* a name like that wins */
      if (i && pattern && units_matches(w.y, s->columns[i].name)) {
        PlotWord one = {s->columns[i].name, w.x, w.right, w.joined};
        vec_push(a, &all, one);
        w.joined = w.joined || (k + 1 < *n && (*words)[k + 1].joined);
      }
    }
    if (!pattern) {
      all.n = before;
      vec_push(a, &all, w);
    } else if (all.n == before) {
      diag_add(diags, D_A002, (Span){0, 0}, "`%s` has no column that matches `%s`", s->path, w.y);
      return false;
    }
  }
  *words = all.at;
  *n = all.n;
  return true;
}

/* ---- plots ---- */

typedef struct {
  VEC(NuCurve) curves;
  const char *x, *unit; /* of its first curve; unit NULL: others cannot join */
} Group;

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* The unit of a curve in the first result that knows it; "" if none, NULL after A002. */
static const PlotColumn *column_of(const PlotWord *w, const PlotSource *sources, uint32_t n,
                                   Arena *a, Diags *diags) {
  const PlotColumn *found = NULL;
  for (uint32_t k = 0; k < n; k++) {
    const PlotColumn *c = plot_column(&sources[k], w->y, a, diags);
    if (!c || (w->x && !plot_column(&sources[k], w->x, a, diags)))
      return NULL;
    if (!found || (!*found->unit && *c->unit))
      found = c;
  }
  return found;
}

/* The plot that a curve goes to: the last one, one of its unit, or a new one. */
static Group *group_of(Group *groups, uint32_t *n, const PlotWord *w, const PlotColumn *c,
                       bool joined) {
  bool alone = joined || !*c->unit || c->literals;
  if (w->joined || (w->right && *n))
    return &groups[*n - 1];
  for (uint32_t k = 0; k < *n && !alone; k++)
    if (groups[k].unit && same_text(groups[k].x, w->x) && units_agree(groups[k].unit, c->unit))
      return &groups[k];
  Group *g = &groups[(*n)++];
  *g = (Group){.x = w->x, .unit = alone ? NULL : c->unit};
  return g;
}

NuFigure *plot_figure(const PlotWord *words, uint32_t n, const PlotSource *sources,
                      uint32_t n_sources, Arena *a, Diags *diags) {
  Group *groups = NEW_ARRAY(a, Group, n + 1);
  uint32_t n_groups = 0;
  for (uint32_t k = 0; k < n; k++) {
    const PlotColumn *c = column_of(&words[k], sources, n_sources, a, diags);
    if (!c)
      return NULL;
    Group *g = group_of(groups, &n_groups, &words[k], c, k + 1 < n && words[k + 1].joined);
    for (uint32_t s = 0; s < n_sources; s++)
      vec_push(a, &g->curves,
               (NuCurve){.x = words[k].x, .y = words[k].y, .right = words[k].right, .result = s});
  }
  NuPlot *plots = NEW_ARRAY(a, NuPlot, n_groups + 1);
  const NuAxis free_axis = {.min = NAN, .max = NAN};
  for (uint32_t k = 0; k < n_groups; k++)
    plots[k] = (NuPlot){.title = "",
                        .identifier = "",
                        .x = free_axis,
                        .y = free_axis,
                        .y2 = free_axis,
                        .curves = groups[k].curves.at,
                        .n_curves = groups[k].curves.n};
  NuFigure *f = NEW(a, NuFigure);
  *f = (NuFigure){.title = "",
                  .identifier = "",
                  .group = "",
                  .caption = "",
                  .plots = plots,
                  .n_plots = n_groups};
  return f;
}
