/* structure/moved.c -- variables that move when another one is reinitialised, told once (R625).
 * In:   the sorted simulation, the states chosen.   Out: a note per reinit.
 * How:  states keep their values at reinit. A variable whose derivative occurs in the model, but
 *       that
 *       follows from states, moves with those that are reinitialised: one walk over the blocks, in
 *       order of evaluation, per reinitialised state.
 * Keep: where equations change with the mode pulses say what moves (jump.c); nothing is said
 * here. */
#include "structure/index.h"
#include "structure/build.h"
#include "structure/incidence.h"
#include "structure/system.h"

#include <string.h>

/* Marks what follows from the marked ones. */
static void spread(const SSystem *sys, const IncidenceTable *t, bool *moved) {
  for (uint32_t b = 0; b < sys->blocks.n; b++) {
    const SBlock *block = &sys->blocks.at[b];
    bool any = false;
    for (uint32_t i = 0; i < block->n; i++)
      for (uint32_t k = 0; k < t->rows[block->rows[i]].n && !any; k++)
        any = moved[t->rows[block->rows[i]].at[k].var];
    for (uint32_t i = 0; any && i < block->n; i++)
      moved[block->unknowns[i]] = true;
  }
}

/* Only variables whose derivatives were written might be meant to keep their values. */
static bool might_stay(const Lower *lo, uint32_t v) {
  const SVar *s = &lo->s->vars.at[v];
  return s->kind == SV_VAR && !s->state && !s->alias.i && s->der != NO_SVAR &&
         s->der < lo->n_written;
}

static bool keep_only(const Lower *lo, bool *moved) {
  bool any = false;
  for (uint32_t v = 0; v < lo->s->vars.n; v++)
    any = (moved[v] = moved[v] && might_stay(lo, v)) || any;
  return any;
}

static bool *from_state(const Lower *lo, const IncidenceTable *t, uint32_t state, bool *moved) {
  memset(moved, 0, lo->s->vars.n * sizeof *moved);
  moved[state] = true;
  spread(&lo->s->simulation, t, moved);
  return keep_only(lo, moved) ? moved : NULL;
}

/* What all of them move: mostly nothing. */
static bool any_moves(const Lower *lo, const IncidenceTable *t, bool *moved) {
  for (uint32_t k = 0; k < lo->s->actions.n; k++)
    if (lo->s->actions.at[k].kind == ACTION_REINIT)
      moved[lo->s->actions.at[k].state] = true;
  spread(&lo->s->simulation, t, moved);
  return keep_only(lo, moved);
}

void moved_tell(Lower *lo) {
  const Structure *s = lo->s;
  uint32_t n = s->vars.n;
  bool *all = NEW_ARRAY(lo->a, bool, n);
  bool *told = NEW_ARRAY(lo->a, bool, n);
  bool found = false;
  bool *moved = NEW_ARRAY(lo->a, bool, n);
  for (uint32_t v = 0; v < n; v++) {
    all[v] = true;
    found = found || might_stay(lo, v);
  }
  if (!found || !s->actions.n || s->conditions.n)
    return;
  IncidenceTable t = table_build(s, &s->simulation, all, false, lo->a);
  if (!any_moves(lo, &t, moved))
    return;
  for (uint32_t k = 0; k < s->actions.n; k++) {
    const SAction *act = &s->actions.at[k];
    if (act->kind != ACTION_REINIT || told[act->state])
      continue;
    told[act->state] = true;
    if (!from_state(lo, &t, act->state, moved))
      continue;
    const char *name = lo->m->vars.at[act->state].name;
    const char *others = system_names(lo, moved, NO_SVAR);
    Diag *d = diag_add(lo->diags, D_R625, act->span, "reinit of `%s` moves %s, too", name, others);
    diag_note(lo->diags, d, "only the states keep their values");
  }
}
