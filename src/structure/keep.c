/* structure/keep.c -- what must be recorded of a run, so that everything else follows from it to
 * the last bit.
 * In:   the sorted blocks of the simulation.   Out: per block what of its Real unknowns (SKeep); a
 *       list of places.
 * How:  blocks with a solution found by iteration depend on where it began: what is iterated is
 *       recorded. Linear blocks whose matrix is given by entries are solved with pivots of earlier
 *       matrices, singular ones with values from before the event. What a block reads beside
 *       recorded values must not matter: functions from outside, generators, files, objects,
 *       delay(), spatialDistribution(), sample(), initial(), terminal(), pre() of a continuous
 *       variable. A block that determines discrete variables, too, is an algorithm that events run:
 *       it is recorded as a whole. */
#include "structure/keep.h"
#include "structure/graph.h"
#include "structure/name.h"
#include "structure/slopes.h"
#include "structure/sorted.h"

#include <string.h>

/* ---- functions ---- */

typedef struct {
  const Structure *s;
  const ExprPool *p;
  Arena *a;
  Map functions;             /* Func -> FUNCTION_... */
  VEC(const Func *) visited; /* since the outermost one under way */
  uint32_t depth;
  bool again;  /* what was read so far may be evaluated again */
  bool tables; /* tables may, too */
} Reader;

struct Calls {
  Reader rd;
};

enum { FUNCTION_NEW, FUNCTION_GOOD, FUNCTION_BAD };

static void note_function(Reader *rd, const Func *f, uint64_t what) {
  map_put(rd->a, &rd->functions, (uint64_t)(uintptr_t)f, what);
}

static bool may_call_again(Reader *rd, const Func *f);

static void read_node(void *user, ExprId e) {
  /* what depends on the past, or on the moment, cannot be computed again */
  Reader *rd = user;
  const Expr *x = expr_get(rd->p, e);
  if (x->op == OP_DELAY || x->op == OP_SPATIAL || x->op == OP_INITIAL || x->op == OP_TERMINAL ||
      x->op == OP_SAMPLE)
    rd->again = false;
  else if ((x->op == OP_CALL || x->op == OP_FUNCTION) && x->ref)
    rd->again = rd->again && may_call_again(rd, x->ref);
  else if (x->op == OP_VAR) {
    /* pre values of continuous variables are not recorded */
    const SVar *v = &rd->s->vars.at[x->index];
    if (v->kind == SV_SAMPLE ||
        (v->kind == SV_PRE && v->bank == BANK_REAL_PRE && !rd->s->vars.at[v->of].discrete))
      rd->again = false;
  }
}

static void read_expr(Reader *rd, ExprId e) {
  if (e.i && rd->again)
    expr_walk(rd->p, e, read_node, rd);
}

/* Targets may have subscripts. */
static void read_statements(Reader *rd, Stmt *const *body, uint32_t n) {
  for (uint32_t k = 0; k < n && rd->again; k++) {
    const Stmt *st = body[k];
    read_expr(rd, st->value);
    read_expr(rd, st->message);
    read_expr(rd, st->level);
    for (uint32_t q = 0; q < st->n_targets; q++)
      read_expr(rd, st->targets[q]);
    for (uint32_t q = 0; q < st->n_branches; q++) {
      read_expr(rd, st->branches[q].condition);
      read_statements(rd, st->branches[q].body, st->branches[q].n);
    }
  }
}

static bool outside_is_pure(const Reader *rd, const Func *f) {
  /* tables give the same answer, but only the run has them */
  static const char table[] = "ModelicaStandardTables_";
  bool builtin = f->language && !strcmp(f->language, "builtin");
  return builtin || native_plain_arguments(f->external) || native_is_pure(f->external) ||
         (rd->tables && !strncmp(f->external, table, sizeof table - 1));
}

static void read_function(Reader *rd, const Func *f) {
  for (uint32_t k = 0; k < f->n_vars; k++) {
    read_expr(rd, f->vars[k].binding);
    for (uint32_t q = 0; f->vars[k].dims && q < type_get(rd->p, f->vars[k].type)->n_dims; q++)
      read_expr(rd, f->vars[k].dims[q]);
  }
  for (uint32_t k = 0; k < f->n_external_args; k++)
    read_expr(rd, f->external_args[k]);
  read_statements(rd, f->body, f->n_body);
}

/* One that is under way counts as good: if it is not, those that it calls are looked at again when
 * somebody else does. */
static bool may_call_again(Reader *rd, const Func *f) {
  uint64_t known = FUNCTION_NEW;
  map_get(&rd->functions, (uint64_t)(uintptr_t)f, &known);
  if (known != FUNCTION_NEW)
    return known == FUNCTION_GOOD;
  /* good until the contrary is known, so that recursion ends */
  note_function(rd, f, FUNCTION_GOOD);
  vec_push(rd->a, &rd->visited, f);
  const bool before = rd->again;
  rd->again = !f->impure && (!f->external || outside_is_pure(rd, f));
  rd->depth++;
  read_function(rd, f);
  rd->depth--;
  const bool good = rd->again;
  rd->again = before;
  /* those below may have counted this one as good */
  if (rd->depth == 0) {
    for (uint32_t k = 0; k < rd->visited.n && !good; k++)
      note_function(rd, rd->visited.at[k], FUNCTION_NEW);
    rd->visited.n = 0;
  }
  if (!good)
    note_function(rd, f, FUNCTION_BAD);
  return good;
}

Calls *calls_new(const Structure *s, Arena *a) {
  Calls *calls = NEW(a, Calls);
  calls->rd = (Reader){.s = s, .p = s->model->pool, .a = a, .tables = true};
  return calls;
}

bool calls_have_order(Calls *calls, const Func *f) { return !may_call_again(&calls->rd, f); }

/* ---- blocks ---- */

bool keep_is_change(const SVar *v) { return v->discrete || v->bank != BANK_REAL; }

static void read_algorithm(Reader *rd, const SBlock *b, const SAlgorithm *alg) {
  /* discrete targets change at events, which are recorded */
  for (uint32_t k = 0; k < b->n; k++)
    rd->again = rd->again && !keep_is_change(&rd->s->vars.at[b->unknowns[k]]);
  for (uint32_t k = 0; k < alg->n_targets; k++)
    if (alg->carried[k] && alg->targets[k] < rd->s->model->vars.n)
      read_expr(rd, rd->s->starts[alg->targets[k]]);
  read_statements(rd, alg->body, alg->n_body);
}

/* What the block needs beside recorded values to give the same solution again, to the last bit. */
static SKeep keep_of(Reader *rd, const SBlock *b) {
  const SRow *row = &rd->s->simulation.rows.at[b->rows[0]];
  rd->again = true;
  switch (b->kind) {
  case BLOCK_RELATION: return KEEP_NOTHING;
  case BLOCK_EXPLICIT: read_expr(rd, b->value); return rd->again ? KEEP_NOTHING : KEEP_ALL;
  case BLOCK_ALGORITHM:
    read_algorithm(rd, b, &rd->s->algorithms.at[row->number]);
    return rd->again ? KEEP_NOTHING : KEEP_ALL;
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR: break;
  }
  /* the other parts follow from the iterated ones */
  for (uint32_t k = 0; k < b->n; k++) {
    read_expr(rd, b->parts[k]);
    for (uint32_t q = 0; b->kind == BLOCK_LINEAR && q < b->partials[k].n; q++)
      read_expr(rd, b->partials[k].at[q].d);
  }
  if (!rd->again)
    return KEEP_ALL;
  /* an iteration may end elsewhere the second time; singular matrices are solved nearest to what
   * was before */
  return b->kind == BLOCK_NONLINEAR || structure_by_entries(b) ? KEEP_ITERATED : KEEP_SINGULAR;
}

SKeep *structure_keep(const Structure *s, Arena *a) {
  Reader rd = {.s = s, .p = s->model->pool, .a = a};
  SKeep *keep = NEW_ARRAY(a, SKeep, s->simulation.blocks.n + 1);
  for (uint32_t b = 0; b < s->simulation.blocks.n; b++)
    keep[b] = s->simulation.blocks.at[b].phase == PHASE_DISCRETE
                  ? KEEP_NOTHING
                  : keep_of(&rd, &s->simulation.blocks.at[b]);
  return keep;
}

/* ---- places ---- */

typedef enum { PLACE_CONSTANT, PLACE_STATE, PLACE_COLUMN, PLACE_COMPUTED } PlaceKind;

bool keep_is_constant(const Structure *s, const SVar *v) {
  return v->kind == SV_LAMBDA ||
         (v->kind == SV_VAR && v->known && s->model->vars.at[v->of].variability >= FLAT_PARAMETER);
}

static bool has_real_place(const SVar *v) { return v->bank == BANK_REAL && v->kind != SV_PRE; }

/* The kind of every place; what nobody computes between events changes at events. */
static PlaceKind *place_kinds(const Structure *s, Arena *a) {
  SKeep *keep = structure_keep(s, a);
  PlaceKind *kinds = NEW_ARRAY(a, PlaceKind, s->n_real + 1);
  /* what follows from what changes with the mode: everything that varies is recorded */
  for (uint32_t v = 0; v < s->common.n && s->conditions.n; v++)
    if (has_real_place(&s->vars.at[v]) && !keep_is_change(&s->vars.at[v]) &&
        !keep_is_constant(s, &s->vars.at[v]))
      kinds[s->vars.at[v].place] = PLACE_COLUMN;
  for (uint32_t b = 0; b < s->simulation.blocks.n && !s->conditions.n; b++) {
    const SBlock *bl = &s->simulation.blocks.at[b];
    for (uint32_t k = 0; k < bl->n && bl->phase != PHASE_DISCRETE; k++) {
      const SVar *v = &s->vars.at[bl->unknowns[k]];
      /* events compute it, and its changes are recorded */
      if (keep_is_change(v))
        continue;
      bool column = keep[b] == KEEP_ALL || (keep[b] == KEEP_ITERATED && k < bl->n_tear);
      kinds[v->place] = column ? PLACE_COLUMN : PLACE_COMPUTED;
    }
  }
  for (uint32_t k = 0; k < s->states.n; k++)
    kinds[k] = PLACE_STATE;
  return kinds;
}

static uint32_t *vars_by_place(const Structure *s, Arena *a) {
  /* of several variables at a place the first declared names it */
  uint32_t *at = NEW_ARRAY(a, uint32_t, s->n_real + 1);
  memset(at, 0xff, (s->n_real + 1) * sizeof *at);
  for (uint32_t v = s->vars.n; v-- > 0;)
    if (has_real_place(&s->vars.at[v]) && s->vars.at[v].place < s->n_real)
      at[s->vars.at[v].place] = v;
  for (uint32_t k = 0; k < s->states.n; k++)
    at[k] = s->states.at[k];
  return at;
}

/* The island of every place; NO_ISLAND where several, or none, have to do with it. */
static uint32_t *islands_of_places(const Structure *s, Arena *a) {
  uint32_t *island = NEW_ARRAY(a, uint32_t, s->n_real + 1);
  memset(island, 0xff, (s->n_real + 1) * sizeof *island);
  for (uint32_t b = 0; b < s->simulation.blocks.n && s->island_of_block; b++)
    for (uint32_t k = 0; k < s->simulation.blocks.at[b].n; k++) {
      const SVar *v = &s->vars.at[s->simulation.blocks.at[b].unknowns[k]];
      if (has_real_place(v))
        island[v->place] = s->island_of_block[b];
    }
  for (uint32_t k = 0; k < s->islands.n; k++)
    for (uint32_t q = 0; q < s->islands.at[k].n; q++)
      island[s->islands.at[k].first + q] = k;
  return island;
}

SRecord structure_recorded(const Structure *s, Arena *a) {
  PlaceKind *kinds = place_kinds(s, a);
  uint32_t *islands = islands_of_places(s, a);
  uint32_t *vars = vars_by_place(s, a);
  uint32_t *changes = NEW_ARRAY(a, uint32_t, s->n_real + 1);
  uint32_t n = 0;
  uint32_t n_changes = 0;
  SColumn *columns = NEW_ARRAY(a, SColumn, s->n_real + 1);
  /* places in order: columns have the order of the result */
  for (uint32_t k = 0; k < s->n_real; k++) {
    if (vars[k] == NO_SVAR)
      continue;
    if (kinds[k] == PLACE_STATE || kinds[k] == PLACE_COLUMN) {
      Text name = {.arena = a};
      structure_name(s, vars[k], &name);
      columns[n++] = (SColumn){k, islands[k], text_str(&name)};
    } else if (kinds[k] == PLACE_CONSTANT && !keep_is_constant(s, &s->vars.at[vars[k]]))
      changes[n_changes++] = k;
  }
  return (SRecord){n, n_changes, columns, changes};
}

uint32_t structure_at_place(const Structure *s, uint32_t place) {
  if (place < s->states.n)
    return s->states.at[place];
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (has_real_place(&s->vars.at[v]) && s->vars.at[v].place == place)
      return v;
  return NO_SVAR;
}
