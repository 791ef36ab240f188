/* instance/elab.c -- syntax tree -> typed expression: literals, operators, arrays, if, ranges,
 * comprehensions.
 * Types and dimensions are checked here, where the source position is at hand; the typed nodes
 * carry none.
 * MLS 3.6 chapters 3 (expressions), 6 (types) and 10 (arrays). */
#include "instance/inst.h"
#include "base/limits.h"

#include <string.h>

ExprId elab_error(Elab *el, DiagCode code, Span span, const char *format, ...) {
  if (el->quiet)
    return NO_EXPR;
  va_list args;
  va_start(args, format);
  Diag *d = diag_add(el->w->diags, code, span, "%s", arena_vprintf(el->w->arena, format, args));
  va_end(args);
  const Class *self = class_self(el->scope);
  if (self->component)
    diag_origin(el->w->diags, d, self->path);
  el->w->told = d;
  return NO_EXPR;
}

ExprId elab_extension(Elab *el, Span span, const char *what) {
  return el->w->strict ? elab_error(el, D_X002, span, "%s are not part of Modelica", what)
                       : elab_error(el, D_X001, span, "%s are not supported yet", what);
}

void elab_help(Elab *el, const char *format, ...) {
  if (el->quiet)
    return;
  va_list args;
  va_start(args, format);
  diag_help(el->w->diags, el->w->told, "%s", arena_vprintf(el->w->arena, format, args));
  va_end(args);
}

void elab_label(Elab *el, Span span, const char *text) {
  if (!el->quiet)
    diag_label(el->w->diags, el->w->told, span, "%s", text);
}

const char *elab_written(Elab *el, Span span) {
  const Source *s = sources_find(diags_sources(el->w->diags), span.lo);
  size_t n = span.hi > span.lo ? span.hi - span.lo : 0;
  if (!s || !n || n > MOST_WRITTEN_LENGTH || span.hi > s->base + s->length)
    return "this";
  const char *text = s->text + (span.lo - s->base);
  return memchr(text, '\n', n) || memchr(text, '`', n)
             ? "this"
             : arena_printf(el->w->arena, "`%.*s`", (int)n, text);
}

TypeId elab_type(Elab *el, ExprId e) { return expr_get(el->w->pool, e)->type; }

const Type *elab_type_get(Elab *el, ExprId e) { return type_get(el->w->pool, elab_type(el, e)); }

const char *elab_type_text(Elab *el, TypeId t) {
  Text text = {.arena = el->w->arena};
  type_print(el->w->pool, t, &text);
  return text_str(&text);
}

/* ---- evaluation ---- */

static bool value_of_ref(void *user, Eval *ev, ExprId e, Value *out) {
  World *w = user;
  const Expr *x = expr_get(ev->pool, e);
  return x->op == OP_REF && element_value(w, (Element *)(uintptr_t)x->ref, out, &ev->why);
}

/* A value that is needed to build the model is not to be had: blame the parameter or constant where
 * it ends. */
static void report_no_value(Elab *el, Span span, const char *why) {
  Element *c = el->w->culprit;
  const char *kind = c && c->variability == VAR_CONSTANT ? "constant" : "parameter";
  switch (c ? c->fault : FAULT_NONE) {
  case FAULT_TOLD: return;
  case FAULT_NONE:
  case FAULT_VARIES:
  case FAULT_LATE:
    elab_error(el, el->endless && !c ? D_K002 : D_T305, span,
               "this cannot be computed at translation: %s",
               why ? why : "it is not a constant or parameter expression");
    return;
  case FAULT_MISSING:
    elab_error(el, D_V002, c->ast->span,
               "the %s `%s` has no value, but the structure of the model depends on it", kind,
               c->name);
    elab_help(el, "give it a value: `%s = ...`", c->name);
    break;
  case FAULT_FAILS:
  case FAULT_ENDLESS:
    elab_error(el, c->fault == FAULT_FAILS ? D_T305 : D_K002,
               mod_has_value(c->mod) ? c->mod->span : c->ast->span,
               "the value of `%s` cannot be computed: %s", c->name,
               c->why ? c->why : "it is not a constant or parameter expression");
    break;
  case FAULT_CIRCLE: elab_error(el, D_V003, c->ast->span, "%s", c->why); break;
  }
  elab_label(el, span, "needed here");
  c->fault = FAULT_TOLD;
}

/* Which limit of steps an evaluation has met. What is evaluated again, with fewer of them, did not
 * end before. */
static const char *which_steps(World *w, ExprId e, uint64_t most, uint64_t left, const char *why) {
  uint64_t before = 0;
  if (w->culprit || !why || strncmp(why, "did not end", 11) != 0)
    return why;
  if (left <= most)
    return arena_printf(w->arena, "all evaluations together take more than %d steps",
                        MOST_EVAL_STEPS_ALL);
  if (!map_get(&w->endless, e.i, &before))
    map_put(w->arena, &w->endless, e.i, before = most);
  return arena_printf(w->arena, "it did not end within %llu steps", (unsigned long long)before);
}

bool elab_evaluate(Elab *el, ExprId e, Span span, Value *out) {
  World *w = el->w;
  w->culprit = NULL;
  el->endless = w->eval_depth > MOST_EVALUATIONS;
  if (el->endless) {
    el->why = arena_printf(w->arena, "parameters depend on each other in a chain of more than %d",
                           MOST_EVALUATIONS);
    elab_error(el, D_K002, span, "%s", el->why);
    return false;
  }
  w->eval_depth++;
  uint32_t errors = diags_errors(w->diags);
  uint64_t most = w->steps_short ? MOST_EVAL_STEPS_LATER : MOST_EVAL_STEPS,
           left = w->steps < MOST_EVAL_STEPS_ALL ? MOST_EVAL_STEPS_ALL - w->steps : 1;
  uint64_t budget = (most < left ? most : left) / w->frugal + 1;
  Eval ev = {
      .pool = w->pool, .arena = w->arena, .lookup = value_of_ref, .user = w, .budget = budget};
  bool ok = eval_expr(&ev, e, out);
  w->eval_depth--;
  w->steps += budget - ev.budget;
  el->endless = !ok && ev.fail == EVAL_LIMIT;
  el->wrong = !ok && ev.fail == EVAL_WRONG;
  el->why = el->endless ? which_steps(w, e, most, left, ev.why) : ev.why;
  w->steps_short |= el->endless;
  if (!ok && !el->quiet && diags_errors(w->diags) == errors)
    report_no_value(el, span, el->why);
  return ok;
}

bool elab_integer(Elab *el, const AstExp *e, int64_t *out, const char *what) {
  ExprId x = elab_as(el, e, type_scalar(el->w->pool, TY_INTEGER), what);
  if (!x.i)
    return false;
  if (expr_as_integer(el->w->pool, x, out))
    return true;
  Value v;
  if (!elab_evaluate(el, x, e->span, &v))
    return false;
  *out = v.at[0].integer;
  return true;
}

ExprId elab_fixed_index(Elab *el, ExprId sub) {
  if (el->function || expr_is_literal(el->w->pool, sub) ||
      elab_variability(el->w, sub) < VAR_PARAMETER)
    return sub;
  Value v;
  Elab quiet = *el;
  quiet.quiet = true;
  return elab_evaluate(&quiet, sub, (Span){0}, &v) ? expr_of_value(el->w->pool, &v) : sub;
}

/* ---- conversion ---- */

static bool dims_agree(const Type *a, const Type *b) {
  if (a->n_dims != b->n_dims)
    return false;
  for (uint32_t i = 0; i < a->n_dims; i++)
    if (a->dims[i] != b->dims[i] && a->dims[i] != DIM_UNKNOWN && b->dims[i] != DIM_UNKNOWN)
      return false;
  return true;
}

static bool records_agree(ExprPool *p, const TypeDecl *a, const TypeDecl *b);

/* Do the values of two types have their scalars in the same places? Only fields of records can be
 * in another order. */
static bool same_layout(ExprPool *p, const Type *a, const Type *b) {
  if (a->base != TY_RECORD || b->base != TY_RECORD || a->decl == b->decl)
    return true;
  for (uint32_t i = 0; i < a->decl->n && i < b->decl->n; i++)
    if (a->decl->names[i] != b->decl->names[i] ||
        !same_layout(p, type_get(p, a->decl->types[i]), type_get(p, b->decl->types[i])))
      return false;
  return true;
}

/* A value of type `from` can stand where `to` is wanted (Integer where Real is, records field by
 * field). */
static bool convertible(ExprPool *p, const Type *from, const Type *to) {
  if (!dims_agree(from, to))
    return false;
  if (from->base != to->base)
    return from->base == TY_INTEGER && to->base == TY_REAL;
  if (from->decl == to->decl)
    return true;
  if (from->base == TY_RECORD)
    return records_agree(p, from->decl, to->decl) && (!from->n_dims || same_layout(p, from, to));
  return from->base == TY_ENUM && from->decl->n == to->decl->n &&
         strcmp(from->decl->name, to->decl->name) == 0;
}

static uint32_t field_named(const TypeDecl *d, const char *name) {
  uint32_t k = 0;
  while (k < d->n && d->names[k] != name)
    k++;
  return k;
}

static bool records_agree(ExprPool *p, const TypeDecl *a, const TypeDecl *b) {
  if (a->n != b->n)
    return false;
  for (uint32_t i = 0; i < b->n; i++) {
    uint32_t k = field_named(a, b->names[i]);
    if (k == a->n || !convertible(p, type_get(p, a->types[k]), type_get(p, b->types[i])))
      return false;
  }
  return true;
}

/* Records fit by the names of their fields; another order is put right. */
static ExprId reorder(Elab *el, ExprId e, TypeId wanted, Span span, const char *what) {
  ExprPool *p = el->w->pool;
  const TypeDecl *from = elab_type_get(el, e)->decl, *to = type_get(p, wanted)->decl;
  ExprId *fields = NEW_ARRAY(el->w->arena, ExprId, to->n);
  for (uint32_t i = 0; i < to->n; i++) {
    uint32_t k = field_named(from, to->names[i]);
    fields[i] = elab_convert(el, expr_make_index(p, OP_FIELD, from->types[k], k, 0, 1, &e),
                             to->types[i], span, what);
  }
  return expr_make(p, OP_RECORD, wanted, to->n, fields);
}

bool elab_convertible(Elab *el, TypeId from, TypeId to) {
  return convertible(el->w->pool, type_get(el->w->pool, from), type_get(el->w->pool, to));
}

static const Type *scalar_of(ExprPool *p, const Type *t) {
  return type_get(p, t->decl ? type_of_decl(p, t->base, t->decl) : type_scalar(p, t->base));
}

/* How to get from one type to the other. */
static void help_convert(Elab *el, const Type *from, const Type *to, Span span) {
  const char *text = elab_written(el, span);
  const char *e = text[0] == '`'
                      ? arena_printf(el->w->arena, "%.*s", (int)strlen(text) - 2, text + 1)
                      : "...";
  if (from->n_dims || to->n_dims || (e[0] >= '0' && e[0] <= '9'))
    return;
  if (to->base == TY_BOOLEAN && (from->base == TY_REAL || from->base == TY_INTEGER))
    elab_help(el, "compare it, such as `%s > 0`", e);
  else if (from->base == TY_BOOLEAN && (to->base == TY_REAL || to->base == TY_INTEGER))
    elab_help(el, "choose by it: `if %s then 1 else 0`", e);
  else if (from->base == TY_REAL && to->base == TY_INTEGER)
    elab_help(el, "round it down: `integer(%s)`", e);
  else if (to->base == TY_ENUM && to->decl->n)
    elab_help(el, "name one of its literals, such as `%s.%s`", to->decl->name, to->decl->names[0]);
  else if (to->base == TY_STRING)
    elab_help(el, "turn it into text: `String(%s)`", e);
}

ExprId elab_convert(Elab *el, ExprId e, TypeId wanted, Span span, const char *what) {
  ExprPool *p = el->w->pool;
  if (!e.i || !wanted.i)
    return e;
  const Type *from = elab_type_get(el, e), *to = type_get(p, wanted);
  if (!convertible(p, from, to)) {
    if (from->base == TY_NONE)
      return elab_error(el, D_T301, span, "%s needs a value, but this has none", what);
    if (convertible(p, scalar_of(p, from), scalar_of(p, to)))
      return elab_error(el, D_T302, span, "%s needs %s, this is %s", what,
                        elab_type_text(el, wanted), elab_type_text(el, elab_type(el, e)));
    elab_error(el, D_T301, span, "%s needs %s, %s is %s", what, elab_type_text(el, wanted),
               elab_written(el, span), elab_type_text(el, elab_type(el, e)));
    help_convert(el, from, to, span);
    return NO_EXPR;
  }
  if (!same_layout(p, from, to))
    return reorder(el, e, wanted, span, what);
  return from->base == TY_INTEGER && to->base == TY_REAL ? expr_to_real(p, e) : e;
}

ExprId elab_as(Elab *el, const AstExp *e, TypeId wanted, const char *what) {
  return elab_convert(el, elab_exp(el, e), wanted, e->span, what);
}

TypeId elab_common(Elab *el, TypeId a, TypeId b) {
  ExprPool *p = el->w->pool;
  const Type *ta = type_get(p, a), *tb = type_get(p, b);
  if (!same_layout(p, ta, tb))
    return NO_TYPE;
  if (convertible(p, ta, tb) && ta->base != TY_INTEGER)
    return a;
  if (convertible(p, ta, tb))
    return b;
  return convertible(p, tb, ta) ? a : NO_TYPE;
}

/* ---- vectorised application ---- */

static ExprId element_at(Elab *el, ExprId array, ExprId sub) {
  ExprId args[2] = {array, sub};
  return expr_make(el->w->pool, OP_INDEX, type_element(el->w->pool, elab_type(el, array), 1), 2,
                   args);
}

ExprId elab_vectorize(Elab *el, ElabMake make, const void *user, uint32_t extra, uint32_t n,
                      const ExprId *args, const uint32_t *own_dims, Span span) {
  ExprPool *p = el->w->pool;
  if (!extra)
    return make(el, user, n, args, span);
  /* the arguments that have all the extra dimensions run along; their sizes must agree */
  int32_t size = DIM_UNKNOWN;
  uint32_t leader = n;
  for (uint32_t i = 0; i < n; i++) {
    const Type *t = elab_type_get(el, args[i]);
    if (t->n_dims < own_dims[i] + extra)
      continue;
    if (leader == n)
      leader = i;
    if (size != DIM_UNKNOWN && t->dims[0] != DIM_UNKNOWN && t->dims[0] != size)
      return elab_error(el, D_T302, span, "array arguments of different sizes %d and %d", size,
                        t->dims[0]);
    if (t->dims[0] != DIM_UNKNOWN)
      size = t->dims[0];
  }
  ExprId *part = NEW_ARRAY(el->w->arena, ExprId, n);
  if (size == DIM_UNKNOWN) {
    if (!el->function)
      return elab_error(el, D_T302, span, "the size of this array is not known");
    uint32_t iterator = el->function->n_locals++;
    ExprId local = expr_local(p, type_scalar(p, TY_INTEGER), iterator);
    for (uint32_t i = 0; i < n; i++)
      part[i] = elab_type_get(el, args[i])->n_dims >= own_dims[i] + extra
                    ? element_at(el, args[i], local)
                    : args[i];
    ExprId body = elab_vectorize(el, make, user, extra - 1, n, part, own_dims, span);
    if (!body.i)
      return NO_EXPR;
    ExprId dim[2] = {args[leader], expr_integer(p, 1)};
    ExprId range[3] = {expr_integer(p, 1), expr_integer(p, 1),
                       expr_make(p, OP_SIZE, type_scalar(p, TY_INTEGER), 2, dim)};
    TypeId range_type = type_array(p, type_scalar(p, TY_INTEGER), 1, &size);
    ExprId both[2] = {body, expr_make(p, OP_RANGE, range_type, 3, range)};
    return expr_make_index(p, OP_COMPREHEND, type_array(p, elab_type(el, body), 1, &size), iterator,
                           0, 2, both);
  }
  ExprId *items = NEW_ARRAY(el->w->arena, ExprId, size ? size : 1);
  int32_t made = size ? size : 1; /* an empty array still needs the type of its elements */
  for (int32_t k = 0; k < made; k++) {
    for (uint32_t i = 0; i < n; i++)
      part[i] = elab_type_get(el, args[i])->n_dims >= own_dims[i] + extra
                    ? element_at(el, args[i], expr_integer(p, k + 1))
                    : args[i];
    items[k] = elab_vectorize(el, make, user, extra - 1, n, part, own_dims, span);
    if (!items[k].i)
      return NO_EXPR;
  }
  TypeId type = type_array(p, elab_type(el, items[0]), 1, &size);
  return expr_make(p, OP_ARRAY, type, (uint32_t)size, items);
}

/* ---- operators ---- */

static Op op_of(AstOp op) {
  switch (op) {
  case AST_ADD: return OP_ADD;
  case AST_SUB: return OP_SUB;
  case AST_MUL: return OP_MUL;
  case AST_DIV: return OP_DIV;
  case AST_POW: return OP_POW;
  case AST_ADD_EL: return OP_ADD_EL;
  case AST_SUB_EL: return OP_SUB_EL;
  case AST_MUL_EL: return OP_MUL_EL;
  case AST_DIV_EL: return OP_DIV_EL;
  case AST_POW_EL: return OP_POW_EL;
  case AST_LT: return OP_LT;
  case AST_LE: return OP_LE;
  case AST_GT: return OP_GT;
  case AST_GE: return OP_GE;
  case AST_EQ: return OP_EQ;
  case AST_NE: return OP_NE;
  case AST_AND: return OP_AND;
  case AST_OR: return OP_OR;
  case AST_NOT: return OP_NOT;
  case AST_NEG:
  case AST_NEG_EL: return OP_NEG;
  case AST_PLUS:
  case AST_PLUS_EL: return OP_CAST; /* not built: unary plus is its argument */
  }
  return OP_ADD;
}

static const char *op_text(Op op) {
  static const char *const texts[] = {
#define OP(name, text, shape, precedence) text,
#include "expr/ops.def"
#undef OP
  };
  return texts[op];
}

static bool is_number(TypeBase base) { return base == TY_REAL || base == TY_INTEGER; }

static ExprId op_error(Elab *el, Op op, ExprId a, ExprId b, Span span) {
  const Type *ta = elab_type_get(el, a), *tb = elab_type_get(el, b);
  elab_error(el,
             is_number(ta->base) == is_number(tb->base) && (ta->n_dims || tb->n_dims) ? D_T302
                                                                                      : D_T301,
             span, "`%s` cannot be applied to %s and %s", op_text(op),
             elab_type_text(el, elab_type(el, a)), elab_type_text(el, elab_type(el, b)));
  if (op == OP_AND || op == OP_OR)
    elab_help(el, "compare the number, such as `x > 0`");
  else if (is_number(ta->base) && tb->base == TY_BOOLEAN)
    elab_help(el, "a Boolean is no number; choose by it: `if b then 1 else 0`");
  return NO_EXPR;
}

/* Result of arithmetic on base types: Real unless both are Integer and the operator stays in the
 * integers. */
static TypeId number_type(Elab *el, Op op, ExprId *a, ExprId *b) {
  ExprPool *p = el->w->pool;
  bool integers = elab_type_get(el, *a)->base == TY_INTEGER &&
                  elab_type_get(el, *b)->base == TY_INTEGER;
  if (integers && op != OP_DIV && op != OP_DIV_EL && op != OP_POW && op != OP_POW_EL)
    return type_scalar(p, TY_INTEGER);
  *a = expr_to_real(p, *a);
  if (op != OP_POW || elab_type_get(el, *a)->n_dims == 0)
    *b = expr_to_real(p, *b);
  return type_scalar(p, TY_REAL);
}

static bool same_size(int32_t a, int32_t b) {
  return a == b || a == DIM_UNKNOWN || b == DIM_UNKNOWN;
}

/* Dimensions of a product (MLS 10.6.5): scalar with anything, vector and matrix products. */
static bool product_dims(const Type *a, const Type *b, uint32_t *n, int32_t *dims) {
  if (!a->n_dims || !b->n_dims) {
    const Type *t = a->n_dims ? a : b;
    *n = t->n_dims;
    for (uint32_t i = 0; i < *n && i < 32; i++)
      dims[i] = t->dims[i];
    return *n <= 32;
  }
  if (a->n_dims > 2 || b->n_dims > 2 || !same_size(a->dims[a->n_dims - 1], b->dims[0]))
    return false;
  *n = 0;
  if (a->n_dims == 2)
    dims[(*n)++] = a->dims[0];
  if (b->n_dims == 2)
    dims[(*n)++] = b->dims[1];
  return true;
}

static ExprId arithmetic(Elab *el, Op op, ExprId a, ExprId b, Span span) {
  ExprPool *p = el->w->pool;
  const Type *ta = elab_type_get(el, a), *tb = elab_type_get(el, b);
  int32_t dims[32];
  uint32_t n = ta->n_dims;
  bool elementwise = op == OP_ADD_EL || op == OP_SUB_EL || op == OP_MUL_EL || op == OP_DIV_EL ||
                     op == OP_POW_EL;
  bool fits = n <= 32 && tb->n_dims <= 32;
  for (uint32_t i = 0; fits && i < n; i++)
    dims[i] = ta->dims[i] != DIM_UNKNOWN || i >= tb->n_dims ? ta->dims[i] : tb->dims[i];
  if (elementwise && (!n || !tb->n_dims)) {
    n = n ? n : tb->n_dims;
    for (uint32_t i = 0; fits && i < n; i++)
      dims[i] = ta->n_dims ? ta->dims[i] : tb->dims[i];
  } else if (op == OP_ADD || op == OP_SUB || elementwise) {
    fits = fits && dims_agree(ta, tb);
  } else if (op == OP_MUL) {
    fits = fits && product_dims(ta, tb, &n, dims);
  } else if (op == OP_DIV) {
    fits = fits && tb->n_dims == 0;
  } else if (op == OP_POW) {
    fits = fits && tb->n_dims == 0 &&
           (n == 0 || (n == 2 && same_size(ta->dims[0], ta->dims[1]) && tb->base == TY_INTEGER));
  }
  if (!fits)
    return op_error(el, op, a, b, span);
  TypeId base = number_type(el, op, &a, &b);
  ExprId args[2] = {a, b};
  return expr_make(p, op, type_array(p, base, n, dims), 2, args);
}

static ExprId relation(Elab *el, Op op, ExprId a, ExprId b, Span span) {
  ExprPool *p = el->w->pool;
  const Type *ta = elab_type_get(el, a), *tb = elab_type_get(el, b);
  TypeId common = ta->n_dims || tb->n_dims ? NO_TYPE
                                           : elab_common(el, elab_type(el, a), elab_type(el, b));
  TypeBase base = common.i ? type_get(p, common)->base : TY_NONE;
  if (base != TY_REAL && base != TY_INTEGER && base != TY_BOOLEAN && base != TY_STRING &&
      base != TY_ENUM)
    return op_error(el, op, a, b, span);
  bool equality = op == OP_EQ || op == OP_NE;
  if (equality && base == TY_REAL && !el->function) {
    ExprId both[2] = {a, b};
    if (elab_variability(el->w, both[0]) < VAR_PARAMETER ||
        elab_variability(el->w, both[1]) < VAR_PARAMETER)
      return elab_error(el, D_T306, span,
                        "Real numbers cannot be compared by `%s` outside of functions",
                        op_text(op));
  }
  ExprId args[2] = {elab_convert(el, a, common, span, ""), elab_convert(el, b, common, span, "")};
  return expr_make(p, op, type_scalar(p, TY_BOOLEAN), 2, args);
}

static ExprId logic(Elab *el, Op op, ExprId a, ExprId b, Span span) {
  const Type *ta = elab_type_get(el, a), *tb = elab_type_get(el, b);
  if (ta->base != TY_BOOLEAN || tb->base != TY_BOOLEAN || !dims_agree(ta, tb))
    return op_error(el, op, a, b, span);
  ExprId args[2] = {a, b};
  return expr_make(el->w->pool, op, elab_type(el, a), 2, args);
}

ExprId elab_binary(Elab *el, AstOp ast_op, ExprId a, ExprId b, Span span) {
  Op op = op_of(ast_op);
  const Type *ta = elab_type_get(el, a), *tb = elab_type_get(el, b);
  if (ta->base == TY_RECORD || tb->base == TY_RECORD)
    return elab_overload_binary(el, op_text(op), a, b, span);
  switch (op) {
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE: return relation(el, op, a, b, span);
  case OP_AND:
  case OP_OR: return logic(el, op, a, b, span);
  default: break;
  }
  if (op == OP_ADD && ta->base == TY_STRING && tb->base == TY_STRING && dims_agree(ta, tb)) {
    ExprId args[2] = {a, b};
    return expr_make(el->w->pool, OP_ADD, elab_type(el, a), 2, args);
  }
  if (!type_is_numeric(el->w->pool, elab_type(el, a)) ||
      !type_is_numeric(el->w->pool, elab_type(el, b)))
    return op_error(el, op, a, b, span);
  return arithmetic(el, op, a, b, span);
}

/* Long sums nest to the left: the spine is walked, not recursed into. */
static ExprId binary_chain(Elab *el, const AstExp *e) {
  VEC(const AstExp *) spine = {0};
  while (e->kind == AST_BINARY) {
    vec_push(el->w->arena, &spine, e);
    e = e->a;
  }
  ExprId left = elab_exp(el, e);
  while (spine.n) {
    const AstExp *node = spine.at[--spine.n];
    ExprId right = elab_exp(el, node->b);
    left = left.i && right.i ? elab_binary(el, node->op, left, right, node->span) : NO_EXPR;
  }
  return left;
}

static ExprId unary(Elab *el, const AstExp *e) {
  ExprId a = elab_exp(el, e->a);
  if (!a.i)
    return a;
  const Type *t = elab_type_get(el, a);
  Op op = op_of(e->op);
  if (t->base == TY_RECORD && op != OP_CAST)
    return elab_overload_unary(el, op == OP_NOT ? "not" : "-", a, e->span);
  if (op == OP_NOT ? t->base != TY_BOOLEAN : !type_is_numeric(el->w->pool, elab_type(el, a))) {
    return elab_error(el, D_T301, e->span, "`%s` cannot be applied to %s",
                      op == OP_NOT ? "not" : "-", elab_type_text(el, elab_type(el, a)));
  }
  return op == OP_CAST ? a : expr_make(el->w->pool, op, elab_type(el, a), 1, &a);
}

/* ---- if ---- */

static ExprId branch_quietly(Elab *el, const AstExp *e, bool *failed) {
  uint32_t mark = diags_count(el->w->diags), errors = diags_errors(el->w->diags);
  ExprId x = elab_exp(el, e);
  *failed = !x.i || diags_errors(el->w->diags) > errors;
  if (*failed)
    diags_rewind(el->w->diags, mark);
  return x;
}

static ExprId if_expression(Elab *el, const AstExp *e) {
  ExprPool *p = el->w->pool;
  ExprId c = elab_exp(el, e->a);
  c = elab_convert(el, c, type_scalar(p, TY_BOOLEAN), e->a->span, "`if`");
  if (!c.i)
    return c;
  int64_t known;
  if (expr_as_integer(p, c, &known))
    return elab_exp(el, known ? e->b : e->c);
  /* branches that do not fit each other are legal when the condition is a parameter expression:
   * only one counts */
  bool failed_a, failed_b;
  ExprId a = branch_quietly(el, e->b, &failed_a), b = branch_quietly(el, e->c, &failed_b);
  TypeId common = failed_a || failed_b ? NO_TYPE
                                       : elab_common(el, elab_type(el, a), elab_type(el, b));
  if (!common.i) {
    Value v;
    Elab quiet = *el;
    quiet.quiet = true;
    if (elab_variability(el->w, c) >= VAR_PARAMETER && elab_evaluate(&quiet, c, e->a->span, &v))
      return elab_exp(el, v.at[0].integer ? e->b : e->c);
    if (failed_a || failed_b)
      return elab_exp(el, failed_a ? e->b : e->c);
    return elab_error(el, D_T301, e->span, "the branches of this `if` have types %s and %s",
                      elab_type_text(el, elab_type(el, a)), elab_type_text(el, elab_type(el, b)));
  }
  ExprId args[3] = {c, elab_convert(el, a, common, e->span, ""),
                    elab_convert(el, b, common, e->span, "")};
  return expr_make(p, OP_IF, common, 3, args);
}

/* ---- ranges, arrays ---- */

static ExprId range(Elab *el, const AstExp *e) {
  ExprPool *p = el->w->pool;
  ExprId a = elab_exp(el, e->a), c = elab_exp(el, e->c),
         b = e->b ? elab_exp(el, e->b) : expr_integer(p, 1);
  if (!a.i || !b.i || !c.i)
    return NO_EXPR;
  TypeId common = elab_common(el, elab_type(el, a), elab_type(el, c));
  bool numeric = common.i && type_is_numeric(p, common);
  if (numeric && e->b)
    common = elab_common(el, common, elab_type(el, b));
  if (!common.i || type_get(p, common)->n_dims)
    return elab_error(el, D_T301, e->span, "a range cannot run from %s to %s",
                      elab_type_text(el, elab_type(el, a)), elab_type_text(el, elab_type(el, c)));
  if (numeric)
    b = elab_convert(el, b, common, e->span, "");
  ExprId args[3] = {elab_fixed_index(el, elab_convert(el, a, common, e->span, "")),
                    elab_fixed_index(el, b),
                    elab_fixed_index(el, elab_convert(el, c, common, e->span, ""))};
  int32_t size = DIM_UNKNOWN;
  ExprId r = expr_make(p, OP_RANGE, type_array(p, common, 1, &size), 3, args);
  if (!expr_is_literal(p, args[0]) || !expr_is_literal(p, args[1]) || !expr_is_literal(p, args[2]))
    return r;
  Value v;
  if (!elab_evaluate(el, r, e->span, &v))
    return NO_EXPR;
  if (v.n > MOST_RANGE)
    return elab_error(el, D_K001, e->span, "a range of more than %d elements", MOST_RANGE);
  return expr_of_value(p, &v);
}

static ExprId unequal_elements(Elab *el, TypeId a, TypeId b, Span span) {
  ExprPool *p = el->w->pool;
  const Type *ta = type_get(p, a), *tb = type_get(p, b);
  bool sizes = convertible(p, scalar_of(p, ta), scalar_of(p, tb)) ||
               convertible(p, scalar_of(p, tb), scalar_of(p, ta));
  if (sizes && ta->n_dims == 1 && tb->n_dims == 1)
    return elab_error(el, D_T302, span, "the rows of this array have different lengths: %d and %d",
                      ta->dims[0], tb->dims[0]);
  return elab_error(el, sizes ? D_T302 : D_T301, span,
                    "elements of an array must have one type; these have %s and %s",
                    elab_type_text(el, a), elab_type_text(el, b));
}

ExprId elab_array(Elab *el, uint32_t n, ExprId *items, Span span) {
  ExprPool *p = el->w->pool;
  TypeId common = elab_type(el, items[0]);
  for (uint32_t i = 1; i < n; i++) {
    TypeId both = elab_common(el, common, elab_type(el, items[i]));
    if (!both.i)
      return unequal_elements(el, common, elab_type(el, items[i]), span);
    common = both;
  }
  for (uint32_t i = 0; i < n; i++)
    items[i] = elab_convert(el, items[i], common, span, "an array element");
  int32_t size = (int32_t)n;
  return expr_make(p, OP_ARRAY, type_array(p, common, 1, &size), n, items);
}

static ExprId array(Elab *el, const AstExp *e) {
  ExprId *items = NEW_ARRAY(el->w->arena, ExprId, e->n);
  bool ok = e->n > 0;
  for (uint32_t i = 0; i < e->n; i++) {
    items[i] = elab_exp(el, e->items[i]);
    ok = ok && items[i].i;
  }
  if (!e->n)
    return elab_error(el, D_T302, e->span,
                      "an empty `{}` has no type; write fill(0.0, 0) or the like");
  return ok ? elab_array(el, e->n, items, e->span) : NO_EXPR;
}

/* cat(k, a, b, ...) of arrays with equal numbers of dimensions */
static ExprId concatenate(Elab *el, uint32_t k, uint32_t n, ExprId *items, Span span) {
  ExprPool *p = el->w->pool;
  const Type *first = elab_type_get(el, items[0]);
  int32_t dims[32], sum = 0;
  TypeId element = type_element(p, elab_type(el, items[0]), first->n_dims);
  for (uint32_t d = 0; d < first->n_dims; d++)
    dims[d] = first->dims[d];
  for (uint32_t i = 0; i < n; i++) {
    const Type *t = elab_type_get(el, items[i]);
    TypeId common = elab_common(el, element, type_element(p, elab_type(el, items[i]), t->n_dims));
    bool fits = t->n_dims == first->n_dims && common.i;
    for (uint32_t d = 0; fits && d < t->n_dims; d++)
      fits = d == k - 1 || same_size(t->dims[d], dims[d]);
    if (!fits)
      return elab_error(el, D_T302, span, "%s and %s cannot be joined",
                        elab_type_text(el, elab_type(el, items[0])),
                        elab_type_text(el, elab_type(el, items[i])));
    element = common;
    sum = sum == DIM_UNKNOWN || t->dims[k - 1] == DIM_UNKNOWN ? DIM_UNKNOWN : sum + t->dims[k - 1];
  }
  dims[k - 1] = sum;
  ExprId *args = NEW_ARRAY(el->w->arena, ExprId, n + 1);
  args[0] = expr_integer(p, k);
  for (uint32_t i = 0; i < n; i++)
    args[i + 1] = type_get(p, element)->base == TY_REAL ? expr_to_real(p, items[i]) : items[i];
  return expr_make(p, OP_CAT, type_array(p, element, first->n_dims, dims), n + 1, args);
}

static ExprId promote(Elab *el, ExprId e, uint32_t n) {
  const Type *t = elab_type_get(el, e);
  if (t->n_dims >= n)
    return e;
  int32_t dims[32];
  for (uint32_t d = 0; d < n && d < 32; d++)
    dims[d] = d < t->n_dims ? t->dims[d] : 1;
  ExprPool *p = el->w->pool;
  ExprId args[2] = {e, expr_integer(p, n)};
  return expr_make(p, OP_PROMOTE,
                   type_array(p, type_element(p, elab_type(el, e), t->n_dims), n, dims), 2, args);
}

/* [a, b; c, d] (MLS 10.4.2.1): scalars only gives a plain matrix, arrays are promoted and
 * joined. */
static ExprId matrix(Elab *el, const AstExp *e) {
  ExprId *rows = NEW_ARRAY(el->w->arena, ExprId, e->n);
  ExprId **cells = NEW_ARRAY(el->w->arena, ExprId *, e->n);
  uint32_t most = 0;
  for (uint32_t i = 0; i < e->n; i++) {
    const AstExp *row = e->items[i];
    cells[i] = NEW_ARRAY(el->w->arena, ExprId, row->n);
    for (uint32_t j = 0; j < row->n; j++) {
      cells[i][j] = elab_exp(el, row->items[j]);
      if (!cells[i][j].i)
        return NO_EXPR;
      uint32_t n = elab_type_get(el, cells[i][j])->n_dims;
      if (n > 31)
        return elab_error(el, D_T302, e->span, "too many dimensions");
      most = n > most ? n : most;
    }
  }
  for (uint32_t i = 0; i < e->n; i++) {
    const AstExp *row = e->items[i];
    if (!most) {
      rows[i] = elab_array(el, row->n, cells[i], row->span);
    } else {
      for (uint32_t j = 0; j < row->n; j++)
        cells[i][j] = promote(el, cells[i][j], most > 2 ? most : 2);
      rows[i] = concatenate(el, 2, row->n, cells[i], row->span);
    }
    if (!rows[i].i)
      return NO_EXPR;
  }
  return most ? concatenate(el, 1, e->n, rows, e->span) : elab_array(el, e->n, rows, e->span);
}

/* ---- subscripts ---- */

static ExprId all_of(Elab *el, ExprId array, uint32_t d) {
  ExprPool *p = el->w->pool;
  int32_t size = elab_type_get(el, array)->dims[d];
  TypeId type = type_array(p, type_scalar(p, TY_INTEGER), 1, &size);
  if (size != DIM_UNKNOWN) {
    ExprId *items = NEW_ARRAY(el->w->arena, ExprId, size);
    for (int32_t i = 0; i < size; i++)
      items[i] = expr_integer(p, i + 1);
    return expr_make(p, OP_ARRAY, type, (uint32_t)size, items);
  }
  ExprId dim[2] = {array, expr_integer(p, d + 1)};
  ExprId args[3] = {expr_integer(p, 1), expr_integer(p, 1),
                    expr_make(p, OP_SIZE, type_scalar(p, TY_INTEGER), 2, dim)};
  return expr_make(p, OP_RANGE, type, 3, args);
}

/* A dimension that was declared by a type takes subscripts of that type only: x[Color], then
 * x[Color.red] (MLS 10.1). */
static bool subscript_fits(Elab *el, ExprId array, uint32_t d, ExprId sub, Span span) {
  const Type *t = elab_type_get(el, sub);
  if ((t->base != TY_INTEGER && t->base != TY_BOOLEAN && t->base != TY_ENUM) || t->n_dims > 1) {
    elab_error(el, D_T301, span,
               "a subscript must be Integer, Boolean or an enumeration, this is %s",
               elab_type_text(el, elab_type(el, sub)));
    return false;
  }
  const Expr *x = expr_get(el->w->pool, array);
  const Element *e = x->op == OP_REF ? x->ref : NULL;
  if (!e || d >= e->n_dims)
    return true;
  TypeId wanted = e->dim_index && e->dim_index[d].i ? e->dim_index[d]
                                                    : type_scalar(el->w->pool, TY_INTEGER);
  TypeId has = type_element(el->w->pool, elab_type(el, sub), t->n_dims);
  if (elab_convertible(el, has, wanted))
    return true;
  elab_error(el, D_T301, span, "dimension %u of `%s` takes subscripts of type %s, this is %s",
             d + 1, e->name, elab_type_text(el, wanted), elab_type_text(el, has));
  return false;
}

static bool subscript_in_range(Elab *el, int64_t k, int32_t size, Span span) {
  if (k >= 1 && (size == DIM_UNKNOWN || k <= size))
    return true;
  elab_error(el, D_T303, span, "subscript %lld is out of range 1:%d", (long long)k, size);
  return false;
}

static ExprId one_subscript(Elab *el, ExprId array, uint32_t d, const AstExp *sub) {
  if (sub->kind == AST_COLON)
    return all_of(el, array, d);
  Elab inner = *el;
  inner.end_of = array;
  inner.end_dim = d;
  ExprId s = elab_exp(&inner, sub);
  if (!s.i)
    return s;
  if (!subscript_fits(el, array, d, s, sub->span))
    return NO_EXPR;
  const Type *t = elab_type_get(el, s);
  s = elab_fixed_index(el, s);
  int64_t k;
  int32_t size = elab_type_get(el, array)->dims[d];
  if (expr_as_integer(el->w->pool, s, &k)) {
    k += t->base == TY_BOOLEAN; /* false is the first element */
    return subscript_in_range(el, k, size, sub->span) ? expr_integer(el->w->pool, k) : NO_EXPR;
  }
  const Expr *list = expr_get(el->w->pool, s);
  for (uint32_t i = 0; list->op == OP_ARRAY && i < list->n; i++)
    if (expr_as_integer(el->w->pool, list->args[i], &k) &&
        !subscript_in_range(el, k + (t->base == TY_BOOLEAN), size, sub->span))
      return NO_EXPR;
  return s;
}

ExprId elab_index(Elab *el, ExprId array, uint32_t n, AstExp **subs, Span span) {
  if (!n)
    return array;
  ExprPool *p = el->w->pool;
  const Type *t = elab_type_get(el, array);
  if (n > t->n_dims)
    return elab_error(el, D_T302, span, "%u subscripts, but this has type %s", n,
                      elab_type_text(el, elab_type(el, array)));
  ExprId *args = NEW_ARRAY(el->w->arena, ExprId, n + 1);
  int32_t dims[32];
  uint32_t kept = 0;
  args[0] = array;
  for (uint32_t i = 0; i < n; i++) {
    args[i + 1] = one_subscript(el, array, i, subs[i]);
    if (!args[i + 1].i)
      return NO_EXPR;
    const Type *s = elab_type_get(el, args[i + 1]);
    if (s->n_dims && kept < 32)
      dims[kept++] = s->dims[0];
  }
  TypeId type = type_array(p, type_element(p, elab_type(el, array), n), kept, dims);
  return expr_make(p, OP_INDEX, type, n + 1, args);
}

/* A function with several results used as a value gives the first (MLS 12.4.3). */
static ExprId first_result(Elab *el, ExprId call) {
  if (!call.i || elab_type_get(el, call)->base != TY_TUPLE)
    return call;
  return expr_make_index(el->w->pool, OP_FIELD, elab_type_get(el, call)->decl->types[0], 0, 0, 1,
                         &call);
}

/* ---- dispatch ---- */

ExprId elab_exp(Elab *el, const AstExp *e) {
  ExprPool *p = el->w->pool;
  switch (e->kind) {
  case AST_INTEGER: return expr_integer(p, e->integer);
  case AST_REAL: return expr_real(p, e->real);
  case AST_STRING: return expr_string(p, e->string);
  case AST_BOOLEAN: return expr_boolean(p, e->integer != 0);
  case AST_REF: return elab_ref(el, e->ref);
  case AST_END: {
    if (!el->end_of.i)
      return elab_error(el, D_T301, e->span, "`end` is only allowed in a subscript");
    ExprId args[2] = {el->end_of, expr_integer(p, el->end_dim + 1)};
    return expr_make(p, OP_SIZE, type_scalar(p, TY_INTEGER), 2, args);
  }
  case AST_COLON: return elab_error(el, D_T301, e->span, "`:` is only allowed as a subscript");
  case AST_UNARY: return unary(el, e);
  case AST_BINARY: return binary_chain(el, e);
  case AST_IF: return if_expression(el, e);
  case AST_RANGE: return range(el, e);
  case AST_CALL: return first_result(el, elab_call(el, e));
  case AST_REDUCE: return elab_reduction(el, e);
  case AST_ARRAY: return array(el, e);
  case AST_MATRIX: return matrix(el, e);
  case AST_TUPLE:
    return elab_error(el, D_T301, e->span,
                      "a list in parentheses is only allowed on the left of a function call");
  case AST_PARTIAL: return elab_call(el, e);
  }
  return NO_EXPR;
}

/* ---- variability ---- */

typedef struct {
  World *w;
  AstVariability most;
  bool holds; /* met an operator whose value changes at events only, whatever its argument does */
} Variability;

static bool holds_value(Op op) {
  return op == OP_PRE || op == OP_EDGE || op == OP_CHANGE || op == OP_IMPULSE;
}

static void vary(void *user, ExprId id) {
  Variability *v = user;
  const Expr *e = expr_get(v->w->pool, id);
  AstVariability own = VAR_CONSTANT;
  switch (e->op) {
  case OP_TIME: own = VAR_CONTINUOUS; break;
  case OP_REF: {
    const Element *r = e->ref;
    own = r->variability;
    TypeBase base = type_get(v->w->pool, e->type)->base;
    if (own == VAR_CONTINUOUS && base != TY_REAL && base != TY_RECORD)
      own = VAR_DISCRETE;
    break;
  }
  case OP_LOCAL:
  case OP_VAR: own = VAR_CONTINUOUS; break;
  case OP_PRE:
  case OP_EDGE:
  case OP_CHANGE:
  case OP_INITIAL:
  case OP_TERMINAL:
  case OP_SAMPLE:
  case OP_IMPULSE: own = VAR_DISCRETE; break;
  default: break;
  }
  if (own < v->most)
    v->most = own;
  v->holds |= holds_value(e->op);
}

/* The same without the arguments of pre() and the like. */
static void vary_outside(Variability *v, ExprId root) {
  Map seen = {0};
  VEC(ExprId) open = {0};
  vec_push(v->w->arena, &open, root);
  while (open.n) {
    ExprId id = open.at[--open.n];
    uint64_t before;
    if (!id.i || map_get(&seen, id.i, &before))
      continue;
    map_put(v->w->arena, &seen, id.i, 1);
    vary(v, id);
    const Expr *e = expr_get(v->w->pool, id);
    for (uint32_t k = 0; k < e->n && !holds_value(e->op); k++)
      vec_push(v->w->arena, &open, e->args[k]);
  }
}

AstVariability elab_variability(World *w, ExprId e) {
  Variability v = {w, VAR_CONSTANT, false};
  expr_walk(w->pool, e, vary, &v);
  if (v.most < VAR_DISCRETE && v.holds) {
    v.most = VAR_CONSTANT;
    vary_outside(&v, e);
  }
  return v.most;
}
