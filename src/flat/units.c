/* flat/units.c -- flat_check_units: do the units in equations agree?
 * In:   flat model.   Out: warnings U201 (units that differ) and U202 (a unit that cannot be read).
 * How:  units go up from the variables through the expressions, each node once; + - = relations,
 *       branches and the arguments of functions like exp compare them.
 * Keep: no warning in doubt. A variable without unit, a call of a function and most numbers say
 *       nothing. A number is a mere factor only if it is 1/2, 1 or 2; others may be constants of
 *       nature or convert units. Scales (km and m) are compared only where nothing could have
 *       converted between them. Constants are numbers by now, so that a component that declares
 *       some with a unit (unitVoltage = 1) is left out. */
#include "flat/unit.h"

#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "base/map.h"
#include "flat/check_impl.h"

typedef enum { SAYS_NOTHING, SAYS_NUMBER, SAYS_UNIT } Says;

typedef struct {
  Says says;
  bool exact;   /* UNIT: its scale is certain, too */
  double value; /* NUMBER */
  Unit unit;
} Info;

typedef struct {
  const FlatModel *m;
  Arena *a;
  Diags *diags;
  Info **of; /* per node; NULL: not yet known */
  uint32_t room;
  VEC(ExprId) stack;
  Info **var_unit; /* per variable; NULL: none or not readable */
  bool *doubtful;  /* per origin: it has constants with a unit */
  Reader reader;
  Span span; /* of the equation at work */
  uint32_t origin;
} Units;

static const Info nothing = {.says = SAYS_NOTHING};

/* ---- declared units ---- */

static void read_declared(Units *u) {
  Map known = {0};
  u->var_unit = NEW_ARRAY(u->a, Info *, u->m->vars.n + 1);
  u->doubtful = NEW_ARRAY(u->a, bool, u->m->origins.n + 1);
  for (uint32_t i = 0; i < u->m->vars.n; i++) {
    const FlatVar *v = &u->m->vars.at[i];
    if (!v->unit || !*v->unit)
      continue;
    if (v->variability == FLAT_CONSTANT && v->origin < u->m->origins.n)
      u->doubtful[v->origin] = true;
    uint64_t key = hash_bytes(v->unit, strlen(v->unit)) >> 1, at = 0;
    if (map_get(&known, key, &at)) {
      u->var_unit[i] = (Info *)(uintptr_t)at;
      continue;
    }
    Info *info = NEW(u->a, Info);
    info->says = SAYS_UNIT;
    info->exact = true;
    if (!unit_parse(v->unit, &info->unit)) {
      info = NULL;
      Diag *d = diag_add(u->diags, D_U202, v->span, "`%s` cannot be read as a unit", v->unit);
      diag_origin(u->diags, d, check_origin(u->m, u->a, v->origin));
    }
    map_put(u->a, &known, key, (uint64_t)(uintptr_t)info);
    u->var_unit[i] = info;
  }
}

/* ---- messages ---- */

/* "[m/s]": as declared for a variable, else in names of the SI. */
static const char *shown(Units *u, ExprId e, const Info *info) {
  const Expr *x = expr_get(u->m->pool, e);
  if (x->op == OP_VAR)
    return arena_printf(u->a, "[%s]", u->m->vars.at[x->index].unit);
  Text t = {.arena = u->a};
  unit_print(&info->unit, &t);
  return arena_printf(u->a, "[%s]", text_str(&t));
}

/* "`e*h`: e [1], h [m]" and the declarations. */
static void explain(Units *u, Diag *d, ExprId e) {
  Text parts = {.arena = u->a};
  uint32_t n = 0;
  reader_start(&u->reader);
  reader_add(&u->reader, e, READ_CURRENT);
  for (uint32_t i = 0; i < u->reader.found.n && n < MOST_UNITS_SHOWN; i++) {
    const FlatVar *v = &u->m->vars.at[u->reader.found.at[i]];
    if (!u->var_unit[u->reader.found.at[i]])
      continue;
    text_printf(&parts, "%s%s [%s]", n++ ? ", " : "", v->name, v->unit);
    diag_label(u->diags, d, v->span, "`%s` is [%s]", v->name, v->unit);
  }
  if (expr_get(u->m->pool, e)->op != OP_VAR && parts.n)
    diag_note(u->diags, d, "`%s`: %s", check_text(u->m, u->a, e), text_str(&parts));
}

static void complain(Units *u, const char *message, ExprId a, ExprId b) {
  if (u->origin < u->m->origins.n && u->doubtful[u->origin])
    return;
  Diag *d = diag_add(u->diags, D_U201, u->span, "%s", message);
  explain(u, d, a);
  if (b.i)
    explain(u, d, b);
  diag_origin(u->diags, d, check_origin(u->m, u->a, u->origin));
}

/* ---- comparing ---- */

static bool differ(const Info *a, const Info *b) {
  if (a->says != SAYS_UNIT || b->says != SAYS_UNIT)
    return false;
  return !unit_same_dimension(&a->unit, &b->unit) ||
         (a->exact && b->exact && !unit_same_scale(&a->unit, &b->unit));
}

/* The unit of both, when they are alternatives or terms of a sum. */
static Info joined(const Info *a, const Info *b) {
  if (a->says == SAYS_NUMBER && b->says == SAYS_NUMBER)
    return nothing;
  if (a->says != SAYS_UNIT && b->says != SAYS_UNIT)
    return nothing;
  const Info *first = a->says == SAYS_UNIT ? a : b, *second = a->says == SAYS_UNIT ? b : a;
  Info r = *first;
  bool zero = second->says == SAYS_NUMBER && second->value == 0;
  r.exact &= zero || (second->says == SAYS_UNIT && second->exact);
  return r;
}

static Info compare(Units *u, const Expr *e, uint32_t i, uint32_t j, const char *what) {
  const Info *a = u->of[e->args[i].i], *b = u->of[e->args[j].i];
  if (differ(a, b)) {
    complain(u,
             arena_printf(u->a, "%s are %s and %s", what, shown(u, e->args[i], a),
                          shown(u, e->args[j], b)),
             e->args[i], e->args[j]);
    return nothing;
  }
  return joined(a, b);
}

/* ---- going up ---- */

/* A number that is no more than a number. */
static bool mere_factor(double x) { return fabs(x) == 0.5 || fabs(x) == 1 || fabs(x) == 2; }

static Info product(const Info *a, const Info *b, int sign) {
  if (a->says == SAYS_UNIT && b->says == SAYS_UNIT) {
    Info r = {SAYS_UNIT, a->exact && b->exact && a->unit.offset == 0 && b->unit.offset == 0, 0,
              unit_product(&a->unit, &b->unit, sign)};
    return r;
  }
  const Info *number = a->says == SAYS_NUMBER ? a : b, *other = a->says == SAYS_NUMBER ? b : a;
  if (number->says != SAYS_NUMBER || other->says != SAYS_UNIT || !mere_factor(number->value))
    return nothing;
  Unit one = unit_one();
  Info r = {SAYS_UNIT, other->exact && fabs(number->value) == 1 && other->unit.offset == 0, 0,
            other->unit};
  if (sign < 0 && number == a)
    r.unit = unit_product(&one, &other->unit, -1);
  r.unit.offset = 0;
  return r;
}

static Info power(const Info *base, const Info *exponent) {
  if (base->says != SAYS_UNIT || exponent->says != SAYS_NUMBER || base->unit.offset != 0)
    return nothing;
  double twelfths = exponent->value * 12;
  Info r = {.says = SAYS_UNIT, .exact = base->exact};
  if (twelfths != floor(twelfths) || fabs(twelfths) > 12 * 12 ||
      !unit_power(&base->unit, (int)twelfths, 12, &r.unit))
    return nothing;
  return r;
}

/* An argument that must have no unit; the result has none. */
static Info pure(Units *u, const Expr *e, const char *name, bool angle) {
  const Info *arg = u->of[e->args[0].i];
  Unit one = unit_one();
  bool wrong = arg->says == SAYS_UNIT && !unit_same_dimension(&arg->unit, &one);
  if (wrong)
    complain(u,
             arena_printf(u->a, "the argument of `%s` is %s, but must have no unit", name,
                          shown(u, e->args[0], arg)),
             e->args[0], NO_EXPR);
  else if (angle && arg->says == SAYS_UNIT && arg->exact && !unit_same_scale(&arg->unit, &one))
    complain(u,
             arena_printf(u->a, "the argument of `%s` is %s, but must be [rad]", name,
                          shown(u, e->args[0], arg)),
             e->args[0], NO_EXPR);
  return (Info){SAYS_UNIT, false, 0, one};
}

/* Of der() and of impulse(), the area below a pulse. */
static Info times_second(const Info *x, int power) {
  Unit second;
  if (x->says != SAYS_UNIT || !unit_parse("s", &second))
    return nothing;
  return (Info){SAYS_UNIT, x->exact, 0, unit_product(&x->unit, &second, power)};
}

static Info offset_free(Info i) {
  i.exact &= i.unit.offset == 0;
  i.unit.offset = 0;
  return i;
}

static Info number(double value) { return (Info){.says = SAYS_NUMBER, .value = value}; }

/* The unit of a node whose arguments are known. */
static Info info_of(Units *u, const Expr *e) {
  const Info *a = e->n > 0 && e->args[0].i ? u->of[e->args[0].i] : &nothing;
  const Info *b = e->n > 1 && e->args[1].i ? u->of[e->args[1].i] : &nothing;
  Info half = number(0.5), second = {.says = SAYS_UNIT, .exact = true, .unit = unit_one()};
  switch (e->op) {
  case OP_REAL: return number(e->real);
  case OP_INTEGER: return number((double)e->integer);
  case OP_TIME: unit_parse("s", &second.unit); return second;
  case OP_VAR: return u->var_unit[e->index] ? *u->var_unit[e->index] : nothing;
  case OP_ADD: return offset_free(compare(u, e, 0, 1, "the operands of `+`"));
  case OP_SUB: return offset_free(compare(u, e, 0, 1, "the operands of `-`"));
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE: compare(u, e, 0, 1, "the sides of a comparison"); return nothing;
  case OP_IF: return compare(u, e, 1, 2, "the branches of `if`");
  case OP_MIN2: return compare(u, e, 0, 1, "the arguments of `min`");
  case OP_MAX2: return compare(u, e, 0, 1, "the arguments of `max`");
  case OP_HOMOTOPY: return compare(u, e, 0, 1, "the arguments of `homotopy`");
  case OP_NEG: return a->says == SAYS_NUMBER ? number(-a->value) : offset_free(*a);
  case OP_MUL:
  case OP_MUL_EL: return product(a, b, 1);
  case OP_DIV:
  case OP_DIV_EL: return product(a, b, -1);
  case OP_POW:
  case OP_POW_EL: return power(a, b);
  case OP_SQRT: return power(a, &half);
  case OP_CAST:
  case OP_NOEVENT:
  case OP_PRE:
  case OP_ABS:
  case OP_DELAY:
  case OP_INSTREAM:
  case OP_ACTUALSTREAM: return *a;
  case OP_SMOOTH: return *b;
  case OP_DER: return times_second(a, -1);
  case OP_IMPULSE: return times_second(a, 1);
  case OP_SIN: return pure(u, e, "sin", true);
  case OP_COS: return pure(u, e, "cos", true);
  case OP_TAN: return pure(u, e, "tan", true);
  case OP_ASIN: return pure(u, e, "asin", false);
  case OP_ACOS: return pure(u, e, "acos", false);
  case OP_ATAN: return pure(u, e, "atan", false);
  case OP_SINH: return pure(u, e, "sinh", false);
  case OP_COSH: return pure(u, e, "cosh", false);
  case OP_TANH: return pure(u, e, "tanh", false);
  case OP_EXP: return pure(u, e, "exp", false);
  case OP_LOG: return pure(u, e, "log", false);
  case OP_LOG10: return pure(u, e, "log10", false);
  case OP_ATAN2:
    compare(u, e, 0, 1, "the arguments of `atan2`");
    return (Info){SAYS_UNIT, false, 0, unit_one()};
  case OP_BOOLEAN:
  case OP_STRING:
  case OP_ENUM:
  case OP_REF:
  case OP_LOCAL:
  case OP_FUNCTION:
  case OP_ADD_EL:
  case OP_SUB_EL:
  case OP_NOT:
  case OP_AND:
  case OP_OR:
  case OP_ARRAY:
  case OP_INDEX:
  case OP_RANGE:
  case OP_RECORD:
  case OP_FIELD:
  case OP_TUPLE:
  case OP_CALL:
  case OP_PART:
  case OP_COMPREHEND:
  case OP_REDUCE:
  case OP_SIGN:
  case OP_DIVT:
  case OP_MOD:
  case OP_REM:
  case OP_CEIL:
  case OP_FLOOR:
  case OP_TO_INTEGER:
  case OP_ORDINAL:
  case OP_TO_ENUM:
  case OP_STRING_OF:
  case OP_SIZE:
  case OP_NDIMS:
  case OP_SCALAR:
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
  case OP_CAT:
  case OP_SUM:
  case OP_PRODUCT:
  case OP_MIN:
  case OP_MAX:
  case OP_EDGE:
  case OP_CHANGE:
  case OP_INITIAL:
  case OP_TERMINAL:
  case OP_SAMPLE:
  case OP_SEMILINEAR:
  case OP_SPATIAL:
  case OP_ROUNDING:
  case OP_COUNT: return nothing;
  }
  return nothing;
}

static void make_room(Units *u, ExprId e) {
  if (e.i < u->room)
    return;
  uint32_t room = e.i + e.i / 2 + 64;
  Info **grown = NEW_ARRAY(u->a, Info *, room);
  if (u->room)
    memcpy(grown, u->of, u->room * sizeof *grown);
  u->of = grown;
  u->room = room;
}

static const Info *infer(Units *u, ExprId root) {
  if (!root.i)
    return &nothing;
  u->stack.n = 0;
  vec_push(u->a, &u->stack, root);
  while (u->stack.n) {
    ExprId id = vec_last(&u->stack);
    const Expr *e = expr_get(u->m->pool, id);
    uint32_t waiting = u->stack.n;
    make_room(u, id);
    for (uint32_t k = e->n; k > 0; k--) {
      make_room(u, e->args[k - 1]);
      if (e->args[k - 1].i && !u->of[e->args[k - 1].i])
        vec_push(u->a, &u->stack, e->args[k - 1]);
    }
    if (u->stack.n > waiting)
      continue;
    if (!u->of[id.i]) {
      Info info = info_of(u, e);
      u->of[id.i] = NEW(u->a, Info);
      *u->of[id.i] = info;
    }
    u->stack.n--;
  }
  return u->of[root.i];
}

/* ---- equations and statements ---- */

static void check_sides(Units *u, ExprId lhs, ExprId rhs, const char *left, const char *right) {
  const Info *a = infer(u, lhs), *b = infer(u, rhs);
  if (differ(a, b))
    complain(
        u,
        arena_printf(u->a, "%s is %s, %s is %s", left, shown(u, lhs, a), right, shown(u, rhs, b)),
        lhs, rhs);
}

static void check_equation(Units *u, const FlatEquation *eq);

static void check_statements(Units *u, Stmt *const *body, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const Stmt *s = body[i];
    u->span = s->span;
    if (s->kind == STMT_ASSIGN && s->n_targets == 1)
      check_sides(u, s->targets[0], s->value, "left side", "right side");
    else
      infer(u, s->value);
    for (uint32_t k = 0; k < s->n_branches; k++) {
      u->span = s->span;
      infer(u, s->branches[k].condition);
      check_statements(u, s->branches[k].body, s->branches[k].n);
    }
  }
}

static void check_equation(Units *u, const FlatEquation *eq) {
  u->span = eq->span;
  u->origin = eq->origin;
  if (eq->kind == FEQ_EQUAL) {
    check_sides(u, eq->lhs, eq->rhs, "left side", "right side");
  } else if (eq->kind == FEQ_REINIT) {
    check_sides(u, eq->lhs, eq->rhs, "the state", "its new value");
  } else {
    infer(u, eq->lhs);
    infer(u, eq->rhs);
  }
  for (uint32_t k = 0; k < eq->n_branches; k++) {
    u->span = eq->span;
    infer(u, eq->branches[k].condition);
    for (uint32_t i = 0; i < eq->branches[k].n; i++)
      check_equation(u, eq->branches[k].body[i]);
  }
  check_statements(u, eq->body, eq->n_body);
}

static void check_variable(Units *u, uint32_t i) {
  const FlatVar *v = &u->m->vars.at[i];
  ExprId self = expr_var(u->m->pool, v->type, i);
  const char *name = arena_printf(u->a, "`%s`", v->name);
  u->span = v->span;
  u->origin = v->origin;
  if (v->binding.i)
    check_sides(u, self, v->binding, name, "its value");
  if (v->start.i)
    check_sides(u, self, v->start, name, "its start value");
}

void flat_check_units(const FlatModel *m, Arena *a, Diags *diags) {
  Units u = {.m = m, .a = a, .diags = diags};
  reader_init(&u.reader, m, a);
  read_declared(&u);
  for (uint32_t i = 0; i < m->vars.n; i++)
    if (u.var_unit[i])
      check_variable(&u, i);
  for (uint32_t i = 0; i < m->initial.n; i++)
    check_equation(&u, m->initial.at[i]);
  for (uint32_t i = 0; i < m->equations.n; i++)
    check_equation(&u, m->equations.at[i]);
}
