/* interpret/native.c -- external functions that the runtime has itself (expr/natives.def), called
 * with cells as emit_extern.c does.
 * Keep: arguments must fit the signature, so that no declaration can make the runtime read what is
 *       not there. */
#include <string.h>

#include "interpret/interpret_impl.h"

enum { SLOTS = 24 }; /* more than any signature of natives.def has */

bool native_known(const Func *f) { return native_signature(f->external) != NULL; }

/* ---- one call ---- */

static bool fits(const Work *w, const NativeSlot *slot, const Value *v) {
  const Type *t = type_get(w->ev.pool, v->type);
  bool kind = false;
  switch (t->base) {
  case TY_REAL: kind = slot->letter == 'r'; break;
  case TY_INTEGER: kind = slot->letter == 'i' || (slot->letter == 'r' && !slot->out); break;
  case TY_ENUM: kind = slot->letter == 'i'; break;
  case TY_BOOLEAN: kind = slot->letter == 'b'; break;
  case TY_STRING: kind = slot->letter == 's'; break;
  case TY_EXTERNAL: kind = slot->letter == 'o'; break;
  case TY_NONE:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_FUNCTION:
  case TY_TUPLE: break;
  }
  return kind && (t->n_dims > 0) == slot->array && (slot->array || v->n == 1);
}

/* The cells of a value that goes in; Integers as Reals where those are wanted. */
static DsCell *cells_in(Work *w, const NativeSlot *slot, const Value *v) {
  DsCell *cells = NEW_ARRAY(w->ev.arena, DsCell, v->n + 1);
  bool convert = slot->letter == 'r' && type_get(w->ev.pool, v->type)->base == TY_INTEGER;
  for (uint32_t k = 0; k < v->n; k++)
    if (convert)
      cells[k].r = (double)v->at[k].integer;
    else
      memcpy(&cells[k], &v->at[k], sizeof cells[k]);
  return cells;
}

static int number_of(const Interp *in, const Func *f) {
  for (uint32_t k = 0; k < in->about->externals.n; k++)
    if (!strcmp(in->about->externals.at[k].name, f->external))
      return (int)k;
  return -1;
}

bool native_external(void *user, Eval *ev, const Func *f, Value *args, uint32_t n_args,
                     Value *result) {
  Work *w = user;
  const char *signature = native_signature(f->external);
  int number = number_of(w->in, f);
  DsCell to[SLOTS], from[SLOTS], pairs[2 * SLOTS];
  Value *targets[SLOTS];
  uint32_t n_in = 0, n_out = 0, n = 0, k = 0;
  NativeSlot slot;
  ev->why = "an external function is declared with other arguments than it has";
  if (!signature || number < 0)
    return false;
  while (native_next_slot(&signature, &slot)) {
    Value *v = slot.result ? result : k < n_args ? &args[k++] : NULL;
    if (!v || n == SLOTS || !fits(w, &slot, v))
      return false;
    DsCell *pair = &pairs[2 * n++],
           *cells = slot.out ? (DsCell *)(void *)v->at : cells_in(w, &slot, v);
    if (slot.array && slot.out)
      pair[0].o = cells;
    else
      pair[0].p = cells;
    pair[1].i = v->n;
    if (slot.out) {
      targets[n_out] = slot.array ? NULL : v;
      from[n_out++].p = pair;
    } else if (slot.array)
      to[n_in++].p = pair;
    else
      to[n_in++] = cells[0];
  }
  if (k != n_args)
    return false;
  ev->why = NULL;
  DsNative *call = (DsNative *)w->d->external[number];
  w->status = call(w->d, &(DsPlace){f->span.lo, f->span.hi, ""}, to, from);
  for (uint32_t q = 0; q < n_out && w->status == DS_OK; q++)
    if (targets[q])
      memcpy(targets[q]->at, &from[q], sizeof *targets[q]->at);
  return w->status == DS_OK;
}

/* ---- the table ---- */

void native_table(Interp *in) {
  for (uint32_t k = 0; k < in->m->functions.n; k++) {
    const Func *f = in->m->functions.at[k];
    if (f->external && native_known(f))
      describe_external(in->about, f);
  }
}
