/* result/timeline_groups.c -- the switching groups of a model, and what their values are called.
 * In:   conditions, relations, variables and equations of a model.   Out: groups of sources, each
 *       of which becomes a track.
 * How:  conditions of one if-equation belong together, as do the relations of one equation for a
 *       continuous Real; other relations show in the variables that they give a value to
 *       (timeline_variables.c).
 * Keep: the walks here need no memory of the model's pool. */
#include "result/timeline_impl.h"
#include "base/limits.h"
#include "structure/name.h"
#include "structure/sorted.h"

#include <string.h>

/* ---- names ---- */

size_t name_last_part(const char *name) {
  size_t at = 0;
  int depth = 0;
  bool quoted = false;
  for (size_t k = 0; name[k]; k++) {
    if (quoted && name[k] == '\\' && name[k + 1]) {
      k++;
      continue;
    }
    quoted ^= name[k] == '\'';
    depth += !quoted && (name[k] == '[' || name[k] == '(')   ? 1
             : !quoted && (name[k] == ']' || name[k] == ')') ? -1
                                                             : 0;
    if (name[k] == '.' && !quoted && !depth)
      at = k + 1;
  }
  return at;
}

static const char *component_of(const char *name, Arena *a) {
  size_t n = name_last_part(name);
  return n ? arena_strndup(a, name, n - 1) : "";
}

/* The name that all sources stand for: their common component, or else their texts. */
static void name_group(Group *g, Arena *a) {
  bool plain = true;
  for (uint32_t k = 0; k < g->n; k++)
    plain = plain && g->sources[k].plain;
  g->component = plain ? component_of(g->sources[0].text, a) : "";
  for (uint32_t k = 1; k < g->n; k++)
    if (strcmp(g->component, plain ? component_of(g->sources[k].text, a) : ""))
      g->component = "";
  if (g->n == 1 || !*g->component) {
    g->name = g->n == 1   ? g->sources[0].text
              : g->n == 2 ? arena_printf(a, "%s, %s", g->sources[0].text, g->sources[1].text)
                          : arena_printf(a, "%s and %u more", g->sources[0].text, g->n - 1);
    return;
  }
  g->name = g->component;
}

void group_add(Groups *out, GroupKind kind, const TrackSource *sources, uint32_t n, Arena *a) {
  Group g = {.kind = kind, .sources = sources, .n = n, .now = NEW_ARRAY(a, long long, n + 1)};
  name_group(&g, a);
  vec_push(a, out, g);
}

/* ---- conditions ---- */

static bool same_span(Span a, Span b) { return a.lo == b.lo && a.hi == b.hi; }

static TrackSource condition_source(const GroupSetup *in, uint32_t k) {
  int relation = in->m->condition_relations ? in->m->condition_relations[k] : 0;
  return (TrackSource){.kind = SOURCE_WHOLE,
                       .place = (uint32_t)in->m->conditions[k],
                       .surface = relation ? (relation < 0 ? -relation : relation) - 1 : -1,
                       .text = in->events->conditions.at[k],
                       .plain = in->s->vars.at[in->s->conditions.at[k].var].kind == SV_VAR};
}

static void find_conditions(const GroupSetup *in, Groups *out) {
  uint32_t n = in->events->conditions.n, groups = 0;
  if (!n || (int)n != in->m->n_conditions)
    return;
  TrackSource *all = NEW_ARRAY(in->a, TrackSource, n);
  bool *done = NEW_ARRAY(in->a, bool, n);
  for (uint32_t k = 0; k < n; k++)
    all[k] = condition_source(in, k);
  for (uint32_t k = 0; k < n; k++) {
    VEC(TrackSource) sources = {0};
    for (uint32_t q = done[k] ? n : k; q < n; q++)
      if (!done[q] && same_span(in->s->conditions.at[k].span, in->s->conditions.at[q].span)) {
        vec_push(in->a, &sources, all[q]);
        done[q] = true;
      }
    if (sources.n)
      group_add(out, GROUP_CONDITIONS, sources.at, sources.n, in->a), groups++;
  }
  if (groups < 2)
    return;
  group_add(out, GROUP_STRUCTURE, all, n, in->a);
  vec_last(out).name = "structure", vec_last(out).component = "";
}

/* ---- relations ---- */

typedef struct {
  const GroupSetup *in;
  bool *wanted;         /* per relation */
  uint32_t *root;       /* per relation: another one of its group, or itself */
  uint32_t *named;      /* per relation: row of the first equation with it and another one, + 1 */
  uint32_t *stamp, now; /* per node of the pool: the last walk that has seen it */
  VEC(ExprId) stack;
  VEC(uint32_t) found; /* relations of the equation */
} Relations;

static uint32_t root_of(Relations *r, uint32_t k) {
  while (r->root[k] != k)
    k = r->root[k] = r->root[r->root[k]];
  return k;
}

/* Does the row determine what moves between events? */
static bool is_moving(const Structure *s, uint32_t row) {
  uint32_t var = s->simulation.match[row];
  return var < s->vars.n && !s->vars.at[var].discrete && s->vars.at[var].bank == BANK_REAL;
}

/* The relations in an expression, behind those found. */
static void look_for_relations(Relations *r, ExprId e) {
  const ExprPool *p = r->in->s->model->pool;
  if (e.i)
    vec_push(r->in->a, &r->stack, e);
  while (r->stack.n) {
    ExprId at = r->stack.at[--r->stack.n];
    const Expr *x = expr_get(p, at);
    if (r->stamp[at.i] == r->now)
      continue;
    r->stamp[at.i] = r->now;
    bool relation = x->op == OP_VAR && x->index < r->in->s->vars.n &&
                    r->in->s->vars.at[x->index].kind == SV_RELATION;
    if (relation)
      vec_push(r->in->a, &r->found, r->in->s->vars.at[x->index].of);
    for (uint32_t k = 0; k < x->n; k++)
      if (x->args[k].i)
        vec_push(r->in->a, &r->stack, x->args[k]);
  }
}

/* Relations of one equation belong together, unless a condition shows them. */
static void read_rows(Relations *r) {
  const SSystem *sys = &r->in->s->simulation;
  for (uint32_t q = 0; q < sys->rows.n; q++) {
    r->now++;
    r->found.n = 0;
    if (sys->rows.at[q].kind != ROW_EQUAL || !is_moving(r->in->s, q))
      continue;
    look_for_relations(r, sys->rows.at[q].lhs);
    look_for_relations(r, sys->rows.at[q].rhs);
    for (uint32_t k = 0; k < r->found.n; k++)
      r->wanted[r->found.at[k]] = true;
    for (uint32_t k = 1; k < r->found.n && r->found.n <= MOST_TRACK_RELATIONS; k++) {
      uint32_t a = root_of(r, r->found.at[0]), b = root_of(r, r->found.at[k]);
      uint32_t row = r->named[a] ? r->named[a] : r->named[b] ? r->named[b] : q + 1;
      r->root[a > b ? a : b] = a < b ? a : b;
      r->named[a < b ? a : b] = row;
    }
  }
}

static TrackSource relation_source(const GroupSetup *in, uint32_t k) {
  Text t = {.arena = in->a};
  structure_name(in->s, in->s->relations.at[k].var, &t);
  return (TrackSource){.kind = SOURCE_RELATION,
                       .place = k,
                       .surface = (int)k,
                       .text = causes_plain(text_str(&t), in->a)};
}

typedef VEC(TrackSource) Sources;

/* The relations of one root. */
static void add_relations(const Relations *r, uint32_t root, const Sources *sources,
                          const bool *used, Groups *out) {
  const GroupSetup *in = r->in;
  uint32_t group = out->n;
  bool phases = false, timed = true;
  for (uint32_t k = 0; k < sources->n; k++) {
    phases = phases || used[sources->at[k].place];
    timed = timed && in->m->relations[sources->at[k].place].timed;
  }
  group_add(out, phases ? GROUP_PHASES : GROUP_RELATIONS, sources->at, sources->n, in->a);
  out->at[group].minor = timed;
  uint32_t row = r->named[root],
           var = row && sources->n > 1 ? in->s->simulation.match[row - 1] : NO_SVAR;
  if (var == NO_SVAR || var >= in->s->vars.n)
    return;
  Text t = {.arena = in->a};
  structure_name(in->s, var, &t);
  out->at[group].name = text_str(&t);
}

static void find_relations(const GroupSetup *in, const bool *used, Groups *out) {
  uint32_t n = (uint32_t)in->m->n_relations, n_found = out->n;
  bool *wanted = NEW_ARRAY(in->a, bool, n + 1);
  Relations r = {.in = in,
                 .wanted = wanted,
                 .root = NEW_ARRAY(in->a, uint32_t, n + 1),
                 .named = NEW_ARRAY(in->a, uint32_t, n + 1)};
  r.stamp = NEW_ARRAY(in->a, uint32_t, pool_size(in->s->model->pool));
  for (uint32_t k = 0; k < n; k++) {
    r.root[k] = k;
    wanted[k] = used[k];
  }
  read_rows(&r);
  for (uint32_t g = 0; g < n_found; g++)
    for (uint32_t k = 0; k < out->at[g].n; k++)
      if (out->at[g].sources[k].surface >= 0)
        wanted[out->at[g].sources[k].surface] = false;
  Sources *members = NEW_ARRAY(in->a, Sources, n + 1);
  for (uint32_t k = 0; k < n; k++)
    if (wanted[k])
      vec_push(in->a, &members[root_of(&r, k)], relation_source(in, k));
  for (uint32_t k = 0; k < n; k++)
    if (members[k].n)
      add_relations(&r, k, &members[k], used, out);
}

void groups_find(const GroupSetup *in, const bool *used, Groups *out) {
  find_conditions(in, out);
  find_relations(in, used, out);
  groups_of_variables(in, out);
}

/* ---- texts of values ---- */

static void add_text(const TrackSource *s, const char *text, long long value, Text *out) {
  const char *open = s->plain ? "not " : "not (", *close = s->plain ? "" : ")";
  if (value == 0)
    text_printf(out, "%s%s%s", open, text, close);
  else
    text_printf(out, "%s%s",
                value == VALUE_SLIDES    ? "sliding along "
                : value == VALUE_CONTACT ? "in contact, "
                                         : "",
                text);
}

const char *group_text(const GroupSetup *in, const Group *g, const long long *key) {
  Text t = {.arena = in->a};
  uint32_t shown = 0, left = 0;
  size_t prefix = *g->component ? strlen(g->component) + 1 : 0;
  if (g->n == 1 && g->sources[0].variable)
    return variable_text(in, g, key[0]);
  for (uint32_t k = 0; k < g->n; k++) {
    if (g->n > MOST_TRACK_SHOWN && (!key[k] || shown == MOST_TRACK_SHOWN)) {
      left += key[k] != 0;
      continue;
    }
    text_add(&t, shown++ ? ", " : "");
    add_text(&g->sources[k], g->sources[k].text + prefix, key[k], &t);
  }
  if (left)
    text_printf(&t, " and %u more", left);
  return shown ? text_str(&t) : "none of the conditions";
}
