/* structure/match.c -- give each row an unknown that it can be solved for.
 * In:   incidence.   Out: row_of, var_of.
 * How:  augmenting paths, depth first without recursion (Duff, ACM TOMS 7, 1981); first along occurrences that are easy to
 *       solve for, then along all. Alternating paths from what stays unmatched give the over- and under-determined parts
 *       (Dulmage and Mendelsohn, 1958).
 * Keep: rows and unknowns are visited in ascending order, so equal models give equal matchings. A matched unknown stays so. */
#include "structure/structure_impl.h"

#include <string.h>

Matching matching_new(const Structure *s, uint32_t n_rows, Arena *a) {
  Matching m = {NEW_ARRAY(a, uint32_t, s->vars.n), NEW_ARRAY(a, uint32_t, n_rows + 1), NEW_ARRAY(a, uint32_t, s->vars.n), 0};
  memset(m.row_of, 0xff, s->vars.n * sizeof *m.row_of);
  memset(m.var_of, 0xff, n_rows * sizeof *m.var_of);
  return m;
}

typedef struct {
  uint32_t row, next; /* next place in its incidence to try */
} Step;

bool match_row(const Structure *s, const IncidenceTable *t, Matching *m, uint32_t start, const bool *allowed, Occurrence limit, Arena *a) {
  const SRow *rows = t->sys->rows.at;
  m->now++;
  VEC(Step) path = {0};
  VEC(uint32_t) vars = {0}; /* vars.at[k]: taken from path row k towards row k + 1 */
  vec_push(a, &path, (Step){start, 0});
  while (path.n) {
    Step *top = &vec_last(&path);
    const IncidenceRow *in = &t->rows[top->row];
    bool deeper = false;
    while (top->next < in->n && !deeper) {
      Incidence c = in->at[top->next++];
      if (m->stamp[c.var] == m->now || !allowed[c.var] || c.how > limit || !row_may_solve(s, &rows[top->row], c.var))
        continue;
      m->stamp[c.var] = m->now;
      vec_push(a, &vars, c.var);
      uint32_t other = m->row_of[c.var];
      if (other == NO_ROW) {
        /* a free unknown: flip the whole path */
        for (uint32_t k = path.n; k-- > 0;) {
          m->row_of[vars.at[k]] = path.at[k].row;
          m->var_of[path.at[k].row] = vars.at[k];
        }
        return true;
      }
      vec_push(a, &path, (Step){other, 0});
      deeper = true;
    }
    if (!deeper) {
      path.n--;
      if (vars.n)
        vars.n--;
    }
  }
  return false;
}

void match_over(const Structure *s, const IncidenceTable *t, const Matching *m, bool *rows, Arena *a) {
  VEC(uint32_t) work = {0};
  for (uint32_t r = 0; r < t->sys->rows.n; r++)
    if (m->var_of[r] == NO_SVAR) {
      rows[r] = true;
      vec_push(a, &work, r);
    }
  while (work.n) {
    uint32_t r = work.at[--work.n];
    for (uint32_t k = 0; k < t->rows[r].n; k++) {
      uint32_t v = t->rows[r].at[k].var, other = m->row_of[v];
      if (row_may_solve(s, &t->sys->rows.at[r], v) && other != NO_ROW && !rows[other]) {
        rows[other] = true;
        vec_push(a, &work, other);
      }
    }
  }
}

void match_under(const Structure *s, const IncidenceTable *t, const Matching *m, const bool *unknown, bool *vars, Arena *a) {
  for (uint32_t v = 0; v < s->vars.n; v++)
    vars[v] = unknown[v] && m->row_of[v] == NO_ROW;
  bool more = true;
  bool *done = NEW_ARRAY(a, bool, t->sys->rows.n + 1);
  while (more) {
    more = false;
    for (uint32_t r = 0; r < t->sys->rows.n; r++) {
      if (done[r] || m->var_of[r] == NO_SVAR)
        continue;
      for (uint32_t k = 0; k < t->rows[r].n && !done[r]; k++) {
        uint32_t v = t->rows[r].at[k].var;
        if (vars[v] && row_may_solve(s, &t->sys->rows.at[r], v)) {
          done[r] = more = true;
          vars[m->var_of[r]] = true;
        }
      }
    }
  }
}
