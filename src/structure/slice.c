/* structure/slice.c -- the least part of the simulation that gives some variables from a record of
 * a run.
 * In:   variables, and which places in r are recorded.   Out: blocks and single unknowns of blocks
 *       in order of evaluation, and the recorded places that they read.
 * How:  from the last block to the first: what is needed and not recorded is computed, and needs
 *       what its expressions name. Where the iterated unknowns of a block are recorded, each of the
 *       others is an assignment.
 * Keep: relations, discrete variables, Integers and Strings are never computed; blocks of events
 *       never occur. */
#include "structure/slice.h"
#include "structure/keep.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

#include <string.h>

typedef struct {
  const Structure *s;
  const ExprPool *p;
  const bool *recorded;
  Arena *a;
  const SKeep *keep;
  bool *needed; /* per SVar: to be computed */
  bool *read;   /* per place in r */
  bool discrete;
  VEC(SStep) steps; /* from the last to the first */
  uint32_t missing;
} Slicer;

static void need(Slicer *sl, uint32_t var) {
  const SVar *v = &sl->s->vars.at[var];
  /* constants are in the program, not in the result */
  if (keep_is_constant(sl->s, v))
    return;
  /* where equations change all that varies is recorded, also what has no part in the first mode */
  bool column = sl->s->conditions.n && v->kind != SV_PRE && !keep_is_change(v) &&
                sl->recorded[v->place];
  if (!column && (v->known || v->kind == SV_PRE || keep_is_change(v)))
    sl->discrete = true;
  else if (sl->recorded[v->place])
    sl->read[v->place] = true;
  else
    sl->needed[var] = true;
}

static void need_node(void *user, ExprId e) {
  Slicer *sl = user;
  const Expr *x = expr_get(sl->p, e);
  if (x->op == OP_VAR)
    need(sl, x->index);
}

static void need_expr(Slicer *sl, ExprId e) {
  if (e.i)
    expr_walk(sl->p, e, need_node, sl);
}

static void need_algorithm(Slicer *sl, const SAlgorithm *alg) {
  stmts_vars(sl->p, alg->body, alg->n_body, need_node, sl);
  /* a target that keeps its value begins with its start value */
  for (uint32_t k = 0; k < alg->n_targets; k++)
    if (alg->carried[k])
      need_expr(sl, sl->s->starts[alg->targets[k]]);
}

static void push(Slicer *sl, uint32_t block, uint32_t part) {
  vec_push(sl->a, &sl->steps, (SStep){block, part});
}

/* One by one, each from the iterated ones and from those before it. */
static void take_parts(Slicer *sl, uint32_t block) {
  const SBlock *b = &sl->s->simulation.blocks.at[block];
  for (uint32_t k = b->n; k-- > b->n_tear;) {
    if (!sl->needed[b->unknowns[k]])
      continue;
    push(sl, block, k);
    sl->needed[b->unknowns[k]] = false;
    need_expr(sl, b->parts[k]);
  }
}

static void take_whole(Slicer *sl, uint32_t block) {
  const SBlock *b = &sl->s->simulation.blocks.at[block];
  push(sl, block, WHOLE_BLOCK);
  switch (b->kind) {
  case BLOCK_RELATION:
  /* of a relation the value is recorded; a nonlinear block that is not cannot be solved here */
  case BLOCK_NONLINEAR: break;
  case BLOCK_EXPLICIT: need_expr(sl, b->value); break;
  case BLOCK_ALGORITHM:
    need_algorithm(sl, &sl->s->algorithms.at[sl->s->simulation.rows.at[b->rows[0]].number]);
    break;
  /* a linear system is solved again: its matrix is needed, too */
  case BLOCK_LINEAR:
    for (uint32_t k = 0; k < b->n; k++) {
      need_expr(sl, b->parts[k]);
      for (uint32_t q = 0; q < b->partials[k].n; q++)
        need_expr(sl, b->partials[k].at[q].d);
    }
    break;
  }
  /* from here back it is known */
  for (uint32_t k = 0; k < b->n; k++)
    sl->needed[b->unknowns[k]] = false;
}

static bool is_given(const Slicer *sl, const SBlock *b) {
  /* the iterated unknowns, from which the others follow */
  for (uint32_t k = 0; k < b->n_tear; k++)
    if (!sl->recorded[sl->s->vars.at[b->unknowns[k]].place])
      return false;
  return true;
}

/* False: it would have to be solved, but is not one that can be. */
static bool take_block(Slicer *sl, uint32_t block) {
  const SBlock *b = &sl->s->simulation.blocks.at[block];
  bool any = false;
  bool solved = b->kind == BLOCK_LINEAR || b->kind == BLOCK_NONLINEAR;
  for (uint32_t k = 0; k < b->n; k++)
    if (sl->needed[b->unknowns[k]]) {
      any = true;
      sl->missing = b->unknowns[k];
    }
  /* nobody asks for it */
  if (!any)
    return true;
  /* it would have to be recorded, and is not */
  if (sl->keep[block] == KEEP_ALL)
    return false;
  /* with the iterated unknowns given, the others are assignments */
  if (solved && is_given(sl, b))
    take_parts(sl, block);
  else if (sl->keep[block] == KEEP_ITERATED)
    return false;
  else
    take_whole(sl, block);
  return true;
}

/* Everything that was needed has been met; steps and reads in order. */
static bool finish(Slicer *sl, SSlice *out) {
  /* something that no block gives */
  for (uint32_t v = 0; v < sl->s->vars.n; v++)
    if (sl->needed[v]) {
      sl->missing = v;
      return false;
    }
  /* the search went backwards */
  SStep *steps = NEW_ARRAY(sl->a, SStep, sl->steps.n + 1);
  for (uint32_t k = 0; k < sl->steps.n; k++)
    steps[k] = sl->steps.at[sl->steps.n - 1 - k];
  uint32_t *reads = NEW_ARRAY(sl->a, uint32_t, sl->s->n_real + 1);
  uint32_t n = 0;
  for (uint32_t k = 0; k < sl->s->n_real; k++)
    if (sl->read[k])
      reads[n++] = k;
  *out = (SSlice){sl->steps.n, n, steps, reads, sl->discrete, NO_SVAR};
  return true;
}

bool structure_slice(const Structure *s, const int *wanted, uint32_t n, const bool *recorded,
                     Arena *a, SSlice *out) {
  Slicer sl = {.s = s,
               .p = s->model->pool,
               .recorded = recorded,
               .a = a,
               .keep = structure_keep(s, a),
               .missing = NO_SVAR};
  sl.needed = NEW_ARRAY(a, bool, s->vars.n + 1);
  sl.read = NEW_ARRAY(a, bool, s->n_real + 1);
  for (uint32_t k = 0; k < n; k++) {
    /* a derivative may sleep in this mode; it has a place all the same */
    uint32_t v = wanted[k] < 0 ? s->vars.at[-1 - wanted[k]].der : (uint32_t)wanted[k];
    if (v == NO_SVAR && s->vars.at[-1 - wanted[k]].dormant)
      v = s->vars.at[-1 - wanted[k]].dormant;
    out->missing = wanted[k] < 0 ? (uint32_t)(-1 - wanted[k]) : v;
    if (v == NO_SVAR)
      return false;
    need(&sl, v);
  }
  bool ok = true;
  /* from the last block back: what a block reads stands before it */
  for (uint32_t b = s->simulation.blocks.n; b-- > 0 && ok;)
    if (s->simulation.blocks.at[b].phase != PHASE_DISCRETE &&
        s->simulation.blocks.at[b].kind != BLOCK_RELATION)
      ok = take_block(&sl, b);
  ok = ok && finish(&sl, out);
  if (!ok)
    out->missing = sl.missing;
  return ok;
}
