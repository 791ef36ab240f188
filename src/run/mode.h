#pragma once
/* run/mode.h -- structures that change: which one holds (mode.c), values and pulses after the
 * change (jump.c, path.c), start values that the first one forbids (first_mode.c), constraints that
 * hold by themselves (project.c). */
#include "run/workspace.h"

bool run_modes_begin(Run *run); /* the first structure; false after a diagnostic */
void run_modes_free(Run *run);
bool run_mode_agrees(const Run *run); /* the conditions are those of the present structure */
/* Of one pass, in the structure that agrees with its own values; told if it fails */
RunStatus run_equations_in_mode(Run *run, const Scope *sc);
/* The structure that the present values of relations ask for; NUM_RETRY: it is none to evaluate
 * in */
int run_mode_of_relations(Run *run);
/* As the first one but for these conditions; false: there is no such structure */
bool run_mode_begin(Run *run, unsigned other);
/* Before initial values are sought: a structure with equations for them */
void run_mode_first(Run *run);
/* Values were put in place from outside: the structure that they belong to */
RunStatus run_mode_again(Run *run);
RunStatus run_reinit_in_mode(Run *run); /* applies it; told if the mode contradicts */
/* The initialisation must be done again in another structure? */
RunStatus run_initial_in_mode(Run *run, bool *changed);

/* The structure of the fixed start values of its conditions; false: there are none, or no such
 * structure */
bool run_mode_before(Run *run);
RunStatus run_jump_in_mode(Run *run);          /* run_jump of the present structure */
void run_mode_text(const Run *run, Text *out); /* the present mode */

/* first_mode.c */
void run_starts_note(Run *run); /* before the initial system is solved */
/* After that: start values that the mode binds, told if they move */
void run_starts_project(Run *run);
void run_starts_tell(Run *run); /* states that have another value than at their start */

/* jump.c */
void run_jumps_allocate(Run *run, RunJumps *out); /* of the present structure */
/* What the last run_jump of these did; index 0: nothing binds states. */
typedef struct {
  int index;
  bool jumped;
  double energy; /* lost; NAN: not known */
} RunJumped;
RunJumped run_jumped(const Run *run, const RunJumps *js);
/* States and pulses after the structure has changed; told if it fails */
RunStatus run_jump(Run *run, RunJumps *js);
void run_clear_pulses(Run *run);

/* path.c: the jump to `left`, which does not agree with its values: does a relation of states
 * change on the way? Then the values from before the pass become those of that point, and the
 * conditions those of there. The present structure is that from before. */
bool run_stop_on_path(Run *run, const DsModel *left);

/* project.c */
void run_project_allocate(Run *run); /* for the present structure */
/* The states after an accepted step onto the invariants; stops: the method begins anew */
void run_project(Part *p, bool stops);
