/* emit/emit_expr.c -- scalar expressions as C.
 * How:  a value is a C operand; what is used more than once in a C function, or has grown long, is
 *       computed into a constant of its own first. Calls and what may fail become statements before
 *       the operand, so an `if`, `and` or `or` that contains them becomes an if-statement; all
 *       other operators have no side effects and may be computed even where a branch does not need
 *       them.
 * Keep: operators mean what the evaluator (expr/eval_scalar.c) makes of them. */
#include "emit/emit_impl.h"

#include <string.h>

enum { LONG_OPERAND = 160 };

TypeBase c_base(const Emit *em, ExprId e) {
  return type_get(em->p, expr_get(em->p, e)->type)->base;
}
bool c_is_scalar(const Emit *em, ExprId e) {
  return type_is_scalar(em->p, expr_get(em->p, e)->type);
}

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

void c_remember(Emit *em, ExprId e, const CVal *values) {
  vec_push(em->a, &em->kept, (Kept){e.i, values});
  map_put(em->a, &em->keep, e.i, em->kept.n);
}

const CVal *c_recall(const Emit *em, ExprId e) {
  uint64_t at;
  return map_get(&em->keep, e.i, &at) && at ? em->kept.at[at - 1].values : NULL;
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
  TypeBase base = type_get(em->p, x->type)->base;
  bool divides = x->op == OP_DIVT || x->op == OP_MOD || x->op == OP_REM;
  bool found = x->op == OP_CALL || x->op == OP_PART || x->op == OP_STRING_OF ||
               x->op == OP_TO_ENUM || base == TY_STRING || !type_is_scalar(em->p, x->type) ||
               (base == TY_INTEGER && divides);
  for (uint32_t k = 0; k < x->n && !found; k++)
    found = x->args[k].i && (!c_is_scalar(em, x->args[k]) || has_statements(em, x->args[k]));
  map_put(em->a, &em->calls_inside, e.i, found);
  return found;
}

/* ---- leaves ---- */

const char *c_var(Emit *em, uint32_t var) {
  static const struct {
    const char *name;
    uint32_t bit;
  } banks[] = {[BANK_REAL] = {"r", USES_R},
               [BANK_INTEGER] = {"i", USES_I},
               [BANK_STRING] = {"s", USES_S},
               [BANK_REAL_PRE] = {"r_pre", USES_R_PRE},
               [BANK_INTEGER_PRE] = {"i_pre", USES_I_PRE},
               [BANK_STRING_PRE] = {"s_pre", USES_S_PRE},
               [BANK_RELATION] = {"relation", USES_RELATION},
               [BANK_SAMPLE] = {"sample", USES_SAMPLE}};
  const SVar *v = &em->s->vars.at[var];
  em->uses_mask |= banks[v->bank].bit;
  return arena_printf(em->a, "%s[%u]", banks[v->bank].name, v->place);
}

static const char *local_value(Emit *em, uint32_t n) {
  uint64_t at;
  if (map_get(&em->locals, n, &at))
    return ((const CVal *)(uintptr_t)at)->at;
  c_refuse(em, "a loop variable in this place");
  return "0";
}

/* NULL if it is no leaf. */
static const char *emit_leaf(Emit *em, const Expr *x) {
  switch (x->op) {
  case OP_REAL: return c_real(em, x->real);
  case OP_INTEGER:
  case OP_BOOLEAN:
  case OP_ENUM: return c_integer(em, x->integer);
  case OP_STRING: return c_string(em, x->string);
  case OP_TIME: return "d->time";
  case OP_VAR: return c_var(em, x->index);
  case OP_LOCAL: return local_value(em, x->index);
  case OP_INITIAL: return "d->initial";
  case OP_TERMINAL: return "d->terminal";
  default: return NULL;
  }
}

/* ---- operators ---- */

const char *emit_value_as(Emit *em, ExprId e, TypeBase base) {
  const char *v = emit_value(em, e);
  return base == TY_REAL && c_base(em, e) == TY_INTEGER ? arena_printf(em->a, "(double)%s", v) : v;
}

static const char *infix(Emit *em, const char *a, const char *op, const char *b) {
  return arena_printf(em->a, "(%s %s %s)", a, op, b);
}

static const char *call(Emit *em, const char *f, const char *a, const char *b) {
  return b ? arena_printf(em->a, "%s(%s, %s)", f, a, b) : arena_printf(em->a, "%s(%s)", f, a);
}

/* A text that the host makes. */
static const char *text_call(Emit *em, const char *call_text) {
  const char *t = c_temp(em);
  c_line(em, "const char *const %s = d->host->%s;", t, call_text);
  c_fail_if(em, arena_printf(em->a, "!%s", t),
            "this text cannot be made: its format is wrong, or there is not enough memory");
  return t;
}

const char *c_over(Emit *em) {
  em->uses_mask |= USES_OVER;
  return arena_printf(em->a, "&over, &places[%u]", c_place(em, em->span));
}

/* An operator of whole numbers whose result may not fit. */
static const char *checked(Emit *em, const char *f, const char *a, const char *b) {
  return b ? arena_printf(em->a, "%s(%s, %s, %s)", f, c_over(em), a, b)
           : arena_printf(em->a, "%s(%s, %s)", f, c_over(em), a);
}

static const char *arithmetic(Emit *em, Op op, TypeBase base, const char *a, const char *b) {
  static const struct {
    const char *real, *whole;
  } texts[] = {{"+", "ds_add_i"}, {"-", "ds_sub_i"}, {"*", "ds_mul_i"}};
  int k = op == OP_ADD || op == OP_ADD_EL ? 0 : op == OP_SUB || op == OP_SUB_EL ? 1 : 2;
  if (base == TY_STRING)
    return text_call(em, arena_printf(em->a, "text_join(d, %s, %s)", a, b));
  return base == TY_REAL ? infix(em, a, texts[k].real, b) : checked(em, texts[k].whole, a, b);
}

static const char *compare(Emit *em, const char *op, TypeBase base, const char *a, const char *b) {
  /* a whole number beside itself: compilers warn about such code */
  if (base != TY_REAL && base != TY_STRING && !strcmp(a, b))
    return strchr(op, '=') && *op != '!' ? "1LL" : "0LL";
  return base == TY_STRING ? arena_printf(em->a, "(strcmp(%s, %s) %s 0)", a, b, op)
                           : infix(em, a, op, b);
}

/* Whole-number division checks its divisor. */
static const char *division(Emit *em, TypeBase base, const char *real, const char *whole,
                            const char *a, const char *b) {
  int64_t known;
  if (base == TY_REAL)
    return call(em, real, a, b);
  if (!c_known(b, &known) || !known) {
    b = c_own(em, b);
    c_fail_if(em, arena_printf(em->a, "%s == 0", b), "division by zero");
  }
  return strcmp(whole, "ds_div_i") ? call(em, whole, a, b) : checked(em, whole, a, b);
}

static const char *power(Emit *em, const char *a, const char *b) {
  static const char *const small[] = {"ds_square", "ds_cube", "ds_fourth"};
  for (int k = 0; k < 3; k++)
    if (!strcmp(b, c_real(em, k + 2)))
      return call(em, small[k], a, NULL);
  return call(em, "ds_power", a, b);
}

static const char *min_max(Emit *em, TypeBase base, const char *real, const char *whole,
                           const char *a, const char *b) {
  return call(em, base == TY_REAL ? real : whole, a, b);
}

const char *c_kernel(Emit *em, Op op, TypeBase base, const char *a, const char *b) {
  bool real = base == TY_REAL;
  switch ((int)op) {
  case OP_NEG: return real ? arena_printf(em->a, "(-%s)", a) : checked(em, "ds_sub_i", "0", a);
  case OP_ADD:
  case OP_ADD_EL:
  case OP_SUB:
  case OP_SUB_EL:
  case OP_MUL:
  case OP_MUL_EL: return arithmetic(em, op, base, a, b);
  case OP_DIV:
  case OP_DIV_EL: return infix(em, a, "/", b);
  case OP_POW:
  case OP_POW_EL: return power(em, a, b);
  case OP_LT: return compare(em, "<", base, a, b);
  case OP_LE: return compare(em, "<=", base, a, b);
  case OP_GT: return compare(em, ">", base, a, b);
  case OP_GE: return compare(em, ">=", base, a, b);
  case OP_EQ: return compare(em, "==", base, a, b);
  case OP_NE: return compare(em, "!=", base, a, b);
  case OP_NOT: return arena_printf(em->a, "(!%s)", a);
  case OP_AND: return infix(em, a, "&&", b);
  case OP_OR: return infix(em, a, "||", b);
  case OP_ABS: return real ? call(em, "fabs", a, NULL) : checked(em, "ds_abs_i", a, NULL);
  case OP_SIGN:
    return real ? arena_printf(em->a, "(long long)ds_sign(%s)", a) : call(em, "ds_sign_i", a, NULL);
  case OP_SQRT: return call(em, "sqrt", a, NULL);
  case OP_SIN: return call(em, "sin", a, NULL);
  case OP_COS: return call(em, "cos", a, NULL);
  case OP_TAN: return call(em, "tan", a, NULL);
  case OP_ASIN: return call(em, "asin", a, NULL);
  case OP_ACOS: return call(em, "acos", a, NULL);
  case OP_ATAN: return call(em, "atan", a, NULL);
  case OP_ATAN2: return call(em, "atan2", a, b);
  case OP_SINH: return call(em, "sinh", a, NULL);
  case OP_COSH: return call(em, "cosh", a, NULL);
  case OP_TANH: return call(em, "tanh", a, NULL);
  case OP_EXP: return call(em, "exp", a, NULL);
  case OP_LOG: return call(em, "log", a, NULL);
  case OP_LOG10: return call(em, "log10", a, NULL);
  case OP_MIN2: return min_max(em, base, "ds_min", "ds_min_i", a, b);
  case OP_MAX2: return min_max(em, base, "ds_max", "ds_max_i", a, b);
  case OP_DIVT:
    return real ? arena_printf(em->a, "trunc(%s / %s)", a, b)
                : division(em, base, "", "ds_div_i", a, b);
  case OP_MOD: return division(em, base, "ds_mod", "ds_mod_i", a, b);
  case OP_REM: return division(em, base, "ds_rem", "ds_rem_i", a, b);
  case OP_CEIL: return call(em, "ceil", a, NULL);
  case OP_FLOOR: return call(em, "floor", a, NULL);
  case OP_TO_INTEGER: return checked(em, "ds_integer", a, NULL);
  case OP_ORDINAL: return a;
  default: return NULL;
  }
}

TypeBase c_operands(const Emit *em, const Expr *x) {
  TypeBase first = c_base(em, x->args[0]);
  switch ((int)x->op) {
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE: return c_base(em, x->args[1]) == TY_REAL ? TY_REAL : first;
  case OP_SIGN:
  case OP_ORDINAL: return first;
  case OP_NEG:
  case OP_ADD:
  case OP_SUB:
  case OP_MUL:
  case OP_ADD_EL:
  case OP_SUB_EL:
  case OP_MUL_EL:
  case OP_NOT:
  case OP_AND:
  case OP_OR:
  case OP_ABS:
  case OP_MIN2:
  case OP_MAX2:
  case OP_DIVT:
  case OP_MOD:
  case OP_REM: return type_get(em->p, x->type)->base;
  default: return TY_REAL;
  }
}

static const char *emit_kernel(Emit *em, const Expr *x) {
  TypeBase base = c_operands(em, x), result = type_get(em->p, x->type)->base;
  const char *a = emit_value_as(em, x->args[0], base),
             *b = x->n > 1 ? emit_value_as(em, x->args[1], base) : NULL;
  if (x->op == OP_SIGN && result == TY_REAL)
    return base == TY_REAL ? call(em, "ds_sign", a, NULL)
                           : arena_printf(em->a, "(double)%s", call(em, "ds_sign_i", a, NULL));
  return c_kernel(em, x->op, base, a, b);
}

/* ---- and, or, if ---- */

/* The second operand holds statements: they run only if the first does not decide. */
static const char *emit_logic(Emit *em, const Expr *x) {
  if (!has_statements(em, x->args[1]))
    return emit_kernel(em, x);
  const char *a = emit_value(em, x->args[0]), *t = c_temp(em);
  c_line(em, "long long %s = (%s) != 0;", t, a);
  c_open(em, x->op == OP_AND ? "if (%s)" : "if (!%s)", t);
  const char *b = emit_value(em, x->args[1]);
  c_line(em, "%s = (%s) != 0;", t, b);
  c_close(em);
  return t;
}

/* An if whose branches hold statements. */
static const char *emit_if_statement(Emit *em, const Expr *x) {
  TypeBase base = type_get(em->p, x->type)->base;
  const char *c = emit_value(em, x->args[0]), *t = c_temp(em);
  c_line(em, "%s%s;", c_type(base), t);
  for (uint32_t k = 1; k <= 2; k++) {
    if (k == 1)
      c_open_if(em, c);
    else
      c_open(em, "else");
    const char *v = emit_value_as(em, x->args[k], base);
    c_line(em, "%s = %s;", t, v);
    c_close(em);
  }
  return t;
}

static const char *emit_if(Emit *em, const Expr *x) {
  TypeBase base = type_get(em->p, x->type)->base;
  if (has_statements(em, x->args[1]) || has_statements(em, x->args[2]))
    return emit_if_statement(em, x);
  const char *c = emit_value(em, x->args[0]), *a = emit_value_as(em, x->args[1], base),
             *b = emit_value_as(em, x->args[2], base);
  return arena_printf(em->a, "(%s ? %s : %s)", c, a, b);
}

/* {a, b, c}[i]: only the chosen item is computed. `items` is an ARRAY of scalars or of further
 * ARRAYs. */
static void emit_choice(Emit *em, const Expr *items, const ExprId *subs, uint32_t n, TypeBase base,
                        const char *to) {
  const char *i = c_own(em, emit_value(em, subs[0]));
  bool logical = c_base(em, subs[0]) == TY_BOOLEAN;
  em->uses_mask |= USES_STATUS;
  c_open(em, "switch (%s)", i);
  for (uint32_t k = 0; k < items->n; k++) {
    c_open(em, "case %u:", logical ? k : k + 1);
    if (n > 1)
      emit_choice(em, expr_get(em->p, items->args[k]), subs + 1, n - 1, base, to);
    else {
      const char *v = emit_value_as(em, items->args[k], base);
      c_line(em, "%s = %s;", to, v);
    }
    c_line(em, "break;");
    c_close(em);
  }
  c_line(em, "default:");
  c_line(em, "  status = d->host->out_of_range(d, &places[%u], %s%s, %u);", c_place(em, em->span),
         i, logical ? " + 1" : "", items->n);
  c_line(em, "  goto done;");
  c_close(em);
}

/* Is it an ARRAY (of ARRAYs ...) down to scalars, with a scalar subscript for each dimension? */
static bool is_choice(const Emit *em, const Expr *x) {
  ExprId e = x->args[0];
  if (expr_is_literal(em->p, e))
    return false;
  for (uint32_t k = 1; k < x->n; k++) {
    const Expr *a = expr_get(em->p, e);
    if (a->op != OP_ARRAY || !a->n || !x->args[k].i || !c_is_scalar(em, x->args[k]))
      return false;
    for (uint32_t q = 0; k + 1 < x->n && q < a->n; q++)
      if (expr_get(em->p, a->args[q])->op != OP_ARRAY)
        return false;
    e = a->args[0];
  }
  return c_is_scalar(em, e);
}

static const char *emit_index_scalar(Emit *em, ExprId e, const Expr *x) {
  if (!is_choice(em, x))
    return emit_from_array(em, e, x);
  TypeBase base = type_get(em->p, x->type)->base;
  const char *t = c_temp(em);
  c_line(em, "%s%s = %s;", c_type(base), t, base == TY_STRING ? "\"\"" : "0");
  emit_choice(em, expr_get(em->p, x->args[0]), x->args + 1, x->n - 1, base, t);
  return t;
}

/* ---- String(), enumerations ---- */

static const char *literal_name(Emit *em, const TypeDecl *decl, const char *v) {
  Text names = {.arena = em->a};
  v = c_own(em, v);
  c_fail_if(em, arena_printf(em->a, "%s < 1 || %s > %u", v, v, decl->n),
            "a number is not an ordinal of its enumeration");
  for (uint32_t k = 0; k < decl->n; k++)
    text_printf(&names, "%s%s", k ? ", " : "", c_string(em, decl->names[k]));
  text_printf(&em->tables, "static const char *const table%u[] = {%s};\n", em->n_tables,
              decl->n ? text_str(&names) : "\"\"");
  return arena_printf(em->a, "table%u[%s - 1]", em->n_tables++, v);
}

static const char *option(Emit *em, const Expr *x, uint32_t k, const char *otherwise) {
  return k < x->n && x->args[k].i ? emit_value(em, x->args[k]) : otherwise;
}

static const char *emit_string_of(Emit *em, const Expr *x) {
  TypeBase base = c_base(em, x->args[0]);
  const char *v = emit_value(em, x->args[0]);
  if (x->n == 2 && x->args[1].i && c_base(em, x->args[1]) == TY_STRING) {
    const char *format = emit_value(em, x->args[1]);
    return text_call(em,
                     arena_printf(em->a, "%s(d, %s, %s)",
                                  base == TY_REAL ? "format_real" : "format_integer", v, format));
  }
  const char *digits = option(em, x, 1, "6LL"), *width = option(em, x, 2, "0LL"),
             *left = option(em, x, 3, "1LL");
  if (base == TY_REAL)
    return text_call(
        em, arena_printf(em->a, "text_real(d, %s, %s, %s, (int)%s)", v, digits, width, left));
  if (base == TY_INTEGER)
    return text_call(em, arena_printf(em->a, "text_integer(d, %s, %s, (int)%s)", v, width, left));
  if (base == TY_BOOLEAN)
    v = arena_printf(em->a, "(%s ? \"true\" : \"false\")", v);
  else if (base == TY_ENUM)
    v = literal_name(em, type_get(em->p, expr_get(em->p, x->args[0])->type)->decl, v);
  return strcmp(width, "0LL")
             ? text_call(em, arena_printf(em->a, "text_pad(d, %s, %s, (int)%s)", v, width, left))
             : v;
}

static const char *emit_to_enum(Emit *em, const Expr *x) {
  const TypeDecl *decl = type_get(em->p, x->type)->decl;
  const char *v = c_own(em, emit_value(em, x->args[0]));
  c_fail_if(em, arena_printf(em->a, "%s < 1 || %s > %u", v, v, decl ? decl->n : 0),
            "a number is not an ordinal of its enumeration");
  return v;
}

static const char *emit_semi_linear(Emit *em, const Expr *x) {
  const char *a = emit_value_as(em, x->args[0], TY_REAL),
             *up = emit_value_as(em, x->args[1], TY_REAL);
  const char *down = emit_value_as(em, x->args[2], TY_REAL);
  return arena_printf(em->a, "((%s >= 0 ? %s : %s) * %s)", a, up, down, a);
}

static const char *emit_rounding(Emit *em, const Expr *x) {
  int64_t initially = 0, block = 0;
  expr_as_integer(em->p, x->args[0], &initially);
  expr_as_integer(em->p, x->args[1], &block);
  const SSystem *sys = initially ? &em->s->initial : &em->s->simulation;
  Text terms = {.arena = em->a};
  for (uint32_t k = 4; k < x->n; k++)
    text_printf(&terms, "%s%s", k > 4 ? ", " : "", emit_value_as(em, x->args[k], TY_REAL));
  return arena_printf(em->a, "d->host->rounding(d, %u, %s, %u, (const double[]){%s}, %s)",
                      describe_number(em->about, sys, &sys->blocks.at[block]),
                      emit_value(em, x->args[2]), x->n - 4, text_str(&terms),
                      emit_value_as(em, x->args[3], TY_REAL));
}

/* ---- all of them ---- */

static const char *emit_operator(Emit *em, ExprId e, const Expr *x) {
  switch (x->op) {
  case OP_REAL:
  case OP_INTEGER:
  case OP_BOOLEAN:
  case OP_STRING:
  case OP_ENUM:
  case OP_TIME:
  case OP_VAR:
  case OP_LOCAL:
  case OP_INITIAL:
  case OP_TERMINAL: return emit_leaf(em, x);
  case OP_MUL:
    if (!c_is_scalar(em, x->args[0]))
      return emit_from_array(em, e, x);
    return emit_kernel(em, x);
  case OP_NEG:
  case OP_ADD:
  case OP_SUB:
  case OP_DIV:
  case OP_POW:
  case OP_ADD_EL:
  case OP_SUB_EL:
  case OP_MUL_EL:
  case OP_DIV_EL:
  case OP_POW_EL:
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE:
  case OP_NOT:
  case OP_ABS:
  case OP_SIGN:
  case OP_SQRT:
  case OP_SIN:
  case OP_COS:
  case OP_TAN:
  case OP_ASIN:
  case OP_ACOS:
  case OP_ATAN:
  case OP_ATAN2:
  case OP_SINH:
  case OP_COSH:
  case OP_TANH:
  case OP_EXP:
  case OP_LOG:
  case OP_LOG10:
  case OP_MIN2:
  case OP_MAX2:
  case OP_DIVT:
  case OP_MOD:
  case OP_REM:
  case OP_CEIL:
  case OP_FLOOR:
  case OP_TO_INTEGER:
  case OP_ORDINAL: return emit_kernel(em, x);
  case OP_AND:
  case OP_OR: return emit_logic(em, x);
  case OP_IF: return emit_if(em, x);
  case OP_CAST: return emit_value_as(em, x->args[0], type_get(em->p, x->type)->base);
  case OP_NOEVENT:
  case OP_HOMOTOPY: return emit_value_as(em, x->args[0], type_get(em->p, x->type)->base);
  case OP_SMOOTH: return emit_value_as(em, x->args[1], type_get(em->p, x->type)->base);
  case OP_SEMILINEAR: return emit_semi_linear(em, x);
  case OP_DELAY:
    return arena_printf(em->a, "d->host->delay(d, %s, %s)", emit_value(em, x->args[0]),
                        emit_value(em, x->args[2]));
  case OP_SPATIAL:
    return arena_printf(em->a, "d->host->transport(d, %s, %s, %s)", emit_value(em, x->args[0]),
                        emit_value(em, x->args[1]), emit_value(em, x->args[2]));
  case OP_ROUNDING: return emit_rounding(em, x);
  case OP_TO_ENUM: return emit_to_enum(em, x);
  case OP_STRING_OF: return emit_string_of(em, x);
  case OP_PART: return emit_part(em, x);
  case OP_FUNCTION: return emit_function_value(em, x);
  case OP_NDIMS: return c_integer(em, type_get(em->p, expr_get(em->p, x->args[0])->type)->n_dims);
  case OP_INDEX: return emit_index_scalar(em, e, x);
  case OP_CALL:
  case OP_FIELD:
  case OP_SIZE:
  case OP_SCALAR:
  case OP_SUM:
  case OP_PRODUCT:
  case OP_MIN:
  case OP_MAX:
  case OP_REDUCE:
  case OP_ARRAY:
  case OP_RANGE:
  case OP_RECORD:
  case OP_TUPLE:
  case OP_COMPREHEND:
  case OP_VECTOR:
  case OP_MATRIX:
  case OP_PROMOTE:
  case OP_TRANSPOSE:
  case OP_OUTER:
  case OP_SYMMETRIC:
  case OP_CROSS:
  case OP_SKEW:
  case OP_IDENTITY:
  case OP_DIAGONAL:
  case OP_FILL:
  case OP_LINSPACE:
  case OP_CAT: return emit_from_array(em, e, x);
  case OP_REF:
  case OP_DER:
  case OP_PRE:
  case OP_EDGE:
  case OP_CHANGE:
  case OP_SAMPLE:
  case OP_IMPULSE:
  case OP_INSTREAM:
  case OP_ACTUALSTREAM:
  case OP_COUNT: break;
  }
  return NULL;
}

const char *emit_value(Emit *em, ExprId e) {
  const Expr *x = expr_get(em->p, e);
  const char *leaf = emit_leaf(em, x);
  const CVal *kept = leaf ? NULL : c_recall(em, e);
  if (leaf || kept)
    return leaf ? leaf : kept->at;
  const char *text = emit_operator(em, e, x);
  if (!text) {
    c_refuse(em, "this operator in this place");
    return "0";
  }
  uint64_t uses = 0;
  map_get(&em->uses, e.i, &uses);
  /* a call is remembered as a whole; its parts need no name of their own */
  if ((uses <= 1 && strlen(text) <= LONG_OPERAND) || x->op == OP_CALL || x->op == OP_PART)
    return text;
  CVal *v = NEW(em->a, CVal);
  *v = c_scalar(x->type, text);
  if (strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789") != strlen(text)) {
    TypeBase base = type_get(em->p, x->type)->base;
    v->at = c_temp(em);
    c_line(em, base == TY_STRING || base == TY_FUNCTION ? "%sconst %s = %s;" : "const %s%s = %s;",
           c_type(base), v->at, text);
  }
  c_remember(em, e, v);
  return v->at;
}
