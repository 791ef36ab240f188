#pragma once
/* run/evaluate.h -- one evaluation of the model: an entry point of the parts that the scope has.
 * As short as possible, as it is done most of all. */
#include "run/core.h"
#include "run/memory.h"
#include "run/slide.h"

extern const long long run_fuel; /* of one evaluation */
void run_tell_warning(Run *run);

static inline void run_begin_evaluation(Run *run) {
  run->d.fuel = run_fuel;
  run->d.top = run->d.vars = 0;
  run->d.depth = 0;
  run->d.stack = __builtin_frame_address(0);
  if (run->memory->scratch)
    run_clear_texts(run);
}

/* Entry points beyond those that parts have. */
enum { DO_PARAMETERS = DS_PART_CHECKS + 1, DO_START, DO_INITIAL };

static inline int run_whole(Run *run, int what) {
  const DsModel *m = run->m;
  switch (what) {
  case DS_PART_EVENTS: return m->events(&run->d);
  case DS_PART_ACTIONS: return m->actions(&run->d);
  case DS_PART_DERIVATIVES: return m->derivatives(&run->d);
  case DS_PART_OUTPUTS: return m->outputs(&run->d);
  case DS_PART_CHECKS: return m->checks(&run->d);
  case DO_PARAMETERS: return m->parameters(&run->d);
  case DO_START: return m->start(&run->d);
  case DO_INITIAL: return m->initial(&run->d);
  }
  return DS_FATAL;
}

/* Part by part; moving values also of those that are only read. */
int run_divided(Run *run, const Scope *sc, int what); /* part.c */
/* What the scope reads at events and does not solve there: at the present time */
int run_sources(Run *run, const Scope *sc);

/* One entry point of the scope, with fresh fuel. */
static inline int run_evaluate(Run *run, const Scope *sc, int what) {
  run_begin_evaluation(run);
  run->eval.scope = sc;
  bool slides = run->n_sliding && (what == DS_PART_DERIVATIVES || what == DS_PART_OUTPUTS);
  int status = slides    ? run_slide_evaluate(run, sc, what)
               : sc->all ? run_whole(run, what)
                         : run_divided(run, sc, what);
  if (run->m->n_string || run->memory->n_messages)
    run_end_evaluation(run);
  if (run->warning.any)
    run_tell_warning(run);
  bool stays = run->eval.current && (what == DS_PART_OUTPUTS || what == DS_PART_CHECKS);
  run->eval.current = status == DS_OK && (what == DS_PART_DERIVATIVES || stays) ? sc : NULL;
  return status;
}
