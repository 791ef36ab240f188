/* structure/push.c -- where a contact force acts on what reinit may set.
 * Where events of a relation accumulate that make a state v jump, the run holds v in contact
 * (run/contact.c): der(v) is what its equation says, plus a force that no equation has. Everything
 * that is computed from der(v) must see it. So the force is added where der(v) is computed; or,
 * where another variable is written to be der(v), a = der(v), to that one, if der(v) follows from
 * it. Of der(v) = a it is not known what else a is: a gravity that acts on other bodies, too.
 * In:   sorted blocks, actions.   Out: SVar.push_of of what is pushed; SVar.push_hidden of a state
 *       whose force not all can see: what is solved together with der(v), or is the derivative of
 *       that. */
#include "structure/switching.h"
#include "structure/graph.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

#include <string.h>

typedef struct {
  Structure *s;
  uint32_t *block_of; /* per SVar; NOBODY: none */
} Pushes;

/* The variable that this is, up to sign; NO_SVAR: it is more. */
static uint32_t named(const ExprPool *p, ExprId e, bool *minus) {
  const Expr *x = expr_get(p, e);
  uint32_t v;
  *minus = x->op == OP_NEG;
  return lowered_var(p, *minus ? x->args[0] : e, &v) ? v : NO_SVAR;
}

/* The variable that is written to be equal to `var`, up to sign, and that this is computed from;
 * NO_SVAR: there is none, or it is a state or not computed. */
static uint32_t copied(const Pushes *ps, uint32_t var, bool *negated) {
  const Structure *s = ps->s;
  const SBlock *block = &s->simulation.blocks.at[ps->block_of[var]];
  if (block->kind != BLOCK_EXPLICIT || block->mixed)
    return NO_SVAR;
  bool minus, unused;
  uint32_t v = named(s->model->pool, block->value, &minus);
  if (v == NO_SVAR || ps->block_of[v] == NOBODY ||
      named(s->model->pool, s->simulation.rows.at[block->rows[0]].rhs, &unused) != var)
    return NO_SVAR;
  const SVar *sv = &s->vars.at[v];
  bool fits = (sv->kind == SV_VAR || sv->kind == SV_DER) && !sv->state && !sv->discrete;
  *negated ^= minus && fits;
  return fits ? v : NO_SVAR;
}

/* Is something else solved together with it that is no derivative of a state which jumps, too? */
static bool has_company(const Pushes *ps, uint32_t var) {
  const SBlock *b = &ps->s->simulation.blocks.at[ps->block_of[var]];
  for (uint32_t k = 0; k < b->n; k++) {
    const SVar *v = &ps->s->vars.at[b->unknowns[k]];
    if (b->unknowns[k] != var && !v->pushed)
      return true;
  }
  return false;
}

static bool is_differentiated(const Pushes *ps, uint32_t var) {
  uint32_t der = ps->s->vars.at[var].der;
  return der != NO_SVAR && ps->block_of[der] != NOBODY;
}

static void find_push(Pushes *ps, uint32_t state) {
  SVar *vars = ps->s->vars.at;
  uint32_t at = vars[state].der, next;
  bool negated = false, hidden = is_differentiated(ps, at);
  if (at == NO_SVAR || ps->block_of[at] == NOBODY)
    return;
  for (uint32_t k = 0; k < ps->s->vars.n && (next = copied(ps, at, &negated)) != NO_SVAR; k++) {
    at = next;
    hidden = hidden || is_differentiated(ps, at);
  }
  /* one acceleration of two states: each has a force of its own, that the acceleration does not
   * see */
  if (vars[at].push_of && vars[at].push_of != state + 1) {
    hidden = vars[vars[at].push_of - 1].push_hidden = true;
    at = vars[state].der;
    negated = false;
  }
  vars[at].push_of = state + 1;
  vars[at].push_negated = negated;
  vars[state].push_hidden = hidden || has_company(ps, at);
}

void pushes_find(Structure *s, Arena *a) {
  Pushes ps = {s, NEW_ARRAY(a, uint32_t, s->vars.n + 1)};
  memset(ps.block_of, 0xff, s->vars.n * sizeof *ps.block_of);
  for (uint32_t b = 0; b < s->simulation.blocks.n; b++)
    for (uint32_t k = 0; k < s->simulation.blocks.at[b].n; k++)
      ps.block_of[s->simulation.blocks.at[b].unknowns[k]] = b;
  for (uint32_t k = 0; k < s->actions.n; k++)
    if (s->actions.at[k].kind == ACTION_REINIT && s->vars.at[s->actions.at[k].state].state)
      find_push(&ps, s->actions.at[k].state);
}
