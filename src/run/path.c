/* run/path.c -- a change of mode that is left on the way: its jump is a motion in an instant, from
 * the values before to those after, and a relation of states may change in between. Then the motion
 * ends there: that point is kept (a pinnacle), and the mode that the relation asks for begins from
 * it (the jump path of Chen and Trenn, CDC 2024).
 * Keep: only relations of states can be followed; forces of the new mode have no values before it
 *       is reached. */
#include "run/core.h"
#include "run/evaluate.h"
#include "run/instant.h"
#include "run/linear.h"
#include "run/mode.h"
#include "run/pass.h"
#include "run/values.h"

#include <string.h>

enum { HALVINGS = 60 };

typedef struct {
  Run *run;
  double *before; /* states in the copy from before the pass */
} Path;

/* The conditions at a fraction of the way, in the mode from before, whose states are free. */
static bool agrees_at(const Path *p, const DsModel *with, double theta) {
  Run *run = p->run;
  run_unsave(run, run->whole, run->pass->before);
  for (int k = 0; k < run->m->nx; k++)
    run->d.r[k] = p->before[k] + theta * (run->pass->after_jump[k] - p->before[k]);
  run_forget_matrices(run, run->whole);
  if (run_evaluate(run, run->whole, DS_PART_EVENTS) != NUM_OK)
    return false;
  for (int k = 0; k < with->n_conditions; k++)
    if ((run->d.i[with->conditions[k]] != 0) != with->mode[k])
      return false;
  return true;
}

bool run_stop_on_path(Run *run, const DsModel *left) {
  Path p = {run, (double *)(void *)(run->pass->before + ((unsigned char *)run->d.r - run->block))};
  double low = 0, high = 1;
  bool changed = run->instant->changed_mode;
  run->instant->changed_mode = false; /* relations are as sharp as they are without a change */
  bool crosses = agrees_at(&p, left, low) && !agrees_at(&p, left, high);
  for (int k = 0; k < HALVINGS && crosses; k++) {
    double middle = low + (high - low) / 2;
    if (agrees_at(&p, left, middle))
      low = middle;
    else
      high = middle;
  }
  if (crosses) {
    agrees_at(&p, left, high); /* leaves the conditions of there */
    memcpy(run->pass->before + (run->d.relation - run->block), run->d.relation,
           (size_t)run->m->n_relations);
  }
  run->instant->changed_mode = changed;
  for (int k = 0; k < run->m->nx && crosses; k++)
    p.before[k] += high * (run->pass->after_jump[k] - p.before[k]);
  return crosses;
}
