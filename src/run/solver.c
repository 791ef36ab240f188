/* run/solver.c -- which integration method works: the one asked for, or `auto`.
 * auto begins with the explicit pair (with CVODE where there are many states), because it costs
 * least after events, and watches: - the estimate of h*|eigenvalue| of the pair beyond its
 * stability limit in most steps (Hairer and Wanner II, section IV.2), - many rejected steps while
 * that estimate is large,
 *   - very many steps between two output points.
 * Then the rest is tried with a stiff method, and what it costs per unit of time is compared with
 * what the pair took; if nothing was gained, the pair goes on and the next trial comes later. A
 * stiff method whose steps an explicit one could make (h*|J| < 1 for a while) is left again. Counts
 * decide, not clocks: equal runs are equal.
 * Keep: methods are made when first used and stay until the end of the run; a change happens
 *       between two steps. */
#include "run/solver.h"
#include "run/contact.h"
#include "run/core.h"
#include "run/discontinuity.h"
#include "run/guess.h"
#include "run/linear.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/scales.h"
#include "run/select.h"
#include "run/steps.h"
#include "run/tell.h"
#include "run/weights.h"

#include <math.h>
#include <string.h>

/* Limits of auto. */
enum {
  MANY_STATES = 100,   /* begin with CVODE */
  FEW_STATES = 30,     /* Rosenbrock, whose cost grows with the Jacobian, up to here */
  SPARSE_STATES = 400, /* Rosenbrock up to here, if events are frequent */
  STIFF_STEPS = 15,    /* beyond the stability limit before the change */
  EASY_STEPS = 6,      /* in a row forgive them */
  WINDOW = 32,         /* steps between two looks at the costs */
  TRIAL_STEPS = 40,    /* of a one-step stiff method before its costs are compared */
  LONG_TRIAL = 150,    /* of a multistep method, which begins with order 1 */
  BUDGET = 400,        /* steps in a piece of the run before a trial */
  PIECES = 500,        /* of the run: what is a long one is a matter of work, not of rows */
  CALM_STEPS = 24,     /* of a stiff method that an explicit one could make */
  RETURNS_FULL = 16,
  PATIENCE_FULL = 1 << 20,
  RARE_EVENTS = 40, /* steps per event from which multistep methods pay */
  /* a model with fewer costs little more than the work of the method itself */
  CHEAP_REALS = 200,
};
static const double stability_limit = 3.25; /* of the 5(4) pair on the negative axis, about 3.3 */
static const double near_limit = 1.5, calm = 1;
static const double tight = 3e-8; /* rtol */
static const double gain = 1.2;   /* a stiff method must be better by this factor */

static int kind_number(const StepperKind *kind) {
  int k = 0;
  while (stepper_kind_at((size_t)k) != kind)
    k++;
  return k;
}

/* ---- methods ---- */

static StepProblem problem(Part *p, const StepperKind *kind) {
  Run *run = p->run;
  const DsModel *m = run->m;
  Solver *so = &p->solver;
  bool reads_others = run->divided && m->parts[p->number].n_moving;
  /* explicit methods never ask for it */
  const Pattern *pattern = kind->stiff && !run->options->dae ? run_jacobian_pattern(p) : NULL;
  /* a part that reads others depends on time through them, and so do weights of surfaces */
  return (StepProblem){.n = p->n,
                       .f = run_rhs,
                       .user = p,
                       .jacobian = so->exact ? run_jacobian : NULL,
                       .pattern = pattern,
                       .finite = true,
                       .autonomous = m->autonomous && !run->own.slide && !reads_others,
                       .rtol = run->goal.rtol,
                       .atol = run_weights(run) + p->x,
                       .small = run_small(run) + p->x,
                       .low = run->options->bounds == NU_BOUNDS_OFF ? NULL
                                                                    : run->scales->low + p->x,
                       .high = run->scales->high + p->x,
                       .noise = run_noise,
                       .span = run->goal.stop - run->goal.start,
                       .fixed = run->goal.fixed > 0 ? run->goal.fixed : run->goal.interval};
}

Stepper *run_solver_of(Part *p, const StepperKind *kind) {
  Run *run = p->run;
  Solver *so = &p->solver;
  int k = kind_number(kind);
  /* a method stays made, with its history, until the end of the run */
  if (!so->made[k]) {
    StepProblem pr = problem(p, kind);
    if (run->options->dae && kind == &stepper_ida)
      run_implicit_problem(run, &pr);
    so->made[k] = stepper_new(kind, &pr, run->a);
  }
  if (!so->made[k])
    diag_add(run->diags, D_R604, (Span){0, 0}, "the solver %s cannot be set up: not enough memory",
             kind->name);
  else
    so->used |= 1u << k;
  return so->made[k];
}

static uint64_t all_events(const Part *p) {
  const Run *run = p->run;
  return run->divided ? p->events.n : run->stats.state_events + run->stats.time_events;
}
/* Variables that the part at work stands for, by its share of the states. */
static double reals(const Part *p) {
  const Run *run = p->run;
  return (double)run->m->n_real * p->n / (run->m->nx > 0 ? run->m->nx : 1);
}

static const StepperKind *stiff_kind(const Part *p) {
  const Run *run = p->run;
  /* since the last change: events before tell nothing about this piece */
  uint64_t events = all_events(p) - p->solver.events;
  bool frequent = events > 4 && p->solver.steps < RARE_EVENTS * events;
  /* order 4 does not pay where much accuracy is asked for, nor where evaluations are expensive */
  bool dear = run->goal.rtol < tight || reals(p) > CHEAP_REALS;
  int most = frequent ? SPARSE_STATES : dear ? 0 : FEW_STATES;
  return p->n <= most ? &stepper_rosenbrock : &stepper_cvode;
}

static const StepperKind *first_kind(const Part *p) {
  const Run *run = p->run;
  if (p->n == 0) /* nothing to integrate: any will do */
    return run->goal.asked && run->goal.asked->fixed ? run->goal.asked : &stepper_rk45;
  return run->goal.asked ? run->goal.asked : p->n > MANY_STATES ? &stepper_cvode : &stepper_rk45;
}

/* In evaluations of the model; an exact Jacobian costs about as much as some of them. */
static uint64_t work_of(const Stepper *s) {
  enum { EXACT_JACOBIAN = 3 };
  return s->stats.evaluations + EXACT_JACOBIAN * (s->stats.jacobians - s->stats.differenced);
}

/* Which one of the pieces of the run a time is in. */
static uint32_t piece(const Run *run, double t) {
  double part = (t - run->goal.start) / (run->goal.stop - run->goal.start);
  return part > 0 ? (uint32_t)fmin(PIECES, PIECES * part) : 0;
}

/* Another method goes on where the present one stands; false if it cannot. */
static bool change_to(Part *p, const StepperKind *kind) {
  Run *run = p->run;
  Stepper *from = p->stepper, *to = run_solver_of(p, kind);
  /* a stiff method chooses its first step itself: the last one was short because its method is
   * explicit */
  if (!to || stepper_begin(to, from->t, from->x, kind->stiff ? 0 : from->next) != NUM_OK)
    return false;
  p->stepper = to;
  /* the list in the statistics ends, the count does not */
  if (run->stats.n_changes < RUN_CHANGES)
    run->stats.changes[run->stats.n_changes] = (RunChange){to->t, kind->name};
  run->stats.n_changes++;
  Solver *so = &p->solver;
  so->stiff = so->easy = so->calm = 0;
  so->steps = so->grid_steps = 0;
  so->events = all_events(p);
  so->look = (SolverLook){to->t, work_of(to), to->stats.rejected, 0};
  so->grid = piece(run, to->t);
  return true;
}

bool run_solver_begin(Part *p) {
  Run *run = p->run;
  bool first = !p->stepper;
  if (first && !(p->stepper = run_solver_of(p, first_kind(p))))
    return false;
  Stepper *s = p->stepper;
  run_keep_guess(p);
  run_forget_matrices(run, &p->scope);
  /* one-step methods keep their step, multistep methods begin small */
  double h = first || s->kind == &stepper_cvode || s->kind == &stepper_ida ? 0 : p->h;
  if (stepper_begin(s, run->d.time, run_components(p), h) != NUM_OK) {
    run_tell_failure(run, D_R604, "the model cannot be evaluated");
    return false;
  }
  if (p->monitored && run_indicators(run, &p->scope, run->rel->z_start) != NUM_OK) {
    run_tell_failure(run, D_R604, "the model cannot be evaluated");
    return false;
  }
  run_hold_sides(run, &p->scope);
  if (p->monitored)
    run_begin_sizes(run, &p->scope);
  p->h_before = 0;
  if (first)
    p->solver.look = (SolverLook){s->t, work_of(s), s->stats.rejected, 0};
  return true;
}

bool run_solver_rescue(Part *p) {
  Run *run = p->run;
  Solver *so = &p->solver;
  const StepperKind *const order[] = {&stepper_rosenbrock, &stepper_cvode};
  if (run->goal.asked || p->n == 0)
    return false;
  /* at another time, or after another method, all have their chance again */
  if (so->rescue_time != p->stepper->t || !so->gave_up) {
    so->rescues = 0;
    so->gave_up = p->stepper;
  }
  so->rescue_time = p->stepper->t;
  while (so->rescues < 2) {
    const StepperKind *kind = order[so->rescues++];
    if (kind != p->stepper->kind && change_to(p, kind))
      return true;
  }
  return false;
}

/* ---- auto ---- */

/* Work per unit of time since the last look. */
static double cost(const Part *p, const SolverLook *since) {
  const Stepper *s = p->stepper;
  double passed = s->t - since->t;
  return passed > 0 ? (double)(work_of(s) - since->work) / passed : 0;
}

static void look_again(Part *p) {
  Solver *so = &p->solver;
  Stepper *s = p->stepper;
  double now = cost(p, &so->look);
  /* nothing may have passed since */
  so->cost = now > 0 ? now : so->cost;
  so->look = (SolverLook){s->t, work_of(s), s->stats.rejected, so->steps};
}

static void watch_explicit(Part *p) {
  Solver *so = &p->solver;
  Stepper *s = p->stepper;
  if (s->stiffness > stability_limit) {
    so->stiff++;
    so->easy = 0;
  } else if (++so->easy >= EASY_STEPS)
    so->stiff = 0;
  /* many steps for what is a small piece of the run */
  bool many = so->steps - so->grid_steps > (uint64_t)BUDGET * so->patience;
  bool rejects = false;
  if (so->steps - so->look.steps >= WINDOW) {
    rejects = s->stats.rejected - so->look.rejected > WINDOW / 2 && s->stiffness > near_limit;
    look_again(p);
  }
  /* too early, or nothing unusual */
  if ((uint64_t)so->stiff < STIFF_STEPS * so->patience && !many && !rejects)
    return;
  /* a discontinuity is no stiffness */
  if (run_step_jumps(p)) {
    so->stiff = 0;
    so->grid_steps = so->steps;
    return;
  }
  /* the cost to compare with is that of the last steps, if these are enough to tell */
  if (so->steps - so->look.steps >= EASY_STEPS)
    look_again(p);
  so->on_trial = true;
  change_to(p, stiff_kind(p));
}

double run_solver_beyond(Part *p) {
  Solver *so = &p->solver;
  const Stepper *s = p->stepper;
  if (s->kind->stiff || !(s->stiffness > stability_limit))
    return 0;
  so->stiff++;
  so->easy = 0;
  return s->stiffness;
}

static void watch_stiff(Part *p) {
  Solver *so = &p->solver;
  Stepper *s = p->stepper;
  /* negative: the method does not know */
  so->calm = s->stiffness >= 0 && s->stiffness < calm ? so->calm + 1 : 0;
  /* the last third of the trial counts: multistep methods begin with order 1, which is not what
   * they cost later */
  uint64_t trial = s->kind == &stepper_cvode ? LONG_TRIAL : TRIAL_STEPS;
  if (so->on_trial && so->steps == trial * 2 / 3)
    so->look = (SolverLook){s->t, work_of(s), s->stats.rejected, so->steps};
  if (so->on_trial && so->steps >= trial) {
    so->on_trial = false;
    /* nothing was gained: the next trial comes four times later */
    if (so->cost > 0 && cost(p, &so->look) * gain > so->cost) {
      so->patience = so->patience < PATIENCE_FULL ? so->patience * 4 : so->patience;
      change_to(p, &stepper_rk45);
      return;
    }
    so->patience = 1;
  }
  /* each time it takes twice as long: who comes and goes at every event stays in the end */
  if (so->calm >= CALM_STEPS << so->returns) {
    so->returns += so->returns < RETURNS_FULL;
    change_to(p, &stepper_rk45);
  } else if (so->steps % (8 * WINDOW) == 0 && stiff_kind(p) != s->kind)
    change_to(p, stiff_kind(p));
}

void run_solver_review(Part *p) {
  Run *run = p->run;
  Solver *so = &p->solver;
  so->steps++;
  if (run->goal.asked || p->n == 0)
    return;
  uint32_t now = piece(run, p->stepper->t);
  if (so->grid != now) {
    so->grid = now;
    so->grid_steps = so->steps;
  }
  if (p->stepper->kind->stiff)
    watch_stiff(p);
  else
    watch_explicit(p);
}

/* ---- what happened ---- */

/* Names for the statistics; they outlive the run. Only the three methods of auto come together. */
static const char *used_names(const Run *run) {
  static const char *const together[] = {
      "",      "rk45",       "rosenbrock",       "rk45+rosenbrock",
      "cvode", "rk45+cvode", "rosenbrock+cvode", "rk45+rosenbrock+cvode"};
  const StepperKind *const order[] = {&stepper_rk45, &stepper_rosenbrock, &stepper_cvode};
  size_t set = 0;
  const char *name = NULL;
  for (int p = 0; p < run->n_parts; p++) {
    /* a bit for each of the three */
    for (size_t k = 0; k < 3; k++)
      if (run->parts[p].solver.used >> kind_number(order[k]) & 1)
        set |= (size_t)1 << k;
    if (run->parts[p].stepper)
      name = run->parts[p].stepper->kind->name;
  }
  return set ? together[set] : name;
}

const char *run_state_name(const Run *run, int state) {
  /* a chosen state goes by the name of what it is at present */
  int chosen = run_select_chosen(run, state);
  if (chosen >= 0)
    return run->m->variables[chosen].name;
  for (int k = 0; k < run->m->n_variables; k++)
    if (run->m->variables[k].der == run->m->nx + state)
      return run->m->variables[k].name;
  return "";
}

/* Adds what one method of a part has done; its shares of the error go to sum. */
static void add_totals(Run *run, const Part *p, const Stepper *s, double *sum, double *shares,
                       uint64_t *differenced) {
  RunStats *stats = &run->stats;
  stats->rejected_steps += s->stats.rejected;
  stats->jacobians += s->stats.jacobians;
  stats->factorizations += s->stats.factorizations;
  *differenced += s->stats.differenced;
  for (int i = 0; i < p->n; i++)
    sum[p->x + i] += s->share[i];
  *shares += s->shares;
}

void run_solver_totals(Run *run) {
  RunStats *stats = &run->stats;
  /* by state, in the memory of a trial */
  double *sum = run->cells.trial, shares = 0;
  memset(sum, 0, (size_t)run->m->nx * sizeof *sum);
  stats->solver = used_names(run);
  stats->rejected_steps = stats->jacobians = stats->factorizations = 0;
  uint64_t differenced = 0;
  for (int p = 0; p < run->n_parts; p++)
    for (size_t k = 0; stepper_kind_at(k); k++)
      if (run->parts[p].solver.made[k])
        add_totals(run, &run->parts[p], run->parts[p].solver.made[k], sum, &shares, &differenced);
  if (stats->jacobians)
    stats->jacobian = differenced == stats->jacobians ? "differences"
                      : differenced                   ? "symbolic, differences"
                                                      : "symbolic";
  int states[RUN_LIMITING], n = stepper_limiting(sum, run->m->nx, states, RUN_LIMITING);
  for (int k = 0; k < n; k++)
    stats->limiting[k] = (RunLimiting){run_state_name(run, states[k]), sum[states[k]] / shares};
}

void run_solver_free(Run *run) {
  for (int p = 0; p < run->n_parts; p++)
    for (size_t k = 0; stepper_kind_at(k); k++) {
      stepper_free(run->parts[p].solver.made[k]);
      run->parts[p].solver.made[k] = NULL;
    }
}
