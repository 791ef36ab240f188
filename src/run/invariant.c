/* run/invariant.c -- what must be true of every run; the hostile build ends one in which it is not.
 * - Between two events discrete variables, pre values, relations, samples, parameters and the mode
 *   have the same bits all the time: steps that were refused, dense output, rows and looks ahead
 *   leave no trace in them.
 * - A row is a function of time, states and what is discrete: with every continuous variable
 *   forgotten, the equations give its bits again. Kept are solutions of nonlinear, singular and
 *   sparse systems, which depend on where the search begins, or on earlier pivots. Models with
 *   functions from outside, or with a memory such as random numbers, are left out.
 * - An event leaves no relation with a value that its sides contradict, far off its band.
 * How:  a copy of the block of values with a mask of what holds; and for rows a look (look.c) that
 *       leaves no trace, with a host that takes such solutions as they are.
 * Keep: the checks change no number of the run: the hostile build has the results of the others. */

#ifdef NUSIM_HOSTILE

#include "run/invariant.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/guess.h"
#include "run/instant.h"
#include "run/look.h"
#include "run/relations.h"
#include "run/singular.h"
#include "run/values.h"
#include "run/workspace.h"

#include <math.h>
#include <string.h>

#include "expr/func.h"

struct RunInvariant {
  unsigned char *was; /* the block after the last event */
  bool *holds;        /* per byte of it: the same until the next event */
  bool *forgotten;    /* per place in r: the equations give it, from what is not forgotten */
  const Workspace *structure;
  bool *sparse;       /* per place in r: an unknown of a sparse linear system */
  DsFactors *unknown; /* per block of the structure: no matrix is known */
  bool again;         /* rows can be evaluated again */
  uint64_t turns;     /* of parts */
};

/* ---- what is told ---- */

/* The variable at a place of a bank of the block; NULL: it has no name. */
static const char *name_at(const Run *run, bool real, bool text, int place) {
  for (int k = 0; k < run->m->n_variables; k++) {
    const DsVariable *v = &run->m->variables[k];
    if ((v->type == DS_REAL) == real && (v->type == DS_STRING) == text && v->place == place)
      return v->name;
    /* a derivative goes by its state */
    if (real && v->type == DS_REAL && v->der >= 0 && v->der == place)
      return arena_printf(run->a, "der(%s)", v->name);
  }
  return NULL;
}

/* What the byte of the block belongs to. */
static const char *owner_of(const Run *run, const unsigned char *at) {
  const DsData *d = &run->d;
  const struct {
    const void *from;
    int n;
    size_t size;
    bool real, text;
    const char *what;
  } banks[] = {{d->r, run->n_real, 8, true, false, ""},
               {d->r_pre, run->n_real, 8, true, false, "pre "},
               {d->i, run->m->n_integer, 8, false, false, ""},
               {d->i_pre, run->m->n_integer, 8, false, false, "pre "},
               {d->s, run->m->n_string, 8, false, true, ""},
               {d->s_pre, run->m->n_string, 8, false, true, "pre "},
               {d->relation, run->m->n_relations, 1, false, false, "relation "},
               {d->sample, run->m->n_samples, 1, false, false, "sample "}};
  for (size_t k = 0; k < sizeof banks / sizeof *banks; k++) {
    const unsigned char *from = banks[k].from;
    if (at < from || at >= from + (size_t)banks[k].n * banks[k].size)
      continue;
    int place = (int)((size_t)(at - from) / banks[k].size);
    const char *name = banks[k].size == 8 ? name_at(run, banks[k].real, banks[k].text, place)
                                          : NULL;
    /* relations have no names, but places */
    if (k == 6 && *run->m->relations[place].place.where)
      return arena_printf(run->a, "relation %d of %s", place, run->m->relations[place].place.where);
    return name ? arena_printf(run->a, "%s`%s`", banks[k].what, name)
                : arena_printf(run->a, "%svalue %d without a name", banks[k].what, place);
  }
  return "a proposal of a mixed system";
}

/* at: in the block; was: the block as it should be. */
static void tell_numbers(Run *run, Diag *d, const unsigned char *at, const unsigned char *was) {
  size_t place = (size_t)(at - run->block) / 8;
  Text a = {.arena = run->a}, b = {.arena = run->a};
  /* Reals first, then whole numbers: the order of the block */
  size_t reals = 2 * (size_t)run->n_real;
  size_t wholes = 2 * (size_t)run->m->n_integer;
  if (place < reals) {
    text_real(&a, ((const double *)(const void *)was)[place]);
    text_real(&b, ((const double *)(const void *)run->block)[place]);
  } else if (place < reals + wholes) {
    text_integer(&a, ((const long long *)(const void *)was)[place]);
    text_integer(&b, ((const long long *)(const void *)run->block)[place]);
  } else
    return;
  diag_note(run->diags, d, "it was %s, and is %s", text_str(&a), text_str(&b));
}

static RunStatus tell(Run *run, const char *what, const unsigned char *at,
                      const unsigned char *was) {
  Text time = {.arena = run->a};
  text_real(&time, run->d.time);
  Diag *d = diag_add(run->diags, D_K003, (Span){0, 0}, "%s at time %s: %s", what, text_str(&time),
                     at ? owner_of(run, at) : "the equations");
  if (at)
    tell_numbers(run, d, at, was);
  diag_help(run->diags, d,
            "this is an error of NuSim, not of the model: please report it with the model");
  return RUN_FAILED;
}

/* ---- what is discrete ---- */

static void hold_bytes(const Run *run, const void *from, size_t n, bool holds) {
  memset(run->own.invariant->holds + ((const unsigned char *)from - run->block), holds, n);
}

/* Variables that do not move between events. What belongs to no part is computed for rows only. */
static void hold_variables(const Run *run) {
  const DsModel *m = run->m;
  const DsData *d = &run->d;
  for (int k = 0; k < m->n_parts && run->divided; k++) {
    hold_bytes(run, d->i + m->parts[k].i, (size_t)m->parts[k].n_i * sizeof *d->i, true);
    hold_bytes(run, d->s + m->parts[k].s, (size_t)m->parts[k].n_s * sizeof *d->s, true);
  }
  if (!run->divided) {
    hold_bytes(run, d->i, (size_t)m->n_integer * sizeof *d->i, true);
    hold_bytes(run, d->s, (size_t)m->n_string * sizeof *d->s, true);
  }
  for (int k = 0; k < m->n_variables; k++) {
    const DsVariable *v = &m->variables[k];
    /* parameters and inputs */
    if (v->property != DS_KNOWN)
      continue;
    if (v->type == DS_REAL && v->place >= 2 * m->nx)
      hold_bytes(run, d->r + v->place, sizeof *d->r, true);
    else if (v->type == DS_STRING)
      hold_bytes(run, d->s + v->place, sizeof *d->s, true);
    else if (v->type != DS_REAL)
      hold_bytes(run, d->i + v->place, sizeof *d->i, true);
  }
  /* those that belong to no part are computed for rows only, too */
  for (int k = 0; k < m->n_discrete_reals; k++)
    if (!run->divided || run->guess->owner[m->discrete_reals[k]] >= 0)
      hold_bytes(run, d->r + m->discrete_reals[k], sizeof *d->r, true);
}

/* What the mode has no equation for keeps its value, but where the motion slides between it and a
 * mode that has one. */
static void release_absent(const Run *run) {
  for (int k = 0; k < run->m->n_variables && run->n_sliding; k++) {
    const DsVariable *v = &run->m->variables[k];
    if (v->type == DS_REAL && v->flags & DS_ABSENT)
      hold_bytes(run, run->d.r + v->place, sizeof *run->d.r, false);
  }
}

/* Which candidates are states is decided after steps, too. */
static void release_choices(const Run *run) {
  for (int k = 0; k < run->m->n_selections; k++)
    for (int q = 0; q < run->m->selections[k].n_states; q++) {
      int place = run->m->selections[k].choices[q];
      hold_bytes(run, run->d.i + place, sizeof *run->d.i, false);
      hold_bytes(run, run->d.i_pre + place, sizeof *run->d.i, false);
      hold_bytes(run, run->d.r_pre + run->m->selections[k].states[q], sizeof *run->d.r, false);
    }
}

static void mark_held(const Run *run) {
  const DsModel *m = run->m;
  const DsData *d = &run->d;
  memset(run->own.invariant->holds, 0, run->block_size);
  hold_variables(run);
  /* pre values change at events only */
  hold_bytes(run, d->r_pre, (size_t)run->n_real * sizeof(double), true);
  hold_bytes(run, d->i_pre, (size_t)m->n_integer * sizeof *d->i, true);
  hold_bytes(run, d->s_pre, (size_t)m->n_string * sizeof *d->s, true);
  hold_bytes(run, d->relation, (size_t)m->n_relations, true);
  hold_bytes(run, d->sample, (size_t)m->n_samples, true);
  release_absent(run);
  release_choices(run);
}

/* ---- what rows are computed from ---- */

static bool is_pure(const DsModel *m) {
  for (int k = 0; k < m->n_externals; k++)
    if (*m->externals[k].library || !native_is_pure(m->externals[k].name))
      return false;
  return true;
}

/* Continuous variables that equations of the structure give. */
static void mark_forgotten(const Run *run) {
  const DsModel *m = run->m;
  bool *out = run->own.invariant->forgotten;
  memset(out, 0, (size_t)run->n_real * sizeof *out);
  for (int k = 0; k < m->n_variables; k++) {
    const DsVariable *v = &m->variables[k];
    if (v->type != DS_REAL || v->flags & DS_ABSENT)
      continue;
    if (v->variability == DS_CONTINUOUS &&
        (v->property == DS_EXPLICIT || v->property == DS_IMPLICIT) && v->place >= 2 * m->nx)
      out[v->place] = true;
    if (v->property == DS_STATE && v->der >= 0)
      out[v->der] = true;
  }
  /* discrete Reals follow from the last event, not from the equations */
  for (int k = 0; k < m->n_discrete_reals; k++)
    out[m->discrete_reals[k]] = false;
  memset(run->own.invariant->sparse, 0, (size_t)run->n_real * sizeof *out);
  for (int k = 0; k < m->n_blocks; k++)
    for (int q = 0; m->blocks[k].start && q < m->blocks[k].n_iterated; q++)
      run->own.invariant->sparse[m->blocks[k].iterated[q]] = true;
}

void run_invariant_hold(Run *run) {
  if (!run->own.invariant) {
    RunInvariant *new = run->own.invariant = NEW(run->a, RunInvariant);
    new->was = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
    new->holds = NEW_ARRAY(run->a, bool, run->block_size + 8);
    new->forgotten = NEW_ARRAY(run->a, bool, run->n_real + 1);
    new->sparse = NEW_ARRAY(run->a, bool, run->n_real + 1);
  }
  RunInvariant *v = run->own.invariant;
  /* the same for all points of one structure */
  if (v->structure != run->work) {
    v->structure = run->work;
    v->again = is_pure(run->m);
    v->unknown = NEW_ARRAY(run->a, DsFactors, run->m->n_blocks + 1);
    mark_forgotten(run);
  }
  mark_held(run);
  memcpy(v->was, run->block, run->block_size);
}

/* Of models with thousands of parts, not after every turn. */
RunStatus run_invariant_check(Run *run) {
  enum { LARGE = 1 << 12 }; /* bytes */
  RunInvariant *v = run->own.invariant;
  /* the larger the block, the rarer */
  if (++v->turns % (1 + run->block_size / LARGE))
    return RUN_OK;
  if (v->structure != run->work)
    return tell(run, "the mode has changed between two events", NULL, NULL);
  for (size_t k = 0; k < run->block_size; k++)
    if (v->holds[k] && v->was[k] != run->block[k])
      return tell(run, "a discrete value has changed between two events", run->block + k, v->was);
  return RUN_OK;
}

/* ---- rows ---- */

/* The solution is there: what follows from it. */
static int newton(DsData *d, int block, int n, const int *places, DsResidual *f, int exact) {
  const Run *run = d->run;
  (void)block, (void)n, (void)places, (void)exact;
  return f(d, run->work->newton, NULL);
}

static bool is_kept(const Run *run, int block, int n, const int *places) {
  bool singular = true;
  for (int k = 0; k < n; k++)
    singular = singular && run->singular->is[places[k]];
  return singular || run->m->blocks[block].start;
}

static int linear(DsData *d, int block, int n, const int *places, double *a, double *b) {
  const Run *run = d->run;
  int where = 0;
  bool kept = is_kept(run, block, n, places);
  /* in r there may be a trial value */
  const double *was = (const double *)(const void *)run->look->block;
  /* a solution that is kept comes from the row */
  for (int k = 0; k < n && kept; k++)
    b[k] = was[places[k]];
  if (kept)
    return DS_OK;
  if (!run_all_finite(a, n * n) || !run_all_finite(b, n) ||
      !lu_factor(a, run->work->pivot, run->work->newton, n, &where))
    return DS_RETRY;
  lu_solve(a, run->work->pivot, n, b);
  return DS_OK;
}

/* All equations of the present time and states. */
static int compute_again(Run *run) {
  DsHost host = *run->d.host;
  const DsHost *own = run->d.host;
  const DsFactors *factors = run->d.factors;
  /* the solutions of the row stand in for solvers, and no factor is known */
  host.newton = newton;
  host.linear = linear;
  run->d.host = &host;
  run->d.factors = run->own.invariant->unknown;
  int status = run_evaluate(run, run->whole, DS_PART_DERIVATIVES);
  if (status == NUM_OK)
    status = run_evaluate(run, run->whole, DS_PART_OUTPUTS);
  run->d.host = own;
  run->d.factors = factors;
  return status;
}

/* What forget() must leave: sparse systems, whose bits depend on earlier pivots, among them. */
static bool is_solution(const Run *run, int place) {
  return run->guess->is_iterated[place] || run->singular->is[place] ||
         run->own.invariant->sparse[place];
}

static void forget(const Run *run) {
  for (int k = 0; k < run->m->n_real; k++)
    if (run->own.invariant->forgotten[k] && !is_solution(run, k))
      run->d.r[k] = NAN;
}

/* The first byte that came out otherwise; NULL: none. Of the Reals only finite ones count. */
static const unsigned char *first_other(const Run *run) {
  const double *was = (const double *)(const void *)run->look->block;
  for (int k = 0; k < run->m->n_real; k++)
    if (run->own.invariant->forgotten[k] && isfinite(was[k]) &&
        memcmp(&was[k], &run->d.r[k], sizeof was[k]) != 0)
      return (const unsigned char *)(run->d.r + k);
  for (size_t k = (size_t)run->n_real * sizeof(double); k < run->block_size; k++)
    if (run->own.invariant->holds[k] && run->block[k] != run->look->block[k])
      return run->block + k;
  return NULL;
}

/* Before an event, what leaves a transport was evaluated at the end of the step, and the way is
 * recorded up to there since then: of a jump at the very end both sides are right. */
static bool is_computed_again(const Run *run, RunRowKind kind) {
  const RunInvariant *v = run->own.invariant;
  return kind != RUN_ROW_STEP && (kind != RUN_ROW_BEFORE || !run->m->n_transports) && v &&
         v->structure == run->work && v->again;
}

/* ---- sides ---- */

/* Beyond so many widths of its band, or of rtol, no relation has another value than its sides. */
static const double far_off = 10;

static bool contradicts(const Run *run, int k) {
  const DsRelation *rel = &run->m->relations[k];
  const RelationState *rs = &run->rel->state[k];
  double z = run->rel->za[k] - run->rel->zb[k];
  double band = fmax(run_band(run, k), run->goal.rtol * run_size_lately(run, k, run->rel->size[k]));
  bool free = !rel->timed && rs->path == PATH_FREE && !side_is_stuck(rs);
  return free && fabs(z) > far_off * band && run_compare(rel->op, z) != (run->d.relation[k] != 0);
}

/* After an event. One that a body rose from, and that stays true, would let it fall through. What
 * stays in contact has been put there after the last pass. */
static RunStatus check_sides(Run *run) {
  EACH_RELATION (run->instant->scope, k)
    if (!run->d.terminal && !run->n_sliding && contradicts(run, k))
      return tell(run, "an event leaves a relation with a value that its sides contradict",
                  &run->d.relation[k], run->block);
  return RUN_OK;
}

RunStatus run_invariant_row(Run *run, RunRowKind kind) {
  RunStatus sides = kind == RUN_ROW_AFTER && run->rel->monitored ? check_sides(run) : RUN_OK;
  if (sides != RUN_OK || !is_computed_again(run, kind))
    return sides;
  uint32_t mark = diags_count(run->diags);
  run_look_aside(run);
  forget(run);
  int status = compute_again(run);
  diags_rewind(run->diags, mark);
  const unsigned char *other = status == NUM_OK ? first_other(run) : NULL;
  RunStatus out = RUN_OK;
  if (status != NUM_OK || other)
    out = tell(run, "a row comes out otherwise when it is computed again", other, run->look->block);
  run_look_away(run);
  return out;
}
#else
typedef int RunInvariantIsOff; /* a file must not be empty */
#endif
