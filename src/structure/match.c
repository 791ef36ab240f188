/* structure/match.c -- give each row an unknown that it can be solved for.
 * In:   incidence.   Out: row_of, var_of.
 * How:  augmenting paths, depth first without recursion, looking for a free unknown in each row
 *       first (Duff, ACM TOMS 7, 1981); first along occurrences that are easy to solve for, then
 *       along all. What a search in vain has met leads nowhere for later ones along the same
 *       occurrences, either (the Hungarian tree of Kuhn, 1955): they do not enter it again. Where
 *       successful searches become long, they do not enter what another one met, either, and what
 *       is left over is tried again in phases (Pothen and Fan, ACM TOMS 16(4), 1990).
 *       Alternating paths from what stays unmatched give the over- and under-determined parts
 *       (Dulmage and Mendelsohn, 1958).
 * Keep: rows and unknowns are visited in ascending order, so equal models give equal matchings. A
 *       matched unknown stays so. */
#include "structure/match.h"
#include "structure/incidence.h"
#include "structure/sorted.h"

#include <string.h>

Matching matching_new(const Structure *s, uint32_t n_rows, Arena *a) {
  Matching m = {NEW_ARRAY(a, uint32_t, s->vars.n), NEW_ARRAY(a, uint32_t, n_rows + 1),
                NEW_ARRAY(a, uint32_t, s->vars.n), .now = 0};
  /* 0xff: NO_ROW, NO_SVAR */
  memset(m.row_of, 0xff, s->vars.n * sizeof *m.row_of);
  memset(m.var_of, 0xff, n_rows * sizeof *m.var_of);
  return m;
}

/* May row r take this unknown? */
static bool may_take(const Structure *s, const IncidenceTable *t, const Matching *m, uint32_t r,
                     Incidence c, const bool *allowed, Occurrence limit) {
  return m->stamp[c.var] != m->now && allowed[c.var] && c.how <= limit &&
         row_may_solve(s, &t->sys->rows.at[r], c.var);
}

/* Row r and all before it on the path move on; r takes var, which is free. */
static void flip(Matching *m, uint32_t var, Arena *a) {
  vec_push(a, &m->vars, var);
  /* from the end of the path back: each row hands its unknown on to the one before */
  for (uint32_t k = m->path.n; k-- > 0;) {
    m->row_of[m->vars.at[k]] = m->path.at[k].row;
    m->var_of[m->path.at[k].row] = m->vars.at[k];
  }
}

/* A success frees what it met for later searches, unless too much was met that way. */
static void forget_met(Matching *m) {
  m->work += m->met.n;
  for (uint32_t i = 0; i < m->met.n && !m->hasty; i++)
    m->stamp[m->met.at[i]] = 0;
}

/* One augmenting path from a row without unknown; false: there is none, and all that was met
 * stays met. */
static bool search(const Structure *s, const IncidenceTable *t, Matching *m, uint32_t start,
                   const bool *allowed, Occurrence limit, Arena *a) {
  m->path.n = m->vars.n = m->met.n = 0;
  vec_push(a, &m->path, (MatchStep){start, 0});
  while (m->path.n) {
    MatchStep *top = &vec_last(&m->path);
    const IncidenceRow *in = &t->rows[top->row];
    /* a free unknown in this row ends the search */
    for (uint32_t k = 0; k < in->n && top->next == 0; k++)
      if (m->row_of[in->at[k].var] == NO_ROW &&
          may_take(s, t, m, top->row, in->at[k], allowed, limit)) {
        flip(m, in->at[k].var, a);
        forget_met(m);
        return true;
      }
    /* else the first unknown that may be taken away: its row must find another one */
    bool deeper = false;
    while (!deeper && top->next < in->n) { /* the push moves `top` */
      Incidence c = in->at[top->next++];
      if (!may_take(s, t, m, top->row, c, allowed, limit))
        continue;
      m->stamp[c.var] = m->now;
      vec_push(a, &m->met, c.var);
      vec_push(a, &m->vars, c.var);
      vec_push(a, &m->path, (MatchStep){m->row_of[c.var], 0});
      deeper = true;
    }
    /* a dead end: back to the row before, which gives up the unknown that led here */
    if (!deeper) {
      m->path.n--;
      if (m->vars.n)
        m->vars.n--;
    }
  }
  return false;
}

bool match_row(const Structure *s, const IncidenceTable *t, Matching *m, uint32_t start,
               const bool *allowed, Occurrence limit, Arena *a) {
  /* a new number, so that nothing is met yet */
  m->now++;
  return search(s, t, m, start, allowed, limit, a);
}

enum { PATIENCE = 30 }; /* unknowns met by searches per row, before they become hasty */

uint32_t match_rows(const Structure *s, const IncidenceTable *t, Matching *m, const MatchRows *rows,
                    const bool *allowed, Occurrence limit, Arena *a) {
  uint32_t left, found;
  m->work = 0;
  m->hasty = false;
  do {
    m->now++;
    left = found = 0;
    for (uint32_t k = 0; k < rows->n; k++) {
      /* after much work searches share what they have met, and some miss a path */
      m->hasty = m->work > (uint64_t)PATIENCE * t->sys->rows.n;
      if (m->var_of[rows->at[k]] != NO_SVAR)
        continue;
      /* in one phase searches share what they have met */
      bool ok = search(s, t, m, rows->at[k], allowed, limit, a);
      /* rows left over may succeed in the next phase */
      found += ok;
      left += !ok;
    }
  } while (left && found && m->hasty);
  m->hasty = false;
  return left;
}

void match_over(const Structure *s, const IncidenceTable *t, const Matching *m, bool *rows,
                Arena *a) {
  VEC(uint32_t) work = {0};
  /* from all that is left over at once */
  for (uint32_t r = 0; r < t->sys->rows.n; r++)
    if (m->var_of[r] == NO_SVAR) {
      rows[r] = true;
      vec_push(a, &work, r);
    }
  while (work.n) {
    uint32_t r = work.at[--work.n];
    for (uint32_t k = 0; k < t->rows[r].n; k++) {
      uint32_t v = t->rows[r].at[k].var, other = m->row_of[v];
      /* only along what a row could be solved for */
      if (row_may_solve(s, &t->sys->rows.at[r], v) && other != NO_ROW && !rows[other]) {
        rows[other] = true;
        vec_push(a, &work, other);
      }
    }
  }
}

/* Rows in which each SVar stands: of SVar v rows[start[v]] .. rows[start[v + 1] - 1]. */
static uint32_t *rows_of_vars(const Structure *s, const IncidenceTable *t, uint32_t *start,
                              Arena *a) {
  /* counted, then filled: rows of a variable ascend */
  for (uint32_t r = 0; r < t->sys->rows.n; r++)
    for (uint32_t k = 0; k < t->rows[r].n; k++)
      start[t->rows[r].at[k].var + 1]++;
  for (uint32_t v = 0; v < s->vars.n; v++)
    start[v + 1] += start[v];
  uint32_t *rows = NEW_ARRAY(a, uint32_t, start[s->vars.n] + 1);
  uint32_t *next = NEW_ARRAY(a, uint32_t, s->vars.n + 1);
  memcpy(next, start, s->vars.n * sizeof *next);
  for (uint32_t r = 0; r < t->sys->rows.n; r++)
    for (uint32_t k = 0; k < t->rows[r].n; k++)
      rows[next[t->rows[r].at[k].var]++] = r;
  return rows;
}

void match_under(const Structure *s, const IncidenceTable *t, const Matching *m,
                 const bool *unknown, bool *vars, Arena *a) {
  uint32_t *start = NEW_ARRAY(a, uint32_t, s->vars.n + 1);
  uint32_t *rows = rows_of_vars(s, t, start, a);
  VEC(uint32_t) work = {0};
  for (uint32_t v = 0; v < s->vars.n; v++) {
    /* what stays without a row, and what could be exchanged for it */
    vars[v] = unknown[v] && m->row_of[v] == NO_ROW;
    if (vars[v])
      vec_push(a, &work, v);
  }
  while (work.n) {
    uint32_t v = work.at[--work.n];
    for (uint32_t k = start[v]; k < start[v + 1]; k++) {
      uint32_t other = m->var_of[rows[k]];
      if (other == NO_SVAR || vars[other] || !row_may_solve(s, &t->sys->rows.at[rows[k]], v))
        continue;
      vars[other] = true;
      vec_push(a, &work, other);
    }
  }
}
