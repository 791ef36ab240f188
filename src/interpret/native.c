/* interpret/native.c -- external functions that the runtime has itself (expr/natives.def), called with cells as emit_extern.c
 * does. Keep: arguments must fit the signature, so that no declaration can make the runtime read what is not there. */
#include <string.h>

#include "interpret/interpret_impl.h"

enum { MOST_ARGUMENTS = 24 };

bool native_known(const Func *f) { return native_signature(f->external) != NULL; }

/* ---- one call ---- */

static bool fits(const Interp *in, const NativeSlot *slot, const Value *v) {
  const Type *t = type_get(in->p, v->type);
  bool kind = false;
  switch (t->base) {
  case TY_REAL: kind = slot->letter == 'r'; break;
  case TY_INTEGER: kind = slot->letter == 'i' || (slot->letter == 'r' && !slot->out); break;
  case TY_ENUM: kind = slot->letter == 'i'; break;
  case TY_BOOLEAN: kind = slot->letter == 'b'; break;
  case TY_STRING: kind = slot->letter == 's'; break;
  case TY_EXTERNAL: kind = slot->letter == 'o'; break;
  case TY_NONE: case TY_CLOCK: case TY_RECORD: case TY_FUNCTION: case TY_TUPLE: break;
  }
  return kind && (t->n_dims > 0) == slot->array && (slot->array || v->n == 1);
}

/* The cells of a value that goes in; Integers as Reals where those are wanted. */
static DsCell *cells_in(Interp *in, const NativeSlot *slot, const Value *v) {
  DsCell *cells = NEW_ARRAY(in->ev.arena, DsCell, v->n + 1);
  bool convert = slot->letter == 'r' && type_get(in->p, v->type)->base == TY_INTEGER;
  for (uint32_t k = 0; k < v->n; k++)
    if (convert)
      cells[k].r = (double)v->at[k].integer;
    else
      memcpy(&cells[k], &v->at[k], sizeof cells[k]);
  return cells;
}

static int number_of(const Interp *in, const Func *f) {
  for (int k = 0; k < in->model.n_externals; k++)
    if (!strcmp(in->model.externals[k].name, f->external))
      return k;
  return -1;
}

bool native_external(void *user, Eval *ev, const Func *f, Value *args, uint32_t n_args, Value *result) {
  Interp *in = user;
  const char *signature = native_signature(f->external);
  int number = number_of(in, f);
  DsCell to[MOST_ARGUMENTS], from[MOST_ARGUMENTS], pairs[2 * MOST_ARGUMENTS];
  Value *targets[MOST_ARGUMENTS];
  uint32_t n_in = 0, n_out = 0, n = 0, k = 0;
  NativeSlot slot;
  ev->why = "an external function is declared with other arguments than it has";
  if (!signature || number < 0)
    return false;
  while (native_next_slot(&signature, &slot)) {
    Value *v = slot.result ? result : k < n_args ? &args[k++] : NULL;
    if (!v || n == MOST_ARGUMENTS || !fits(in, &slot, v))
      return false;
    DsCell *pair = &pairs[2 * n++], *cells = slot.out ? (DsCell *)(void *)v->at : cells_in(in, &slot, v);
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
  DsNative *call = (DsNative *)in->d->external[number];
  in->status = call(in->d, &(DsPlace){f->span.lo, f->span.hi, ""}, to, from);
  for (uint32_t q = 0; q < n_out && in->status == DS_OK; q++)
    if (targets[q])
      memcpy(targets[q]->at, &from[q], sizeof *targets[q]->at);
  return in->status == DS_OK;
}

/* ---- the table ---- */

void native_table(Interp *in, const Diags *diags) {
  DsExternal *out = NEW_ARRAY(in->a, DsExternal, in->m->functions.n + 1);
  in->model.externals = out;
  for (uint32_t k = 0; k < in->m->functions.n; k++) {
    const Func *f = in->m->functions.at[k];
    if (f->external && native_known(f) && number_of(in, f) < 0)
      out[in->model.n_externals++] = (DsExternal){f->external, "", describe_place(in->a, diags, f->span)};
  }
}
