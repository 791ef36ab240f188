/* structure/section.c -- an algorithm section as equations, where a constraint goes through it.
 * In:   an algorithm of continuous Reals.
 * Out:  its rows in both systems become v = f(what it reads from outside).
 * How:  the section is a function of what it reads (MLS 3.6 section 11.1.1). Where its statements
 *       can
 *       be carried out on expressions (expr/partial.h) these stand in the rows, so that what is
 *       linear
 *       stays so; else calls of the function, which expr/diff_func.c differentiates statement by
 *       statement. Unlike the section, such a row may also determine what it reads.
 * Keep: a section with discrete targets, `when`, assertions or calls of impure functions stays as
 *       it
 *       is: a constraint may be left out of the simulation, and what happens beside it must not
 * be. */
#include "structure/simplify.h"
#include "base/limits.h"
#include "expr/partial.h"
#include "structure/build.h"
#include "structure/lowered.h"

typedef struct {
  Lower *lo;
  const SAlgorithm *alg;
  Stmt **body;
  const bool *carried;
  bool initial, ok;
  Map inputs, targets; /* SVar -> LOCAL */
  VEC(ExprId) args;    /* per input */
  uint32_t time;       /* LOCAL of time + 1; 0: not read */
  uint32_t iterators;
  Func *f;
} Section;

/* ---- what it reads, and whether it is a function of that ---- */

/* The value of an SVar from outside: what replaced it; of homotopy() the actual form after the
 * start. */
static ExprId outer_value(const Section *se, uint32_t v) {
  const SVar *sv = &se->lo->s->vars.at[v];
  if (sv->kind == SV_LAMBDA && !se->initial)
    return expr_real(se->lo->p, 1);
  return sv->alias.i ? sv->alias : sv->expr;
}

static void needs_iterators(Section *se, uint32_t n) {
  /* so many locals are needed for iterators */
  se->iterators = n > se->iterators ? n : se->iterators;
}

static void read_node(void *user, ExprId e) {
  Section *se = user;
  const Expr *x = expr_get(se->lo->p, e);
  uint64_t known;
  /* each variable from outside is one input, in the order in which it is met */
  if (x->op == OP_VAR && !map_get(&se->targets, x->index, &known) &&
      !map_get(&se->inputs, x->index, &known)) {
    map_put(se->lo->a, &se->inputs, x->index, se->args.n);
    vec_push(se->lo->a, &se->args, outer_value(se, x->index));
  } else if (x->op == OP_TIME && !se->time) {
    vec_push(se->lo->a, &se->args, e);
    se->time = se->args.n;
  } else if (x->op == OP_LOCAL)
    needs_iterators(se, x->index + 1);
  else if (x->op == OP_COMPREHEND || x->op == OP_REDUCE)
    needs_iterators(se, x->index + x->n);
  else if (x->op == OP_CALL)
    se->ok = se->ok && x->ref && !((const Func *)x->ref)->impure;
  else if (x->op >= OP_DER)
    se->ok = false; /* delays and the like have a memory of their own */
}

static void read_body(Section *se, Stmt *const *body, uint32_t n) {
  for (uint32_t k = 0; k < n && se->ok; k++) {
    /* other statements have effects, or no place in a function */
    const Stmt *st = body[k];
    switch (st->kind) {
    case STMT_ASSIGN:
    case STMT_TUPLE:
    case STMT_IF:
    case STMT_FOR:
    case STMT_WHILE:
    case STMT_BREAK: break;
    case STMT_CALL:
    case STMT_ASSERT:
    case STMT_TERMINATE:
    case STMT_REINIT:
    case STMT_WHEN:
    case STMT_RETURN: se->ok = false; return;
    }
    if (st->kind == STMT_FOR)
      needs_iterators(se, st->iterator + 1);
    for (uint32_t b = 0; b < st->n_branches; b++)
      read_body(se, st->branches[b].body, st->branches[b].n);
  }
}

/* Finds the inputs. False: it is no function of them. */
static bool read_section(Section *se) {
  const Structure *s = se->lo->s;
  const SAlgorithm *alg = se->alg;
  se->ok = se->body != NULL;
  /* only continuous variables: others keep values that a function does not have */
  for (uint32_t k = 0; k < alg->n_targets; k++) {
    const SVar *sv = &s->vars.at[alg->targets[k]];
    bool real = type_get(se->lo->p, sv->type)->base == TY_REAL;
    se->ok = se->ok && sv->kind == SV_VAR && real && !sv->discrete && !sv->known;
    map_put(se->lo->a, &se->targets, alg->targets[k], k);
  }
  read_body(se, se->body, se->ok ? alg->n_body : 0);
  if (!se->ok)
    return false;
  /* inputs of the body, and of the start values that targets begin with */
  stmts_vars(se->lo->p, se->body, alg->n_body, read_node, se);
  for (uint32_t k = 0; k < alg->n_targets; k++)
    if (se->carried[k] && s->starts[alg->targets[k]].i)
      expr_walk(se->lo->p, s->starts[alg->targets[k]], read_node, se);
  return se->ok;
}

/* ---- the function ---- */

static ExprId local_node(void *user, ExprId e) {
  const Section *se = user;
  ExprPool *p = se->lo->p;
  const Expr *x = expr_get(p, e);
  /* inputs, outputs, iterators: in this order among the locals */
  uint64_t k;
  if (x->op == OP_VAR && map_get(&se->targets, x->index, &k))
    return expr_local(p, x->type, se->f->n_inputs + (uint32_t)k);
  if (x->op == OP_VAR && map_get(&se->inputs, x->index, &k))
    return expr_local(p, x->type, (uint32_t)k);
  if (x->op == OP_TIME)
    return expr_local(p, x->type, se->time - 1);
  if (x->op == OP_LOCAL)
    return expr_local(p, x->type, se->f->n_vars + x->index);
  if (x->op == OP_COMPREHEND || x->op == OP_REDUCE)
    return expr_make_index(p, x->op, x->type, se->f->n_vars + x->index, x->payload2, x->n, x->args);
  return NO_EXPR;
}

static ExprId in_locals(Section *se, ExprId e) {
  return e.i ? expr_rewrite(se->lo->p, e, local_node, se) : NO_EXPR;
}

static Stmt **copy_body(Section *se, Stmt *const *body, uint32_t n) {
  Arena *a = pool_arena(se->lo->p);
  Stmt **out = NEW_ARRAY(a, Stmt *, n + 1);
  for (uint32_t k = 0; k < n; k++) {
    const Stmt *st = body[k];
    Stmt *c = out[k] = NEW(a, Stmt);
    *c = *st;
    /* iterators come behind all variables */
    c->iterator += se->f->n_vars;
    c->value = in_locals(se, st->value);
    c->targets = NEW_ARRAY(a, ExprId, st->n_targets + 1);
    for (uint32_t t = 0; t < st->n_targets; t++)
      c->targets[t] = in_locals(se, st->targets[t]);
    c->branches = NEW_ARRAY(a, StmtBranch, st->n_branches + 1);
    for (uint32_t b = 0; b < st->n_branches; b++) {
      const StmtBranch *br = &st->branches[b];
      c->branches[b] = (StmtBranch){in_locals(se, br->condition), copy_body(se, br->body, br->n),
                                    br->n};
    }
  }
  return out;
}

/* Targets that take over a value from before begin with their start value (MLS 3.6 section
 * 11.1.2). */
static void make_function(Section *se) {
  Lower *lo = se->lo;
  Arena *a = pool_arena(lo->p);
  const SAlgorithm *alg = se->alg;
  Func *f = se->f = NEW(a, Func);
  *f = (Func){.name = "algorithm section",
              .span = alg->span,
              .n_inputs = se->args.n,
              .n_outputs = alg->n_targets,
              .complete = true,
              .smooth_order = -1};
  f->n_vars = f->n_inputs + f->n_outputs;
  f->n_locals = f->n_vars + se->iterators;
  f->vars = NEW_ARRAY(a, FuncVar, f->n_vars + 1);
  TypeId *types = NEW_ARRAY(a, TypeId, alg->n_targets + 1);
  for (uint32_t k = 0; k < f->n_inputs; k++)
    f->vars[k] = (FuncVar){.name = arena_printf(a, "u%u", k + 1),
                           .span = alg->span,
                           .type = expr_get(lo->p, se->args.at[k])->type};
  for (uint32_t k = 0; k < alg->n_targets; k++) {
    uint32_t v = alg->targets[k];
    ExprId start = se->carried[k] ? in_locals(se, lower_default_start(lo, v)) : NO_EXPR;
    types[k] = lo->s->vars.at[v].type;
    f->vars[f->n_inputs + k] = (FuncVar){
        .name = lo->m->vars.at[v].name, .type = types[k], .binding = start, .span = alg->span};
  }
  f->result = f->n_outputs == 1 ? types[0] : type_tuple(lo->p, f->n_outputs, types);
  f->body = copy_body(se, se->body, alg->n_body);
  f->n_body = alg->n_body;
}

/* ---- its results ---- */

static void count_node(void *user, ExprId e) {
  (void)e;
  ++*(uint32_t *)user;
}

/* The values of all targets in terms of variables from outside. */
static ExprId *values_of(Section *se) {
  Lower *lo = se->lo;
  const Func *f = se->f;
  ExprId *values = NEW_ARRAY(lo->a, ExprId, f->n_outputs + 1);
  bool written = func_written_out(lo->p, lo->a, f, se->args.n, se->args.at, values);
  uint32_t size = 0;
  for (uint32_t k = 0; k < f->n_outputs && written && size <= MOST_SECTION_NODES; k++)
    expr_walk(lo->p, values[k], count_node, &size);
  if (written && size <= MOST_SECTION_NODES)
    return values;
  ExprId call = expr_make_ref(lo->p, OP_CALL, f->result, f, se->args.n, se->args.at);
  if (f->n_outputs == 1)
    values[0] = call;
  for (uint32_t k = 0; k < f->n_outputs && f->n_outputs > 1; k++)
    values[k] = expr_make_index(lo->p, OP_PART, f->vars[f->n_inputs + k].type, k, 0, 1, &call);
  return values;
}

static void write_rows(Lower *lo, SSystem *sys, uint32_t number, const Section *se,
                       const ExprId *values) {
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    SRow *row = &sys->rows.at[r];
    uint64_t k;
    if (row->kind != ROW_ALGORITHM || row->number != number ||
        !map_get(&se->targets, row->only, &k))
      continue;
    row->kind = ROW_EQUAL;
    row->number = 0;
    row->lhs = outer_value(se, row->only);
    row->rhs = expr_to_real(lo->p, values[k]);
    row->only = NO_SVAR;
    late_row(lo, row);
  }
}

static Section section_of(Lower *lo, const SAlgorithm *alg, bool initial) {
  return (Section){.lo = lo,
                   .alg = alg,
                   .body = initial ? alg->initial : alg->body,
                   .carried = initial ? alg->carried_initially : alg->carried,
                   .initial = initial};
}

bool section_is_function(Lower *lo, uint32_t number) {
  const SAlgorithm *alg = &lo->s->algorithms.at[number];
  Section now = section_of(lo, alg, false);
  Section first = section_of(lo, alg, true);
  return read_section(&now) && read_section(&first);
}

bool section_as_equations(Lower *lo, uint32_t number) {
  SAlgorithm *alg = &lo->s->algorithms.at[number];
  Section now = section_of(lo, alg, false);
  Section first = section_of(lo, alg, true);
  if (!read_section(&now) || !read_section(&first))
    return false;
  make_function(&now);
  make_function(&first);
  write_rows(lo, &lo->s->simulation, number, &now, values_of(&now));
  write_rows(lo, &lo->s->initial, number, &first, values_of(&first));
  alg->n_body = alg->n_targets = 0; /* nothing refers to it any more */
  return true;
}
