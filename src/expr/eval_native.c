/* expr/eval_native.c -- external functions that are known here, by table.
 * Constants and parameters of the Modelica Standard Library need these at translation: scanning and
 * comparing strings (native.c), and the functions of language "builtin". Everything else, LAPACK
 * and files above all, has no value at translation. */
#include <ctype.h>
#include <string.h>

#include "expr/eval_impl.h"
#include "expr/native.h"

/* ---- what the functions ask for ---- */

static char *room(void *user, size_t n) {
  Eval *ev = user;
  return ev_push(ev, &ev->run->temps, n + 1);
}

static bool native_fail(void *user, const char *why) { return ev_fail(user, "%s", why); }

enum { SLOTS = 8 }; /* more than any signature of natives.def has */

static bool letter_fits(char letter, TypeBase base) {
  switch (base) {
  case TY_REAL: return letter == 'r';
  case TY_INTEGER:
  case TY_ENUM: return letter == 'i';
  case TY_BOOLEAN: return letter == 'b';
  case TY_STRING: return letter == 's';
  case TY_NONE:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_EXTERNAL:
  case TY_FUNCTION:
  case TY_TUPLE: return false;
  }
  return false;
}

/* The arguments of the C call: as written, or all inputs and the one output as result. */
typedef struct {
  ExprId args[SLOTS], result;
  uint32_t n;
} CallForm;

static bool call_form(Eval *ev, const Func *f, CallForm *c) {
  bool written = f->n_external_args || f->external_result.i;
  *c = (CallForm){.n = written ? f->n_external_args : f->n_inputs, .result = f->external_result};
  if (c->n > SLOTS)
    return false;
  for (uint32_t i = 0; i < c->n; i++)
    c->args[i] = written ? f->external_args[i] : expr_local(ev->pool, f->vars[i].type, i);
  if (!written && f->n_outputs == 1)
    c->result = expr_local(ev->pool, f->vars[f->n_inputs].type, f->n_inputs);
  return true;
}

/* Where an argument that comes out goes to: a scalar variable that is not an input. */
static Value *out_place(Eval *ev, const Func *f, ExprId e, Value *locals) {
  const Expr *x = expr_get(ev->pool, e);
  bool fits = x->op == OP_LOCAL && x->index >= f->n_inputs && x->index < f->n_vars &&
              locals[x->index].n == 1;
  return fits ? &locals[x->index] : NULL;
}

static bool misused(Eval *ev, const Func *f) {
  return ev_fail(ev, "external function `%s` is declared with other arguments than it has",
                 f->external);
}

static bool call_native(Eval *ev, const Func *f, const char *signature, NativeText *call,
                        const CallForm *c, Value *locals) {
  Scalar in[SLOTS] = {{0}}, out[SLOTS] = {{0}};
  Value *places[SLOTS];
  uint32_t n_in = 0, n_out = 0, k = 0;
  for (const char *s = signature; *s; s++) {
    bool result = *s == '=', comes_out;
    s += result;
    ExprId e = result ? c->result : k < c->n ? c->args[k++] : NO_EXPR;
    comes_out = isupper((unsigned char)*s);
    if (!e.i || !letter_fits((char)tolower((unsigned char)*s), ev_base(ev, e)))
      return misused(ev, f);
    if (comes_out && !(places[n_out++] = out_place(ev, f, e, locals)))
      return misused(ev, f);
    if (!comes_out && !ev_scalar(ev, e, &in[n_in++]))
      return false;
  }
  if (k != c->n)
    return misused(ev, f);
  if (!call(&(NativeContext){ev, room, native_fail}, in, out))
    return false;
  for (uint32_t i = 0; i < n_out; i++)
    places[i]->at[0] = out[i];
  return true;
}

/* external "builtin": the operators of the language under their names. */
static bool call_builtin(Eval *ev, const Func *f, const CallForm *c, Op op, Value *locals) {
  Scalar a[2];
  TypeBase base = c->n ? ev_base(ev, c->args[0]) : TY_NONE;
  Value *to = c->result.i ? out_place(ev, f, c->result, locals) : NULL;
  Kernel kernel = ev_kernel_of(ev, op, base);
  if (!kernel) {
    base = TY_REAL;
    kernel = ev_kernel_of(ev, op, base);
  }
  if (!to || !kernel)
    return misused(ev, f);
  for (uint32_t i = 0; i < c->n; i++)
    if (!ev_scalar_as(ev, c->args[i], base, &a[i]))
      return false;
  return kernel(ev, a, to->at);
}

/* In place of machine code: the caller knows more functions. */
static bool call_outside(Eval *ev, const Func *f) {
  Value result, *args = ev_push(ev, &ev->run->temps, sizeof *args * (f->n_external_args + 1));
  for (uint32_t i = 0; i < f->n_external_args; i++)
    if (!ev_value(ev, f->external_args[i], &args[i]))
      return false;
  if (f->external_result.i && !ev_value(ev, f->external_result, &result))
    return false;
  return ev->machine->external(ev->user, ev, f, args, f->n_external_args,
                               f->external_result.i ? &result : NULL);
}

bool native_call(Eval *ev, const Func *f, Value *locals) {
  CallForm c;
  Op op;
  bool builtin = f->language && !strcmp(f->language, "builtin");
  if (!call_form(ev, f, &c))
    return ev->machine ? call_outside(ev, f)
                       : ev_unknown(ev, "external function `%s` cannot be evaluated at translation",
                                    f->external);
  if (builtin && ev_builtin(f->external, c.n, &op))
    return call_builtin(ev, f, &c, op, locals);
  if (ev->machine)
    return call_outside(ev, f);
  const char *signature;
  NativeText *call = native_text(f->external, &signature);
  if (call)
    return call_native(ev, f, signature, call, &c, locals);
  return ev_unknown(ev, "external function `%s` cannot be evaluated at translation", f->external);
}
