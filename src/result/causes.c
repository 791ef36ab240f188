/* result/causes.c -- what the causes of events are called: relations, samples, delays and reinits
 * of a model as Modelica text with their places in the source, so that a result can tell them
 * without the source. */
#include <string.h>

#include "result/store.h"
#include "structure/name.h"
#include "structure/sorted.h"

typedef struct {
  const Structure *s;
  const SourceMap *sources;
  Arena *a;
  VEC(StoreCause) out;
} Causes;

static const char *place_text(const Causes *c, Span span) {
  Place at = source_place(c->sources, span.lo);
  return span.hi && at.source ? arena_printf(c->a, "%s:%u", at.source->name, at.line) : "";
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Whole numbers without the `.0` that tells their type, which nobody wrote: h <= 0. Names in quotes
 * and texts stay. */
const char *causes_plain(const char *text, Arena *a) {
  Text out = {.arena = a};
  char quote = 0;
  for (const char *at = text; *at; at++) {
    if ((*at == '"' || *at == '\'') && (!quote || quote == *at))
      quote = quote ? 0 : *at;
    if (!quote && at > text && at[0] == '.' && at[1] == '0' && is_digit(at[-1]) &&
        !is_digit(at[2]) && at[2] != 'e')
      at++;
    else
      text_char(&out, *at);
  }
  return text_str(&out);
}

static void add(Causes *c, RunCauseKind kind, uint32_t number, const Text *text,
                const char *place) {
  vec_push(c->a, &c->out, (StoreCause){kind, number, causes_plain(text_str(text), c->a), place});
}

static void add_relations(Causes *c, bool timed) {
  for (uint32_t k = 0; k < c->s->relations.n; k++) {
    const SRelation *r = &c->s->relations.at[k];
    Text t = {.arena = c->a};
    if (r->timed != timed)
      continue;
    structure_name(c->s, r->var, &t);
    add(c, timed ? RUN_CAUSE_TIME : RUN_CAUSE_RELATION, k, &t, place_text(c, r->span));
  }
}

static void add_samples(Causes *c) {
  for (uint32_t k = 0; k < c->s->samples.n; k++) {
    const SSample *sample = &c->s->samples.at[k];
    Text t = {.arena = c->a};
    structure_name(c->s, sample->var, &t);
    add(c, RUN_CAUSE_SAMPLE, k, &t, place_text(c, sample->span));
  }
}

static void add_delays(Causes *c) {
  for (uint32_t k = 0; k < c->s->delays.n; k++) {
    const SDelay *delay = &c->s->delays.at[k];
    Text t = {.arena = c->a};
    text_add(&t, "delay(");
    structure_name(c->s, delay->in, &t);
    text_add(&t, ", ");
    structure_print(c->s, delay->delay, &t);
    text_add(&t, ")");
    add(c, RUN_CAUSE_DELAY, k, &t, place_text(c, delay->span));
  }
}

/* One per state that reinit is used on, with all places. */
static void add_reinits(Causes *c) {
  for (uint32_t k = 0; k < c->s->states.n; k++) {
    Text name = {.arena = c->a}, places = {.arena = c->a};
    for (uint32_t q = 0; q < c->s->actions.n; q++) {
      const SAction *act = &c->s->actions.at[q];
      if (act->kind != ACTION_REINIT ||
          c->s->vars.at[act->state].place != c->s->vars.at[c->s->states.at[k]].place)
        continue;
      if (!name.n) {
        text_add(&name, "reinit(");
        structure_name(c->s, act->state, &name);
        text_add(&name, ")");
      }
      const char *place = place_text(c, act->span);
      if (!strstr(text_str(&places), place))
        text_printf(&places, "%s%s", places.n ? ", " : "", place);
    }
    if (name.n)
      add(c, RUN_CAUSE_REINIT, k, &name, text_str(&places));
  }
}

const StoreCause *causes_of(const Structure *s, const SourceMap *sources, Arena *a, uint32_t *n) {
  Causes c = {.s = s, .sources = sources, .a = a};
  add_relations(&c, false);
  add_samples(&c);
  add_delays(&c);
  add_reinits(&c);
  add_relations(&c, true);
  *n = c.out.n;
  return c.out.at;
}
