/* run/cycle.c -- passes of an event that never settle: found by the sequence of discrete states,
 * told with what flips and why.
 * How:  Brent, BIT 20 (1980): the state is compared with one that is kept, which is replaced after
 *       1, 2, 4, 8 ... passes; no number of passes is too large, and no memory is needed. A
 *       repeated state is a proof: the passes depend on nothing else. Then the circle is gone
 *       through once more, to write down what each of its passes changes. */
#include "run/cycle.h"
#include "run/core.h"
#include "run/instant.h"
#include "run/pass.h"
#include "run/values.h"

#include <string.h>

#include "structure/structure.h"

uint64_t run_cycle_length(Cycle *c, uint64_t state) {
  if (c->power && state == c->kept)
    return c->steps + 1;
  if (++c->steps >= c->power) {
    c->power = c->power ? 2 * c->power : 1;
    c->kept = state;
    c->steps = 0;
  }
  return 0;
}

static const char *number(Run *run, double v) {
  Text t = {.arena = run->a};
  text_real(&t, v);
  return text_str(&t);
}

/* ---- what a pass changes ---- */

/* A continuous variable whose value before the pass is read. */
static bool is_read_before(const Run *run, const DsVariable *v) {
  for (int k = 0; k < run->m->n_pre_reads && v->type == DS_REAL; k++)
    if (run->m->pre_reads[k] == v->place)
      return true;
  return false;
}

/* The values before and after the last pass; NULL if it kept its value. */
static const char *change_of(Run *run, const DsVariable *v) {
  const DsData *d = &run->d;
  if (v->property != DS_DISCRETE_STATE && !is_read_before(run, v))
    return NULL;
  if (v->type == DS_STRING)
    return strcmp(d->s[v->place], d->s_pre[v->place]) == 0
               ? NULL
               : arena_printf(run->a, "\"%s\" to \"%s\"", d->s_pre[v->place], d->s[v->place]);
  if (v->type == DS_REAL)
    return d->r[v->place] == d->r_pre[v->place]
               ? NULL
               : arena_printf(run->a, "%.7g to %.7g", d->r_pre[v->place], d->r[v->place]);
  long long was = d->i_pre[v->place], is = d->i[v->place];
  if (was == is)
    return NULL;
  if (v->type == DS_BOOLEAN)
    return is ? "false to true" : "true to false";
  if (v->literals && was >= 1 && was <= v->n_literals && is >= 1 && is <= v->n_literals)
    return arena_printf(run->a, "%s to %s", v->literals[was - 1], v->literals[is - 1]);
  return arena_printf(run->a, "%lld to %lld", was, is);
}

typedef struct {
  bool *flips;             /* per variable: it changes somewhere in the circle */
  unsigned char *relation; /* values of relations before the pass */
  const char *lines[SHOWN_PASSES];
} Circle;

static void add_change(Text *t, int *n, const char *what, const char *change) {
  if (++*n <= SHOWN_CHANGES)
    text_printf(t, "%s`%s` from %s", *n > 1 ? ", " : "", what, change);
  else if (*n == SHOWN_CHANGES + 1)
    text_add(t, " and more");
}

static const char *relation_name(Run *run, int k) {
  Text t = {.arena = run->a};
  const Structure *s = run->options->structure;
  if (s && (uint32_t)k < s->relations.n)
    structure_name(s, s->relations.at[k].var, &t);
  else
    text_add(&t, run->m->relations[k].place.where);
  return text_str(&t);
}

/* What the pass just made changes, as a line of text. */
static const char *line_of(Run *run, Circle *c) {
  Text t = {.arena = run->a};
  int n = 0;
  for (int k = 0; k < run->m->n_variables; k++) {
    const DsVariable *v = &run->m->variables[k];
    const char *change = change_of(run, v);
    if (change) {
      add_change(&t, &n, v->name, change);
      c->flips[k] = true;
    }
  }
  for (int k = 0; k < run->m->n_relations; k++)
    if (run->d.relation[k] != c->relation[k])
      add_change(&t, &n, relation_name(run, k),
                 run->d.relation[k] ? "false to true" : "true to false");
  for (int k = 0; k < run->m->nx; k++)
    if (run->pass->reinit[k] && run->d.r[k] != run->pass->reinit_value[k])
      add_change(
          &t, &n, run_state_name(run, k),
          arena_printf(run->a, "%.7g to %.7g by reinit", run->d.r[k], run->pass->reinit_value[k]));
  memcpy(c->relation, run->d.relation, (size_t)run->m->n_relations);
  return n ? text_str(&t) : "no variable of the model";
}

/* ---- messages ---- */

static const Structure *structure_of(const Run *run) { return run->options->structure; }

static uint32_t flat_number(const Structure *s, const char *name) {
  for (uint32_t k = 0; s && k < s->model->vars.n; k++)
    if (strcmp(s->model->vars.at[k].name, name) == 0)
      return k;
  return NO_SVAR;
}

static Span declaration(const Run *run, const char *name) {
  const Structure *s = structure_of(run);
  uint32_t v = flat_number(s, name);
  return v == NO_SVAR ? (Span){0, 0} : s->model->vars.at[v].span;
}

/* Points to the equation that determines it. */
static void label_equation(Run *run, Diag *d, const char *name) {
  const Structure *s = structure_of(run);
  uint32_t v = flat_number(s, name);
  if (v == NO_SVAR)
    return;
  for (uint32_t k = 0; k < s->simulation.rows.n; k++)
    if (s->simulation.match[k] == v)
      diag_label(run->diags, d, s->simulation.rows.at[k].span, "determines `%s`", name);
}

static RunStatus unsettled_status(const Run *run) {
  return !run->stage.underway ? RUN_INIT_FAILED : RUN_FAILED;
}

/* `a`, `b` and `c`: the variables that flip; *n their number, *first the first of them. */
static const char *names_of(Run *run, const Circle *c, int *n, const DsVariable **first) {
  Text t = {.arena = run->a};
  int total = 0;
  for (int k = 0; k < run->m->n_variables; k++)
    total += c->flips[k];
  *n = 0;
  for (int k = 0; k < run->m->n_variables && *n < SHOWN_CHANGES; k++)
    if (c->flips[k]) {
      if (!*n)
        *first = &run->m->variables[k];
      ++*n;
      bool last = *n == total || *n == SHOWN_CHANGES;
      text_printf(&t, "%s`%s`", *n == 1 ? "" : last ? " and " : ", ", run->m->variables[k].name);
    }
  if (total > *n)
    text_printf(&t, " and %d more", total - *n);
  return text_str(&t);
}

static void tell_circle(Run *run, const Circle *c, uint64_t length) {
  const DsVariable *first = NULL;
  int n;
  const char *names = names_of(run, c, &n, &first);
  Diag *
      d = n ? diag_add(run->diags, D_R607, declaration(run, first->name),
                       "event iteration does not settle at time %s: %s change%s again and again",
                       number(run, run->d.time), names, n == 1 ? "s" : "")
            : diag_add(
                  run->diags, D_R607, (Span){0, 0},
                  "event iteration does not settle at time %s: a condition changes again and again",
                  number(run, run->d.time));
  diag_note(run->diags, d,
            "the same state comes back every %llu passes:", (unsigned long long)length);
  for (uint64_t k = 0; k < length && k < SHOWN_PASSES; k++)
    diag_note(run->diags, d, "pass %llu changes %s", (unsigned long long)k + 1, c->lines[k]);
  for (int k = 0, shown = 0; k < run->m->n_variables && shown < SHOWN_CHANGES; k++)
    if (c->flips[k]) {
      label_equation(run, d, run->m->variables[k].name);
      shown++;
    }
}

RunStatus run_tell_cycle(Instant *in, uint64_t length) {
  Run *run = in->run;
  Circle c = {.flips = NEW_ARRAY(run->a, bool, run->m->n_variables + 1),
              .relation = NEW_ARRAY(run->a, unsigned char, run->m->n_relations + 1)};
  memcpy(c.relation, run->d.relation, (size_t)run->m->n_relations);
  for (uint64_t k = 0; k < length; k++) {
    run_commit(run, in->scope);
    bool changed;
    RunStatus status = run_one_pass(in, &changed);
    if (status != RUN_OK)
      return status;
    const char *line = line_of(run, &c);
    if (k < SHOWN_PASSES)
      c.lines[k] = line;
    run_apply_reinit(in);
  }
  tell_circle(run, &c, length);
  return unsettled_status(run);
}

RunStatus run_tell_endless(Run *run, uint64_t passes) {
  Diag *d = NULL;
  int shown = 0;
  for (int k = 0; k < run->m->n_variables && shown < SHOWN_CHANGES; k++) {
    const DsVariable *v = &run->m->variables[k];
    const char *change = change_of(run, v);
    if (!change)
      continue;
    if (!shown++)
      d = diag_add(run->diags, D_R607, declaration(run, v->name),
                   "event iteration does not settle at time %s: `%s` changes again and again",
                   number(run, run->d.time), v->name);
    diag_note(run->diags, d, "the last pass changed `%s` from %s", v->name, change);
    label_equation(run, d, v->name);
  }
  if (!d)
    d = diag_add(run->diags, D_R607, (Span){0, 0},
                 "event iteration does not settle at time %s: a condition changes again and again",
                 number(run, run->d.time));
  diag_note(run->diags, d, "after %llu passes no state has come back", (unsigned long long)passes);
  return unsettled_status(run);
}
