/* interpret/entry.c -- the functions of a model without machine code: blocks, lists and systems as emit/ writes them in C.
 * Keep: the order of every sum and of every evaluation is that of the C text, so that results have the same bits. A function
 *       of the model may run inside of another one (the runtime calls back); each has a recovery point of its own for memory. */
#include <math.h>
#include <string.h>

#include "interpret/interpret_impl.h"

/* ---- one evaluation ---- */

typedef struct {
  Interp *in;
  double *a, *b, *c; /* where results go */
  int part, phase;   /* of a part alone */
} Frame;
typedef int Body(Frame *f);

static int out_of_memory(DsData *d) { return d->host->fail(d, &(DsPlace){0, 0, ""}, "not enough memory"); }

static int enter_with(DsData *d, Body *body, Frame f) {
  Interp *in = (Interp *)(uintptr_t)d->model->own;
  pthread_mutex_lock(&in->lock);
  Memory *pool = arena_memory(in->a);
  jmp_buf here, *const outer = in->mem.recover, *const outer_pool = pool->recover;
  DsData *const d_before = in->d;
  Arena *const arena = in->ev.arena, *const mark = in->mem.arenas;
  const int status_before = in->status;
  in->d = d;
  in->status = DS_OK;
  in->mem.recover = pool->recover = &here;
  int status;
  if (setjmp(here) == 0) {
    f.in = in;
    in->ev.arena = arena_new(&in->mem);
    status = body(&f);
  } else {
    in->ev.run = NULL;
    status = out_of_memory(d);
  }
  mem_drop_since(&in->mem, mark);
  in->ev.arena = arena;
  in->mem.recover = outer;
  pool->recover = outer_pool;
  in->d = d_before;
  in->status = status_before;
  pthread_mutex_unlock(&in->lock);
  return status;
}

static int enter(DsData *d, Body *body, double *a, double *b, double *c) { return enter_with(d, body, (Frame){.a = a, .b = b, .c = c}); }

/* The status after an evaluation without value. */
static int failed(Interp *in, Span span) {
  if (in->status != DS_OK)
    return in->status;
  Span at = in->ev.where.hi ? in->ev.where : span;
  if (in->ev.overflowed)
    return in->d->host->overflow(in->d, &(DsPlace){at.lo, at.hi, ""});
  return in->d->host->fail(in->d, &(DsPlace){at.lo, at.hi, ""}, in->ev.why ? in->ev.why : "an expression has no value");
}

static bool value(Interp *in, ExprId e, TypeBase base, Scalar *out) { return eval_scalar(&in->ev, e, base, out); }

static bool real(Interp *in, ExprId e, double *out) {
  Scalar s;
  if (!value(in, e, TY_REAL, &s))
    return false;
  *out = s.real;
  return true;
}

/* ---- variables ---- */

static Scalar *scalar_at(void *place) { return place; }

static Scalar *cell_of(Interp *in, const SVar *v) {
  DsData *d = in->d;
  switch (v->bank) {
  case BANK_REAL: return scalar_at(&d->r[v->place]);
  case BANK_INTEGER: return scalar_at(&d->i[v->place]);
  case BANK_STRING: return scalar_at(&d->s[v->place]);
  case BANK_REAL_PRE: return scalar_at(&d->r_pre[v->place]);
  case BANK_INTEGER_PRE: return scalar_at(&d->i_pre[v->place]);
  case BANK_STRING_PRE: return scalar_at(&d->s_pre[v->place]);
  case BANK_RELATION: in->cell.integer = d->relation[v->place]; break;
  case BANK_SAMPLE: in->cell.integer = d->sample[v->place]; break;
  }
  return &in->cell;
}

static bool look_up(void *user, Eval *ev, ExprId e, Value *out) {
  Interp *in = user;
  const Expr *x = expr_get(in->p, e);
  (void)ev;
  if (x->op != OP_TIME && x->op != OP_VAR)
    return false;
  if (x->op == OP_TIME)
    in->cell.real = in->d->time;
  *out = (Value){x->type, 1, x->op == OP_TIME ? &in->cell : cell_of(in, &in->s->vars.at[x->index])};
  return true;
}

/* Texts become the runtime's, which keeps them. False: there is no memory. */
static bool set(Interp *in, uint32_t var, Scalar s) {
  const SVar *v = &in->s->vars.at[var];
  if (v->bank == BANK_STRING || v->bank == BANK_STRING_PRE) {
    s.string = in->d->host->text_join(in->d, s.string, "");
    if (!s.string)
      return false;
  }
  if (v->bank == BANK_RELATION)
    in->d->relation[v->place] = s.integer != 0;
  else
    *cell_of(in, v) = s;
  return true;
}

static TypeBase base_of(const Interp *in, uint32_t var) { return type_get(in->p, in->s->vars.at[var].type)->base; }

static int assign(Interp *in, uint32_t var, ExprId e, Span span) {
  Scalar s;
  return value(in, e, base_of(in, var), &s) && set(in, var, s) ? DS_OK : failed(in, span);
}

/* ---- what expressions and statements ask for ---- */

static bool store(void *user, Eval *ev, const Expr *var, Scalar v) {
  (void)ev;
  return set(user, var->index, v);
}

static bool hybrid(void *user, Eval *ev, const Expr *x, Scalar *out) {
  Interp *in = user;
  Value delay, k, what;
  if (x->op == OP_SPATIAL) {
    if (!eval_expr(ev, x->args[0], &k) || !eval_expr(ev, x->args[1], &what) || !eval_expr(ev, x->args[2], &delay))
      return false;
    out->real = in->d->host->transport(in->d, (int)k.at[0].integer, (int)what.at[0].integer, delay.at[0].real);
    return true;
  }
  if (x->op != OP_DELAY) {
    out->integer = x->op == OP_INITIAL ? in->d->initial : in->d->terminal;
    return true;
  }
  if (!eval_expr(ev, x->args[0], &k) || !eval_expr(ev, x->args[2], &delay))
    return false;
  bool whole = type_get(in->p, delay.type)->base == TY_INTEGER;
  out->real = in->d->host->delay(in->d, (int)k.at[0].integer, whole ? (double)delay.at[0].integer : delay.at[0].real);
  return true;
}

static bool violated(void *user, Eval *ev, Span at, const char *message, int64_t level) {
  Interp *in = user;
  (void)ev;
  in->status = in->d->host->violated(in->d, &(DsPlace){at.lo, at.hi, ""}, message, (int)level);
  return in->status == DS_OK;
}

static void terminate(void *user, Eval *ev, Span at, const char *message) {
  Interp *in = user;
  (void)ev;
  in->d->host->terminate(in->d, &(DsPlace){at.lo, at.hi, ""}, message);
}

static const EvalMachine machine = {store, hybrid, violated, terminate, native_external};

/* ---- systems of equations ---- */

/* Adds to a slope; the first term is the sum itself. */
static void add(double *sum, bool *any, double term) {
  *sum = *any ? *sum + term : term;
  *any = true;
}

/* The slopes of one part, along the inner unknowns before it. */
static bool slopes_of(Interp *in, const SBlock *b, const SSlopes *sl, uint32_t part, double *slope, uint32_t *position) {
  uint32_t first = sl->start[part];
  bool *any = NEW_ARRAY(in->ev.arena, bool, sl->n[part] + 1);
  for (uint32_t i = 0; i < sl->n[part]; i++)
    position[sl->of[first + i]] = i;
  for (uint32_t q = 0; q < b->partials[part].n; q++) {
    SPartial p = b->partials[part].at[q];
    double d = 0;
    if (p.of >= b->n_tear && !sl->n[p.of])
      continue;
    if (!real(in, p.d, &d))
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

static int jacobian(Interp *in, const SBlock *b, const SSlopes *sl, double *a) {
  uint32_t n = b->n_tear, *position = NEW_ARRAY(in->ev.arena, uint32_t, n + 1);
  double *slope = NEW_ARRAY(in->ev.arena, double, sl->total + 1);
  for (uint32_t k = 0; k < b->n; k++)
    if (!slopes_of(in, b, sl, slopes_part(b, k), slope, position))
      return failed(in, (Span){0, 0});
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
  Interp *in = f->in;
  const SBlock *b = in->solved[in->block];
  const Span span = {0, 0};
  for (uint32_t k = b->n_tear; k < b->n; k++) {
    int status = assign(in, b->unknowns[k], b->parts[k], span);
    if (status != DS_OK)
      return status;
  }
  for (uint32_t k = 0; k < b->n_tear; k++)
    if (!real(in, b->parts[k], &f->a[k]))
      return failed(in, span);
  return f->b && b->partials ? jacobian(in, b, in->slopes[in->block], f->b) : DS_OK;
}

static int residual(DsData *d, double *f, double *a) { return enter(d, residual_body, f, a, NULL); }

/* Residuals at 0 give the right side; after the solution the inner unknowns follow by one more evaluation. */
static int solve_linear(Interp *in, const SBlock *bl, uint32_t number) {
  DsData *d = in->d;
  uint32_t n = bl->n_tear;
  const int *places = in->places[number];
  const SSlopes *sl = in->slopes[number];
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
static int algorithm(Interp *in, uint32_t number) {
  const SAlgorithm *alg = &in->s->algorithms.at[number];
  for (uint32_t k = 0; k < alg->n_targets; k++) {
    uint32_t v = alg->targets[k];
    const SVar *sv = &in->s->vars.at[v];
    if (sv->known || !(in->system == INITIAL ? alg->carried_initially : alg->carried)[k])
      continue;
    int status = DS_OK;
    if (sv->discrete && sv->pre != NO_SVAR)
      *cell_of(in, sv) = *cell_of(in, &in->s->vars.at[sv->pre]);
    else if (in->s->starts[v].i)
      status = assign(in, v, in->s->starts[v], alg->span);
    else
      *cell_of(in, sv) = base_of(in, v) == TY_STRING ? (Scalar){.string = ""} : (Scalar){.integer = 0};
    if (status != DS_OK)
      return status;
  }
  return eval_statements(&in->ev, in->system == INITIAL ? alg->initial : alg->body, alg->n_body, in->iterators[number]) ? DS_OK : failed(in, alg->span);
}

static int relation(Interp *in, const SBlock *b, const SRow *row) {
  const SRelation *r = &in->s->relations.at[row->number];
  double x = in->d->time, y = 0, size = -1, terms = -1;
  if ((!r->timed && !real(in, r->a, &x)) || !real(in, r->timed ? r->instant : r->b, &y))
    return failed(in, row->span);
  if (r->size.i && (!real(in, r->size, &size) || !real(in, r->terms, &terms)))
    return failed(in, row->span);
  (b->cut ? in->d->host->propose : in->d->host->relation)(in->d, (int)row->number, x, y, size, terms);
  return DS_OK;
}

/* Contact forces act on derivatives of states that reinit acts on. */
static void push(const Interp *in, const SBlock *b) {
  for (uint32_t k = 0; k < b->n && in->d->push && in->system == SIMULATION; k++) {
    const SVar *v = &in->s->vars.at[b->unknowns[k]];
    if (v->push_of)
      ds_push(in->d, (int)v->place, (int)in->s->vars.at[v->push_of - 1].place, v->push_negated ? -1 : 1);
  }
}

static int solve_block(Interp *in, uint32_t k) {
  const SSystem *sys = system_at(in, in->system);
  const SBlock *b = &sys->blocks.at[k];
  const SRow *row = &sys->rows.at[b->rows[0]];
  uint32_t before = in->block, number = in->number[in->system][k];
  int status = DS_OK;
  switch (b->kind) {
  case BLOCK_EXPLICIT: return assign(in, b->unknowns[0], b->value, row->span);
  case BLOCK_RELATION: return relation(in, b, row);
  case BLOCK_ALGORITHM: return algorithm(in, row->number);
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR:
    in->block = number;
    if (b->kind == BLOCK_LINEAR)
      status = solve_linear(in, b, number);
    else
      status = in->d->host->newton(in->d, (int)number, (int)b->n_tear, in->places[number], residual, b->partials != NULL);
    in->block = before;
    break;
  }
  return status;
}

static int do_block(Interp *in, uint32_t k) {
  int status = solve_block(in, k);
  if (status == DS_OK)
    push(in, &system_at(in, in->system)->blocks.at[k]);
  return status;
}

static int trial_body(Frame *f) {
  int status = DS_OK;
  for (uint32_t k = f->in->first; k < f->in->end && status == DS_OK; k++)
    status = do_block(f->in, k);
  return status;
}

static int trial(DsData *d) { return enter(d, trial_body, NULL, NULL, NULL); }

/* Blocks first .. last - 1 of a system; those of a mixed one together, until its relations agree. */
static int whole(Interp *in, int system, uint32_t first, uint32_t last) {
  const SSystem *sys = system_at(in, system);
  const int before = in->system;
  int status = DS_OK;
  in->system = system;
  for (uint32_t k = first, end; k < last && status == DS_OK; k = end) {
    uint32_t mixed = sys->blocks.at[k].mixed;
    end = k + 1;
    if (!mixed) {
      status = do_block(in, k);
      continue;
    }
    while (end < last && sys->blocks.at[end].mixed == mixed)
      end++;
    in->first = k;
    in->end = end;
    status = in->d->host->mixed(in->d, (int)mixed - 1, trial);
  }
  in->system = before;
  return status;
}

static int phase(Interp *in, SPhase which, uint32_t first, uint32_t last) {
  int status = DS_OK;
  in->system = SIMULATION;
  for (uint32_t k = first; k < last && status == DS_OK; k++)
    if (in->s->simulation.blocks.at[k].phase == which)
      status = do_block(in, k);
  return status;
}

static int steps(Interp *in, const SSlice *slice) {
  int status = DS_OK;
  in->system = SIMULATION;
  for (uint32_t k = 0; k < slice->n_steps && status == DS_OK; k++) {
    SStep step = slice->steps[k];
    const SBlock *b = &in->s->simulation.blocks.at[step.block];
    if (step.part == WHOLE_BLOCK)
      status = do_block(in, step.block);
    else
      status = assign(in, b->unknowns[step.part], b->parts[step.part], in->s->simulation.rows.at[b->rows[step.part]].span);
  }
  return status;
}

/* ---- actions and checks ---- */

static int assertion(Interp *in, const SAction *act, const DsPlace *place) {
  Scalar holds, message, level = {.integer = 2};
  if (!value(in, act->value, TY_BOOLEAN, &holds))
    return failed(in, act->span);
  if (holds.integer)
    return DS_OK;
  if (!value(in, act->message, TY_STRING, &message) || (act->level.i && !value(in, act->level, TY_INTEGER, &level)))
    return failed(in, act->span);
  return in->d->host->violated(in->d, place, message.string, (int)level.integer);
}

static int action(Interp *in, const SAction *act) {
  DsPlace place = {act->span.lo, act->span.hi, ""};
  Scalar s = {.integer = 1};
  if (act->guard.i && !value(in, act->guard, TY_BOOLEAN, &s))
    return failed(in, act->span);
  if (!s.integer)
    return DS_OK;
  switch (act->kind) {
  case ACTION_REINIT:
    if (!value(in, act->value, TY_REAL, &s))
      return failed(in, act->span);
    in->d->host->reinit(in->d, (int)in->s->vars.at[act->state].place, s.real);
    return DS_OK;
  case ACTION_TERMINATE:
    if (!value(in, act->message, TY_STRING, &s))
      return failed(in, act->span);
    in->d->host->terminate(in->d, &place, s.string);
    return DS_OK;
  case ACTION_ASSERT: return assertion(in, act, &place);
  case ACTION_CALL: {
    Value results;
    return expr_get(in->p, act->value)->op != OP_CALL || eval_expr(&in->ev, act->value, &results) ? DS_OK : failed(in, act->span);
  }
  }
  return DS_OK;
}

static int do_actions(Interp *in, const SAction *list, uint32_t n) {
  int status = DS_OK;
  for (uint32_t k = 0; k < n && status == DS_OK; k++)
    status = action(in, &list[k]);
  return status;
}

static int actions_body(Frame *f) { return do_actions(f->in, f->in->s->actions.at, f->in->s->actions.n); }
static int checks_body(Frame *f) { return do_actions(f->in, f->in->s->checks.at, f->in->s->checks.n); }

/* ---- lists ---- */

static int parameters_body(Frame *f) {
  Interp *in = f->in;
  int status = DS_OK;
  for (uint32_t k = 0; k < in->s->parameters.n && status == DS_OK; k++) {
    uint32_t v = in->s->parameters.at[k];
    const FlatVar *fv = &in->m->vars.at[v];
    if (fv->variability != FLAT_PARAMETER || !in->d->given[v])
      status = in->s->bindings[v].i ? assign(in, v, in->s->bindings[v], fv->span) : DS_OK;
  }
  for (uint32_t k = 0; k < in->s->guards.n && status == DS_OK; k++)
    status = action(in, &in->s->guards.at[k]);
  return status;
}

static Scalar default_start(const Interp *in, uint32_t v) {
  TypeBase base = base_of(in, v);
  return base == TY_STRING ? (Scalar){.string = ""} : (Scalar){.integer = base == TY_ENUM};
}

static int start_body(Frame *f) {
  Interp *in = f->in;
  int status = DS_OK;
  for (uint32_t v = 0; v < in->m->vars.n && status == DS_OK; v++) {
    if (in->m->vars.at[v].variability >= FLAT_PARAMETER || in->d->given[v])
      continue;
    if (in->s->starts[v].i)
      status = assign(in, v, in->s->starts[v], in->m->vars.at[v].span);
    else
      *cell_of(in, &in->s->vars.at[v]) = default_start(in, v);
  }
  return status;
}

static int nominal_body(Frame *f) {
  for (uint32_t k = 0; k < f->in->s->states.n; k++) {
    uint32_t var = f->in->s->states.at[k];
    f->a[k] = 1;
    if (f->in->s->vars.at[var].kind != SV_VAR) /* what is chosen has its own */
      continue;
    const FlatVar *v = &f->in->m->vars.at[var];
    if (v->nominal.i && !real(f->in, v->nominal, &f->a[k]))
      return failed(f->in, v->span);
    f->a[k] = fabs(f->a[k]);
  }
  return DS_OK;
}

static int bounds_body(Frame *f) {
  Interp *in = f->in;
  for (uint32_t v = 0; v < in->m->vars.n; v++) {
    const FlatVar *fv = &in->m->vars.at[v];
    const SVar *sv = &in->s->vars.at[v];
    if (sv->bank != BANK_REAL || fv->variability >= FLAT_PARAMETER)
      continue;
    if ((fv->nominal.i && !real(in, fv->nominal, &f->a[sv->place])) || (fv->min.i && !real(in, fv->min, &f->b[sv->place])) ||
        (fv->max.i && !real(in, fv->max, &f->c[sv->place])))
      return failed(in, fv->span);
  }
  return DS_OK;
}

static int samples_body(Frame *f) {
  for (uint32_t k = 0; k < f->in->s->samples.n; k++) {
    const SSample *sm = &f->in->s->samples.at[k];
    if (!real(f->in, sm->start, &f->a[k]) || !real(f->in, sm->interval, &f->b[k]))
      return failed(f->in, sm->span);
  }
  return DS_OK;
}

static int do_instants(Frame *f, uint32_t first, uint32_t n) {
  for (uint32_t k = first; k < first + n; k++) {
    const SRelation *r = &f->in->s->relations.at[k];
    if (r->timed && !real(f->in, r->instant, &f->a[k]))
      return failed(f->in, r->span);
  }
  return DS_OK;
}

static int do_crossings(Frame *f, uint32_t first, uint32_t n) {
  for (uint32_t k = first; k < first + n; k++) {
    const SRelation *r = &f->in->s->relations.at[k];
    Scalar matters = {.integer = 1};
    if (r->timed)
      continue;
    if (r->guard.i && f->in->d->whole <= (r->watch != 0) && !value(f->in, r->guard, TY_BOOLEAN, &matters))
      return failed(f->in, r->span);
    if (!matters.integer)
      f->a[k] = f->b[k] = NAN;
    else if (!real(f->in, r->a, &f->a[k]) || !real(f->in, r->b, &f->b[k]))
      return failed(f->in, r->span);
  }
  return DS_OK;
}

static int do_sizes(Frame *f, uint32_t first, uint32_t n) {
  for (uint32_t k = first; k < first + n; k++) {
    const SRelation *r = &f->in->s->relations.at[k];
    Scalar matters = {.integer = 1};
    if (r->timed)
      continue;
    if (r->guard.i && r->size.i && f->in->d->whole <= (r->watch != 0) && !value(f->in, r->guard, TY_BOOLEAN, &matters))
      return failed(f->in, r->span);
    f->a[k] = f->b[k] = -1;
    if (r->size.i && matters.integer && (!real(f->in, r->size, &f->a[k]) || !real(f->in, r->terms, &f->b[k])))
      return failed(f->in, r->span);
  }
  return DS_OK;
}

static int instants_body(Frame *f) { return do_instants(f, 0, f->in->s->relations.n); }
static int crossings_body(Frame *f) { return do_crossings(f, 0, f->in->s->relations.n); }

static int sizes_body(Frame *f) { return do_sizes(f, 0, f->in->s->relations.n); }

static int delays_body(Frame *f) {
  for (uint32_t k = 0; k < f->in->s->delays.n; k++) {
    const SDelay *de = &f->in->s->delays.at[k];
    f->a[4 * k] = cell_of(f->in, &f->in->s->vars.at[de->in])->real;
    if (!real(f->in, de->delay, &f->a[4 * k + 1]) || !real(f->in, de->most, &f->a[4 * k + 2]))
      return failed(f->in, de->span);
    f->a[4 * k + 3] = de->varies;
  }
  return DS_OK;
}

static int transports_body(Frame *f) {
  for (uint32_t k = 0; k < f->in->s->transports.n; k++)
    for (uint32_t q = 0; q < 4; q++)
      f->a[4 * k + q] = cell_of(f->in, &f->in->s->vars.at[f->in->s->transports.at[k].recorded[q]])->real;
  return DS_OK;
}

static int profiles_body(Frame *f) {
  uint32_t at = 0;
  for (uint32_t k = 0; k < f->in->s->transports.n; k++) {
    const STransport *tr = &f->in->s->transports.at[k];
    for (uint32_t q = 0; q < 2 * tr->n; q++)
      if (!real(f->in, q < tr->n ? tr->points[q] : tr->values[q - tr->n], &f->a[at++]))
        return failed(f->in, tr->span);
  }
  return DS_OK;
}

/* A number, or 1 for true and 0 for false. */
static bool number(Interp *in, ExprId e, double *out) {
  Scalar s;
  if (type_get(in->p, expr_get(in->p, e)->type)->base != TY_BOOLEAN)
    return real(in, e, out);
  if (!value(in, e, TY_BOOLEAN, &s))
    return false;
  *out = s.integer != 0;
  return true;
}

static int redundancy_body(Frame *f) {
  for (uint32_t k = 0; k < f->in->s->redundant.n; k++) {
    const SRedundant *r = &f->in->s->redundant.at[k];
    if (!number(f->in, r->lhs, &f->a[2 * k]) || !number(f->in, r->rhs, &f->a[2 * k + 1]))
      return failed(f->in, r->span);
  }
  return DS_OK;
}

static int partials_body(Frame *f) {
  const STangent *t = &f->in->tangent_of;
  for (uint32_t q = 0; q < t->entries.n; q++)
    if (!expr_is_literal(f->in->p, t->entries.at[q].d) && !real(f->in, t->entries.at[q].d, &f->a[q]))
      return failed(f->in, (Span){0, 0});
  return DS_OK;
}

static int selection_body(Frame *f) {
  for (uint32_t k = 0; k < f->in->s->entries.n; k++)
    if (!real(f->in, f->in->s->entries.at[k].d, &f->a[k]))
      return failed(f->in, (Span){0, 0});
  return DS_OK;
}

/* ---- jumps and pulses ---- */

static int jump_body(Frame *f) {
  uint32_t at = 0;
  for (uint32_t k = 0; k < f->in->s->jumps.n; k++) {
    const SJump *j = &f->in->s->jumps.at[k];
    bool ok = true;
    for (uint32_t q = 0; q < j->rates.n && ok; q++)
      ok = real(f->in, j->rates.at[q].d, &f->a[at++]);
    for (uint32_t q = 0; q < j->values.n && ok; q++)
      ok = real(f->in, j->values.at[q].d, &f->a[at++]);
    for (uint32_t q = 0; q < j->n && ok; q++)
      ok = real(f->in, j->residuals[q], &f->a[at++]);
    for (uint32_t q = 0; q < j->n && ok; q++)
      ok = real(f->in, j->moves[q], &f->a[at++]);
    if (!ok)
      return failed(f->in, j->spans[0]);
  }
  return DS_OK;
}

static int invariants_body(Frame *f) {
  const SInvariants *iv = &f->in->invariants;
  for (uint32_t k = 0; k < iv->n + iv->n_entries; k++)
    if (!real(f->in, k < iv->n ? iv->residuals[k] : iv->entries[k - iv->n].d, &f->a[k]))
      return failed(f->in, (Span){0, 0});
  return DS_OK;
}

static int spread_body(Frame *f) { return whole(f->in, PULSES, 0, f->in->s->pulses.blocks.n); }

static int areas_body(Frame *f) {
  for (uint32_t k = 0; k < f->in->s->relations.n; k++) {
    const SRelation *r = &f->in->s->relations.at[k];
    if (r->area.i && !real(f->in, r->area, &f->a[k]))
      return failed(f->in, r->span);
  }
  return DS_OK;
}

/* ---- the interface ---- */

static int initial_body(Frame *f) { return whole(f->in, INITIAL, 0, f->in->s->initial.blocks.n); }
static int events_body(Frame *f) { return whole(f->in, SIMULATION, 0, f->in->s->simulation.blocks.n); }
static int derivatives_body(Frame *f) { return phase(f->in, PHASE_DYNAMIC, 0, f->in->s->simulation.blocks.n); }
static int outputs_body(Frame *f) {
  return f->in->slice ? steps(f->in, f->in->slice) : phase(f->in, PHASE_OUTPUT, 0, f->in->s->simulation.blocks.n);
}

/* Blocks and checks of no part, which come last. */
static SPart rest_of(const Structure *s) {
  const SPart *last = &vec_last(&s->parts);
  uint32_t block = last->block + last->n_blocks, check = last->check + last->n_checks;
  return (SPart){.block = block, .n_blocks = s->simulation.blocks.n - block, .check = check, .n_checks = s->checks.n - check};
}

static int part_body(Frame *f) {
  const Structure *s = f->in->s;
  SPart rest = rest_of(s);
  const SPart *p = (uint32_t)f->part < s->parts.n ? &s->parts.at[f->part] : &rest;
  switch (f->phase) {
  case DS_PART_EVENTS: return whole(f->in, SIMULATION, p->block, p->block + p->n_blocks);
  case DS_PART_ACTIONS: return do_actions(f->in, s->actions.at + p->action, p->n_actions);
  case DS_PART_DERIVATIVES: return phase(f->in, PHASE_DYNAMIC, p->block, p->block + p->n_blocks);
  case DS_PART_OUTPUTS: return phase(f->in, PHASE_OUTPUT, p->block, p->block + p->n_blocks);
  }
  return do_actions(f->in, s->checks.at + p->check, p->n_checks);
}

static int part_crossings_body(Frame *f) {
  const SPart *p = &f->in->s->parts.at[f->part];
  return do_crossings(f, p->relation, p->n_relations);
}

static int part_sizes_body(Frame *f) {
  const SPart *p = &f->in->s->parts.at[f->part];
  return do_sizes(f, p->relation, p->n_relations);
}

static int part_instants_body(Frame *f) {
  const SPart *p = &f->in->s->parts.at[f->part];
  return do_instants(f, p->relation, p->n_relations);
}

static int parameters(DsData *d) { return enter(d, parameters_body, NULL, NULL, NULL); }
static int start(DsData *d) { return enter(d, start_body, NULL, NULL, NULL); }
static int nominal(DsData *d, double *x) { return enter(d, nominal_body, x, NULL, NULL); }
static int bounds(DsData *d, double *n, double *low, double *high) { return enter(d, bounds_body, n, low, high); }
static int initial(DsData *d) { return enter(d, initial_body, NULL, NULL, NULL); }
static int redundancy(DsData *d, double *sides) { return enter(d, redundancy_body, sides, NULL, NULL); }
static int delays(DsData *d, double *values) { return enter(d, delays_body, values, NULL, NULL); }
static int transports(DsData *d, double *values) { return enter(d, transports_body, values, NULL, NULL); }
static int profiles(DsData *d, double *values) { return enter(d, profiles_body, values, NULL, NULL); }
static int events(DsData *d) { return enter(d, events_body, NULL, NULL, NULL); }
static int actions(DsData *d) { return enter(d, actions_body, NULL, NULL, NULL); }
static int samples(DsData *d, double *first, double *interval) { return enter(d, samples_body, first, interval, NULL); }
static int instants(DsData *d, double *at) { return enter(d, instants_body, at, NULL, NULL); }
static int derivatives(DsData *d) { return enter(d, derivatives_body, NULL, NULL, NULL); }
static int crossings(DsData *d, double *a, double *b) { return enter(d, crossings_body, a, b, NULL); }
static int sizes(DsData *d, double *size, double *terms) { return enter(d, sizes_body, size, terms, NULL); }
static int outputs(DsData *d) { return enter(d, outputs_body, NULL, NULL, NULL); }
static int checks(DsData *d) { return enter(d, checks_body, NULL, NULL, NULL); }
static int selection(DsData *d, double *entries) { return enter(d, selection_body, entries, NULL, NULL); }
static int part(DsData *d, int k, int which) { return enter_with(d, part_body, (Frame){.part = k, .phase = which}); }
static int part_crossings(DsData *d, int k, double *a, double *b) { return enter_with(d, part_crossings_body, (Frame){.a = a, .b = b, .part = k}); }
static int part_sizes(DsData *d, int k, double *size, double *terms) {
  return enter_with(d, part_sizes_body, (Frame){.a = size, .b = terms, .part = k});
}
static int part_instants(DsData *d, int k, double *at) { return enter_with(d, part_instants_body, (Frame){.a = at, .part = k}); }
static int jump(DsData *d, double *values) { return enter(d, jump_body, values, NULL, NULL); }
static int invariants(DsData *d, double *values) { return enter(d, invariants_body, values, NULL, NULL); }
static int spread(DsData *d) { return enter(d, spread_body, NULL, NULL, NULL); }
static int relation_areas(DsData *d, double *areas) { return enter(d, areas_body, areas, NULL, NULL); }
static int partials(DsData *d, double *p) { return enter(d, partials_body, p, NULL, NULL); }

void entry_points(Interp *in) {
  DsModel *m = &in->model;
  in->ev = (Eval){.pool = in->p, .lookup = look_up, .user = in, .machine = &machine};
  m->parameters = parameters, m->start = start, m->nominal = nominal, m->bounds = bounds, m->initial = initial;
  m->redundancy = redundancy, m->delays = delays, m->transports = transports, m->profiles = profiles, m->events = events, m->actions = actions, m->samples = samples;
  m->instants = instants, m->derivatives = derivatives, m->crossings = crossings, m->outputs = outputs, m->checks = checks;
  m->selection = selection, m->sizes = sizes;
  m->jump = jump, m->spread = spread, m->relation_areas = relation_areas, m->invariants = invariants;
  if (m->n_parts)
    m->part = part, m->part_crossings = part_crossings, m->part_instants = part_instants, m->part_sizes = part_sizes;
  in->tangent.evaluate = partials;
}
