#pragma once
/* run/solver.h -- which method integrates a part (solver.c), with which Jacobian (jacobian.c), in
 * which formulation (implicit.c). */
#include "numeric/stepper.h"
#include "numeric/tangent.h"
#include "run/rooms.h"

/* Costs of the method at work up to a moment. */
typedef struct {
  double t;
  uint64_t work, rejected, steps;
} SolverLook;

enum { STEPPERS = 8 };

/* Which method integrates. */
typedef struct {
  Stepper *made[STEPPERS]; /* by number in the table of methods */
  unsigned used;           /* bits by that number */
  Pattern pattern;
  bool has_pattern;
  bool exact; /* Jacobians are exact */
  bool full;  /* they have a place for every entry, because the motion may slide */
  /* auto */
  int stiff, easy, calm;  /* steps that looked so */
  int returns;            /* how often a stiff method was left because steps were calm */
  uint64_t patience;      /* factor of what a trial needs; grows when trials gain nothing */
  bool on_trial;          /* a stiff method has to prove itself */
  double cost;            /* evaluations per unit of time of the explicit method */
  uint64_t steps, events; /* steps since the last change; events before it */
  uint64_t grid_steps;    /* steps at the last output point */
  uint32_t grid;
  SolverLook look;
  double rescue_time;
  int rescues;
  Stepper *gave_up; /* the first of those that did at rescue_time */
} Solver;

/* Made when first asked for; NULL after a diagnostic */
Stepper *run_solver_of(Part *p, const StepperKind *kind);
bool run_solver_begin(Part *p);  /* from the present values; false after a diagnostic */
void run_solver_review(Part *p); /* after a step: auto may change the method */
/* Step size times eigenvalue, if the step is beyond the stability limit of its method; else 0 */
double run_solver_beyond(Part *p);
bool run_solver_rescue(Part *p);  /* the method gave up: may another one try? */
void run_solver_totals(Run *run); /* into run->stats */
void run_solver_free(Run *run);

/* jacobian.c */
/* NULL: full. Sets solver.exact, if the model has derivatives */
const Pattern *run_jacobian_pattern(Part *p);
void run_jacobian_allocate(Run *run);
JacobianFunction run_jacobian;
TangentTable run_tangent_table(const DsModel *m); /* the model has derivatives */

/* implicit.c */
void run_implicit_problem(Run *run, StepProblem *p); /* what differs in the formulation `dae` */
const double *run_components(Part *p); /* what the solver integrates, at the present values */
