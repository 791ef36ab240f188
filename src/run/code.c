/* run/code.c -- machine code of a run: a long one gets better code on its way.
 * Both codes are compiled from one C text and give equal bits, so the moment of the change decides
 * nothing but the speed. */
#include "run/code.h"
#include "run/core.h"
#include "run/part.h"
#include "run/workspace.h"

#include <math.h>
#include <time.h>

#include "load/later.h"

/* A compiler of its own pays when the run goes on for longer than it needs. All in seconds of real
 * time. */
typedef struct {
  double long_run; /* so long a run goes on before anything is decided */
  double start;    /* a compiler needs that much ... */
  double per_byte; /* ... and this per byte of C */
  double look;     /* between two looks whether it is done */
} CodeTimes;
static const CodeTimes times = {.long_run = 0.3, .start = 0.1, .per_byte = 5e-6, .look = 0.01};

struct RunCode {
  double begun, next; /* s of run_clock: when the run began, when to look again */
  bool wanted;        /* the compiler was asked */
  unsigned steps;     /* since the run began */
};

double run_clock(void) {
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

void run_use_code(Run *run, const DsModel *same_layout) {
  run->m = run->d.model = run->work->m = same_layout;
}

/* Takes the better code if it is ready. */
static void take(Run *run) {
  /* the compiler may have failed: then why, once */
  const char *why = NULL;
  const DsModel *better = later_model(run->program->later, &why);
  if (!better) {
    run->stats.code_note = why;
    return;
  }
  run_use_code(run, better);
  run->stats.cc_from = run->d.time;
}

/* A compiler makes code of one structure; where it changes each would need its own. */
static bool has_better(const Run *run) { return run->program->later && !run->m->n_conditions; }

void run_code_begin(Run *run) {
  static const char *const names[] = {
      [CODE_AUTO] = "", [CODE_TCC] = "tcc", [CODE_CC] = "cc", [CODE_EVAL] = "eval"};
  run->stats.code = names[run->program->code];
  run->stats.cc_from = NAN;
  if (!run->own.code)
    run->own.code = NEW(run->a, RunCode);
  double now = run_clock();
  *run->own.code = (RunCode){.begun = now, .next = now + times.long_run};
  if (has_better(run))
    take(run);
}

/* Is there enough left to do for a compiler to pay? */
static bool worth_it(const Part *p, double elapsed) {
  const Run *run = p->run;
  double done = (p->stepper->t - run->goal.start) / (run->goal.stop - run->goal.start);
  /* what is left, at the pace so far */
  double left = done > 0 ? elapsed * (1 - done) / done : INFINITY;
  return left > times.start + times.per_byte * (double)later_length(run->program->later);
}

void run_code_review(Part *p) {
  Run *run = p->run;
  RunCode *c = run->own.code;
  LaterCode *later = run->program->later;
  /* once it was taken, or will not come, nobody looks any more */
  if (!has_better(run) || !isnan(run->stats.cc_from) || run->stats.code_note)
    return;
  /* not every step is worth a look at the clock */
  enum { STEPS_PER_LOOK = 4 };
  if (++c->steps % STEPS_PER_LOOK)
    return;
  double now = run_clock();
  if (now < c->next)
    return;
  /* soon if it is on its way, else now and then */
  c->next = now + (c->wanted ? times.look : times.long_run);
  if (c->wanted)
    take(run);
  else if (worth_it(p, now - c->begun)) {
    later_want(later);
    c->wanted = true;
    c->next = now + times.look;
  }
}

void run_code_end(Run *run) {
  RunCode *c = run->own.code;
  if (c && c->wanted) {
    later_leave(run->program->later);
    c->wanted = false;
  }
}
