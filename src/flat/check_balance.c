/* flat/check_balance.c -- name the unknowns that nothing determines (S101) and the equations that
 * compete (S103).
 * In:   incidence with a maximum matching.   Out: diagnostics, one per connected part.
 * How:  coarse decomposition of Dulmage & Mendelsohn, Can. J. Math. 10, 1958: what alternating
 *       paths reach from unmatched columns is under-determined, what they reach from unmatched rows
 *       is over-determined.
 * Keep: any unknown of an under-determined part may be the one left over; the choice below only
 *       makes the message useful. */
#include "flat/check_impl.h"
#include "base/limits.h"

typedef struct {
  Check *c;
  Incidence *in;
  uint32_t *first, *rows_of; /* rows of column k: rows_of[first[k] .. first[k + 1]) */
  uint32_t *via;             /* of columns: the column before it on its path; NONE at a source */
  uint32_t *part;            /* union-find over columns, then over rows: n_cols + row */
  bool *col_in, *row_in;
  uint32_t *queue;
  bool *written; /* per column: some equation other than a connection is written for it */
} Parts;

static void transpose(Parts *p, Arena *a) {
  Incidence *in = p->in;
  p->first = NEW_ARRAY(a, uint32_t, in->n_cols + 2);
  uint32_t total = 0;
  for (uint32_t r = 0; r < in->rows.n; r++)
    for (uint32_t k = 0; k < in->rows.at[r].n; k++, total++)
      p->first[in->rows.at[r].cols[k] + 1]++;
  for (uint32_t c = 0; c < in->n_cols; c++)
    p->first[c + 1] += p->first[c];
  p->rows_of = NEW_ARRAY(a, uint32_t, total + 1);
  uint32_t *at = NEW_ARRAY(a, uint32_t, in->n_cols + 1);
  for (uint32_t r = 0; r < in->rows.n; r++)
    for (uint32_t k = 0; k < in->rows.at[r].n; k++) {
      uint32_t c = in->rows.at[r].cols[k];
      p->rows_of[p->first[c] + at[c]++] = r;
    }
}

static void parts_init(Parts *p, Check *c, Incidence *in) {
  Arena *a = c->a;
  uint32_t n = in->n_cols + in->rows.n + 1;
  *p = (Parts){.c = c, .in = in};
  transpose(p, a);
  p->via = NEW_ARRAY(a, uint32_t, n);
  p->part = NEW_ARRAY(a, uint32_t, n);
  p->col_in = NEW_ARRAY(a, bool, n);
  p->row_in = NEW_ARRAY(a, bool, n);
  p->queue = NEW_ARRAY(a, uint32_t, n);
  p->written = NEW_ARRAY(a, bool, n);
  for (uint32_t i = 0; i < n; i++)
    p->part[i] = i;
  for (uint32_t r = 0; r < in->rows.n; r++) {
    const Row *row = &in->rows.at[r];
    if (row->written != NONE && row->eq->from != FROM_CONNECT && row->eq->from != FROM_FLOW_SUM)
      p->written[row->written] = true;
  }
}

static uint32_t part_of(Parts *p, uint32_t i) {
  while (p->part[i] != i)
    i = p->part[i] = p->part[p->part[i]];
  return i;
}

static void unite(Parts *p, uint32_t i, uint32_t j) {
  i = part_of(p, i);
  j = part_of(p, j);
  if (i != j)
    p->part[i > j ? i : j] = i > j ? j : i;
}

/* ---- under-determined ---- */

/* Marks what alternating paths reach from the unmatched columns. */
static void reach_from_columns(Parts *p) {
  Incidence *in = p->in;
  uint32_t n = 0;
  for (uint32_t c = 0; c < in->n_cols; c++)
    if (in->col_match[c] == NONE) {
      p->col_in[c] = true;
      p->via[c] = NONE;
      p->queue[n++] = c;
    }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t c = p->queue[i];
    for (uint32_t k = p->first[c]; k < p->first[c + 1]; k++) {
      uint32_t r = p->rows_of[k], next = in->row_match[r];
      unite(p, c, next);
      if (!p->col_in[next]) {
        p->col_in[next] = true;
        p->via[next] = c;
        p->queue[n++] = next;
      }
    }
  }
}

static uint32_t depth_of_name(const char *name) {
  uint32_t dots = 0;
  for (; *name; name++)
    dots += *name == '.';
  return dots;
}

/* Whether naming column a serves better than naming b: never mentioned, no equation written for it,
 * no state, in few equations, high in the hierarchy, declared late. */
static bool better(const Parts *p, uint32_t a, uint32_t b) {
  const FlatVar *va = &p->c->m->vars.at[p->in->var_of_col[a]],
                *vb = &p->c->m->vars.at[p->in->var_of_col[b]];
  uint32_t na = p->first[a + 1] - p->first[a], nb = p->first[b + 1] - p->first[b];
  if ((na == 0) != (nb == 0))
    return na == 0;
  if (p->written[a] != p->written[b])
    return !p->written[a];
  if (va->has_der != vb->has_der)
    return !va->has_der;
  if (na != nb)
    return na < nb;
  uint32_t da = depth_of_name(va->name), db = depth_of_name(vb->name);
  return da != db ? da < db : a > b;
}

/* Changes the matching along the path to column c so that c is the one left over. */
static void leave_over(Parts *p, uint32_t c) {
  Incidence *in = p->in;
  uint32_t row = in->col_match[c];
  in->col_match[c] = NONE;
  for (; p->via[c] != NONE; c = p->via[c]) {
    uint32_t before = p->via[c], freed = in->col_match[before];
    in->row_match[row] = before;
    in->col_match[before] = row;
    row = freed;
  }
}

static void label_uses(Parts *p, Diag *d, uint32_t col) {
  const FlatModel *m = p->c->m;
  uint32_t shown = 0;
  for (uint32_t k = p->first[col]; k < p->first[col + 1] && shown < MOST_BALANCE_LABELS;
       k++, shown++) {
    uint32_t r = p->rows_of[k];
    const FlatVar *taken = &m->vars.at[p->in->var_of_col[p->in->row_match[r]]];
    diag_label(p->c->diags, d, p->in->rows.at[r].eq->span,
               "used here, but this determines `%s%s%s`", taken->has_der ? "der(" : "", taken->name,
               taken->has_der ? ")" : "");
  }
  if (!shown)
    diag_note(p->c->diags, d, "no equation mentions it");
}

static void report_missing(Parts *p, uint32_t col, const uint32_t *others, uint32_t n_others,
                           uint32_t n_missing) {
  Check *c = p->c;
  const FlatVar *v = &c->m->vars.at[p->in->var_of_col[col]];
  Diag *d = diag_add(c->diags, D_S101, v->span,
                     "nothing determines `%s` (%u equation%s, %u unknown%s)", v->name,
                     c->counts.equations, check_plural(c->counts.equations), c->counts.unknowns,
                     check_plural(c->counts.unknowns));
  label_uses(p, d, col);
  if (n_missing > 1)
    diag_note(c->diags, d, "%u equations are missing in this part", n_missing);
  if (n_others)
    diag_note(c->diags, d, "instead, %s%s may lack an equation", n_others > 1 ? "one of " : "",
              check_names(c->m, c->a, others, n_others, MOST_BALANCE_NAMES));
  if (v->origin && c->counts.equations == c->counts.unknowns)
    diag_help(c->diags, d,
              "as many equations are too many elsewhere: see there first; else connect it, or add "
              "an equation for it");
  else if (v->origin)
    diag_help(c->diags, d, "connect it, or add an equation such as `%s = ...`", v->name);
  else
    diag_help(
        c->diags, d,
        v->is_input
            ? "connect `%s`, or give it a value"
            : "add an equation for `%s`, give it a value in its declaration, or declare it `input`",
        v->name);
  diag_origin(c->diags, d, check_origin(c->m, c->a, v->origin));
}

static void under_determined(Parts *p) {
  Incidence *in = p->in;
  uint32_t *best = NEW_ARRAY(p->c->a, uint32_t, in->n_cols + 1),
           *others = NEW_ARRAY(p->c->a, uint32_t, in->n_cols + 1);
  uint32_t *missing = NEW_ARRAY(p->c->a, uint32_t, in->n_cols + 1), parts = 0;
  reach_from_columns(p);
  for (uint32_t c = 0; c < in->n_cols; c++)
    best[c] = NONE;
  for (uint32_t c = 0; c < in->n_cols; c++) {
    if (!p->col_in[c])
      continue;
    uint32_t part = part_of(p, c);
    missing[part] += in->col_match[c] == NONE;
    if (best[part] == NONE || better(p, c, best[part]))
      best[part] = c;
  }
  for (uint32_t part = 0; part < in->n_cols && parts < MOST_BALANCE_PARTS; part++) {
    if (best[part] == NONE)
      continue;
    uint32_t n = 0;
    for (uint32_t c = 0; c < in->n_cols; c++)
      if (p->col_in[c] && c != best[part] && !p->written[c] && part_of(p, c) == part &&
          !p->c->m->vars.at[in->var_of_col[c]].has_der)
        others[n++] = in->var_of_col[c];
    leave_over(p, best[part]);
    report_missing(p, best[part], others, n, missing[part]);
    parts++;
  }
}

/* ---- over-determined ---- */

/* Marks what alternating paths reach from the unmatched rows. */
static void reach_from_rows(Parts *p) {
  Incidence *in = p->in;
  uint32_t n = 0;
  for (uint32_t r = 0; r < in->rows.n; r++)
    if (in->row_match[r] == NONE) {
      p->row_in[r] = true;
      p->queue[n++] = r;
    }
  for (uint32_t i = 0; i < n; i++) {
    const Row *row = &in->rows.at[p->queue[i]];
    for (uint32_t k = 0; k < row->n; k++) {
      uint32_t c = row->cols[k], next = in->col_match[c];
      unite(p, c, in->n_cols + p->queue[i]);
      p->col_in[c] = true;
      if (!p->row_in[next]) {
        p->row_in[next] = true;
        p->queue[n++] = next;
      }
    }
  }
}

/* The equation to point at: of the model itself rather than of a component, written rather than
 * generated, late. */
static bool better_row(const Parts *p, uint32_t a, uint32_t b) {
  const FlatEquation *ea = p->in->rows.at[a].eq, *eb = p->in->rows.at[b].eq;
  if ((ea->origin == 0) != (eb->origin == 0))
    return ea->origin == 0;
  bool ga = ea->from >= FROM_CONNECT, gb = eb->from >= FROM_CONNECT;
  return ga != gb ? gb : a > b;
}

/* A parameter that the equation was perhaps meant to determine; NULL if none. */
static const char *parameter_in(Check *c, const FlatEquation *eq) {
  Reader r;
  reader_init(&r, c->m, c->a);
  reader_start(&r);
  reader_add_equation(&r, eq, READ_CURRENT);
  for (uint32_t i = 0; i < r.found.n; i++)
    if (c->m->vars.at[r.found.at[i]].variability == FLAT_PARAMETER)
      return c->m->vars.at[r.found.at[i]].name;
  return NULL;
}

/* What connected components usually do wrong when only potentials, or only flows, are determined
 * too often; NULL if it is something else. */
static const char *network_cause(Parts *p, uint32_t part, const uint32_t *vars, uint32_t n) {
  uint32_t flows = 0, connections = 0;
  for (uint32_t k = 0; k < n; k++)
    flows += p->c->m->vars.at[vars[k]].is_flow;
  for (uint32_t r = 0; r < p->in->rows.n; r++)
    connections += p->row_in[r] && part_of(p, p->in->n_cols + r) == part &&
                   p->in->rows.at[r].eq->from >= FROM_CONNECT;
  if (!n || !connections || (flows && flows < n))
    return NULL;
  return flows ? "flows are prescribed more than once: sources of a flow (a current, a torque) in "
                 "series? Put something between "
                 "them through which the difference can go"
               : "potentials are prescribed more than once: sources of a potential (a voltage, a "
                 "speed) in parallel, or two grounds? "
                 "Put something that gives way between them, such as a resistance";
}

static void report_surplus(Parts *p, uint32_t part, uint32_t chosen) {
  Check *c = p->c;
  Incidence *in = p->in;
  const FlatEquation *eq = in->rows.at[chosen].eq;
  uint32_t n = 0, labels = 0, *vars = NEW_ARRAY(c->a, uint32_t, in->n_cols + 1);
  for (uint32_t col = 0; col < in->n_cols; col++)
    if (p->col_in[col] && part_of(p, col) == part)
      vars[n++] = in->var_of_col[col];
  const char *counts = arena_printf(c->a, "(%u equation%s, %u unknown%s)", c->counts.equations,
                                    check_plural(c->counts.equations), c->counts.unknowns,
                                    check_plural(c->counts.unknowns));
  Diag *d = n ? diag_add(c->diags, D_S103, eq->span, "too many equations for %s %s",
                         check_names(c->m, c->a, vars, n, MOST_BALANCE_NAMES), counts)
              : diag_add(c->diags, D_S103, eq->span, "this equation determines no unknown %s",
                         counts);
  for (uint32_t r = 0; r < in->rows.n && labels < MOST_BALANCE_LABELS; r++)
    if (p->row_in[r] && r != chosen && part_of(p, in->n_cols + r) == part) {
      diag_label(c->diags, d, in->rows.at[r].eq->span, "competes with `%s`",
                 check_equation_text(c->m, c->a, in->rows.at[r].eq));
      labels++;
    }
  const char *parameter = n ? NULL : parameter_in(c, eq), *cause = network_cause(p, part, vars, n);
  if (parameter)
    diag_help(c->diags, d,
              "`%s` is a parameter: give it its value in its declaration, or declare it without "
              "`parameter`",
              parameter);
  else if (cause)
    diag_help(c->diags, d, "%s", cause);
  else
    diag_help(c->diags, d,
              n ? "remove one of these equations, or make a parameter that they contain a variable"
                : "remove it, or use an unknown in it");
  diag_origin(c->diags, d, check_origin(c->m, c->a, eq->origin));
}

static void over_determined(Parts *p) {
  Incidence *in = p->in;
  uint32_t n = in->n_cols + in->rows.n, parts = 0, *best = NEW_ARRAY(p->c->a, uint32_t, n + 1);
  reach_from_rows(p);
  for (uint32_t i = 0; i < n; i++)
    best[i] = NONE;
  for (uint32_t r = 0; r < in->rows.n; r++) {
    if (!p->row_in[r])
      continue;
    uint32_t part = part_of(p, in->n_cols + r);
    if (best[part] == NONE || better_row(p, r, best[part]))
      best[part] = r;
  }
  for (uint32_t part = 0; part < n && parts < MOST_BALANCE_PARTS; part++)
    if (best[part] != NONE) {
      report_surplus(p, part, best[part]);
      parts++;
    }
}

void check_balance(Check *c) {
  Parts p;
  /* What some mode leaves out needs no equation there. */
  Incidence needed = c->in;
  if (c->absent) {
    incidence_build(c->m, c->a, true, c->absent, &needed);
    incidence_match(c->a, &needed);
  }
  if (needed.n_matched < needed.n_cols) {
    parts_init(&p, c, &needed);
    under_determined(&p);
  }
  /* Branches of different length: too many equations only if even the shortest branches have too
   * many. */
  Incidence least = c->in;
  if (c->in.varies) {
    incidence_build(c->m, c->a, false, NULL, &least);
    incidence_match(c->a, &least);
  }
  if (least.n_matched < least.rows.n) {
    parts_init(&p, c, &least);
    over_determined(&p);
  }
}
