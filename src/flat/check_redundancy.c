/* flat/check_redundancy.c -- an equation that repeats what others say (S102), such as the node sums
 * of a circuit without ground. Such a model has as many equations as unknowns and a complete
 * matching; only the coefficients tell.
 * In:   a model with a complete matching.   Out: S102 per repeated equation.
 * How:  the equations that are sums of unknowns with whole-number factors and known terms
 *       (parameters, time, inputs) form a system; a combination of them in which all unknowns
 *       cancel (linear.c) leaves one unknown of the square model open.
 * Keep: exact: whatever else the model contains, such a combination makes it singular. */
#include "flat/check_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/map.h"
#include "flat/linear_impl.h"

/* ---- an equation as a sum ---- */

typedef struct {
  ExprId e;
  int64_t factor;
} Piece;

typedef struct {
  const FlatModel *m;
  Arena *a;
  Reader reader;
  VEC(Piece) stack;
  VEC(LinearTerm) terms;
  double constant; /* of the literals: terms + constant = 0 */
  bool known;      /* there are known terms that are not literals */
} Sum;

typedef struct {
  double constant;
  bool known;
} RowInfo;

static void push(Sum *s, ExprId e, int64_t factor) {
  vec_push(s->a, &s->stack, (Piece){e, factor});
}

/* Literal whole number of modest size. */
static bool whole_number(const FlatModel *m, ExprId e, int64_t *out) {
  double x = 0;
  if (!expr_as_real(m->pool, e, &x) || x != floor(x) || fabs(x) > MOST_REDUNDANT_FACTOR)
    return false;
  *out = (int64_t)x;
  return true;
}

/* Takes one piece apart; false when the equation is not such a sum. */
static bool take_piece(Sum *s, Piece p) {
  const Expr *e = expr_get(s->m->pool, p.e);
  int64_t k = 0;
  double value = 0;
  bool der = e->op == OP_DER;
  const Expr *var = der ? expr_get(s->m->pool, e->args[0]) : e;
  if (p.factor > MOST_REDUNDANT_FACTOR || p.factor < -MOST_REDUNDANT_FACTOR)
    return false;
  if (expr_as_real(s->m->pool, p.e, &value)) {
    s->constant += (double)p.factor * value;
  } else if (var->op == OP_VAR && flat_is_unknown(s->m, var->index)) {
    vec_push(s->a, &s->terms, (LinearTerm){var->index + (der ? s->m->vars.n : 0), p.factor});
  } else if (e->op == OP_ADD || e->op == OP_SUB) {
    push(s, e->args[0], p.factor);
    push(s, e->args[1], e->op == OP_ADD ? p.factor : -p.factor);
  } else if (e->op == OP_NEG) {
    push(s, e->args[0], -p.factor);
  } else if (e->op == OP_CAST) {
    push(s, e->args[0], p.factor);
  } else if (e->op == OP_MUL && whole_number(s->m, e->args[0], &k)) {
    push(s, e->args[1], p.factor * k);
  } else if (e->op == OP_MUL && whole_number(s->m, e->args[1], &k)) {
    push(s, e->args[0], p.factor * k);
  } else {
    reader_start(&s->reader);
    reader_add(&s->reader, p.e, READ_CURRENT);
    for (uint32_t i = 0; i < s->reader.found.n; i++)
      if (flat_is_unknown(s->m, s->reader.found.at[i]))
        return false;
    s->known = true;
  }
  return true;
}

static int by_column(const void *x, const void *y) {
  uint32_t i = ((const LinearTerm *)x)->col, j = ((const LinearTerm *)y)->col;
  return (i > j) - (i < j);
}

static bool is_real(const FlatModel *m, ExprId e) {
  return type_get(m->pool, expr_get(m->pool, e)->type)->base == TY_REAL;
}

static bool as_row(Sum *s, const FlatEquation *eq, LinearRow *row, RowInfo *info) {
  if (eq->kind != FEQ_EQUAL || (!is_real(s->m, eq->lhs) && !is_real(s->m, eq->rhs)))
    return false;
  s->stack.n = s->terms.n = 0;
  s->constant = 0;
  s->known = false;
  push(s, eq->rhs, -1);
  push(s, eq->lhs, 1);
  while (s->stack.n)
    if (!take_piece(s, s->stack.at[--s->stack.n]))
      return false;
  if (s->terms.n)
    qsort(s->terms.at, s->terms.n, sizeof *s->terms.at, by_column);
  row->terms = NEW_ARRAY(s->a, LinearTerm, s->terms.n + 1);
  row->n = 0;
  for (uint32_t i = 0; i < s->terms.n; i++) {
    if (row->n && row->terms[row->n - 1].col == s->terms.at[i].col)
      row->terms[row->n - 1].factor += s->terms.at[i].factor;
    else
      row->terms[row->n++] = s->terms.at[i];
    if (!row->terms[row->n - 1].factor)
      row->n--;
  }
  *info = (RowInfo){s->constant, s->known};
  return true;
}

/* ---- what to say about a combination ---- */

typedef struct {
  Check *c;
  VEC(LinearRow) rows;
  VEC(RowInfo) info;
  VEC(const FlatEquation *) eqs;
  uint32_t *alias; /* union-find over variables joined by a = b */
} Found;

static const struct {
  const char *unit, *text;
} domains[] = {
    {"A", "electrical island {%s} has no reference potential; connect a `Ground`"},
    {"Wb", "magnetic island {%s} has no reference potential; connect a `Ground`"},
    {"N.m", "rotational island {%s} has no reference angle; connect a `Fixed`"},
    {"N", "translational island {%s} has no reference position; connect a `Fixed`"},
    {"W", "thermal island {%s} has no reference temperature; connect a `FixedTemperature` or a "
          "heat capacity"},
    {"kg/s",
     "fluid island {%s} has no reference pressure; connect a boundary with a given pressure"},
};

static uint32_t alias_root(Found *f, uint32_t v) {
  while (f->alias[v] != v)
    v = f->alias[v] = f->alias[f->alias[v]];
  return v;
}

static void join_aliases(Found *f) {
  uint32_t n = f->c->m->vars.n;
  f->alias = NEW_ARRAY(f->c->a, uint32_t, n + 1);
  for (uint32_t v = 0; v < n; v++)
    f->alias[v] = v;
  for (uint32_t r = 0; r < f->rows.n; r++) {
    const LinearTerm *t = f->rows.at[r].terms;
    if (f->rows.at[r].n == 2 && t[0].factor == -t[1].factor && t[1].col < n) {
      uint32_t x = alias_root(f, t[0].col), y = alias_root(f, t[1].col);
      f->alias[x > y ? x : y] = x > y ? y : x;
    }
  }
}

/* Length of `name` without its last part; quoted parts are whole. 0 if it has one part only. */
static size_t parent_length(const char *name, size_t n) {
  size_t dot = 0;
  bool quoted = false;
  for (size_t i = 0; i < n; i++) {
    if (quoted && name[i] == '\\' && i + 1 < n)
      i++;
    else if (name[i] == '\'')
      quoted = !quoted;
    else if (name[i] == '.' && !quoted)
      dot = i;
  }
  return dot;
}

/* The unknowns of a combination: its flow variables if it has any (then *flows), else all. */
static uint32_t *combined_vars(Found *f, const LinearZero *z, uint32_t *n, bool *flows) {
  const FlatModel *m = f->c->m;
  bool *in = NEW_ARRAY(f->c->a, bool, m->vars.n + 1);
  *flows = false;
  for (uint32_t i = 0; i < z->n; i++)
    for (uint32_t k = 0; k < f->rows.at[z->parts[i].row].n; k++) {
      uint32_t col = f->rows.at[z->parts[i].row].terms[k].col,
               v = col < m->vars.n ? col : col - m->vars.n;
      in[v] = true;
      *flows |= m->vars.at[v].is_flow;
    }
  uint32_t *vars = NEW_ARRAY(f->c->a, uint32_t, m->vars.n + 1);
  *n = 0;
  for (uint32_t v = 0; v < m->vars.n; v++)
    if (in[v] && (!*flows || m->vars.at[v].is_flow))
      vars[(*n)++] = v;
  return vars;
}

/* The potentials in the connectors of these flow variables, one of each set of connected ones. */
static uint32_t potentials(Found *f, const uint32_t *flows, uint32_t n_flows, uint32_t *out) {
  const FlatModel *m = f->c->m;
  Map connectors = {0}, seen = {0};
  uint32_t n = 0;
  for (uint32_t i = 0; i < n_flows; i++) {
    const char *name = m->vars.at[flows[i]].name;
    map_put(f->c->a, &connectors, hash_bytes(name, parent_length(name, strlen(name))) >> 1, 1);
  }
  for (uint32_t v = 0; v < m->vars.n; v++) {
    const FlatVar *var = &m->vars.at[v];
    uint64_t unused = 0, root = alias_root(f, v);
    size_t parent = parent_length(var->name, strlen(var->name));
    if (var->is_flow || !parent || !flat_is_unknown(m, v) ||
        !map_get(&connectors, hash_bytes(var->name, parent) >> 1, &unused) ||
        map_get(&seen, root, &unused))
      continue;
    map_put(f->c->a, &seen, root, 1);
    out[n++] = v;
  }
  return n;
}

/* "R, C": the components whose connectors hold these flow variables. */
static const char *island(Found *f, const uint32_t *flows, uint32_t n) {
  Text t = {.arena = f->c->a};
  Map seen = {0};
  uint32_t members = 0;
  for (uint32_t i = 0; i < n; i++) {
    const char *name = f->c->m->vars.at[flows[i]].name;
    size_t length = parent_length(name, parent_length(name, strlen(name)));
    uint64_t key = hash_bytes(name, length) >> 1, unused = 0;
    if (!length || map_get(&seen, key, &unused))
      continue;
    map_put(f->c->a, &seen, key, 1);
    if (++members > MOST_ISLAND_MEMBERS)
      continue;
    text_printf(&t, "%s%.*s", t.n ? ", " : "", (int)length, name);
  }
  if (members > MOST_ISLAND_MEMBERS)
    text_printf(&t, " and %u more", members - MOST_ISLAND_MEMBERS);
  return text_str(&t);
}

static void add_help(Found *f, Diag *d, const uint32_t *flows, uint32_t n) {
  const char *unit = f->c->m->vars.at[flows[0]].unit, *members = island(f, flows, n);
  for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
    if (unit && !strcmp(unit, domains[i].unit)) {
      const char *gap = strstr(domains[i].text, "%s");
      diag_help(f->c->diags, d, "%.*s%s%s", (int)(gap - domains[i].text), domains[i].text, members,
                gap + 2);
      return;
    }
  diag_help(f->c->diags, d,
            "nothing fixes the level of the potentials in {%s}; connect a component that does",
            members);
}

/* ---- the message ---- */

static bool by_user(const FlatEquation *eq) { return eq->origin == 0 || eq->from >= FROM_CONNECT; }

/* The equation to point at: a connection or an equation of the model itself, the last one. */
static uint32_t choose(Found *f, const LinearZero *z) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < z->n; i++)
    if (by_user(f->eqs.at[z->parts[i].row]) || !by_user(f->eqs.at[z->parts[best].row]))
      best = i;
  return best;
}

/* How the known terms of the combination add up. */
static const char *verb(Found *f, const LinearZero *z) {
  double constant = 0, size = 0;
  for (uint32_t i = 0; i < z->n; i++) {
    const RowInfo *info = &f->info.at[z->parts[i].row];
    if (info->known)
      return "repeats or contradicts";
    constant += (double)z->parts[i].factor * info->constant;
    size += fabs((double)z->parts[i].factor * info->constant);
  }
  /* relative: the literals of a few equations summed up in double */
  static const double rounding = 1e-12;
  return fabs(constant) <= rounding * size ? "repeats" : "contradicts";
}

static Diag *headline(Found *f, const LinearZero *z, uint32_t chosen) {
  Check *c = f->c;
  const FlatEquation *eq = f->eqs.at[z->parts[chosen].row];
  uint32_t others = 0, other = 0;
  for (uint32_t i = 0; i < z->n; i++)
    if (i != chosen && by_user(f->eqs.at[z->parts[i].row])) {
      others++;
      other = i;
    }
  const char *counts = arena_printf(c->a, "(%u equation%s, %u unknown%s)", c->counts.equations,
                                    check_plural(c->counts.equations), c->counts.unknowns,
                                    check_plural(c->counts.unknowns));
  if (z->n == 1)
    return diag_add(c->diags, D_S102, eq->span, "this equation says nothing about its unknowns %s",
                    counts);
  const char *does = verb(f, z);
  if (others == 1)
    return diag_add(c->diags, D_S102, eq->span, "this equation %s what %s already says %s", does,
                    check_place(c->a, c->diags, f->eqs.at[z->parts[other].row]->span, eq->span),
                    counts);
  return diag_add(c->diags, D_S102, eq->span,
                  "this equation %s what %u others already say together %s", does,
                  others ? others : z->n - 1, counts);
}

static void report(Found *f, const LinearZero *z) {
  Check *c = f->c;
  uint32_t chosen = choose(f, z), n = 0, n_free = 0, labels = 0;
  bool flows = false;
  uint32_t *vars = combined_vars(f, z, &n, &flows),
           *open = NEW_ARRAY(c->a, uint32_t, c->m->vars.n + 1);
  if (flows)
    n_free = potentials(f, vars, n, open);
  Diag *d = headline(f, z, chosen);
  for (uint32_t pass = 0; pass < 2; pass++) /* connections and the model's own equations first */
    for (uint32_t i = 0; i < z->n && labels < MOST_REDUNDANT_LABELS; i++) {
      const FlatEquation *eq = f->eqs.at[z->parts[i].row];
      if (i == chosen || by_user(eq) != (pass == 0))
        continue;
      diag_label(c->diags, d, eq->span, "gives `%s`", check_equation_text(c->m, c->a, eq));
      labels++;
    }
  const FlatEquation *eq = f->eqs.at[z->parts[chosen].row];
  const char *which = flows ? "potential" : "unknown";
  const uint32_t *named = flows ? open : vars;
  uint32_t n_named = flows ? n_free : n;
  diag_label(c->diags, d, eq->span, "gives `%s`%s", check_equation_text(c->m, c->a, eq),
             n_named ? arena_printf(c->a, ", so %s%s %s stay%s free", which, check_plural(n_named),
                                    check_names(c->m, c->a, named, n_named, MOST_REDUNDANT_NAMES),
                                    n_named == 1 ? "s" : "")
                     : "");
  if (flows)
    add_help(f, d, vars, n);
  else
    diag_help(c->diags, d, "replace it by the equation that is missing");
  diag_origin(c->diags, d, check_origin(c->m, c->a, eq->origin));
}

void check_redundancy(Check *c) {
  const FlatModel *m = c->m;
  Found f = {.c = c};
  Sum s = {.m = m, .a = c->a};
  reader_init(&s.reader, m, c->a);
  for (uint32_t i = 0; i < m->equations.n; i++) {
    LinearRow row;
    RowInfo info;
    if (!as_row(&s, m->equations.at[i], &row, &info))
      continue;
    vec_push(c->a, &f.rows, row);
    vec_push(c->a, &f.info, info);
    vec_push(c->a, &f.eqs, m->equations.at[i]);
  }
  LinearZeros zeros = {0};
  linear_zeros(c->a, f.rows.at, f.rows.n, 2 * m->vars.n, MOST_REDUNDANT_SHOWN, &zeros);
  if (zeros.n)
    join_aliases(&f);
  for (uint32_t i = 0; i < zeros.n; i++)
    report(&f, &zeros.at[i]);
}
