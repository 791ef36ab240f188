/* emit/emit_extern.c -- external functions (MLS 3.6 section 12.9).
 * Three kinds: functions of the C library; functions that the runtime has itself
 * (expr/natives.def), called with cells; functions of a shared library named by the Library
 * annotation (emit_foreign.c). Everything else is refused. The runtime finds them by name when a
 * run begins.
 * Keep: arguments must fit the signature, so that no declaration can make the runtime read what is
 *       not there. */
#include "emit/emit_impl.h"

#include <string.h>

static const Type *type_of(const Emit *em, TypeId t) { return type_get(em->p, t); }

void extern_refuse(Emit *em, const Func *f, const char *why) {
  c_refuse(em, arena_printf(em->a, "the external function `%s`%s", f->external, why));
}

/* ---- arguments ---- */

/* The variable that an argument names if it comes out: one that is no input. */
bool extern_comes_out(const Emit *em, const Func *f, ExprId e, uint32_t *local) {
  const Expr *x = e.i ? expr_get(em->p, e) : NULL;
  if (!x || x->op != OP_LOCAL || x->index < f->n_inputs || x->index >= f->n_vars)
    return false;
  *local = x->index;
  return true;
}

static const CVal *local_of(const Emit *em, uint32_t k) {
  uint64_t at = 0;
  map_get(&em->locals, k, &at);
  return (const CVal *)(uintptr_t)at;
}

static bool letter_fits(char letter, TypeBase base) {
  switch (base) {
  case TY_REAL: return letter == 'r';
  case TY_INTEGER: return letter == 'i' || letter == 'r';
  case TY_ENUM: return letter == 'i';
  case TY_BOOLEAN: return letter == 'b';
  case TY_STRING: return letter == 's';
  case TY_EXTERNAL: return letter == 'o';
  case TY_NONE:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_FUNCTION:
  case TY_TUPLE: return false;
  }
  return false;
}

/* ---- functions that the runtime has ---- */

/* Does the call as written fit the signature? */
static bool call_fits(const Emit *em, const Func *f, const char *signature) {
  NativeSlot slot;
  uint32_t k = 0, local;
  bool result = false;
  while (native_next_slot(&signature, &slot)) {
    ExprId e = slot.result              ? f->external_result
               : k < f->n_external_args ? f->external_args[k++]
                                        : NO_EXPR;
    if (!e.i)
      return false;
    const Type *t = type_of(em, expr_get(em->p, e)->type);
    bool exact = !slot.out || slot.letter != 'r' || t->base == TY_REAL;
    if (!letter_fits(slot.letter, t->base) || !exact || (t->n_dims > 0) != slot.array ||
        (slot.out && !extern_comes_out(em, f, e, &local)))
      return false;
    result = result || slot.result;
  }
  return k == f->n_external_args && result == (f->external_result.i != 0);
}

/* An array for a native function: where its cells are, and how many. */
static const char *array_header(Emit *em, const CVal *v, bool out) {
  const char *t = c_temp(em), *n = c_cell_count(em, v);
  c_line(em, "DsCell %s[2];", t);
  c_line(em, "%s[0]%s = %s;", t, out ? ".o" : ".p", v->at);
  c_line(em, "%s[1].i = %s;", t, n);
  return t;
}

static void emit_native(Emit *em, const Func *f, const char *signature) {
  uint32_t n_in = 0, n_out = 0, k = 0, local = 0;
  const char *in = c_temp(em), *out = c_temp(em);
  NativeSlot slot;
  c_line(em, "DsCell %s[%u], %s[%u];", in, f->n_external_args + 1, out, f->n_external_args + 2);
  for (const char *s = signature; native_next_slot(&s, &slot);) {
    ExprId e = slot.result ? f->external_result : f->external_args[k++];
    if (slot.out) {
      extern_comes_out(em, f, e, &local);
      if (slot.array)
        c_line(em, "%s[%u].p = %s;", out, n_out, array_header(em, local_of(em, local), true));
      n_out++;
      continue;
    }
    CVal v;
    if (!emit_cells_as(em, e, slot.letter == 'r' ? TY_REAL : TY_NONE, &v))
      return;
    const char *value = slot.array ? array_header(em, &v, false) : v.at;
    c_line(em, "%s[%u]%s = %s;", in, n_in++,
           slot.array ? ".p" : c_member(type_of(em, v.type)->base), value);
  }
  c_check(em, arena_printf(em->a, "((DsNative *)d->external[%u])(d, &places[%u], %s, %s)",
                           describe_external(em->about, f), c_place(em, f->span), in, out));
  k = n_out = 0;
  for (const char *s = signature; native_next_slot(&s, &slot);) {
    ExprId e = slot.result ? f->external_result : f->external_args[k++];
    if (slot.out && extern_comes_out(em, f, e, &local) && !slot.array)
      c_line(em, "v%u = %s[%u]%s;", local, out, n_out,
             c_member(type_of(em, f->vars[local].type)->base));
    n_out += slot.out;
  }
}

/* ---- all of them ---- */

static void emit_plain(Emit *em, const Func *f, uint32_t n) {
  uint32_t local;
  Text args = {.arena = em->a};
  bool fits = f->n_external_args == n && extern_comes_out(em, f, f->external_result, &local) &&
              type_of(em, f->vars[local].type)->base == TY_REAL &&
              type_is_scalar(em->p, f->vars[local].type);
  for (uint32_t k = 0; k < f->n_external_args && fits; k++) {
    TypeBase base = c_base(em, f->external_args[k]);
    fits = c_is_scalar(em, f->external_args[k]) && (base == TY_REAL || base == TY_INTEGER);
    if (fits)
      text_printf(&args, "%s%s", k ? ", " : "", emit_value_as(em, f->external_args[k], TY_REAL));
  }
  if (fits)
    c_line(em, "v%u = %s(%s);", local, f->external, text_str(&args));
  else
    extern_refuse(em, f, " with these arguments");
}

void emit_external(Emit *em, const Func *f) {
  const char *signature = native_signature(f->external);
  uint32_t plain = native_plain_arguments(f->external);
  em->span = f->span;
  if (plain) {
    emit_plain(em, f, plain);
  } else if (signature) {
    if (call_fits(em, f, signature))
      emit_native(em, f, signature);
    else
      extern_refuse(em, f, " with other arguments than it has");
  } else if (!strcmp(f->external, "system")) {
    extern_refuse(em, f, ", which gives commands to the system,");
  } else if (f->language && strcmp(f->language, "C") && !describe_is_fortran(f)) {
    extern_refuse(em, f, arena_printf(em->a, " of language \"%s\"", f->language));
  } else if (f->n_libraries) {
    emit_foreign(em, f);
  } else
    extern_refuse(
        em, f,
        f->n_includes
            ? " given as C text only, without a shared library in an annotation Library = \"name\","
            : " without a shared library in an annotation Library = \"name\"");
}
