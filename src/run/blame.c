/* run/blame.c -- where a value comes from that is not a number, or is infinite.
 * In:   the sorted equations that the program was made from, and the values of the run.
 * How:  the blocks are evaluated again in their order by the evaluator of expr/eval.h; the first
 *       expression without a finite value is taken apart until all of its operands have one. Only
 *       the branch of an `if` that counts is looked at.
 * Keep: values before the first bad block are those of the point in question; later ones may be
 *       older and are not reached. */
#include "run/blame.h"
#include "run/core.h"

#include <math.h>

#include "base/limits.h"
#include "expr/eval.h"
#include "structure/structure.h"

typedef struct {
  Run *run;
  const Structure *s;
  Eval ev;
  ExprId found; /* the smallest part without a finite value; NO_EXPR: none yet */
  const char *why;
  double value;
} Blame;

static Scalar stored(const DsData *d, const SVar *v) {
  switch (v->bank) {
  case BANK_REAL: return (Scalar){.real = d->r[v->place]};
  case BANK_INTEGER: return (Scalar){.integer = d->i[v->place]};
  case BANK_STRING: return (Scalar){.string = d->s[v->place]};
  case BANK_REAL_PRE: return (Scalar){.real = d->r_pre[v->place]};
  case BANK_INTEGER_PRE: return (Scalar){.integer = d->i_pre[v->place]};
  case BANK_STRING_PRE: return (Scalar){.string = d->s_pre[v->place]};
  case BANK_RELATION: return (Scalar){.integer = d->relation[v->place]};
  case BANK_SAMPLE: return (Scalar){.integer = d->sample[v->place]};
  }
  return (Scalar){.integer = 0};
}

static bool look_up(void *user, Eval *ev, ExprId e, Value *out) {
  const Blame *bl = user;
  const Expr *x = expr_get(bl->s->model->pool, e);
  if (x->op != OP_TIME && x->op != OP_VAR)
    return false;
  Scalar *at = NEW(ev->arena, Scalar);
  *at = x->op == OP_TIME ? (Scalar){.real = bl->run->d.time}
                         : stored(&bl->run->d, &bl->s->vars.at[x->index]);
  *out = (Value){x->type, 1, at};
  return true;
}

static bool is_real(const Blame *bl, ExprId e) {
  TypeId t = expr_get(bl->s->model->pool, e)->type;
  return type_is_scalar(bl->s->model->pool, t) && type_get(bl->s->model->pool, t)->base == TY_REAL;
}

typedef enum { FINITE, BAD, NOT_KNOWN } Verdict;

static Verdict judge(Blame *bl, ExprId e, double *value) {
  /* an expression without end must not become a message without end */
  Value v;
  bl->ev.budget = MOST_BLAME_STEPS;
  bl->ev.why = NULL;
  *value = NAN;
  /* an evaluation that fails for other reasons says nothing about the value */
  if (!eval_expr(&bl->ev, e, &v))
    return bl->ev.fail == EVAL_WRONG ? BAD : NOT_KNOWN;
  *value = is_real(bl, e) ? v.at[0].real : 0;
  return isfinite(*value) ? FINITE : BAD;
}

/* The smallest part of e that is not finite although its operands are. */
static bool search(Blame *bl, ExprId e) {
  const Expr *x = expr_get(bl->s->model->pool, e);
  double value, condition;
  Verdict verdict = judge(bl, e, &value);
  const char *why = bl->ev.why;
  if (verdict == FINITE)
    return false;
  /* only the branch that counts can be the cause */
  if (x->op == OP_IF) {
    Value v;
    bool known = judge(bl, x->args[0], &condition) == FINITE && eval_expr(&bl->ev, x->args[0], &v);
    return known ? search(bl, x->args[v.at[0].integer ? 1 : 2]) : search(bl, x->args[0]);
  }
  /* an operand without value is nearer to the cause */
  for (uint32_t k = 0; k < x->n; k++)
    if (x->args[k].i && search(bl, x->args[k]))
      return true;
  /* nothing is known of it, and its operands are finite */
  if (verdict == NOT_KNOWN)
    return false;
  bl->found = e;
  bl->value = value;
  bl->why = why;
  return true;
}

/* ---- the message ---- */

static const char *print(const Blame *bl, ExprId e) {
  Text t = {.arena = bl->run->a};
  structure_print(bl->s, e, &t);
  return text_str(&t);
}

static const char *real_text(const Blame *bl, double v) {
  return arena_printf(bl->run->a, "%.7g", v);
}

typedef struct {
  Blame *bl;
  RunBlame *out;
} Operands;

static void add_note(RunBlame *out, const char *text) {
  if (out->n_notes < BLAME_NOTES)
    out->notes[out->n_notes++] = text;
}

/* Values of the variables in the part that was found. */
static void show_variable(void *user, ExprId e) {
  Operands *o = user;
  const Expr *x = expr_get(o->bl->s->model->pool, e);
  double value;
  if ((x->op != OP_VAR && x->op != OP_TIME) || !is_real(o->bl, e))
    return;
  judge(o->bl, e, &value);
  add_note(o->out,
           arena_printf(o->bl->run->a, "`%s` is %s", print(o->bl, e), real_text(o->bl, value)));
}

/* `what`: the variable that the expression is for; "" if it is a residual. */
static void report(Blame *bl, const char *what, RunBlame *out) {
  const Expr *x = expr_get(bl->s->model->pool, bl->found);
  Arena *a = bl->run->a;
  Text t = {.arena = a};
  text_printf(&t, "`%s` ", print(bl, bl->found));
  if (bl->why)
    text_printf(&t, "has no value: %s", bl->why);
  else
    text_add(&t, isnan(bl->value) ? "is not a number" : "is infinite");
  bool first = true;
  /* operands that are formulas: variables follow as notes */
  for (uint32_t k = 0; k < x->n; k++) {
    double value;
    bool shown = is_real(bl, x->args[k]) && expr_get(bl->s->model->pool, x->args[k])->n &&
                 judge(bl, x->args[k], &value) == FINITE;
    if (shown) {
      text_printf(&t, "%s `%s` is %s", first ? "," : " and", print(bl, x->args[k]),
                  real_text(bl, value));
      first = false;
    }
  }
  out->text = text_str(&t);
  if (x->n)
    expr_walk(bl->s->model->pool, bl->found, show_variable, &(Operands){bl, out});
  if (*what)
    add_note(out, arena_printf(a, "needed for `%s`", what));
}

/* ---- places to look ---- */

typedef struct {
  Span span;
  const char *what;
} Found;

static const char *name_of(const Blame *bl, uint32_t var) {
  Text t = {.arena = bl->run->a};
  structure_name(bl->s, var, &t);
  return text_str(&t);
}

static bool in_block(Blame *bl, const SSystem *sys, const SBlock *b, Found *f) {
  f->span = sys->rows.at[b->rows[0]].span;
  f->what = name_of(bl, b->unknowns[0]);
  switch (b->kind) {
  case BLOCK_EXPLICIT: return search(bl, b->value);
  case BLOCK_RELATION: {
    const SRelation *r = &bl->s->relations.at[sys->rows.at[b->rows[0]].number];
    return !r->timed && (search(bl, r->a) || search(bl, r->b));
  }
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR:
    /* from what follows back to the residuals, because a value is made before it is used */
    for (uint32_t k = b->n; k-- > 0;) {
      f->span = sys->rows.at[b->rows[k]].span;
      f->what = k < b->n_tear ? "" : name_of(bl, b->unknowns[k]);
      if (search(bl, b->parts[k]))
        return true;
    }
    return false;
  /* an algorithm is not looked into: one of its results is what is bad */
  case BLOCK_ALGORITHM:
    for (uint32_t k = 0; k < b->n; k++) {
      f->what = name_of(bl, b->unknowns[k]);
      if (is_real(bl, bl->s->vars.at[b->unknowns[k]].expr) &&
          search(bl, bl->s->vars.at[b->unknowns[k]].expr))
        return true;
    }
    return false;
  }
  return false;
}

static bool in_parameters(Blame *bl, Found *f) {
  /* bindings in the order of parameters, which is that of evaluation */
  for (uint32_t k = 0; k < bl->s->parameters.n; k++) {
    uint32_t v = bl->s->parameters.at[k];
    f->span = bl->s->vars.at[v].span;
    f->what = name_of(bl, v);
    if (bl->s->bindings[v].i && search(bl, bl->s->bindings[v]))
      return true;
  }
  /* then start values, which parameters make */
  for (uint32_t v = 0; v < bl->s->model->vars.n; v++) {
    f->span = bl->s->vars.at[v].span;
    f->what = arena_printf(bl->run->a, "%s.start", bl->s->model->vars.at[v].name);
    if (bl->s->starts[v].i && search(bl, bl->s->starts[v]))
      return true;
  }
  return false;
}

static bool in_system(Blame *bl, const SSystem *sys, Found *f) {
  for (uint32_t k = 0; k < sys->blocks.n; k++)
    if (in_block(bl, sys, &sys->blocks.at[k], f))
      return true;
  return false;
}

bool run_blame(Run *run, RunBlame *out) {
  const Structure *s = run->options->structure;
  *out = (RunBlame){.n_notes = 0};
  if (!s)
    return false;
  Blame bl = {
      .run = run, .s = s, .ev = {.pool = s->model->pool, .arena = run->a, .lookup = look_up}};
  bl.ev.user = &bl;
  Found f = {{0, 0}, ""};
  bool found = in_parameters(&bl, &f) ||
               in_system(&bl, run->d.initial ? &s->initial : &s->simulation, &f);
  if (found)
    report(&bl, f.what, out);
  out->span = f.span;
  return found;
}

static double limit(Blame *bl, ExprId e, double otherwise) {
  Value v;
  bl->ev.budget = MOST_BLAME_STEPS;
  /* before the run begins parameters have no values */
  if (!e.i || (!bl->run->stage.begun && !expr_is_literal(bl->s->model->pool, e)) ||
      !eval_expr(&bl->ev, e, &v))
    return otherwise;
  return is_real(bl, e) ? v.at[0].real : (double)v.at[0].integer;
}

void run_limits(Run *run, int variable, double *low, double *high) {
  const Structure *s = run->options->structure;
  *low = -INFINITY;
  *high = INFINITY;
  if (!s)
    return;
  Blame bl = {
      .run = run, .s = s, .ev = {.pool = s->model->pool, .arena = run->a, .lookup = look_up}};
  bl.ev.user = &bl;
  *low = limit(&bl, s->model->vars.at[variable].min, *low);
  *high = limit(&bl, s->model->vars.at[variable].max, *high);
}
