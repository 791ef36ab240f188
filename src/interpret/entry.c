/* interpret/entry.c -- the functions of a model without machine code: blocks, lists and systems as
 * emit/ writes them in C.
 * Keep: the order of every sum and of every evaluation is that of the C text, so that results have
 *       the same bits. A function of the model may run inside of another one (the runtime calls
 *       back); each has a recovery point of its own for memory. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "interpret/interpret_impl.h"

/* ---- one evaluation ---- */

typedef struct {
  Work *w;
  double *a, *b, *c; /* where results go */
  int part, phase;   /* of a part alone */
} Frame;
typedef int Body(Frame *f);

static int out_of_memory(DsData *d) {
  return d->host->fail(d, &(DsPlace){0, 0, ""}, "not enough memory");
}

static void prepare(Work *w);

static int enter_with(DsData *d, Body *body, Frame f) {
  Work *const w = work_take((Interp *)(uintptr_t)d->model->own);
  if (!w)
    return out_of_memory(d);
  jmp_buf here, *const outer = w->mem.recover;
  DsData *const d_before = w->d;
  Arena *const arena = w->ev.arena, *const mark = w->mem.arenas;
  const int status_before = w->status;
  w->d = d;
  w->status = DS_OK;
  w->mem.recover = w->kept.recover = &here;
  int status;
  if (setjmp(here) == 0) {
    f.w = w;
    if (!w->ev.pool)
      prepare(w);
    w->ev.arena = arena_new(&w->mem);
    status = body(&f);
  } else {
    w->ev.run = NULL;
    status = out_of_memory(d);
  }
  mem_drop_since(&w->mem, mark);
  w->ev.arena = arena;
  w->mem.recover = w->kept.recover = outer;
  w->d = d_before;
  w->status = status_before;
  work_leave(w);
  return status;
}

static int enter(DsData *d, Body *body, double *a, double *b, double *c) {
  return enter_with(d, body, (Frame){.a = a, .b = b, .c = c});
}

/* The status after an evaluation without value. */
static int failed(Work *w, Span span) {
  if (w->status != DS_OK)
    return w->status;
  Span at = w->ev.where.hi ? w->ev.where : span;
  if (w->ev.overflowed)
    return w->d->host->overflow(w->d, &(DsPlace){at.lo, at.hi, ""});
  return w->d->host->fail(w->d, &(DsPlace){at.lo, at.hi, ""},
                          w->ev.why ? w->ev.why : "an expression has no value");
}

static bool value(Work *w, ExprId e, TypeBase base, Scalar *out) {
  return eval_scalar(&w->ev, e, base, out);
}

static bool real(Work *w, ExprId e, double *out) {
  Scalar s;
  if (!value(w, e, TY_REAL, &s))
    return false;
  *out = s.real;
  return true;
}

/* ---- variables ---- */

static Scalar *scalar_at(void *place) { return place; }

static Scalar *cell_of(Work *w, const SVar *v) {
  DsData *d = w->d;
  switch (v->bank) {
  case BANK_REAL: return scalar_at(&d->r[v->place]);
  case BANK_INTEGER: return scalar_at(&d->i[v->place]);
  case BANK_STRING: return scalar_at(&d->s[v->place]);
  case BANK_REAL_PRE: return scalar_at(&d->r_pre[v->place]);
  case BANK_INTEGER_PRE: return scalar_at(&d->i_pre[v->place]);
  case BANK_STRING_PRE: return scalar_at(&d->s_pre[v->place]);
  case BANK_RELATION: w->cell.integer = d->relation[v->place]; break;
  case BANK_SAMPLE: w->cell.integer = d->sample[v->place]; break;
  }
  return &w->cell;
}

static bool look_up(void *user, Eval *ev, ExprId e, Value *out) {
  Work *w = user;
  const Expr *x = expr_get(w->ev.pool, e);
  (void)ev;
  if (x->op != OP_TIME && x->op != OP_VAR)
    return false;
  if (x->op == OP_TIME)
    w->cell.real = w->d->time;
  *out = (Value){x->type, 1,
                 x->op == OP_TIME ? &w->cell : cell_of(w, &w->in->s->vars.at[x->index])};
  return true;
}

/* Texts become the runtime's, which keeps them. False: there is no memory. */
static bool set(Work *w, uint32_t var, Scalar s) {
  const SVar *v = &w->in->s->vars.at[var];
  if (v->bank == BANK_STRING || v->bank == BANK_STRING_PRE) {
    s.string = w->d->host->text_join(w->d, s.string, "");
    if (!s.string)
      return false;
  }
  if (v->bank == BANK_RELATION)
    w->d->relation[v->place] = s.integer != 0;
  else
    *cell_of(w, v) = s;
  return true;
}

static TypeBase base_of(const Work *w, uint32_t var) {
  return type_get(w->ev.pool, w->in->s->vars.at[var].type)->base;
}

static int assign(Work *w, uint32_t var, ExprId e, Span span) {
  Scalar s;
  return value(w, e, base_of(w, var), &s) && set(w, var, s) ? DS_OK : failed(w, span);
}

/* ---- what expressions and statements ask for ---- */

static bool store(void *user, Eval *ev, const Expr *var, Scalar v) {
  (void)ev;
  return set(user, var->index, v);
}

static bool rounding(Work *w, const Expr *x, Scalar *out) {
  double terms[MOST_SIZE_ROWS], by_row;
  int64_t initially = 0, block = 0, j = 0;
  int n = (int)x->n - 4;
  expr_as_integer(w->ev.pool, x->args[0], &initially);
  expr_as_integer(w->ev.pool, x->args[1], &block);
  expr_as_integer(w->ev.pool, x->args[2], &j);
  for (int k = 0; k < n; k++)
    if (!real(w, x->args[4 + k], &terms[k]))
      return false;
  if (!real(w, x->args[3], &by_row))
    return false;
  const SSystem *sys = initially ? &w->in->s->initial : &w->in->s->simulation;
  uint32_t number = describe_number(w->in->about, sys, &sys->blocks.at[block]);
  out->real = w->d->host->rounding(w->d, (int)number, (int)j, n, terms, by_row);
  return true;
}

static bool hybrid(void *user, Eval *ev, const Expr *x, Scalar *out) {
  Work *w = user;
  Value delay, k, what;
  if (x->op == OP_ROUNDING)
    return rounding(w, x, out);
  if (x->op == OP_SPATIAL) {
    if (!eval_expr(ev, x->args[0], &k) || !eval_expr(ev, x->args[1], &what) ||
        !eval_expr(ev, x->args[2], &delay))
      return false;
    out->real = w->d->host->transport(w->d, (int)k.at[0].integer, (int)what.at[0].integer,
                                      delay.at[0].real);
    return true;
  }
  if (x->op != OP_DELAY) {
    out->integer = x->op == OP_INITIAL ? w->d->initial : w->d->terminal;
    return true;
  }
  if (!eval_expr(ev, x->args[0], &k) || !eval_expr(ev, x->args[2], &delay))
    return false;
  bool whole = type_get(w->ev.pool, delay.type)->base == TY_INTEGER;
  out->real = w->d->host->delay(w->d, (int)k.at[0].integer,
                                whole ? (double)delay.at[0].integer : delay.at[0].real);
  return true;
}

static bool violated(void *user, Eval *ev, Span at, const char *message, int64_t level) {
  Work *w = user;
  (void)ev;
  w->status = w->d->host->violated(w->d, &(DsPlace){at.lo, at.hi, ""}, message, (int)level);
  return w->status == DS_OK;
}

static void terminate(void *user, Eval *ev, Span at, const char *message) {
  Work *w = user;
  (void)ev;
  w->d->host->terminate(w->d, &(DsPlace){at.lo, at.hi, ""}, message);
}

static const EvalMachine machine = {store, hybrid, violated, terminate, native_external};

/* Types of arrays, whose sizes are known by then only, are made on the way. */
static void prepare(Work *w) {
  ExprPool *pool = pool_on(w->in->m->pool, arena_new(&w->kept));
  w->ev = (Eval){.pool = pool, .lookup = look_up, .user = w, .machine = &machine};
}

/* ---- systems of equations ---- */

/* Adds to a slope; the first term is the sum itself. */
static void add(double *sum, bool *any, double term) {
  *sum = *any ? *sum + term : term;
  *any = true;
}

/* The slopes of one part, along the inner unknowns before it. */
static bool slopes_of(Work *w, const SBlock *b, const SSlopes *sl, uint32_t part, double *slope,
                      uint32_t *position) {
  uint32_t first = sl->start[part];
  bool *any = NEW_ARRAY(w->ev.arena, bool, sl->n[part] + 1);
  for (uint32_t i = 0; i < sl->n[part]; i++)
    position[sl->of[first + i]] = i;
  for (uint32_t q = 0; q < b->partials[part].n; q++) {
    SPartial p = b->partials[part].at[q];
    double d = 0;
    if (p.of >= b->n_tear && !sl->n[p.of])
      continue;
    if (!real(w, p.d, &d))
      return false;
    if (p.of < b->n_tear)
      add(&slope[first + position[p.of]], &any[position[p.of]], d);
    for (uint32_t i = 0; p.of >= b->n_tear && i < sl->n[p.of]; i++) {
      uint32_t at = position[sl->of[sl->start[p.of] + i]];
      add(&slope[first + at], &any[at], d * slope[sl->start[p.of] + i]);
    }
  }
  return true;
}

static int jacobian(Work *w, const Solved *of, double *a) {
  const SBlock *b = of->block;
  const SSlopes *sl = of->slopes;
  uint32_t n = b->n_tear, *position = NEW_ARRAY(w->ev.arena, uint32_t, n + 1);
  double *slope = NEW_ARRAY(w->ev.arena, double, sl->total + 1);
  for (uint32_t k = 0; k < b->n; k++)
    if (!slopes_of(w, b, sl, slopes_part(b, k), slope, position))
      return failed(w, of->span);
  if (sl->by_entries) {
    memcpy(a, slope + sl->start[0], slopes_entries(b, sl) * sizeof *a);
    return DS_OK;
  }
  memset(a, 0, (size_t)n * n * sizeof *a);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < sl->n[i]; k++)
      a[(size_t)i * n + sl->of[sl->start[i] + k]] = slope[sl->start[i] + k];
  return DS_OK;
}

static int residual_body(Frame *f) {
  Work *w = f->w;
  const Solved *of = &w->in->about->solved.at[w->block];
  const SBlock *b = of->block;
  for (uint32_t k = b->n_tear; k < b->n; k++) {
    int status = assign(w, b->unknowns[k], b->parts[k], of->span);
    if (status != DS_OK)
      return status;
  }
  for (uint32_t k = 0; k < b->n_tear; k++)
    if (!real(w, b->parts[k], &f->a[k]))
      return failed(w, of->span);
  return f->b && b->partials ? jacobian(w, of, f->b) : DS_OK;
}

static int residual(DsData *d, double *f, double *a) { return enter(d, residual_body, f, a, NULL); }

/* Residuals at 0 give the right side; after the solution the inner unknowns follow by one more
 * evaluation. */
static int solve_linear(Work *w, const SBlock *bl, uint32_t number) {
  DsData *d = w->d;
  uint32_t n = bl->n_tear;
  const int *places = w->in->about->model.blocks[number].iterated;
  const SSlopes *sl = w->in->about->solved.at[number].slopes;
  double *a = d->work, *b = d->work + (sl->by_entries ? slopes_entries(bl, sl) : (size_t)n * n);
  for (uint32_t k = 0; k < n; k++)
    d->r[places[k]] = 0;
  int status = residual(d, b, a);
  if (status != DS_OK)
    return status;
  for (uint32_t k = 0; k < n; k++)
    b[k] = 0 - b[k]; /* never -0: then it does not matter how a 0 came about */
  if ((status = d->host->linear(d, (int)number, (int)n, places, a, b)) != DS_OK)
    return status;
  for (uint32_t k = 0; k < n; k++)
    d->r[places[k]] = b[k];
  return residual(d, b, NULL);
}

/* ---- blocks ---- */

/* Targets start from pre (discrete) or start (continuous): MLS 3.6 section 11.1.2. */
static int algorithm(Work *w, uint32_t number) {
  const SAlgorithm *alg = &w->in->s->algorithms.at[number];
  for (uint32_t k = 0; k < alg->n_targets; k++) {
    uint32_t v = alg->targets[k];
    const SVar *sv = &w->in->s->vars.at[v];
    if (sv->known || !(w->system == SYSTEM_INITIAL ? alg->carried_initially : alg->carried)[k])
      continue;
    int status = DS_OK;
    if (sv->discrete && sv->pre != NO_SVAR)
      *cell_of(w, sv) = *cell_of(w, &w->in->s->vars.at[sv->pre]);
    else if (w->in->s->starts[v].i)
      status = assign(w, v, w->in->s->starts[v], alg->span);
    else
      *cell_of(w, sv) = base_of(w, v) == TY_STRING ? (Scalar){.string = ""}
                                                   : (Scalar){.integer = 0};
    if (status != DS_OK)
      return status;
  }
  return eval_statements(&w->ev, w->system == SYSTEM_INITIAL ? alg->initial : alg->body,
                         alg->n_body, w->in->iterators[number])
             ? DS_OK
             : failed(w, alg->span);
}

static int relation(Work *w, const SBlock *b, const SRow *row) {
  const SRelation *r = &w->in->s->relations.at[row->number];
  double x = w->d->time, y = 0, size = -1, terms = -1;
  if ((!r->timed && !real(w, r->a, &x)) || !real(w, r->timed ? r->instant : r->b, &y))
    return failed(w, row->span);
  bool initial = w->system == SYSTEM_INITIAL;
  ExprId of = initial ? r->size_initially : r->size, by = initial ? r->terms_initially : r->terms;
  if (of.i && (!real(w, of, &size) || !real(w, by, &terms)))
    return failed(w, row->span);
  (b->cut ? w->d->host->propose : w->d->host->relation)(w->d, (int)row->number, x, y, size, terms);
  return DS_OK;
}

/* Contact forces act on derivatives of states that reinit acts on. */
static void push(const Work *w, const SBlock *b) {
  for (uint32_t k = 0; k < b->n && w->d->push && w->system == SYSTEM_SIMULATION; k++) {
    const SVar *v = &w->in->s->vars.at[b->unknowns[k]];
    if (v->push_of)
      ds_push(w->d, (int)v->place, (int)w->in->s->vars.at[v->push_of - 1].place,
              v->push_negated ? -1 : 1);
  }
}

static int solve_block(Work *w, uint32_t k) {
  const SSystem *sys = describe_system(w->in->about, w->system);
  const SBlock *b = &sys->blocks.at[k];
  const SRow *row = &sys->rows.at[b->rows[0]];
  uint32_t before = w->block, number = w->in->about->number[w->system][k];
  int status = DS_OK;
  switch (b->kind) {
  case BLOCK_EXPLICIT: return assign(w, b->unknowns[0], b->value, row->span);
  case BLOCK_RELATION: return relation(w, b, row);
  case BLOCK_ALGORITHM: return algorithm(w, row->number);
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR:
    w->block = number;
    if (b->kind == BLOCK_LINEAR)
      status = solve_linear(w, b, number);
    else
      status = w->d->host->newton(w->d, (int)number, (int)b->n_tear,
                                  w->in->about->model.blocks[number].iterated, residual,
                                  b->partials != NULL);
    w->block = before;
    break;
  }
  return status;
}

static int do_block(Work *w, uint32_t k) {
  int status = solve_block(w, k);
  if (status == DS_OK)
    push(w, &describe_system(w->in->about, w->system)->blocks.at[k]);
  return status;
}

static int trial_body(Frame *f) {
  int status = DS_OK;
  for (uint32_t k = f->w->first; k < f->w->end && status == DS_OK; k++)
    status = do_block(f->w, k);
  return status;
}

static int trial(DsData *d) { return enter(d, trial_body, NULL, NULL, NULL); }

/* Blocks first .. last - 1 of a system; those of a mixed one together, until its relations
 * agree. */
static int whole(Work *w, int system, uint32_t first, uint32_t last) {
  const SSystem *sys = describe_system(w->in->about, system);
  const int before = w->system;
  int status = DS_OK;
  w->system = system;
  for (uint32_t k = first, end; k < last && status == DS_OK; k = end) {
    uint32_t mixed = sys->blocks.at[k].mixed;
    end = k + 1;
    if (!mixed) {
      status = do_block(w, k);
      continue;
    }
    while (end < last && sys->blocks.at[end].mixed == mixed)
      end++;
    w->first = k;
    w->end = end;
    status = w->d->host->mixed(w->d, (int)mixed - 1, trial);
  }
  w->system = before;
  return status;
}

static int phase(Work *w, SPhase which, uint32_t first, uint32_t last) {
  int status = DS_OK;
  w->system = SYSTEM_SIMULATION;
  for (uint32_t k = first; k < last && status == DS_OK; k++)
    if (w->in->s->simulation.blocks.at[k].phase == which)
      status = do_block(w, k);
  return status;
}

static int steps(Work *w, const SSlice *slice) {
  int status = DS_OK;
  w->system = SYSTEM_SIMULATION;
  for (uint32_t k = 0; k < slice->n_steps && status == DS_OK; k++) {
    SStep step = slice->steps[k];
    const SBlock *b = &w->in->s->simulation.blocks.at[step.block];
    if (step.part == WHOLE_BLOCK)
      status = do_block(w, step.block);
    else
      status = assign(w, b->unknowns[step.part], b->parts[step.part],
                      w->in->s->simulation.rows.at[b->rows[step.part]].span);
  }
  return status;
}

/* ---- actions and checks ---- */

static int assertion(Work *w, const SAction *act, const DsPlace *place) {
  Scalar holds, message, level = {.integer = 2};
  if (!value(w, act->value, TY_BOOLEAN, &holds))
    return failed(w, act->span);
  if (holds.integer)
    return DS_OK;
  if (!value(w, act->message, TY_STRING, &message) ||
      (act->level.i && !value(w, act->level, TY_INTEGER, &level)))
    return failed(w, act->span);
  return w->d->host->violated(w->d, place, message.string, (int)level.integer);
}

static int action(Work *w, const SAction *act) {
  DsPlace place = {act->span.lo, act->span.hi, ""};
  Scalar s = {.integer = 1};
  if (act->guard.i && !value(w, act->guard, TY_BOOLEAN, &s))
    return failed(w, act->span);
  if (!s.integer)
    return DS_OK;
  switch (act->kind) {
  case ACTION_REINIT:
    if (!value(w, act->value, TY_REAL, &s))
      return failed(w, act->span);
    w->d->host->reinit(w->d, (int)w->in->s->vars.at[act->state].place, s.real);
    return DS_OK;
  case ACTION_TERMINATE:
    if (!value(w, act->message, TY_STRING, &s))
      return failed(w, act->span);
    w->d->host->terminate(w->d, &place, s.string);
    return DS_OK;
  case ACTION_ASSERT: return assertion(w, act, &place);
  case ACTION_CALL: {
    Value results;
    return expr_get(w->ev.pool, act->value)->op != OP_CALL ||
                   eval_expr(&w->ev, act->value, &results)
               ? DS_OK
               : failed(w, act->span);
  }
  }
  return DS_OK;
}

static int do_actions(Work *w, const SAction *list, uint32_t n) {
  int status = DS_OK;
  for (uint32_t k = 0; k < n && status == DS_OK; k++)
    status = action(w, &list[k]);
  return status;
}

static int actions_body(Frame *f) {
  return do_actions(f->w, f->w->in->s->actions.at, f->w->in->s->actions.n);
}
static int checks_body(Frame *f) {
  return do_actions(f->w, f->w->in->s->checks.at, f->w->in->s->checks.n);
}

/* ---- lists ---- */

static int parameters_body(Frame *f) {
  Work *w = f->w;
  int status = DS_OK;
  for (uint32_t k = 0; k < w->in->s->parameters.n && status == DS_OK; k++) {
    uint32_t v = w->in->s->parameters.at[k];
    const FlatVar *fv = &w->in->m->vars.at[v];
    if (fv->variability != FLAT_PARAMETER || !w->d->given[v])
      status = w->in->s->bindings[v].i ? assign(w, v, w->in->s->bindings[v], fv->span) : DS_OK;
  }
  for (uint32_t k = 0; k < w->in->s->guards.n && status == DS_OK; k++)
    status = action(w, &w->in->s->guards.at[k]);
  return status;
}

static Scalar default_start(const Work *w, uint32_t v) {
  TypeBase base = base_of(w, v);
  return base == TY_STRING ? (Scalar){.string = ""} : (Scalar){.integer = base == TY_ENUM};
}

static int start_body(Frame *f) {
  Work *w = f->w;
  int status = DS_OK;
  for (uint32_t v = 0; v < w->in->m->vars.n && status == DS_OK; v++) {
    if (w->in->m->vars.at[v].variability >= FLAT_PARAMETER || w->d->given[v])
      continue;
    if (w->in->s->starts[v].i)
      status = assign(w, v, w->in->s->starts[v], w->in->m->vars.at[v].span);
    else
      *cell_of(w, &w->in->s->vars.at[v]) = default_start(w, v);
  }
  return status;
}

static int nominal_body(Frame *f) {
  for (uint32_t k = 0; k < f->w->in->s->states.n; k++) {
    uint32_t var = f->w->in->s->states.at[k];
    f->a[k] = 1;
    if (f->w->in->s->vars.at[var].kind != SV_VAR) /* what is chosen has its own */
      continue;
    const FlatVar *v = &f->w->in->m->vars.at[var];
    if (v->nominal.i && !real(f->w, v->nominal, &f->a[k]))
      return failed(f->w, v->span);
    f->a[k] = fabs(f->a[k]);
  }
  return DS_OK;
}

static int bounds_body(Frame *f) {
  Work *w = f->w;
  for (uint32_t v = 0; v < w->in->m->vars.n; v++) {
    const FlatVar *fv = &w->in->m->vars.at[v];
    const SVar *sv = &w->in->s->vars.at[v];
    if (sv->bank != BANK_REAL || fv->variability >= FLAT_PARAMETER)
      continue;
    if ((fv->nominal.i && !real(w, fv->nominal, &f->a[sv->place])) ||
        (fv->min.i && !real(w, fv->min, &f->b[sv->place])) ||
        (fv->max.i && !real(w, fv->max, &f->c[sv->place])))
      return failed(w, fv->span);
  }
  return DS_OK;
}

static int samples_body(Frame *f) {
  for (uint32_t k = 0; k < f->w->in->s->samples.n; k++) {
    const SSample *sm = &f->w->in->s->samples.at[k];
    if (!real(f->w, sm->start, &f->a[k]) || !real(f->w, sm->interval, &f->b[k]))
      return failed(f->w, sm->span);
  }
  return DS_OK;
}

static int do_instants(Frame *f, uint32_t first, uint32_t n) {
  for (uint32_t k = first; k < first + n; k++) {
    const SRelation *r = &f->w->in->s->relations.at[k];
    if (r->timed && !real(f->w, r->instant, &f->a[k]))
      return failed(f->w, r->span);
  }
  return DS_OK;
}

static int do_crossings(Frame *f, uint32_t first, uint32_t n) {
  for (uint32_t k = first; k < first + n; k++) {
    const SRelation *r = &f->w->in->s->relations.at[k];
    Scalar matters = {.integer = 1};
    if (r->timed)
      continue;
    if (r->guard.i && f->w->d->whole <= (r->watch != 0) &&
        !value(f->w, r->guard, TY_BOOLEAN, &matters))
      return failed(f->w, r->span);
    if (!matters.integer)
      f->a[k] = f->b[k] = NAN;
    else if (!real(f->w, r->a, &f->a[k]) || !real(f->w, r->b, &f->b[k]))
      return failed(f->w, r->span);
  }
  return DS_OK;
}

static int do_sizes(Frame *f, uint32_t first, uint32_t n) {
  for (uint32_t k = first; k < first + n; k++) {
    const SRelation *r = &f->w->in->s->relations.at[k];
    Scalar matters = {.integer = 1};
    if (r->timed)
      continue;
    if (r->guard.i && r->size.i && f->w->d->whole <= (r->watch != 0) &&
        !value(f->w, r->guard, TY_BOOLEAN, &matters))
      return failed(f->w, r->span);
    f->a[k] = f->b[k] = -1;
    if (r->size.i && matters.integer &&
        (!real(f->w, r->size, &f->a[k]) || !real(f->w, r->terms, &f->b[k])))
      return failed(f->w, r->span);
  }
  return DS_OK;
}

static int instants_body(Frame *f) { return do_instants(f, 0, f->w->in->s->relations.n); }
static int crossings_body(Frame *f) { return do_crossings(f, 0, f->w->in->s->relations.n); }

static int sizes_body(Frame *f) { return do_sizes(f, 0, f->w->in->s->relations.n); }

static int delays_body(Frame *f) {
  for (uint32_t k = 0; k < f->w->in->s->delays.n; k++) {
    const SDelay *de = &f->w->in->s->delays.at[k];
    f->a[4 * k] = cell_of(f->w, &f->w->in->s->vars.at[de->in])->real;
    if (!real(f->w, de->delay, &f->a[4 * k + 1]) || !real(f->w, de->most, &f->a[4 * k + 2]))
      return failed(f->w, de->span);
    f->a[4 * k + 3] = de->varies;
  }
  return DS_OK;
}

static int transports_body(Frame *f) {
  for (uint32_t k = 0; k < f->w->in->s->transports.n; k++)
    for (uint32_t q = 0; q < 4; q++)
      f->a[4 * k + q] = cell_of(f->w,
                                &f->w->in->s->vars.at[f->w->in->s->transports.at[k].recorded[q]])
                            ->real;
  return DS_OK;
}

/* A number, or 1 for true and 0 for false. */
static bool number(Work *w, ExprId e, double *out) {
  Scalar s;
  if (type_get(w->ev.pool, expr_get(w->ev.pool, e)->type)->base != TY_BOOLEAN)
    return real(w, e, out);
  if (!value(w, e, TY_BOOLEAN, &s))
    return false;
  *out = s.integer != 0;
  return true;
}

static int redundancy_body(Frame *f) {
  for (uint32_t k = 0; k < f->w->in->s->redundant.n; k++) {
    const SRedundant *r = &f->w->in->s->redundant.at[k];
    if (!number(f->w, r->lhs, &f->a[2 * k]) || !number(f->w, r->rhs, &f->a[2 * k + 1]))
      return failed(f->w, r->span);
  }
  return DS_OK;
}

/* ---- lists of values ---- */

static int do_values(Frame *f, const ValueList *list) {
  for (uint32_t k = 0; k < list->n; k++)
    if (!real(f->w, list->at[k].value, &f->a[list->at[k].at]))
      return failed(f->w, list->at[k].span);
  return DS_OK;
}

static int profiles_body(Frame *f) { return do_values(f, &f->w->in->about->profiles); }
static int evaluate_body(Frame *f) { return do_values(f, &f->w->in->about->evaluate); }
static int evaluate_relations_body(Frame *f) {
  return do_values(f, &f->w->in->about->evaluate_relations);
}
static int selection_body(Frame *f) { return do_values(f, &f->w->in->about->selection); }
static int jump_body(Frame *f) { return do_values(f, &f->w->in->about->jump); }
static int areas_body(Frame *f) { return do_values(f, &f->w->in->about->relation_areas); }
static int invariants_body(Frame *f) { return do_values(f, &f->w->in->about->invariants); }

/* ---- the interface ---- */

static int initial_body(Frame *f) {
  return whole(f->w, SYSTEM_INITIAL, 0, f->w->in->s->initial.blocks.n);
}
static int spread_body(Frame *f) {
  return whole(f->w, SYSTEM_PULSES, 0, f->w->in->s->pulses.blocks.n);
}
static int events_body(Frame *f) {
  return whole(f->w, SYSTEM_SIMULATION, 0, f->w->in->s->simulation.blocks.n);
}
static int derivatives_body(Frame *f) {
  return phase(f->w, PHASE_DYNAMIC, 0, f->w->in->s->simulation.blocks.n);
}
static int outputs_body(Frame *f) {
  return f->w->in->about->slice ? steps(f->w, f->w->in->about->slice)
                                : phase(f->w, PHASE_OUTPUT, 0, f->w->in->s->simulation.blocks.n);
}

/* Blocks and checks of no part, which come last. */
static SPart rest_of(const Structure *s) {
  const SPart *last = &vec_last(&s->parts);
  uint32_t block = last->block + last->n_blocks, check = last->check + last->n_checks;
  return (SPart){.block = block,
                 .n_blocks = s->simulation.blocks.n - block,
                 .check = check,
                 .n_checks = s->checks.n - check};
}

static int part_body(Frame *f) {
  const Structure *s = f->w->in->s;
  SPart rest = rest_of(s);
  const SPart *p = (uint32_t)f->part < s->parts.n ? &s->parts.at[f->part] : &rest;
  switch (f->phase) {
  case DS_PART_EVENTS: return whole(f->w, SYSTEM_SIMULATION, p->block, p->block + p->n_blocks);
  case DS_PART_ACTIONS: return do_actions(f->w, s->actions.at + p->action, p->n_actions);
  case DS_PART_DERIVATIVES: return phase(f->w, PHASE_DYNAMIC, p->block, p->block + p->n_blocks);
  case DS_PART_OUTPUTS: return phase(f->w, PHASE_OUTPUT, p->block, p->block + p->n_blocks);
  }
  return do_actions(f->w, s->checks.at + p->check, p->n_checks);
}

static int part_crossings_body(Frame *f) {
  const SPart *p = &f->w->in->s->parts.at[f->part];
  return do_crossings(f, p->relation, p->n_relations);
}

static int part_sizes_body(Frame *f) {
  const SPart *p = &f->w->in->s->parts.at[f->part];
  return do_sizes(f, p->relation, p->n_relations);
}

static int part_instants_body(Frame *f) {
  const SPart *p = &f->w->in->s->parts.at[f->part];
  return do_instants(f, p->relation, p->n_relations);
}

static int parameters(DsData *d) { return enter(d, parameters_body, NULL, NULL, NULL); }
static int start(DsData *d) { return enter(d, start_body, NULL, NULL, NULL); }
static int nominal(DsData *d, double *x) { return enter(d, nominal_body, x, NULL, NULL); }
static int bounds(DsData *d, double *n, double *low, double *high) {
  return enter(d, bounds_body, n, low, high);
}
static int initial(DsData *d) { return enter(d, initial_body, NULL, NULL, NULL); }
static int redundancy(DsData *d, double *sides) {
  return enter(d, redundancy_body, sides, NULL, NULL);
}
static int delays(DsData *d, double *values) { return enter(d, delays_body, values, NULL, NULL); }
static int transports(DsData *d, double *values) {
  return enter(d, transports_body, values, NULL, NULL);
}
static int profiles(DsData *d, double *values) {
  return enter(d, profiles_body, values, NULL, NULL);
}
static int events(DsData *d) { return enter(d, events_body, NULL, NULL, NULL); }
static int actions(DsData *d) { return enter(d, actions_body, NULL, NULL, NULL); }
static int samples(DsData *d, double *first, double *interval) {
  return enter(d, samples_body, first, interval, NULL);
}
static int instants(DsData *d, double *at) { return enter(d, instants_body, at, NULL, NULL); }
static int derivatives(DsData *d) { return enter(d, derivatives_body, NULL, NULL, NULL); }
static int crossings(DsData *d, double *a, double *b) {
  return enter(d, crossings_body, a, b, NULL);
}
static int sizes(DsData *d, double *size, double *terms) {
  return enter(d, sizes_body, size, terms, NULL);
}
static int outputs(DsData *d) { return enter(d, outputs_body, NULL, NULL, NULL); }
static int checks(DsData *d) { return enter(d, checks_body, NULL, NULL, NULL); }
static int selection(DsData *d, double *entries) {
  return enter(d, selection_body, entries, NULL, NULL);
}
static int part(DsData *d, int k, int which) {
  return enter_with(d, part_body, (Frame){.part = k, .phase = which});
}
static int part_crossings(DsData *d, int k, double *a, double *b) {
  return enter_with(d, part_crossings_body, (Frame){.a = a, .b = b, .part = k});
}
static int part_sizes(DsData *d, int k, double *size, double *terms) {
  return enter_with(d, part_sizes_body, (Frame){.a = size, .b = terms, .part = k});
}
static int part_instants(DsData *d, int k, double *at) {
  return enter_with(d, part_instants_body, (Frame){.a = at, .part = k});
}
static int jump(DsData *d, double *values) { return enter(d, jump_body, values, NULL, NULL); }
static int invariants(DsData *d, double *values) {
  return enter(d, invariants_body, values, NULL, NULL);
}
static int spread(DsData *d) { return enter(d, spread_body, NULL, NULL, NULL); }
static int relation_areas(DsData *d, double *areas) {
  return enter(d, areas_body, areas, NULL, NULL);
}
static int evaluate(DsData *d, double *p) { return enter(d, evaluate_body, p, NULL, NULL); }
static int evaluate_relations(DsData *d, double *p) {
  return enter(d, evaluate_relations_body, p, NULL, NULL);
}

static const DsModel functions = {.parameters = parameters,
                                  .start = start,
                                  .nominal = nominal,
                                  .bounds = bounds,
                                  .initial = initial,
                                  .redundancy = redundancy,
                                  .delays = delays,
                                  .events = events,
                                  .actions = actions,
                                  .samples = samples,
                                  .instants = instants,
                                  .derivatives = derivatives,
                                  .crossings = crossings,
                                  .outputs = outputs,
                                  .checks = checks,
                                  .part = part,
                                  .part_crossings = part_crossings,
                                  .part_instants = part_instants,
                                  .sizes = sizes,
                                  .part_sizes = part_sizes,
                                  .selection = selection,
                                  .transports = transports,
                                  .profiles = profiles,
                                  .jump = jump,
                                  .spread = spread,
                                  .relation_areas = relation_areas,
                                  .invariants = invariants};

/* Those that the model has. */
static void set_functions(DsModel *m, bool whole) {
#define ENTRY(f, when)                                                                             \
  if (when)                                                                                        \
    m->f = functions.f;
#include "describe/model.def"
#include "structure/slice.h"
#include "structure/slopes.h"
#include "structure/sorted.h"
}

void entry_points(Interp *in) {
  DsModel *m = &in->about->model;
  set_functions(m, !in->about->slice);
  in->about->tangent.evaluate = evaluate;
  in->about->tangent.evaluate_relations = evaluate_relations;
  m->own = in;
}
