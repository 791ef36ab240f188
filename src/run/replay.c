/* run/replay.c -- a slice of the equations evaluated at the points of a record.
 * How:  a Run that never starts: it lends its values, cells and texts; the host is one that solves
 *       linear systems and nothing else. What must be searched for, remembered or asked of the
 *       world outside is in the record.
 * Keep: a slice comes from a file that anybody may have written. Whatever it calls beyond that is a
 *       failure. */
#include "run/replay.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/external.h"
#include "run/memory.h"
#include "run/values.h"
#include "run/workspace.h"

#include <stdio.h>

#include "expr/func.h"

struct Replay {
  Run run;
  int n_work, largest; /* cells of the run's d.work; rows of the largest linear system */
};

/* ---- host ---- */

static int give_up(DsData *d, const DsPlace *at, const char *text) {
  Failure *f = &((Run *)d->run)->failure;
  *f = (Failure){.any = true, .code = D_R612, .block = -1, .worst = -1};
  if (at)
    f->place = *at;
  snprintf(f->text, sizeof f->text, "%s", text);
  return DS_FATAL;
}

static const char not_recorded[] = "the record does not hold the solution of a system of equations "
                                   "that cannot be solved again";
static const char
    outside[] = "a function that is not called again when values are computed from a record";

/* As linear_full of linear.c, for matrices that are not singular: those are in the record. */
static int linear(DsData *d, int block, int n, const int *places, double *a, double *b) {
  Run *run = d->run;
  int where = 0;
  (void)places;
  if (run->m->blocks[block].start || !run_all_finite(a, n * n) || !run_all_finite(b, n) ||
      !lu_factor(a, run->work->pivot, run->work->newton, n, &where))
    return give_up(d, NULL, not_recorded);
  lu_solve(a, run->work->pivot, n, b);
  return DS_OK;
}

static int newton(DsData *d, int block, int n, const int *places, DsResidual *f, int exact) {
  (void)block, (void)n, (void)places, (void)f, (void)exact;
  return give_up(d, NULL, not_recorded);
}

static void relation(DsData *d, int k, double a, double b, double size, double terms) {
  (void)d, (void)k, (void)a, (void)b, (void)size, (void)terms;
}
static int mixed(DsData *d, int k, int (*f)(DsData *d)) {
  return (void)k, (void)f, give_up(d, NULL, not_recorded);
}
static void reinit(DsData *d, int state, double value) { (void)d, (void)state, (void)value; }
static void terminate(DsData *d, const DsPlace *at, const char *message) {
  (void)d, (void)at, (void)message;
}

static double delay(DsData *d, int k, double ago) {
  (void)k, (void)ago;
  give_up(d, NULL, "the record does not hold a delayed value");
  return 0;
}

static double transport(DsData *d, int k, int what, double x) {
  (void)k, (void)what, (void)x;
  give_up(d, NULL, "the record does not hold what was transported");
  return 0;
}

/* The run has told warnings already. */
static int violated(DsData *d, const DsPlace *at, const char *message, int level) {
  return level == 1 ? DS_OK : give_up(d, at, message);
}

static int out_of_range(DsData *d, const DsPlace *at, long long i, long long n) {
  (void)i, (void)n;
  return give_up(d, at, "a subscript is out of range");
}

static int misfit(DsData *d, const DsPlace *at, long long a, long long b) {
  (void)a, (void)b;
  return give_up(d, at, "array sizes do not fit");
}

static long long object(DsData *d, void *at, void (*end)(void *object)) {
  return (void)at, (void)end, give_up(d, NULL, outside), 0;
}
static void *object_at(DsData *d, long long handle) {
  return (void)handle, give_up(d, NULL, outside), NULL;
}
static int foreign(DsData *d, const DsPlace *at, DsForeign *call, void (*f)(void), DsCell *a) {
  (void)call, (void)f, (void)a;
  return give_up(d, at, outside);
}
static int native(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return (void)in, (void)out, give_up(d, at, outside);
}

static int overflow(DsData *d, const DsPlace *at) {
  return give_up(d, at, "an Integer does not fit into 64 bits");
}

static const DsHost host = {
    .linear = linear,
    .newton = newton,
    .relation = relation,
    .propose = relation,
    .mixed = mixed,
    .delay = delay,
    .transport = transport,
    .reinit = reinit,
    .terminate = terminate,
    .violated = violated,
    .fail = give_up,
    .cells = run_cells,
    .text_real = run_text_real,
    .text_integer = run_text_integer,
    .text_join = run_text_join,
    .room = run_room,
    .out_of_range = out_of_range,
    .misfit = misfit,
    .format_real = run_format_real,
    .format_integer = run_format_integer,
    .text_pad = run_text_pad,
    .object = object,
    .object_at = object_at,
    .foreign = foreign,
    .overflow = overflow,
};

/* ---- a replay ---- */

typedef void AnyFunction(void);

/* functions from outside may have an effect, or another answer, the second time */
static void bind(Run *run) {
  const DsModel *m = run->m;
  AnyFunction **found = NEW_ARRAY(run->a, AnyFunction *, m->n_externals + 1);
  for (int k = 0; k < m->n_externals; k++) {
    bool pure = !*m->externals[k].library && native_is_pure(m->externals[k].name);
    found[k] = (AnyFunction *)(pure ? run_find_native(m->externals[k].name) : native);
  }
  run->d.external = found;
}

void replay_use(Replay *re, const Program *slice) {
  Run *run = &re->run;
  const DsModel *m = slice->model;
  run->program = slice;
  run->m = run->d.model = m;
  bind(run);
  run->d.factors = NEW_ARRAY(run->a, DsFactors, m->n_blocks + 1); /* none is known */
  /* room only grows: slices are exchanged often */
  int largest = re->largest;
  for (int k = 0; k < m->n_blocks; k++)
    largest = !m->blocks[k].start && m->blocks[k].n_iterated > largest ? m->blocks[k].n_iterated
                                                                       : largest;
  if (largest > re->largest) {
    run->work->pivot = NEW_ARRAY(run->a, int, largest);
    run->work->newton = NEW_ARRAY(run->a, double, largest);
    re->largest = largest;
  }
  if (m->n_work > re->n_work || !run->d.work) {
    run->d.work = NEW_ARRAY(run->a, double, m->n_work + 1);
    re->n_work = m->n_work;
  }
}

Replay *replay_new(const Program *slice, Arena *a, Diags *diags) {
  Replay *re = NEW(a, Replay);
  Run *run = &re->run;
  run->a = a;
  run->diags = diags;
  run->d.host = &host;
  run->d.run = run;
  run->m = slice->model;
  run->memory = NEW(a, RunMemory);
  run->work = NEW(a, Workspace);
  run_lay_out(run);
  replay_use(re, slice);
  return re;
}

DsData *replay_data(Replay *re) { return &re->run.d; }

static bool evaluate(Replay *re) {
  Run *run = &re->run;
  run->d.fuel = run_fuel;
  run->failure.any = false;
  run_begin_evaluation(run);
  if (run->m->outputs(&run->d) == DS_OK && !run->failure.any)
    return true;
  Text time = {.arena = run->a};
  text_real(&time, run->d.time);
  const Failure *f = &run->failure;
  diag_add(run->diags, D_R612, (Span){f->place.lo, f->place.hi}, "at time %s: %s", text_str(&time),
           f->any ? f->text : "a value cannot be computed again");
  return false;
}

/* Only discrete variables have pre values that count. Where an event is over, and at the start,
 * they are the present ones; a pass begins with those of the point before it, which is inside the
 * event, too. */
bool replay_evaluate(Replay *re, RunRowKind kind, bool first) {
  /* pre values are those of the end of the event before */
  if (kind == RUN_ROW_AFTER || first)
    run_commit(&re->run, NULL);
  bool ok = evaluate(re);
  replay_pass(re, kind);
  return ok;
}

void replay_pass(Replay *re, RunRowKind kind) {
  if (kind != RUN_ROW_GRID)
    run_commit(&re->run, NULL);
}

void replay_free(Replay *re) {
  if (re)
    run_release_memory(&re->run);
}
