/* structure/structure.c -- the stage as a whole, and its texts. */
#include "structure/structure_impl.h"
#include "base/limits.h"

/* Everything after lowering. False after a diagnostic. */
static bool build(Lower *lo, const Zeros *zs) {
  zeros_write(lo, zs);
  constants_eliminate(lo);
  alias_eliminate(lo);
  if (lo->s->conditions.n)
    modes_drop_repeated(lo);
  repeats_drop(lo);
  homotopy_actual(lo);
  for (uint32_t k = 0; k < lo->s->algorithms.n; k++)
    if (map_get(lo->s->looped, k, &(uint64_t){0}))
      section_as_equations(lo, k);
  if (!index_reduce(lo) || !lower_fixed(lo))
    return false;
  bool ok = order_parameters(lo);
  if (!system_simulation(lo) || !ok)
    return false;
  moved_tell(lo);
  return system_initial(lo) && pulses_find(lo);
}

/* How a model is read: which if-equations are kept apart, and in which mode. */
typedef struct {
  const bool *divides;
  const ExprId *splits;
  uint32_t n_divides, n_splits;
  const bool *mode;         /* NULL: a likely one */
  bool later;               /* without initial equations */
  const Map *literal_signs; /* known from before; NULL: to be found */
} Reading;

static Lower begin(const FlatModel *m, const Reading *how, Arena *a, Diags *diags) {
  Structure *s = NEW(a, Structure);
  s->model = m;
  s->lambda = NO_SVAR;
  s->divides = how->divides, s->n_divides = how->n_divides;
  s->later = how->later;
  s->splits = how->splits, s->n_splits = how->n_splits;
  return (Lower){.m = m,
                 .s = s,
                 .p = m->pool,
                 .a = a,
                 .diags = diags,
                 .divides = how->divides,
                 .n_divides = how->n_divides,
                 .splits = how->splits,
                 .n_splits = how->n_splits,
                 .mode = how->mode,
                 .later = how->later};
}

/* Relations of sign() that are in a loop with what they switch make a mixed system of what was
 * none: there sign() is a function like others. True if there are more of them. */
static bool signs_in_loops(const Lower *lo, Map *literal) {
  bool more = false;
  for (uint32_t k = 0; k < lo->s->relations.n; k++) {
    const SRelation *r = &lo->s->relations.at[k];
    if (!r->mixed || !r->sign.i)
      continue;
    map_put(lo->a, literal, r->sign.i, 1);
    more = true;
  }
  return more;
}

/* Steps under noEvent that the run might monitor must change nothing else: no mixed system of what
 * was none, and no modes. */
static bool quiet_ones_matter(const Lower *lo) {
  bool any = false;
  for (uint32_t k = 0; k < lo->s->relations.n && !any; k++)
    any = lo->s->relations.at[k].watch && (lo->s->relations.at[k].mixed || lo->s->conditions.n);
  return any;
}

/* The systems, sorted. False after a diagnostic, which names the mode. */
static bool try_builds(Lower *out, const FlatModel *m, const Reading *how, Arena *a, Diags *diags) {
  Zeros zs = {0};
  Repeats repeats = {0};
  uint32_t mark = diags_count(diags);
  Map *literal = how->literal_signs ? NULL : NEW(a, Map), *looped = NEW(a, Map);
  bool quiet = how->literal_signs || how->n_splits || how->divides;
  for (bool plain = false;;) {
    Lower *lo = out;
    *lo = begin(m, how, a, diags);
    lo->quiet = quiet;
    lo->s->literal_signs = lo->literal_signs = how->literal_signs ? how->literal_signs : literal;
    lo->s->looped = looped;
    lo->repeats = &repeats;
    uint32_t known = repeats.list.n, loops = looped->n;
    if (!lower_model(lo))
      return false;
    steady_instants(lo);
    modes_choose(lo);
    bool ok = build(lo, plain ? &(Zeros){0} : &zs);
    if (repeats.list.n > known) {
      diags_rewind(diags, mark);
      continue;
    }
    if (!ok && looped->n > loops) {
      repeats.list.n = 0; /* rows have other numbers now */
      diags_rewind(diags, mark);
      continue;
    }
    if (ok && literal && signs_in_loops(lo, literal)) {
      repeats.list.n = 0; /* rows may have other numbers now */
      diags_rewind(diags, mark);
      continue;
    }
    if (!quiet && (!ok || quiet_ones_matter(lo)) && lo->watches.n) {
      quiet = true;
      repeats.list.n = 0; /* rows may have other numbers now */
      diags_rewind(diags, mark);
      continue;
    }
    /* a model that is singular as it stands may be right with its factors 0 out of it */
    bool more = !plain && (ok ? zeros_needed(lo, &zs) : zeros_all(lo, &zs));
    if (ok && !more) {
      zeros_guard(lo);
      guards_find(lo);
      return true;
    }
    if (!more && (plain || !zs.list.n)) {
      modes_say(lo, mark);
      return false;
    }
    repeats.list.n = 0; /* rows may have other numbers now */
    plain = !more;      /* nothing helped: what is said is about the model as written */
    diags_rewind(diags, mark);
  }
}

/* Branches of if-equations and of if-expressions are kept apart where that is needed: because one
 * of them alone leaves nothing to determine, or, all if-equations, because nothing can be built
 * otherwise. */
static Structure *try_readings(const FlatModel *m, Arena *a, Diags *diags) {
  uint32_t mark = diags_count(diags);
  Lower lo;
  bool first = try_builds(&lo, m, &(Reading){0}, a, diags);
  uint32_t n = lo.ifs.n;
  if (!first && !n)
    return NULL;
  bool *divides = NEW_ARRAY(a, bool, n + 1);
  Splits splits = {0};
  for (uint32_t k = 0; k < n; k++)
    divides[k] = !first;
  for (bool ok = first;;) {
    /* splits are expressions of one lowering: where other if-equations are kept apart the variables
     * in them have other numbers */
    bool needed = ok && modes_needed(&lo, divides);
    splits.n = needed ? 0 : splits.n;
    if (ok && !needed && !modes_split(&lo, &splits))
      return lo.s;
    if (!ok && first)
      return NULL;
    if (!ok && lo.n_divides) /* what is said is about the model as written */
      break;
    diags_rewind(diags, mark);
    ok = try_builds(
        &lo, m,
        &(Reading){.divides = divides, .splits = splits.at, .n_divides = n, .n_splits = splits.n},
        a, diags);
  }
  diags_rewind(diags, mark);
  try_builds(&lo, m, &(Reading){0}, a, diags);
  return NULL;
}

static Structure *arranged(Structure *s, Arena *a) {
  if (!s)
    return NULL;
  Arena *scratch = arena_new(arena_memory(a));
  if (s->relations.n)
    switched_write_out(s, scratch);
  pushes_find(s, scratch);
  BlockGraph *g = graph_build(s, scratch);
  if (s->conditions.n) {
    fields_find(s, g, scratch);
    fields_of_modes(s, g);
    surfaces_find(s, scratch);
    sizes_find(s, scratch);
    arena_free(scratch);
    layout_common(s, a);
    return s;
  }
  /* relations along which the motion may slide move, too; those that do not act on themselves,
   * after all, do not */
  if (fields_find(s, g, scratch) && fields_drop(s, g = graph_build(s, scratch), scratch))
    g = graph_build(s, scratch);
  islands_find(s, g, a);
  parts_find(s, g, a);
  surfaces_find(s, scratch);
  sizes_find(s, scratch);
  arena_free(scratch);
  layout_places(s, a);
  return s;
}

Structure *structure_build(const FlatModel *m, Arena *a, Diags *diags) {
  return arranged(try_readings(m, a, diags), a);
}

const Structure *structure_view(const Structure *s, Arena *a) {
  FlatModel *model = NEW(a, FlatModel);
  Structure *view = NEW(a, Structure);
  *model = *s->model;
  model->pool = pool_on(s->model->pool, a);
  *view = *s;
  view->model = model;
  return view;
}

Structure *structure_in_mode(const Structure *s, const bool *values, bool initial, Arena *a,
                             Diags *diags) {
  Lower lo;
  Reading how = {s->divides, s->splits, s->n_divides,    s->n_splits,
                 values,     !initial,  s->literal_signs};
  return try_builds(&lo, s->model, &how, a, diags) ? arranged(lo.s, a) : NULL;
}

/* ---- names ---- */

static const char *op_sign(Op op) {
  static const char *const signs[] = {
      [OP_LT] = "<", [OP_LE] = "<=", [OP_GT] = ">", [OP_GE] = ">=", [OP_EQ] = "==", [OP_NE] = "<>"};
  return op >= OP_LT && op <= OP_NE ? signs[op] : "?";
}

/* state(x, y): one of these */
static void name_selection(const Structure *s, const SVar *v, const char *what, Text *out) {
  const SSelection *se = &s->selections.at[v->of];
  text_printf(out, "%s(", what);
  for (uint32_t k = 0; k < se->n && k < MOST_CANDIDATES_SHOWN; k++) {
    text_add(out, k ? ", " : "");
    structure_name(s, se->candidates[k], out);
  }
  text_add(out, se->n > MOST_CANDIDATES_SHOWN ? ", ...)" : ")");
}

void structure_name(const Structure *s, uint32_t var, Text *out) {
  const SVar *v = &s->vars.at[var];
  switch (v->kind) {
  case SV_VAR: text_add(out, s->model->vars.at[v->of].name); break;
  case SV_DER:
  case SV_PRE:
    text_add(out, v->kind == SV_DER ? "der(" : "pre(");
    structure_name(s, v->of, out);
    text_add(out, ")");
    break;
  case SV_RELATION: {
    const SRelation *r = &s->relations.at[v->of];
    const Expr *b = expr_get(s->model->pool, r->right);
    int64_t number;
    if (b->op == OP_DELAY && expr_as_integer(s->model->pool, b->args[0], &number)) {
      text_add(out, "a jump comes out of delay(");
      structure_name(s, s->delays.at[number].in, out);
      text_add(out, ", ");
      structure_print(s, s->delays.at[number].delay, out);
      text_add(out, ")");
      break;
    }
    if (b->op == OP_SPATIAL) {
      text_add(out, "a jump of spatialDistribution comes out as ");
      structure_print(s, r->left, out);
      text_add(out, r->op == OP_GE ? " grows" : " falls");
      break;
    }
    structure_print(s, r->left, out);
    text_printf(out, " %s ", op_sign(r->op));
    structure_print(s, r->right, out);
    break;
  }
  case SV_CONDITION:
  case SV_BUFFER: structure_print(s, v->meaning, out); break;
  case SV_LAMBDA: text_add(out, "lambda"); break;
  case SV_CHOSEN: name_selection(s, v, "state", out); break;
  case SV_CHOICE: name_selection(s, v, "choice", out); break;
  case SV_IMPULSE:
    text_add(out, "impulse(");
    structure_name(s, v->of, out);
    text_add(out, ")");
    break;
  case SV_SAMPLE:
    text_add(out, "sample(");
    structure_print(s, s->samples.at[v->of].start, out);
    text_add(out, ", ");
    structure_print(s, s->samples.at[v->of].interval, out);
    text_add(out, ")");
    break;
  }
}

static void print_leaf(void *user, const Expr *e, Text *out) {
  const Structure *s = user;
  if (e->op == OP_VAR && e->index < s->vars.n) {
    ExprId meaning = s->vars.at[e->index].meaning;
    Op op = meaning.i ? expr_get(s->model->pool, meaning)->op : OP_VAR;
    bool several = op == OP_AND || op == OP_OR || op == OP_ADD || op == OP_SUB || op == OP_IF;
    text_add(out, several ? "(" : "");
    structure_name(s, e->index, out);
    text_add(out, several ? ")" : "");
  } else if (e->op == OP_CALL || e->op == OP_FUNCTION)
    text_add(out, ((const Func *)e->ref)->name);
  else
    text_printf(out, "local%u", e->index);
}

void structure_print(const Structure *s, ExprId e, Text *out) {
  ExprPrinter pr = {.pool = s->model->pool, .name = print_leaf, .user = (void *)(uintptr_t)s};
  expr_print(&pr, e, out);
}

/* ---- for messages of the run ---- */

int structure_variable(const Structure *s, uint32_t var) {
  const SVar *v = &s->vars.at[var];
  switch (v->kind) {
  case SV_VAR: return (int)var;
  case SV_PRE:
  case SV_IMPULSE: return structure_variable(s, v->of);
  case SV_CHOSEN: return structure_variable(s, s->selections.at[v->of].candidates[0]);
  case SV_DER: {
    int of = structure_variable(s, v->of);
    return of < 0 ? of : -1 - of; /* whatever the order */
  }
  case SV_RELATION:
  case SV_CONDITION:
  case SV_BUFFER:
  case SV_SAMPLE:
  case SV_LAMBDA:
  case SV_CHOICE: break;
  }
  return 0;
}

int structure_watch(const Structure *s, uint32_t relation) {
  const SRelation *r = &s->relations.at[relation];
  return r->watch && r->guard.i ? (int)s->vars.at[r->watch - 1].place : -1;
}

int structure_der_place(const Structure *s, uint32_t var) {
  const SVar *v = &s->vars.at[var];
  bool state = s->conditions.n ? v->bank == BANK_REAL && v->place < s->states.n : v->state;
  return state ? (int)(s->states.n + v->place) : -1;
}

uint32_t *structure_unsaid(const Structure *s, Arena *a, uint32_t *n) {
  uint32_t *places = NEW_ARRAY(a, uint32_t, s->common_states.n + 1);
  *n = 0;
  for (uint32_t k = 0; k < s->common_states.n && s->conditions.n; k++) {
    const SVar *v = &s->vars.at[s->common_states.at[k]];
    if (v->dormant && !v->absent) /* what is absent keeps its value: 0 is right */
      places[(*n)++] = s->vars.at[v->dormant].place;
  }
  return places;
}

typedef struct {
  const Structure *s;
  bool found;
} Lambda;

static void find_lambda(void *user, ExprId e) {
  Lambda *l = user;
  const Expr *x = expr_get(l->s->model->pool, e);
  l->found = l->found || (x->op == OP_VAR && x->index == l->s->lambda);
}

bool structure_has_homotopy(const Structure *s, const SBlock *b) {
  Lambda l = {s, false};
  for (uint32_t k = 0; k < b->n && s->lambda != NO_SVAR; k++)
    expr_walk(s->model->pool, b->parts[k], find_lambda, &l);
  return l.found;
}
