/* run/discontinuity.c -- which expression jumps between two points next to each other?
 * In:   the sorted equations that the program was made from; all Reals at both points, and at two
 *       points around them.
 * How:  the first block, in the order of evaluation, with an unknown that jumps: what it reads does
 *       not. Its expression is taken apart until no operand jumps any more (as blame.c does with
 *       what is not a number). Inside of functions and algorithm sections the decisions of both
 *       evaluations are compared: the first one that differs. A value jumps if the two points show
 *       more than a small part of the difference further out, and more than rounding.
 * Keep: discrete values are the same at all points; nothing of the run is changed but its values,
 *       which the caller puts back. */
#include "run/discontinuity.h"
#include "run/core.h"

#include <ctype.h>
#include <math.h>

#include "base/limits.h"
#include "expr/eval.h"
#include "structure/structure.h"

static const double left = 1e-3; /* 1: part of a difference that continuous values never have after
                                    so many halvings */
static const double rounding = 1e-10; /* 1: of the values */

/* A decision on the way: which expression, where, how it came out. */
typedef struct {
  ExprId e;
  const Func *in;
  Span at;
  double outcome;
} Decision;
typedef VEC(Decision) Decisions;

typedef struct {
  Run *run;
  const Structure *s;
  const RunGap *gap;
  const RunPoint *at; /* where expressions are evaluated now */
  Eval ev;
  Decisions *trace; /* NULL: decisions do not count */
} Naming;

/* ---- values ---- */

/* values of the four points are Reals; everything else is the same in all */
static double *real_place(const Naming *na, const SVar *v) {
  return v->bank == BANK_REAL ? &na->at->r[v->place] : NULL;
}

static Scalar stored(const Naming *na, const SVar *v) {
  const DsData *d = &na->run->d;
  switch (v->bank) {
  case BANK_REAL: return (Scalar){.real = *real_place(na, v)};
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
  const Naming *na = user;
  const Expr *x = expr_get(na->s->model->pool, e);
  if (x->op != OP_TIME && x->op != OP_VAR)
    return false;
  Scalar *at = NEW(ev->arena, Scalar);
  *at = x->op == OP_TIME ? (Scalar){.real = na->at->time} : stored(na, &na->s->vars.at[x->index]);
  *out = (Value){x->type, 1, at};
  return true;
}

static TypeBase base_of(const Naming *na, ExprId e) {
  const ExprPool *p = na->s->model->pool;
  TypeId t = expr_get(p, e)->type;
  return type_is_scalar(p, t) ? type_get(p, t)->base : TY_NONE;
}

/* At one of the four points, as a number; NAN: there is none. */
static double value_at(Naming *na, ExprId e, int k) {
  Value v;
  TypeBase base = base_of(na, e);
  bool whole = base == TY_INTEGER || base == TY_BOOLEAN || base == TY_ENUM;
  na->at = &na->gap->at[k];
  /* an endless loop of the model must not become one of the message */
  na->ev.budget = MOST_BLAME_STEPS;
  if ((base != TY_REAL && !whole) || !eval_expr(&na->ev, e, &v))
    return NAN;
  return whole ? (double)v.at[0].integer : v.at[0].real;
}

static bool is_jump(const double v[4]) {
  double jump = fabs(v[1] - v[0]);
  return jump > left * fabs(v[3] - v[2]) && jump > rounding * (fabs(v[0]) + fabs(v[1]));
}

static bool jumps(Naming *na, ExprId e) {
  double v[4];
  for (int k = 0; k < 4; k++)
    v[k] = value_at(na, e, k);
  return is_jump(v);
}

/* The smallest part of e that jumps although its operands do not. */
static ExprId smallest(Naming *na, ExprId e) {
  const Expr *x = expr_get(na->s->model->pool, e);
  /* an operand that jumps is nearer to the cause */
  for (uint32_t k = 0; k < x->n; k++) {
    /* of branches, the one that counts */
    bool other = x->op == OP_IF && k > 0 && (value_at(na, x->args[0], 0) != 0) != (k == 1);
    if (x->args[k].i && !other && jumps(na, x->args[k]))
      return smallest(na, x->args[k]);
  }
  return e;
}

/* ---- decisions ---- */

static bool decides(Op op) {
  return (op >= OP_LT && op <= OP_NE) || op == OP_SIGN || op == OP_ABS || op == OP_MIN2 ||
         op == OP_MAX2 || op == OP_FLOOR || op == OP_CEIL || op == OP_TO_INTEGER || op == OP_DIVT ||
         op == OP_MOD || op == OP_REM;
}

static double outcome(Op op, double a, double b) {
  switch (op) {
  case OP_LE:
  case OP_GT: return a <= b;
  case OP_LT:
  case OP_GE:
  case OP_MIN2:
  case OP_MAX2: return a < b;
  case OP_SIGN:
  case OP_ABS: return (a > 0) - (a < 0);
  case OP_FLOOR:
  case OP_TO_INTEGER: return floor(a);
  case OP_CEIL: return ceil(a);
  case OP_MOD: return floor(a / b);
  case OP_DIVT:
  case OP_REM: return trunc(a / b);
  default: return a == b;
  }
}

static void note_decision(void *user, const EvalDecision *d) {
  Naming *na = user;
  const Expr *x = expr_get(na->s->model->pool, d->e);
  if (!na->trace || d->base != TY_REAL || !decides(x->op) || na->trace->n >= MOST_TRACE_DECISIONS)
    return;
  double result = outcome(x->op, d->operands[0].real, x->n > 1 ? d->operands[1].real : 0);
  vec_push(na->run->a, na->trace, (Decision){d->e, d->in, d->at, result});
}

/* Assignments of algorithm sections go to the values of the point. */
static bool store(void *user, Eval *ev, const Expr *var, Scalar value) {
  Naming *na = user;
  const SVar *v = &na->s->vars.at[var->index];
  (void)ev;
  if (v->bank == BANK_REAL)
    *real_place(na, v) = value.real;
  else if (v->bank == BANK_INTEGER)
    na->run->d.i[v->place] = value.integer;
  return true;
}

static bool no_hybrid(void *user, Eval *ev, const Expr *x, Scalar *out) {
  (void)user, (void)ev, (void)x;
  *out = (Scalar){.integer = 0};
  return x->op == OP_INITIAL || x->op == OP_TERMINAL;
}
static bool violated(void *user, Eval *ev, Span at, const char *message, int64_t level) {
  (void)user, (void)ev, (void)at, (void)message, (void)level;
  return true;
}
static void terminate(void *user, Eval *ev, Span at, const char *message) {
  (void)user, (void)ev, (void)at, (void)message;
}
static bool no_external(void *user, Eval *ev, const Func *f, Value *args, uint32_t n_args,
                        Value *result) {
  (void)user, (void)ev, (void)f, (void)args, (void)n_args, (void)result;
  return false;
}
static const EvalMachine machine = {store, no_hybrid, violated, terminate, no_external};

/* Decisions at one of the points, of an expression or of an algorithm section. */
static void follow(Naming *na, int k, ExprId e, const SAlgorithm *section, Decisions *out) {
  Value v;
  na->at = &na->gap->at[k];
  na->trace = out;
  na->ev.budget = MOST_BLAME_STEPS;
  if (section)
    eval_statements(&na->ev, section->body, section->n_body, 0);
  else
    eval_expr(&na->ev, e, &v);
  na->trace = NULL;
}

/* The first decision that comes out otherwise. */
static bool differs(Naming *na, ExprId e, const SAlgorithm *section, Decision *out) {
  Decisions a = {0}, b = {0};
  /* both points have the same decisions up to the first that differs */
  follow(na, 0, e, section, &a);
  follow(na, 1, e, section, &b);
  for (uint32_t k = 0; k < a.n && k < b.n && a.at[k].e.i == b.at[k].e.i; k++)
    if (a.at[k].outcome != b.at[k].outcome)
      return *out = a.at[k], true;
  return false;
}

/* ---- words ---- */

typedef struct {
  const Naming *na;
  const Func *in;
} Words;

/* Variables of functions have their names there. */
static void print_name(void *user, const Expr *e, Text *out) {
  const Words *w = user;
  if (e->op == OP_LOCAL && w->in && e->index < w->in->n_vars)
    text_add(out, w->in->vars[e->index].name);
  else if (e->op == OP_VAR)
    structure_name(w->na->s, e->index, out);
  else if (e->op == OP_CALL || e->op == OP_FUNCTION)
    text_add(out, e->ref ? ((const Func *)e->ref)->name : "?");
  else
    text_add(out, "?");
}

/* For the eye: 2.0 is 2. */
static const char *shorten(char *text) {
  char *to = text;
  for (const char *c = text; *c; c++) {
    bool zero = c > text && isdigit((unsigned char)c[-1]) && c[0] == '.' && c[1] == '0' &&
                !isalnum((unsigned char)c[2]);
    if (zero)
      c++;
    else
      *to++ = *c;
  }
  *to = 0;
  return text;
}

static const char *print(const Naming *na, ExprId e, const Func *in) {
  Text t = {.arena = na->run->a};
  Words w = {na, in};
  ExprPrinter pr = {.pool = na->s->model->pool, .name = print_name, .user = &w};
  expr_print(&pr, e, &t);
  return shorten(arena_printf(na->run->a, "%s", text_str(&t)));
}

static const char *name_of(const Naming *na, uint32_t var) {
  Text t = {.arena = na->run->a};
  structure_name(na->s, var, &t);
  return text_str(&t);
}

static const char *help_for(const Naming *na, ExprId e, const Func *in) {
  Op op = expr_get(na->s->model->pool, e)->op;
  /* the cause stands in a function, where relations are none */
  if (in)
    return arena_printf(na->run->a,
                        "functions make no events: with annotation(GenerateEvents = true) in "
                        "function `%s` its relations do",
                        in->name);
  if (decides(op) && op != OP_ABS && op != OP_MIN2 && op != OP_MAX2)
    return "leave out noEvent, so that it makes events, and the motion may slide along it";
  if (op == OP_CALL || op == OP_PART || op == OP_VAR)
    return NULL;
  return "write it as an if-expression outside of noEvent: its relation makes events, and the "
         "motion may slide along it";
}

/* ---- blocks ---- */

static bool variable_jumps(const Naming *na, uint32_t var) {
  const SVar *v = &na->s->vars.at[var];
  double values[4];
  for (int k = 0; k < 4 && v->bank == BANK_REAL; k++)
    values[k] = na->gap->at[k].r[v->place];
  return v->bank == BANK_REAL && is_jump(values);
}

/* The part of an expression that jumps, or what decides so in a function that it calls. */
static void name_in(Naming *na, ExprId e, RunJumpPlace *out) {
  ExprId found = smallest(na, e);
  Decision d;
  Op op = expr_get(na->s->model->pool, found)->op;
  const Func *in = NULL;
  if ((op == OP_CALL || op == OP_PART) && differs(na, found, NULL, &d) && d.in) {
    found = d.e;
    in = d.in;
    out->span = d.at.hi ? d.at : out->span;
  }
  out->text = print(na, found, in);
  out->help = help_for(na, found, in);
}

static bool name_section(Naming *na, const SAlgorithm *section, RunJumpPlace *out) {
  Decision d;
  if (!differs(na, NO_EXPR, section, &d))
    return false;
  bool inside = d.in && d.in->n_vars; /* else the section itself */
  out->span = d.at.hi ? d.at : section->span;
  out->text = print(na, d.e, inside ? d.in : NULL);
  out->help = help_for(na, d.e, inside ? d.in : NULL);
  return true;
}

static bool name_block(Naming *na, const SBlock *b, RunJumpPlace *out) {
  const SSystem *sys = &na->s->simulation;
  uint32_t which = 0;
  /* the first unknown in order: later ones may jump because of it */
  while (which < b->n && !variable_jumps(na, b->unknowns[which]))
    which++;
  if (which == b->n)
    return false;
  out->span = sys->rows.at[b->rows[which]].span;
  out->text = name_of(na, b->unknowns[which]);
  switch (b->kind) {
  case BLOCK_EXPLICIT:
    if (jumps(na, b->value))
      name_in(na, b->value, out);
    break;
  case BLOCK_ALGORITHM:
    name_section(na, &na->s->algorithms.at[sys->rows.at[b->rows[0]].number], out);
    break;
  /* the unknowns of a system jump together: the residual that decides otherwise is the cause */
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR:
    for (uint32_t k = 0; k < b->n; k++) {
      Decision d;
      if (!differs(na, b->parts[k], NULL, &d))
        continue;
      out->span = d.at.hi ? d.at : sys->rows.at[b->rows[k]].span;
      out->text = print(na, d.e, d.in);
      out->help = help_for(na, d.e, d.in);
      break;
    }
    break;
  case BLOCK_RELATION: break;
  }
  return true;
}

/* ---- all ---- */

static const char *note_for(Run *run, const RunGap *gap) {
  Text t = {.arena = run->a};
  int slope = run->m->nx + gap->state;
  text_printf(&t, "`der(%s)` jumps from %.6g to %.6g", run_state_name(run, gap->state),
              gap->at[0].r[slope], gap->at[1].r[slope]);
  return text_str(&t);
}

static bool name_gap(Naming *na, RunJumpPlace *out) {
  const SSystem *sys = &na->s->simulation;
  /* in the order of evaluation, between events */
  for (uint32_t k = 0; k < sys->blocks.n; k++)
    if (sys->blocks.at[k].phase == PHASE_DYNAMIC && name_block(na, &sys->blocks.at[k], out))
      return true;
  return false;
}

/* What has no name of its own: the derivative that jumps, where its state is declared. */
static void name_slope(Run *run, const Structure *s, const RunGap *gap, RunJumpPlace *out) {
  /* variables of the program come in the order of those of the model */
  for (int k = 0; k < run->m->n_variables && (uint32_t)k < s->model->vars.n; k++) {
    const DsVariable *v = &run->m->variables[k];
    if (v->type == DS_REAL && v->place == gap->state)
      out->span = s->model->vars.at[k].span;
  }
  Text t = {.arena = run->a};
  text_printf(&t, "der(%s)", run_state_name(run, gap->state));
  out->text = text_str(&t);
  out->help = "look for noEvent, functions and tables in the equations that it follows from, and "
              "let them make events";
}

/* Sorted equations are kept of the mode that the model was translated in. Those of others are
 * sorted again, few times: memory of a run is not given back. */
static const Structure *structure_now(Run *run, RunNaming *nm) {
  const Structure *s = run->options->structure;
  uint32_t n = s->conditions.n, mark = diags_count(run->diags);
  /* the structure of a mode has the same variables, so that places agree */
  bool *values = NEW_ARRAY(run->a, bool, n + 1), same = true;
  for (uint32_t k = 0; k < n; k++) {
    values[k] = run->m->mode[k];
    same = same && values[k] == s->conditions.at[k].value;
  }
  if (same || nm->mode == run->m->mode)
    return same ? s : nm->s;
  if (nm->n == MOST_MODES_NAMED)
    return NULL;
  nm->n++;
  nm->mode = run->m->mode;
  nm->s = structure_in_mode(s, values, false, run->a, run->diags);
  diags_rewind(run->diags, mark);
  return nm->s;
}

bool run_jump_place(Run *run, const RunGap *gap, RunNaming *nm, RunJumpPlace *out) {
  *out = (RunJumpPlace){.note = note_for(run, gap)};
  if (!run->options->structure)
    return false;
  Naming na = {.run = run, .s = structure_now(run, nm), .gap = gap};
  if (na.s) {
    na.ev = (Eval){.pool = na.s->model->pool,
                   .arena = run->a,
                   .lookup = look_up,
                   .machine = &machine,
                   .decides = note_decision};
    na.ev.user = &na;
  }
  if (!na.s || !name_gap(&na, out))
    name_slope(run, run->options->structure, gap, out);
  return true;
}
