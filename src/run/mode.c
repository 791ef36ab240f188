/* run/mode.c -- models whose equations change: which structure holds, and the change from one to
 * another.
 * All structures of a model work on the same values (DsModel.conditions), so a change exchanges the
 * functions and what belongs to the blocks of one structure: factors of matrices, cells of solvers.
 * One pass of an event in such a model: the equations of the present structure; if its conditions
 * come out otherwise, the values from before the pass come back, and another structure is tried
 * from there (a mythical mode changes nothing). What agrees with itself is kept. Mosterman and
 * Biswas, "A theory of discontinuities in physical system models", J. Franklin Inst. 335B, 1998. */
#include "run/mode.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/external.h"
#include "run/instant.h"
#include "run/linear.h"
#include "run/pass.h"
#include "run/scales.h"
#include "run/starts.h"
#include "run/values.h"
#include "run/workspace.h"

#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "structure/structure.h"

/* Tolerances that a value may be off from what reinit asks for */
static const double REINIT_ERROR = 1e3;
/* Tolerances below which a state has not moved */
static const double STILL = 10;

/* The present structure from now on. Its values are where they are. */
static void use(Run *run, Workspace *w) {
  run->work = w;
  run->m = run->d.model = w->m;
  run->d.work = w->cells;
  run->d.factors = w->held;
  run->d.external = w->external;
}

/* Becomes the present structure, with all that its blocks need. */
static Workspace *make(Run *run, const DsModel *m, bool initial) {
  Workspace *w = NEW(run->a, Workspace);
  w->m = m;
  w->initial = initial;
  use(run, w);
  run_allocate_blocks(run);
  return w;
}

bool run_modes_begin(Run *run) {
  run->structures = make(run, run->program->model, true);
  run->d.external = run->work->external = run_find_externals(run->m, run->a, run->diags);
  if (!run->d.external)
    return false;
  /* without conditions nothing below is ever asked for */
  if (!run->m->n_conditions)
    return true;
  run->pass->before = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
  run->pass->wanted = NEW_ARRAY(run->a, bool, run->m->n_conditions);
  run->pass->before_jump = NEW_ARRAY(run->a, double, run->m->nx + 1);
  run->pass->after_jump = NEW_ARRAY(run->a, double, run->m->nx + 1);
  run->starts->states = NEW_ARRAY(run->a, double, run->m->nx + 1);
  run->starts->variables = NEW_ARRAY(run->a, int, run->m->nx + 1);
  run->pass->relation_area = NEW_ARRAY(run->a, double, run->m->n_relations + 1);
  run_jumps_allocate(run, &run->work->jumps);
  run_project_allocate(run);
  return true;
}

void run_modes_free(Run *run) {
  Workspace *present = run->work;
  /* what belongs to blocks is freed by the structure that made it */
  for (Workspace *w = run->structures; w; w = w->next) {
    use(run, w);
    run_linear_free(run);
  }
  if (present)
    use(run, present);
}

/* ---- which structure ---- */

static bool is_for(const Run *run, const DsModel *m) {
  for (int k = 0; k < m->n_conditions; k++)
    if ((run->d.i[m->conditions[k]] != 0) != m->mode[k])
      return false;
  return true;
}

bool run_mode_agrees(const Run *run) { return is_for(run, run->m); }

/* The structure for the conditions as they are now, to begin in it or not; NULL after a
 * diagnostic. */
static Workspace *find(Run *run, bool initial) {
  /* one that the run can begin in serves later, too; the others have no equations for initial
   * values */
  for (Workspace *mode = run->structures; mode; mode = mode->next)
    if (is_for(run, mode->m) && (mode->initial || !initial))
      return mode;
  int n = run->m->n_conditions;
  bool *values = NEW_ARRAY(run->a, bool, n);
  for (int k = 0; k < n; k++)
    values[k] = run->d.i[run->m->conditions[k]] != 0;
  const DsModel *m = run->options->mode
                         ? run->options->mode(run->options->mode_user, values, initial, run->diags)
                         : NULL;
  if (!m)
    return NULL;
  /* values of all modes stand in one block, which does not grow */
  if (m->n_real > run->n_real) {
    diag_add(run->diags, D_R604, (Span){0, 0},
             "a mode has more unknowns of its own than there is room for");
    return NULL;
  }
  /* its code numbers the functions that it calls by itself */
  RunExternals external = run_find_externals(m, run->a, run->diags);
  if (!external)
    return NULL;
  Workspace *present = run->work, *w = make(run, m, initial);
  w->external = external;
  /* behind the first one, which stays the structure that the run began with */
  w->next = run->structures->next;
  run->structures->next = w;
  run_jumps_allocate(run, &w->jumps);
  run_project_allocate(run);
  use(run, present);
  run->stats.structures++;
  return w;
}

static void enter(Run *run, Workspace *w) {
  use(run, w);
  /* factors are those of other equations */
  run_forget_matrices(run, run->whole);
  /* Of those that are no states here nobody says anything */
  memset(run->d.r + run->m->nx, 0, (size_t)run->m->nx * sizeof(double));
}

/* ---- changes ---- */

/* A number that tells modes apart. */
static uint64_t mode_hash(const DsModel *m) {
  uint64_t h = 1469598103934665603u;
  for (int k = 0; k < m->n_conditions; k++)
    h = (h ^ m->mode[k]) * 1099511628211u;
  return h;
}

static void add_mode(const Run *run, const DsModel *m, Text *out) {
  bool *values = NEW_ARRAY(run->a, bool, m->n_conditions);
  for (int k = 0; k < m->n_conditions; k++)
    values[k] = m->mode[k];
  if (run->options->structure)
    structure_mode_text(run->options->structure, values, out);
}

void run_mode_text(const Run *run, Text *out) { add_mode(run, run->m, out); }

/* The circle begins with the mode `again`. */
static RunStatus tell_no_mode(Run *run, const Workspace *const *tried, int n,
                              const Workspace *again) {
  /* from where the circle closes: what came before it does not explain it */
  int first = 0;
  while (first < n - 1 && tried[first] != again)
    first++;
  Text text = {.arena = run->a};
  text_real(&text, run->d.time);
  Diag *d = diag_add(run->diags, D_R620, (Span){0, 0},
                     "no mode agrees with its own values at time %s: each leads to another one",
                     text_str(&text));
  for (int k = first; k < n && k < first + 8; k++) {
    Text mode = {.arena = run->a};
    add_mode(run, tried[k]->m, &mode);
    diag_note(run->diags, d, "%s: %s", k == first ? "from" : "then", text_str(&mode));
  }
  diag_note(run->diags, d, "then the first of these again");
  return run->d.initial ? RUN_INIT_FAILED : RUN_FAILED;
}

/* ---- what is told ---- */

static void note(Run *run, RunCauseKind kind, int number, double a, double b) {
  vec_push(run->a, &run->pass->notes, (RunCause){kind, number, a, b});
}

static void note_mode(Run *run, const DsModel *from, const DsModel *to) {
  for (int k = 0; k < to->n_conditions; k++)
    if (from->mode[k] != to->mode[k])
      note(run, RUN_MODE_CONDITION, k, to->mode[k], NAN);
}

/* The modes that a pass has gone through, and what became of the states. */
static void note_change(Run *run, const Workspace *const *tried, uint32_t n) {
  /* the last one tried is the one that was kept */
  const DsModel *before = tried[0]->m;
  for (uint32_t k = 1; k + 1 < n; k++) {
    note(run, RUN_MODE_TRIED, -1, NAN, NAN);
    note_mode(run, before, tried[k]->m);
  }
  RunJumped jumped = run_jumped(run, &run->work->jumps);
  note(run, RUN_MODE_KEPT, jumped.index, jumped.jumped, jumped.energy);
  note_mode(run, before, run->m);
  for (int k = 0; k < run->m->n_pulses; k++) {
    const DsPulse *p = &run->m->pulses[k];
    if (p->variable >= 0 && run->d.r[p->place] != 0)
      note(run, RUN_MODE_AREA, p->variable, run->d.r[p->place], NAN);
  }
}

/* ---- a pass ---- */

/* The last jump, looked at from the mode before it. */
static bool stop_on_path(Run *run) {
  Workspace *left = run->work;
  Workspace *before = (Workspace *)(uintptr_t)run->pass->tried.at[run->pass->tried.n - 2];
  /* crossings along the way are looked for with the equations that held there */
  enter(run, before);
  if (run_stop_on_path(run, left->m))
    return true;
  enter(run, left);
  for (int k = 0; k < left->m->n_conditions; k++)
    run->d.i[left->m->conditions[k]] = run->pass->wanted[k];
  return false;
}

/* From the values before the pass into that mode. */
static RunStatus try_mode(Run *run, Workspace *mode) {
  /* a mythical mode changes nothing: each begins from the values before the pass */
  run_unsave(run, run->whole, run->pass->before);
  enter(run, mode);
  run->pass->mode_changed = run->instant->changed_mode = true;
  RunStatus status = run_jump(run, &mode->jumps);
  return status == RUN_OK ? run_equations(run, run->whole, DS_PART_EVENTS) : status;
}

static bool was_tried(const Run *run, const Workspace *mode) {
  for (uint32_t k = 0; k < run->pass->tried.n; k++)
    if (run->pass->tried.at[k] == mode)
      return true;
  return false;
}

/* Following the conditions leads nowhere: is there another mode that agrees with its own values,
 * one that differs in as few as possible of the conditions that came out otherwise, from the mode
 * before? */
static bool search(Run *run) {
  const DsModel *before = run->pass->tried.at[0]->m;
  int n = 0, which[MOST_MODES_VARIED];
  for (int k = 0; k < before->n_conditions && n < MOST_MODES_VARIED; k++) {
    /* few conditions are all tried; of many only those that came out otherwise somewhere */
    bool varies = before->n_conditions <= MOST_MODES_VARIED ||
                  run->pass->wanted[k] != before->mode[k];
    for (uint32_t q = 0; q < run->pass->tried.n; q++)
      varies = varies || run->pass->tried.at[q]->m->mode[k] != before->mode[k];
    if (varies)
      which[n++] = k;
  }
  /* a mode that cannot be is no message of the model */
  uint32_t mark = diags_count(run->diags);
  /* with few changes first: the nearest mode that agrees is the one meant */
  for (int flips = 1; flips <= n; flips++)
    for (unsigned bits = 1; bits < 1u << n; bits++) {
      if (__builtin_popcount(bits) != flips)
        continue;
      for (int k = 0; k < before->n_conditions; k++)
        run->d.i[before->conditions[k]] = before->mode[k];
      for (int q = 0; q < n; q++)
        run->d.i[before->conditions[which[q]]] ^= bits >> q & 1;
      Workspace *mode = find(run, false);
      bool agrees = mode && !was_tried(run, mode) && try_mode(run, mode) == RUN_OK &&
                    run_mode_agrees(run);
      diags_rewind(run->diags, mark);
      if (agrees)
        return true;
    }
  return false;
}

/* Has the pass moved a state that the mode binds to others? What it is bound by has jumped, then,
 * as a discrete variable in a constraint does. */
static bool is_pulled(const Run *run) {
  const double *now = run->d.r, *before = (const double *)(const void *)run->pass->before;
  for (int k = 0; k < run->m->nx && run->work->jumps.n && run->instant->is_event; k++)
    if (fabs(now[k] - before[k]) >
        STILL * (run->goal.rtol * fabs(before[k]) + run->scales->atol[k]))
      return true;
  return false;
}

/* A constraint of the mode has jumped: what conserves in a change of mode conserves here, too. */
static RunStatus jump_within(Run *run) {
  const Workspace *here[] = {run->work, run->work};
  RunStatus status = try_mode(run, run->work);
  if (status == RUN_OK && run->options->passes)
    note_change(run, here, 2);
  return status;
}

RunStatus run_equations_in_mode(Run *run, const Scope *sc) {
  if (!run->m->n_conditions)
    return run_equations(run, sc, DS_PART_EVENTS);
  run_clear_pulses(run);
  run->pass->mode_changed = false;
  run->pass->notes.n = run->pass->tried.n = 0;
  run_save(run, run->whole, run->pass->before);
  RunStatus status = run_equations(run, run->whole, DS_PART_EVENTS);
  /* messages of modes that are tried and given up go */
  uint32_t mark = diags_count(run->diags);
  if (status == RUN_OK && run_mode_agrees(run) && is_pulled(run))
    status = jump_within(run);
  bool agrees = status == RUN_OK && run_mode_agrees(run);
  while (status == RUN_OK && !agrees) {
    vec_push(run->a, &run->pass->tried, run->work);
    for (int k = 0; k < run->m->n_conditions; k++)
      run->pass->wanted[k] = run->d.i[run->m->conditions[k]] != 0;
    if (run->options->jump_path && run->pass->tried.n > 1 && stop_on_path(run))
      run->pass->tried.n = 0; /* from another state */
    /* the mode that the values ask for, which may again ask for another one */
    Workspace *next = find(run, false);
    bool again = next && was_tried(run, next);
    status = !next   ? RUN_FAILED
             : again ? tell_no_mode(run, run->pass->tried.at, (int)run->pass->tried.n, next)
                     : try_mode(run, next);
    agrees = status == RUN_OK && run_mode_agrees(run);
    if (status == RUN_OK || !run->pass->tried.n)
      continue;
    /* it has been tried in vain: not again in the search */
    if (next && !again)
      vec_push(run->a, &run->pass->tried, next);
    if (search(run)) {
      diags_rewind(run->diags, mark);
      status = RUN_OK;
      agrees = true;
    }
  }
  /* at the start there is no mode before that a row could name */
  if (agrees && run->pass->tried.n && run->options->passes && run->instant->is_event) {
    vec_push(run->a, &run->pass->tried, run->work);
    note_change(run, run->pass->tried.at, run->pass->tried.n);
  }
  return status;
}

/* Conditions that are relations follow them; a mode that binds states is no side of a surface. */
int run_mode_of_relations(Run *run) {
  const DsModel *m = run->m;
  for (int k = 0; k < m->n_conditions; k++) {
    /* 0: no relation; its sign says whether the condition is the relation or its negative */
    int relation = m->condition_relations[k];
    if (relation)
      run->d.i[m->conditions[k]] = (run->d.relation[(relation > 0 ? relation : -relation) - 1] !=
                                    0) != (relation < 0);
  }
  if (run_mode_agrees(run))
    return NUM_OK;
  uint32_t mark = diags_count(run->diags);
  Workspace *mode = find(run, false);
  if (mode && !mode->m->n_jumps)
    enter(run, mode);
  else
    diags_rewind(run->diags, mark);
  return mode && !mode->m->n_jumps ? NUM_OK : NUM_RETRY;
}

bool run_mode_begin(Run *run, unsigned other) {
  const DsModel *first = run->structures->m;
  uint32_t mark = diags_count(run->diags);
  /* more conditions than bits are never varied one by one */
  for (int k = 0; k < first->n_conditions; k++)
    run->d.i[first->conditions[k]] = first->mode[k] ^ (k < 32 ? other >> k & 1 : 0);
  Workspace *mode = find(run, true);
  if (mode)
    enter(run, mode);
  else
    diags_rewind(run->diags, mark);
  return mode != NULL;
}

RunStatus run_jump_in_mode(Run *run) { return run_jump(run, &run->work->jumps); }

/* Is there a Boolean with a fixed start value at this place? */
static bool has_fixed_start(const Run *run, int place) {
  for (int k = 0; k < run->m->n_variables; k++) {
    const DsVariable *v = &run->m->variables[k];
    if (v->type == DS_BOOLEAN && v->place == place && v->flags & DS_FIXED &&
        v->flags & DS_HAS_START)
      return true;
  }
  return false;
}

bool run_mode_before(Run *run) {
  const DsModel *first = run->structures->m;
  uint32_t mark = diags_count(run->diags);
  bool any = false;
  /* start values may follow from parameters */
  if (!first->n_conditions || run_evaluate(run, run->whole, DO_PARAMETERS) != NUM_OK ||
      run_evaluate(run, run->whole, DO_START) != NUM_OK)
    return false;
  for (int k = 0; k < first->n_conditions; k++) {
    bool fixed = has_fixed_start(run, first->conditions[k]);
    any = any || fixed;
    if (!fixed)
      run->d.i[first->conditions[k]] = first->mode[k];
  }
  Workspace *mode = any ? find(run, true) : NULL;
  if (mode)
    enter(run, mode);
  else
    diags_rewind(run->diags, mark);
  return mode != NULL;
}

void run_mode_first(Run *run) {
  if (!run->work->initial)
    run_mode_begin(run, 0);
}

/* After values have been put back, the structure is the one that fits them */
RunStatus run_mode_again(Run *run) {
  Workspace *mode = !run->m->n_conditions || run_mode_agrees(run) ? run->work : find(run, false);
  if (!mode)
    return RUN_FAILED;
  use(run, mode);
  run_forget_matrices(run, run->whole);
  return RUN_OK;
}

/* ---- reinit ---- */

static RunStatus tell_contradiction(Run *run, int state) {
  Text time = {.arena = run->a};
  Text value = {.arena = run->a};
  Text found = {.arena = run->a};
  Text mode = {.arena = run->a};
  text_real(&time, run->d.time);
  text_real(&value, run->pass->reinit_value[state]);
  text_real(&found, run->d.r[state]);
  const char *name = run_state_name(run, state);
  /* the first of the equations that bind states, as the place to look at */
  DsPlace first = run->m->n_jumps ? run->m->places[run->m->jumps[0].equations[0]]
                                  : (DsPlace){0, 0, ""};
  Diag *d = diag_add(run->diags, D_R623, (Span){first.lo, first.hi},
                     "reinit sets `%s` to %s at time %s, but the equations of the mode want %s",
                     name, text_str(&value), text_str(&time), text_str(&found));
  run_mode_text(run, &mode);
  diag_note(run->diags, d, "in the mode: %s", text_str(&mode));
  for (int k = 0; k < run->m->n_jumps; k++)
    for (int i = 0; i < run->m->jumps[k].n; i++) {
      DsPlace at = run->m->places[run->m->jumps[k].equations[i]];
      diag_label(run->diags, d, (Span){at.lo, at.hi}, "holds in this mode");
    }
  return RUN_FAILED;
}

static void unsave_but_states(Run *run, const unsigned char *from) {
  double *states = run->pass->after_jump;
  memcpy(states, run->d.r, (size_t)run->m->nx * sizeof *states);
  run_unsave(run, run->whole, from);
  memcpy(run->d.r, states, (size_t)run->m->nx * sizeof *states);
}

/* Where nothing else changes the new values must be those that the mode gives. */
RunStatus run_reinit_in_mode(Run *run) {
  int nx = run->m->nx;
  unsigned char *asked = NEW_ARRAY(run->a, unsigned char, nx + 1);
  /* the jump clears what was asked for */
  memcpy(asked, run->pass->reinit, (size_t)nx);
  run_apply_reinit(run->instant);
  /* only states jump: what the pass has found for the rest stays, when-clauses that have acted
   * included */
  run_save(run, run->whole, run->pass->before);
  RunStatus status = run_jump(run, &run->work->jumps);
  if (status != RUN_OK)
    return status;
  unsave_but_states(run, run->pass->before);
  run_save(run, run->whole, run->pass->before);
  bool same = run_evaluate(run, run->whole, DS_PART_EVENTS) == NUM_OK && run_mode_agrees(run);
  int wrong = -1;
  /* what was asked for and does not fit, as far as it is told from rounding */
  for (int k = 0; k < nx && same; k++) {
    double error = fabs(run->d.r[k] - run->pass->reinit_value[k]);
    if (asked[k] && !(error <= REINIT_ERROR * (run->goal.rtol * fabs(run->pass->reinit_value[k]) +
                                               run->scales->atol[k])))
      wrong = wrong < 0 ? k : wrong;
  }
  if (wrong >= 0)
    return tell_contradiction(run, wrong);
  run_unsave(run, run->whole, run->pass->before);
  run_clear_pulses(run);
  return RUN_OK;
}

RunStatus run_initial_in_mode(Run *run, bool *changed) {
  *changed = false;
  if (!run->m->n_conditions || run_mode_agrees(run))
    return RUN_OK;
  uint64_t now = mode_hash(run->m);
  for (uint32_t k = 0; k < run->starts->modes.n; k++)
    if (run->starts->modes.at[k] == now)
      return tell_no_mode(run, (const Workspace *const *)&run->work, 1, run->work);
  vec_push(run->a, &run->starts->modes, now);
  Workspace *next = find(run, true);
  if (!next)
    return RUN_INIT_FAILED;
  enter(run, next);
  *changed = true;
  return RUN_OK;
}
