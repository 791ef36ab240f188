/* result/timeline_variables.c -- Boolean, enumeration and Integer variables of a model that may be
 * modes.
 * In:   variables and equations.   Out: a group for each that is not equal to one before it.
 * How:  of variables that are equal by an equation the one with the shortest path gives the name.
 *       Values of an Integer are named by the constants of its component, if its min and max are
 *       the least and the largest of them: mode(min = Backward, max = Unknown). An Integer that
 *       equations add to its own past, and that goes one way only, counts and is no mode. */
#include "result/timeline_impl.h"
#include "base/limits.h"
#include "structure/name.h"
#include "structure/sorted.h"

#include <string.h>

/* Values that a mode has; that it goes through one by one */

/* Integer constants of a component. */
typedef struct Constants {
  uint32_t n;
  const char **names;
  long long *values;
} Constants;

typedef struct {
  const GroupSetup *in;
  uint32_t *root; /* per variable: another one that is equal to it, or itself */
  bool *counts;   /* per variable */
} Variables;

static bool is_whole(const DsVariable *v) {
  return v->type == DS_BOOLEAN || v->type == DS_INTEGER || v->type == DS_ENUMERATION;
}

static bool is_unknown(const GroupSetup *in, const DsVariable *v) {
  return is_whole(v) && v->property != DS_KNOWN && v->variability != DS_PARAMETER &&
         v->variability != DS_CONSTANT && v->place >= 0 && v->place < in->m->n_integer;
}

/* ---- variables that are equal ---- */

static uint32_t root_of(Variables *v, uint32_t k) {
  while (v->root[k] != k)
    k = v->root[k] = v->root[v->root[k]];
  return k;
}

static void join(Variables *v, uint32_t a, uint32_t b) {
  uint32_t n = (uint32_t)v->in->m->n_variables;
  if (a >= n || b >= n || !is_unknown(v->in, &v->in->m->variables[a]) ||
      !is_unknown(v->in, &v->in->m->variables[b]))
    return;
  a = root_of(v, a), b = root_of(v, b);
  v->root[a > b ? a : b] = a < b ? a : b;
}

static bool plain_var(const Structure *s, ExprId e, uint32_t *var) {
  const Expr *x = e.i ? expr_get(s->model->pool, e) : NULL;
  bool is = x && x->op == OP_VAR && x->index < s->vars.n && s->vars.at[x->index].kind == SV_VAR;
  *var = is ? x->index : 0;
  return is;
}

static void join_equal(Variables *v) {
  const Structure *s = v->in->s;
  uint32_t n = (uint32_t)v->in->m->n_variables, a, b;
  bool negated;
  for (uint32_t k = 0; k < n && k < s->vars.n; k++)
    if (is_whole(&v->in->m->variables[k]) && structure_alias(s, k, &b, &negated) && !negated)
      join(v, k, b);
  for (uint32_t r = 0; r < s->simulation.rows.n; r++) {
    const SRow *row = &s->simulation.rows.at[r];
    if (row->kind == ROW_EQUAL && !row->guard.i && plain_var(s, row->lhs, &a) &&
        plain_var(s, row->rhs, &b))
      join(v, a, b);
  }
}

/* ---- counters ---- */

/* Marks the variables whose past something is added to, in an expression. */
typedef struct {
  Variables *v;
  bool *seen;  /* per node */
  bool inside; /* of an algorithm, where n := n + 1 is about the past */
  VEC(ExprId) stack;
} Search;

static void look_at_sum(Search *s, const Expr *x) {
  const Structure *st = s->v->in->s;
  for (uint32_t k = 0; k < x->n; k++) {
    const Expr *arg = x->args[k].i ? expr_get(st->model->pool, x->args[k]) : NULL;
    if (!arg || arg->op != OP_VAR || arg->index >= st->vars.n)
      continue;
    const SVar *var = &st->vars.at[arg->index];
    uint32_t of = var->kind == SV_PRE ? var->of : arg->index;
    if ((s->inside || var->kind == SV_PRE) && of < (uint32_t)s->v->in->m->n_variables)
      s->v->counts[of] = true;
  }
}

static void search(Search *s, ExprId e) {
  Arena *a = s->v->in->a;
  if (e.i)
    vec_push(a, &s->stack, e);
  while (s->stack.n) {
    ExprId at = s->stack.at[--s->stack.n];
    const Expr *x = expr_get(s->v->in->s->model->pool, at);
    if (s->seen[at.i])
      continue;
    s->seen[at.i] = true;
    if (x->op == OP_ADD || x->op == OP_SUB)
      look_at_sum(s, x);
    for (uint32_t k = 0; k < x->n; k++)
      if (x->args[k].i)
        vec_push(a, &s->stack, x->args[k]);
  }
}

static void search_statements(Search *s, Stmt *const *body, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    const Stmt *st = body[k];
    search(s, st->value);
    for (uint32_t b = 0; b < st->n_branches; b++)
      search_statements(s, st->branches[b].body, st->branches[b].n);
  }
}

static void find_counters(Variables *v) {
  const Structure *st = v->in->s;
  Search s = {.v = v, .seen = NEW_ARRAY(v->in->a, bool, pool_size(st->model->pool))};
  for (uint32_t r = 0; r < st->simulation.rows.n; r++)
    if (st->simulation.rows.at[r].kind == ROW_EQUAL)
      search(&s, st->simulation.rows.at[r].rhs);
  s.inside = true;
  memset(s.seen, 0, pool_size(st->model->pool) * sizeof *s.seen);
  for (uint32_t k = 0; k < st->algorithms.n; k++)
    if (st->algorithms.at[k].body) /* else it is about the start only */
      search_statements(&s, st->algorithms.at[k].body, st->algorithms.at[k].n_body);
}

/* ---- names of values ---- */

static bool in_component(const char *name, const char *component, size_t length) {
  size_t own = name_last_part(name);
  return own == (length ? length + 1 : 0) && !strncmp(name, component, length);
}

/* Those that name all values that the variable may have; NULL: there are none. */
static const Constants *constants_of(const GroupSetup *in, uint32_t variable,
                                     const char *component) {
  const FlatVar *flat = &in->s->model->vars.at[variable];
  const ExprPool *p = in->s->model->pool;
  int64_t low = 0, high = 0;
  size_t length = strlen(component);
  if (!flat->min.i || !flat->max.i || !expr_as_integer(p, flat->min, &low) ||
      !expr_as_integer(p, flat->max, &high))
    return NULL;
  VEC(const char *) names = {0};
  VEC(long long) values = {0};
  bool least = false, largest = false;
  for (int k = 0; k < in->m->n_variables; k++) {
    const DsVariable *v = &in->m->variables[k];
    if (v->type != DS_INTEGER || v->variability != DS_CONSTANT || v->place < 0 ||
        (uint32_t)v->place >= in->store->n_integer || !in_component(v->name, component, length))
      continue;
    long long value = in->store->i[v->place];
    least = least || value == low, largest = largest || value == high;
    vec_push(in->a, &names, v->name + name_last_part(v->name));
    vec_push(in->a, &values, value);
  }
  if (!least || !largest)
    return NULL;
  Constants *out = NEW(in->a, Constants);
  *out = (Constants){names.n, names.at, values.at};
  return out;
}

const char *variable_text(const GroupSetup *in, const Group *g, long long value) {
  const DsVariable *v = g->sources[0].variable;
  const Constants *names = g->sources[0].constants;
  const char *own = g->sources[0].text + name_last_part(g->sources[0].text);
  if (v->type == DS_BOOLEAN)
    return value ? own : arena_printf(in->a, "not %s", own);
  if (v->type == DS_ENUMERATION && value >= 1 && value <= v->n_literals)
    return v->literals[value - 1];
  for (uint32_t k = 0; names && k < names->n; k++)
    if (names->values[k] == value)
      return names->names[k];
  return arena_printf(in->a, "%lld", value);
}

bool variable_is_mode(const Group *g) {
  if (g->kind != GROUP_VARIABLE || g->sources[0].variable->type != DS_INTEGER)
    return true;
  bool up = true, down = true;
  for (uint32_t k = 1; k < g->spans.n; k++) {
    long long before = g->keys.at[g->spans.at[k - 1].value][0],
              after = g->keys.at[g->spans.at[k].value][0];
    up = up && after > before, down = down && after < before;
  }
  bool one_way = g->spans.n > 1 && (up || down);
  return g->keys.n <= MOST_TRACK_VALUES &&
         !(one_way && (g->counts || g->keys.n > MOST_TRACK_STEPS));
}

/* ---- the groups ---- */

static uint32_t depth_of(const char *name) {
  uint32_t n = 0;
  for (; *name; name++)
    n += *name == '.';
  return n;
}

/* Per place in i: it is the condition of a group. */
static bool *places_taken(const GroupSetup *in, const Groups *groups) {
  bool *taken = NEW_ARRAY(in->a, bool, in->m->n_integer + 1);
  for (uint32_t g = 0; g < groups->n; g++)
    if (groups->at[g].kind == GROUP_CONDITIONS && groups->at[g].n == 1)
      taken[groups->at[g].sources[0].place] = true;
  return taken;
}

/* What is one value in memory is equal, too. */
static void join_places(Variables *v) {
  uint32_t *first = NEW_ARRAY(v->in->a, uint32_t, v->in->m->n_integer + 1); /* variable + 1 */
  for (uint32_t k = 0; k < (uint32_t)v->in->m->n_variables; k++) {
    if (!is_unknown(v->in, &v->in->m->variables[k]))
      continue;
    uint32_t *at = &first[v->in->m->variables[k].place];
    if (*at)
      join(v, *at - 1, k);
    else
      *at = k + 1;
  }
}

static Group make_group(const GroupSetup *in, uint32_t k) {
  const DsVariable *var = &in->m->variables[k];
  TrackSource *source = NEW(in->a, TrackSource);
  Groups one = {0};
  *source = (TrackSource){.kind = SOURCE_WHOLE,
                          .place = (uint32_t)var->place,
                          .surface = -1,
                          .text = var->name,
                          .plain = true,
                          .variable = var};
  group_add(&one, GROUP_VARIABLE, source, 1, in->a);
  if (var->type == DS_INTEGER)
    source->constants = constants_of(in, k, one.at[0].component);
  return one.at[0];
}

void groups_of_variables(const GroupSetup *in, Groups *out) {
  uint32_t n = (uint32_t)in->m->n_variables;
  Variables v = {
      .in = in, .root = NEW_ARRAY(in->a, uint32_t, n + 1), .counts = NEW_ARRAY(in->a, bool, n + 1)};
  uint32_t *group = NEW_ARRAY(in->a, uint32_t, n + 1); /* per root: its number + 1 */
  const bool *taken = places_taken(in, out);
  for (uint32_t k = 0; k < n; k++)
    v.root[k] = k;
  join_equal(&v);
  join_places(&v);
  find_counters(&v);
  for (uint32_t k = 0; k < n; k++)
    if (is_unknown(in, &in->m->variables[k]) && taken[in->m->variables[k].place])
      group[root_of(&v, k)] = UINT32_MAX;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t *number = &group[root_of(&v, k)];
    if (!is_unknown(in, &in->m->variables[k]) || *number == UINT32_MAX)
      continue;
    if (!*number) {
      vec_push(in->a, out, make_group(in, k));
      *number = out->n;
    } else if (depth_of(out->at[*number - 1].name) > depth_of(in->m->variables[k].name)) {
      bool counts = out->at[*number - 1].counts;
      out->at[*number - 1] = make_group(in, k);
      out->at[*number - 1].counts = counts;
    }
    out->at[*number - 1].counts |= v.counts[k];
  }
}
