/* emit/emit_expr.c -- scalar expressions as C.
 * How:  a value is a C operand; what is used more than once in a C function, or has grown long, is computed into a constant
 *       of its own first. Calls and what may fail become statements before the operand, so an `if` that contains them becomes
 *       an if-statement; all other operators have no side effects and may be computed even where a branch does not need them.
 * Keep: a kept value is valid in the C block that computes it: c_scope_open and c_scope_close bracket such blocks. */
#include "emit/emit_impl.h"

#include <string.h>

enum { LONG_OPERAND = 160 };

TypeBase c_base(const Emit *em, ExprId e) { return type_get(em->p, expr_get(em->p, e)->type)->base; }

/* ---- uses, kept values, scopes ---- */

void c_count(Emit *em, ExprId e) {
  uint64_t n = 0;
  if (!e.i)
    return;
  bool seen = map_get(&em->uses, e.i, &n);
  map_put(em->a, &em->uses, e.i, n + 1);
  if (seen)
    return;
  const Expr *x = expr_get(em->p, e);
  for (uint32_t k = 0; k < x->n; k++)
    c_count(em, x->args[k]);
}

void c_remember(Emit *em, ExprId e, const char *text) {
  vec_push(em->a, &em->kept, (Kept){e.i, text});
  map_put(em->a, &em->keep, e.i, em->kept.n);
}

const char *c_recall(const Emit *em, ExprId e) {
  uint64_t at;
  return map_get(&em->keep, e.i, &at) && at ? em->kept.at[at - 1].text : NULL;
}

uint32_t c_scope_open(Emit *em) { return em->kept.n; }

void c_scope_close(Emit *em, uint32_t mark) {
  while (em->kept.n > mark)
    map_put(em->a, &em->keep, em->kept.at[--em->kept.n].expr, 0);
}

const char *c_temp(Emit *em) { return arena_printf(em->a, "t%u", em->n_temps++); }

/* Does computing it take statements of its own that must not run where the value is not needed? */
static bool has_statements(Emit *em, ExprId e) {
  const Expr *x = expr_get(em->p, e);
  uint64_t known;
  if (!x->n)
    return false;
  if (map_get(&em->calls_inside, e.i, &known))
    return known != 0;
  bool whole = type_get(em->p, x->type)->base == TY_INTEGER;
  bool found = x->op == OP_CALL || x->op == OP_INDEX || x->op == OP_COMPREHEND || x->op == OP_REDUCE || x->op == OP_STRING_OF ||
               (whole && (x->op == OP_DIVT || x->op == OP_MOD || x->op == OP_REM));
  for (uint32_t k = 0; k < x->n && !found; k++)
    found = x->args[k].i && has_statements(em, x->args[k]);
  map_put(em->a, &em->calls_inside, e.i, found);
  return found;
}

/* ---- leaves ---- */

const char *c_var(Emit *em, uint32_t var) {
  static const struct {
    const char *name;
    uint32_t bit;
  } banks[] = {[BANK_REAL] = {"r", USES_R}, [BANK_INTEGER] = {"i", USES_I}, [BANK_STRING] = {"s", USES_S},
               [BANK_REAL_PRE] = {"r_pre", USES_R_PRE}, [BANK_INTEGER_PRE] = {"i_pre", USES_I_PRE}, [BANK_STRING_PRE] = {"s_pre", USES_S_PRE},
               [BANK_RELATION] = {"relation", USES_RELATION}, [BANK_SAMPLE] = {"sample", USES_SAMPLE}};
  const SVar *v = &em->s->vars.at[var];
  em->uses_mask |= banks[v->bank].bit;
  return arena_printf(em->a, "%s[%u]", banks[v->bank].name, v->place);
}

static const char *local_name(Emit *em, uint32_t n) {
  return em->locals && em->locals[n] ? em->locals[n] : arena_printf(em->a, "v%u", n);
}

/* NULL if it is no leaf. */
static const char *emit_leaf(Emit *em, const Expr *x) {
  switch (x->op) {
  case OP_REAL: return c_real(em, x->real);
  case OP_INTEGER: case OP_BOOLEAN: case OP_ENUM: return c_integer(em, x->integer);
  case OP_STRING: return c_string(em, x->string);
  case OP_TIME: return "d->time";
  case OP_VAR: return c_var(em, x->index);
  case OP_LOCAL: return local_name(em, x->index);
  case OP_INITIAL: return "d->initial";
  case OP_TERMINAL: return "d->terminal";
  default: return NULL;
  }
}

/* ---- operators ---- */

static const char *arg(Emit *em, const Expr *x, uint32_t k) { return emit_value(em, x->args[k]); }

static const char *infix(Emit *em, const Expr *x, const char *op) {
  const char *a = arg(em, x, 0), *b = arg(em, x, 1);
  return arena_printf(em->a, "(%s %s %s)", a, op, b);
}

static const char *call1(Emit *em, const Expr *x, const char *f) { return arena_printf(em->a, "%s(%s)", f, arg(em, x, 0)); }

/* Both operands, always written in this order. */
static const char *pair(Emit *em, const Expr *x) {
  const char *a = arg(em, x, 0), *b = arg(em, x, 1);
  return arena_printf(em->a, "%s, %s", a, b);
}

static const char *call2(Emit *em, const Expr *x, const char *f) { return arena_printf(em->a, "%s(%s)", f, pair(em, x)); }

static const char *arithmetic(Emit *em, const Expr *x, const char *real, const char *whole) {
  TypeBase base = type_get(em->p, x->type)->base;
  if (base == TY_STRING)
    return arena_printf(em->a, "d->host->text_join(d, %s)", pair(em, x));
  return base == TY_REAL ? infix(em, x, real) : call2(em, x, whole);
}

static const char *compare(Emit *em, const Expr *x, const char *op) {
  if (c_base(em, x->args[0]) == TY_STRING)
    return arena_printf(em->a, "(strcmp(%s) %s 0)", pair(em, x), op);
  return infix(em, x, op);
}

/* Whole-number division checks its divisor. */
static const char *division(Emit *em, const Expr *x, const char *real, const char *whole) {
  if (type_get(em->p, x->type)->base == TY_REAL)
    return call2(em, x, real);
  const char *a = arg(em, x, 0), *b = c_temp(em);
  c_line(em, "const long long %s = %s;", b, arg(em, x, 1));
  em->uses_mask |= USES_STATUS;
  c_line(em, "if (%s == 0) {", b);
  c_line(em, "  status = d->host->fail(d, &places[%u], \"division by zero\");", c_place(em, em->span));
  c_line(em, "  goto done;");
  c_line(em, "}");
  return arena_printf(em->a, "%s(%s, %s)", whole, a, b);
}

static const char *power(Emit *em, const Expr *x) {
  double n;
  if (expr_as_real(em->p, x->args[1], &n) && n == 2)
    return call1(em, x, "ds_square");
  return call2(em, x, "pow");
}

/* An if whose branches hold statements. */
static const char *emit_if_statement(Emit *em, const Expr *x) {
  const char *c = arg(em, x, 0), *t = c_temp(em);
  TypeBase base = type_get(em->p, x->type)->base;
  c_line(em, "%s %s;", c_type(base), t);
  for (uint32_t k = 1; k <= 2; k++) {
    if (k == 1)
      c_line(em, "if (%s) {", c);
    else
      c_line(em, "} else {");
    uint32_t mark = c_scope_open(em);
    em->indent++;
    c_line(em, "%s = %s;", t, arg(em, x, k));
    em->indent--;
    c_scope_close(em, mark);
  }
  c_line(em, "}");
  return t;
}

static const char *emit_if(Emit *em, const Expr *x) {
  if (has_statements(em, x->args[1]) || has_statements(em, x->args[2]))
    return emit_if_statement(em, x);
  const char *c = arg(em, x, 0), *a = arg(em, x, 1), *b = arg(em, x, 2);
  return arena_printf(em->a, "(%s ? %s : %s)", c, a, b);
}

static const char *emit_string_of(Emit *em, const Expr *x) {
  TypeBase base = c_base(em, x->args[0]);
  const char *v = arg(em, x, 0);
  bool formatted = x->n == 4;
  const char *digits = formatted ? arg(em, x, 1) : "6LL", *width = formatted ? arg(em, x, 2) : "0LL", *left = formatted ? arg(em, x, 3) : "1";
  if (x->n != 1 && !formatted) {
    c_refuse(em, "String() with a format text");
    return "\"\"";
  }
  if (base == TY_REAL)
    return arena_printf(em->a, "d->host->text_real(d, %s, %s, %s, (int)%s)", v, digits, width, left);
  if (base == TY_BOOLEAN)
    return arena_printf(em->a, "(%s ? \"true\" : \"false\")", v);
  if (base == TY_STRING)
    return v;
  if (base == TY_ENUM) {
    const TypeDecl *decl = type_get(em->p, expr_get(em->p, x->args[0])->type)->decl;
    Text t = {.arena = em->a};
    for (uint32_t k = 0; k + 1 < decl->n; k++)
      text_printf(&t, "%s == %u ? %s : ", v, k + 1, c_string(em, decl->names[k]));
    return arena_printf(em->a, "(%s%s)", text_str(&t), decl->n ? c_string(em, decl->names[decl->n - 1]) : "\"\"");
  }
  return arena_printf(em->a, "d->host->text_integer(d, %s, %s, (int)%s)", v, width, left);
}

static const char *emit_cast(Emit *em, const Expr *x) {
  return c_base(em, x->args[0]) == TY_REAL ? arg(em, x, 0) : arena_printf(em->a, "(double)%s", arg(em, x, 0));
}

static const char *min_max(Emit *em, const Expr *x, const char *name) {
  bool real = type_get(em->p, x->type)->base == TY_REAL;
  return call2(em, x, arena_printf(em->a, "ds_%s%s", name, real ? "" : "_i"));
}

static const char *emit_sign(Emit *em, const Expr *x) {
  const char *v = call1(em, x, "ds_sign");
  return type_get(em->p, x->type)->base == TY_REAL ? v : arena_printf(em->a, "(long long)%s", v);
}

static const char *emit_operator(Emit *em, ExprId e, const Expr *x) {
  bool real = type_get(em->p, x->type)->base == TY_REAL;
  switch (x->op) {
  case OP_REAL: case OP_INTEGER: case OP_BOOLEAN: case OP_STRING: case OP_ENUM: case OP_TIME: case OP_VAR: case OP_LOCAL:
  case OP_INITIAL: case OP_TERMINAL: return emit_leaf(em, x);
  case OP_NEG: return real ? arena_printf(em->a, "(-%s)", arg(em, x, 0)) : arena_printf(em->a, "ds_sub_i(0, %s)", arg(em, x, 0));
  case OP_ADD: case OP_ADD_EL: return arithmetic(em, x, "+", "ds_add_i");
  case OP_SUB: case OP_SUB_EL: return arithmetic(em, x, "-", "ds_sub_i");
  case OP_MUL: case OP_MUL_EL:
    if (!type_is_scalar(em->p, expr_get(em->p, x->args[0])->type))
      return emit_array_scalar(em, x);
    return arithmetic(em, x, "*", "ds_mul_i");
  case OP_DIV: case OP_DIV_EL: return infix(em, x, "/");
  case OP_POW: case OP_POW_EL: return power(em, x);
  case OP_LT: return compare(em, x, "<");
  case OP_LE: return compare(em, x, "<=");
  case OP_GT: return compare(em, x, ">");
  case OP_GE: return compare(em, x, ">=");
  case OP_EQ: return compare(em, x, "==");
  case OP_NE: return compare(em, x, "!=");
  case OP_NOT: return arena_printf(em->a, "(!%s)", arg(em, x, 0));
  case OP_AND: return infix(em, x, "&&");
  case OP_OR: return infix(em, x, "||");
  case OP_IF: return emit_if(em, x);
  case OP_CAST: return emit_cast(em, x);
  case OP_ABS: return call1(em, x, real ? "fabs" : "ds_abs_i");
  case OP_SIGN: return emit_sign(em, x);
  case OP_SQRT: return call1(em, x, "sqrt");
  case OP_SIN: return call1(em, x, "sin");
  case OP_COS: return call1(em, x, "cos");
  case OP_TAN: return call1(em, x, "tan");
  case OP_ASIN: return call1(em, x, "asin");
  case OP_ACOS: return call1(em, x, "acos");
  case OP_ATAN: return call1(em, x, "atan");
  case OP_ATAN2: return call2(em, x, "atan2");
  case OP_SINH: return call1(em, x, "sinh");
  case OP_COSH: return call1(em, x, "cosh");
  case OP_TANH: return call1(em, x, "tanh");
  case OP_EXP: return call1(em, x, "exp");
  case OP_LOG: return call1(em, x, "log");
  case OP_LOG10: return call1(em, x, "log10");
  case OP_MIN2: return min_max(em, x, "min");
  case OP_MAX2: return min_max(em, x, "max");
  case OP_DIVT: return real ? arena_printf(em->a, "trunc(%s)", infix(em, x, "/")) : division(em, x, "", "ds_div_i");
  case OP_MOD: return division(em, x, "ds_mod", "ds_mod_i");
  case OP_REM: return division(em, x, "ds_rem", "ds_rem_i");
  case OP_CEIL: return call1(em, x, "ceil");
  case OP_FLOOR: return call1(em, x, "floor");
  case OP_TO_INTEGER: return c_base(em, x->args[0]) == TY_REAL ? call1(em, x, "ds_integer") : arg(em, x, 0);
  case OP_ORDINAL: case OP_TO_ENUM: return arg(em, x, 0);
  case OP_STRING_OF: return emit_string_of(em, x);
  case OP_PART: return emit_part(em, x);
  case OP_CALL: return arena_printf(em->a, "%s_0", emit_call(em, e));
  case OP_INDEX: case OP_SIZE: case OP_NDIMS: case OP_SCALAR: case OP_SUM: case OP_PRODUCT: case OP_MIN: case OP_MAX: case OP_REDUCE:
    return emit_array_scalar(em, x);
  case OP_FIELD: return c_field(em, x);
  case OP_REF: case OP_FUNCTION: case OP_ARRAY: case OP_RANGE: case OP_RECORD: case OP_TUPLE: case OP_COMPREHEND:
  case OP_VECTOR: case OP_MATRIX: case OP_PROMOTE: case OP_TRANSPOSE: case OP_OUTER: case OP_SYMMETRIC: case OP_CROSS: case OP_SKEW:
  case OP_IDENTITY: case OP_DIAGONAL: case OP_FILL: case OP_LINSPACE: case OP_CAT: case OP_DER: case OP_PRE: case OP_EDGE:
  case OP_CHANGE: case OP_SAMPLE: case OP_NOEVENT: case OP_SMOOTH: case OP_HOMOTOPY: case OP_SEMILINEAR: case OP_DELAY:
  case OP_SPATIAL: case OP_IMPULSE: case OP_INSTREAM: case OP_ACTUALSTREAM: case OP_COUNT: break;
  }
  return NULL;
}

const char *emit_value(Emit *em, ExprId e) {
  const Expr *x = expr_get(em->p, e);
  /* what is kept for a call is the prefix of its results */
  const char *leaf = emit_leaf(em, x), *kept = leaf ? leaf : x->op == OP_CALL ? NULL : c_recall(em, e);
  if (kept)
    return kept;
  /* inside functions noEvent and its kin change nothing */
  if (x->op == OP_NOEVENT || x->op == OP_HOMOTOPY)
    return emit_value(em, x->args[0]);
  if (x->op == OP_SMOOTH)
    return emit_value(em, x->args[1]);
  const char *text = emit_operator(em, e, x);
  if (!text) {
    c_refuse(em, "an array, record or operator in this place");
    return "0";
  }
  uint64_t uses = 0;
  map_get(&em->uses, e.i, &uses);
  /* texts made by the host are made once, so that they do not pile up */
  bool own = uses > 1 || strlen(text) > LONG_OPERAND || x->op == OP_INDEX;
  if (own && x->op != OP_CALL && x->op != OP_PART && x->op != OP_FIELD) {
    const char *t = c_temp(em);
    TypeBase base = type_get(em->p, x->type)->base;
    if (base == TY_STRING)
      c_line(em, "const char *const %s = %s;", t, text);
    else
      c_line(em, "const %s %s = %s;", c_type(base), t, text);
    c_remember(em, e, t);
    return t;
  }
  return text;
}
