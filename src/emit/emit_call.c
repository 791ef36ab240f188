/* emit/emit_call.c -- calls of functions, and functions as values (MLS 3.6 section 12.4).
 * Function number n is `static int f<n>(d, inputs, &outputs)` with a status. An array or record
 * goes in as the address of its cells and those of its sizes that its declared type leaves open; it
 * comes out the same way, in cells of the caller. A function value is an array of cells: the
 * address of a C function g<k> and the bound inputs, each in one cell; its call packs the other
 * inputs in the same way. */
#include "emit/emit_impl.h"

#include <string.h>

static const Type *type_of(const Emit *em, TypeId t) { return type_get(em->p, t); }

/* ---- numbers of C functions ---- */

static uint32_t func_number(Emit *em, const Func *f, const bool *given) {
  uint32_t k = 0;
  while (k < em->funcs.n && (em->funcs.at[k].f != f ||
                             (f->n_inputs && memcmp(em->funcs.at[k].given, given, f->n_inputs))))
    k++;
  if (k == em->funcs.n)
    vec_push(em->a, &em->funcs, (FuncEntry){f, given});
  return k;
}

static uint32_t bind_number(Emit *em, const BindEntry *b) {
  uint32_t k = 0;
  for (; k < em->binds.n; k++) {
    const BindEntry *c = &em->binds.at[k];
    if (c->f == b->f && c->n == b->n && (!b->n || !memcmp(c->bound, b->bound, b->n)))
      return k;
  }
  vec_push(em->a, &em->binds, *b);
  return k;
}

/* ---- arguments ---- */

/* A value for a variable of this type; false after c_refuse. */
static bool argument(Emit *em, ExprId e, TypeId type, CVal *out) {
  if (!emit_cells_as(em, e, type_of(em, type)->base, out) || !c_convert(em, out, type))
    return false;
  const int32_t *known = c_flat_dims(em, type);
  uint32_t n = c_n_dims(em, type);
  if (n != c_n_dims(em, out->type)) {
    c_refuse(em, "an argument with another number of dimensions");
    return false;
  }
  for (uint32_t k = 0; k < n; k++)
    if (known[k] >= 0)
      c_must_fit(em, out->dims[k], c_integer(em, known[k]));
  return true;
}

static bool add_argument(Emit *em, ExprId e, TypeId type, Text *args) {
  CVal v;
  if (!argument(em, e, type, &v))
    return false;
  text_printf(args, ", %s", v.at);
  const int32_t *known = c_flat_dims(em, type);
  for (uint32_t k = 0; k < c_n_dims(em, type); k++)
    if (known[k] < 0)
      text_printf(args, ", %s", v.dims[k]);
  return true;
}

/* ---- results ---- */

/* Type of result k of a call, as far as the call knows it. */
static TypeId result_type(const Emit *em, const Expr *call, const Func *f, uint32_t k) {
  const Type *t = type_of(em, call->type);
  TypeId declared = f->vars[f->n_inputs + k].type;
  TypeId known = t->base == TY_TUPLE && k < t->decl->n                 ? t->decl->types[k]
                 : k == 0 && t->base != TY_TUPLE && t->base != TY_NONE ? call->type
                                                                       : declared;
  return c_n_dims(em, known) == c_n_dims(em, declared) &&
                 type_of(em, known)->base == type_of(em, declared)->base
             ? known
             : declared;
}

/* Declares the C variables that take result k. */
static CVal declare_result(Emit *em, TypeId declared, TypeId known, const char *name, Text *args) {
  CVal v = c_typed(em, known);
  v.at = name;
  bool scalar = type_is_scalar(em->p, declared);
  TypeBase base = type_of(em, declared)->base;
  if (scalar)
    c_line(em, "%s%s = %s;", c_type(base), name, base == TY_STRING ? "\"\"" : "0");
  else
    c_line(em, "DsCell *%s = 0;", name);
  text_printf(args, ", &%s", name);
  const int32_t *open = c_flat_dims(em, declared);
  for (uint32_t d = 0; d < c_n_dims(em, declared); d++)
    if (open[d] < 0) {
      v.dims[d] = arena_printf(em->a, "%s_%u", name, d);
      c_line(em, "long long %s = 0;", v.dims[d]);
      text_printf(args, ", &%s", v.dims[d]);
    } else
      v.dims[d] = c_integer(em, open[d]);
  return v;
}

/* Sizes that the caller counts on are checked once, here. */
static void check_result(Emit *em, CVal *v) {
  const int32_t *known = c_flat_dims(em, v->type);
  for (uint32_t d = 0; d < c_n_dims(em, v->type); d++)
    if (known[d] >= 0) {
      c_must_fit(em, v->dims[d], c_integer(em, known[d]));
      v->dims[d] = c_integer(em, known[d]);
    }
}

/* ---- function values ---- */

/* Puts a value of any type into one cell. */
static void pack_value(Emit *em, const CVal *v, const char *at, uint32_t k) {
  const char *index = arena_printf(em->a, "%u", k);
  if (type_is_scalar(em->p, v->type)) {
    c_store_cell(em, at, index, type_of(em, v->type)->base, v->at);
    return;
  }
  uint32_t n = c_n_dims(em, v->type);
  const char *cells = c_cells(em, c_integer(em, n + 1));
  c_line(em, "%s[0].p = %s;", cells, v->at);
  for (uint32_t d = 0; d < n; d++)
    c_line(em, "%s[%u].i = %s;", cells, d + 1, v->dims[d]);
  c_line(em, "%s[%s].p = %s;", at, index, cells);
}

static CVal unpack_value(Emit *em, TypeId type, const char *at, uint32_t k) {
  CVal v = c_typed(em, type);
  if (type_is_scalar(em->p, type))
    return c_scalar(type,
                    arena_printf(em->a, "%s[%u]%s", at, k, c_member(type_of(em, type)->base)));
  v.at = c_temp(em);
  c_line(em, "const DsCell *const %s = %s[%u].p[0].p;", v.at, at, k);
  for (uint32_t d = 0; d < c_n_dims(em, type); d++)
    v.dims[d] = c_own(em, arena_printf(em->a, "%s[%u].p[%u].i", at, k, d + 1));
  return v;
}

const char *emit_function_value(Emit *em, const Expr *x) {
  uint32_t skip = x->ref ? 0 : 1;
  BindEntry b = {.f = x->ref, .n = x->ref ? ((const Func *)x->ref)->n_inputs : x->n - 1};
  bool *bound = NEW_ARRAY(em->a, bool, b.n + 1);
  CVal *values = NEW_ARRAY(em->a, CVal, b.n + 2);
  uint32_t n = 0;
  if (skip)
    values[n++] = c_scalar(expr_get(em->p, x->args[0])->type, emit_value(em, x->args[0]));
  for (uint32_t k = 0; k < b.n && k + skip < x->n; k++) {
    ExprId e = x->args[k + skip];
    if (!e.i)
      continue;
    bound[k] = true;
    TypeId type = b.f ? b.f->vars[k].type : expr_get(em->p, e)->type;
    if (!argument(em, e, type, &values[n++]))
      return "0";
  }
  b.bound = bound;
  const char *cells = c_cells(em, c_integer(em, n + 1));
  c_line(em, "%s[0].f = g%u;", cells, bind_number(em, &b));
  for (uint32_t k = 0; k < n; k++)
    pack_value(em, &values[k], cells, k + 1);
  return cells;
}

/* CALL without a function: args[0] is a function value. */
static const CVal *call_value(Emit *em, const Expr *x) {
  const Type *t = type_of(em, x->type);
  uint32_t n = x->n - 1, n_results = t->base == TY_TUPLE ? t->decl->n : t->base == TY_NONE ? 0 : 1;
  const char *f = emit_value(em, x->args[0]), *args = c_temp(em), *results = c_temp(em);
  CVal *values = NEW_ARRAY(em->a, CVal, n + n_results + 1);
  for (uint32_t k = 0; k < n; k++)
    if (!x->args[k + 1].i || !emit_cells(em, x->args[k + 1], &values[k])) {
      c_refuse(em, "a default argument of a function value");
      return NULL;
    }
  c_line(em, "DsCell %s[%u], %s[%u];", args, n + 1, results, n_results + 1);
  for (uint32_t k = 0; k < n; k++)
    pack_value(em, &values[k], args, k);
  c_fail_if(em, arena_printf(em->a, "!%s", f), "a function value is missing");
  c_check(em, arena_printf(em->a, "%s[0].f(d, %s, %s, %u, %s)", f, f, args, n, results));
  em->uses_mask |= USES_CELLS;
  em->took_cells = true;
  for (uint32_t k = 0; k < n_results; k++) {
    values[k] = unpack_value(em, t->base == TY_TUPLE ? t->decl->types[k] : x->type, results, k);
    check_result(em, &values[k]);
  }
  return values;
}

/* ---- calls ---- */

static const CVal *call_function(Emit *em, const Expr *x, const Func *f) {
  Text args = {.arena = em->a};
  bool *given = NEW_ARRAY(em->a, bool, f->n_inputs + 1);
  if (x->n > f->n_inputs) {
    c_refuse(em, "a call with more arguments than the function has");
    return NULL;
  }
  for (uint32_t k = 0; k < x->n; k++) {
    given[k] = x->args[k].i != 0;
    if (given[k] && !add_argument(em, x->args[k], f->vars[k].type, &args))
      return NULL;
  }
  const char *prefix = arena_printf(em->a, "c%u", em->n_temps++);
  CVal *values = NEW_ARRAY(em->a, CVal, f->n_outputs + 1);
  bool cells = false;
  for (uint32_t k = 0; k < f->n_outputs; k++) {
    TypeId declared = f->vars[f->n_inputs + k].type;
    const char *name = k ? arena_printf(em->a, "%s_%u_", prefix, k) : prefix;
    values[k] = declare_result(em, declared, result_type(em, x, f, k), name, &args);
    cells = cells || !type_is_scalar(em->p, declared);
  }
  c_check(em, arena_printf(em->a, "f%u(d%s)", func_number(em, f, given), text_str(&args)));
  if (cells) {
    em->uses_mask |= USES_CELLS;
    em->took_cells = true;
  }
  for (uint32_t k = 0; k < f->n_outputs; k++)
    check_result(em, &values[k]);
  return values;
}

const CVal *emit_call(Emit *em, ExprId call) {
  const CVal *values = c_recall(em, call);
  if (values)
    return values;
  const Expr *x = expr_get(em->p, call);
  values = x->ref ? call_function(em, x, x->ref) : call_value(em, x);
  if (values)
    c_remember(em, call, values);
  return values;
}

const char *emit_part(Emit *em, const Expr *part) {
  const Expr *call = expr_get(em->p, part->args[0]);
  const CVal *values = call->op == OP_CALL ? emit_call(em, part->args[0]) : NULL;
  if (!values) {
    if (call->op != OP_CALL)
      c_refuse(em, "this part of a value");
    return "0";
  }
  const Type *t = type_of(em, call->type);
  int64_t rest = part->index;
  for (uint32_t k = 0; k < (t->base == TY_TUPLE ? t->decl->n : 1); k++) {
    int64_t n = type_count(em->p, t->base == TY_TUPLE ? t->decl->types[k] : call->type);
    if (n < 0)
      break;
    if (rest >= n) {
      rest -= n;
      continue;
    }
    if (type_is_scalar(em->p, values[k].type))
      return values[k].at;
    return arena_printf(em->a, "%s[%d]%s", values[k].at, (int)rest,
                        c_member(type_of(em, part->type)->base));
  }
  c_refuse(em, "a result of unknown size");
  return "0";
}

/* ---- the C functions behind function values ---- */

/* Texts of the arguments for a variable of this type that come packed in the cell `from`. */
static void unpacked(Emit *em, TypeId type, const char *from, Text *args) {
  if (type_is_scalar(em->p, type)) {
    text_printf(args, ", %s%s", from, c_member(type_of(em, type)->base));
    return;
  }
  const int32_t *known = c_flat_dims(em, type);
  text_printf(args, ", %s.p[0].p", from);
  for (uint32_t d = 0; d < c_n_dims(em, type); d++) {
    const char *size = arena_printf(em->a, "%s.p[%u].i", from, d + 1);
    if (known[d] < 0)
      text_printf(args, ", %s", size);
    else
      c_must_fit(em, size, c_integer(em, known[d]));
  }
}

/* The call with the first n open inputs; the others take their defaults. */
static void emit_bind_call(Emit *em, const BindEntry *b, uint32_t n) {
  const Func *f = b->f;
  Text args = {.arena = em->a};
  bool *given = NEW_ARRAY(em->a, bool, f->n_inputs + 1);
  for (uint32_t k = 0, next = 0, own = 1; k < b->n; k++) {
    given[k] = b->bound[k] || next < n;
    if (b->bound[k])
      unpacked(em, f->vars[k].type, arena_printf(em->a, "own[%u]", own++), &args);
    else if (next < n)
      unpacked(em, f->vars[k].type, arena_printf(em->a, "args[%u]", next++), &args);
  }
  CVal *values = NEW_ARRAY(em->a, CVal, f->n_outputs + 1);
  for (uint32_t k = 0; k < f->n_outputs; k++) {
    TypeId type = f->vars[f->n_inputs + k].type;
    values[k] = declare_result(em, type, type, arena_printf(em->a, "c%u_", k), &args);
  }
  c_check(em, arena_printf(em->a, "f%u(d%s)", func_number(em, f, given), text_str(&args)));
  for (uint32_t k = 0; k < f->n_outputs; k++)
    pack_value(em, &values[k], "results", k);
}

static void emit_bind(Emit *em, const BindEntry *b) {
  uint32_t open = 0, least = 0;
  for (uint32_t k = 0; k < b->n; k++) {
    open += !b->bound[k];
    least = b->bound[k] || b->f->vars[k].binding.i ? least : open;
  }
  c_fail_if(
      em,
      arena_printf(em->a, least ? "n_args < %u || n_args > %u" : "n_args - %u > %u", least, open),
      "a function value is called with another number of arguments");
  for (uint32_t n = least; n <= open; n++) {
    c_open(em, "if (n_args == %u)", n);
    emit_bind_call(em, b, n);
    c_close(em);
  }
}

/* Inputs of another function value are bound: it is called with all of them. */
static void emit_rebind(Emit *em, const BindEntry *b) {
  uint32_t own = 2, open = 0;
  for (uint32_t k = 0; k < b->n; k++)
    open += !b->bound[k];
  c_fail_if(em, arena_printf(em->a, "n_args < %u", open),
            "a function value is called with another number of arguments");
  const char *all = c_cells(em, arena_printf(em->a, "n_args + %u", b->n - open));
  c_line(em, "int n = 0, next = 0;");
  for (uint32_t k = 0; k < b->n; k++)
    if (b->bound[k])
      c_line(em, "%s[n++].i = own[%u].i;", all, own++);
    else
      c_line(em, "%s[n++].i = args[next++].i;", all);
  c_line(em, "while (next < n_args)");
  c_line(em, "  %s[n++].i = args[next++].i;", all);
  c_check(em, arena_printf(em->a, "own[1].p[0].f(d, own[1].p, %s, n, results)", all));
}

void emit_bind_function(Emit *em, uint32_t k, Text *prototypes, Text *code) {
  const BindEntry b = em->binds.at[k];
  const char *head = arena_printf(em->a,
                                  "static int g%u(DsData *d, const DsCell *own, const DsCell "
                                  "*args, int n_args, DsCell *results)",
                                  k);
  em->func = b.f;
  em->span = b.f ? b.f->span : (Span){0, 0};
  c_function_begin(em);
  em->n_array_cells = UINT32_MAX / 2; /* results outlive this function: no arrays of its own */
  if (b.f)
    emit_bind(em, &b);
  else
    emit_rebind(em, &b);
  text_printf(prototypes, "%s;\n", head);
  /* arrays that come out stay in cells of the caller */
  text_printf(code, "%s {\n  int status = DS_OK;\n%s  (void)own, (void)args, (void)results;\n%s%s",
              head, em->uses_mask & USES_OVER ? "  const DsPlace *over = 0;\n" : "",
              text_str(&em->arrays), text_str(&em->body));
  text_printf(code, "done:\n%s  return status;\n}\n\n", c_over_end(em));
  em->func = NULL;
}
