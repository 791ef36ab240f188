#pragma once
/* run/slide.h -- motions that slide along surfaces of relations (slide.c). */
#include "numeric/slide.h"
#include "run/rooms.h"

/* The surfaces that a part slides on, each named by the first of its relations. */
typedef struct {
  int k; /* 0: none */
  int surface[SLIDE_MOST];
  double a[SLIDE_MOST];                   /* weights at the last step that counts */
  double now[SLIDE_MOST];                 /* at the last evaluation */
  double z[SLIDE_MOST], band[SLIDE_MOST]; /* distances there; and half the widths of their bands */
  /* at an event */
  double entry[SLIDE_MOST];         /* distances when it began */
  int before[SLIDE_MOST], n_before; /* surfaces then */
  bool told[SLIDE_MOST];            /* that it leaves this one of them */
  int decisions;
  /* a weight has reached its limit; the states are exactly on the surfaces because of that */
  bool leaves, placed;
  bool changed; /* other surfaces than before */
} Slide;

void run_slide_allocate(Run *run);
/* Derivatives or outputs of the scope, some part slides */
int run_slide_evaluate(Run *run, const Scope *sc, int what);
void run_slide_indicators(Run *run,
                          const Scope *sc); /* in place of those of relations that are slid upon */
bool run_slide_may(const Run *run, int k);  /* may the motion begin to slide along relation k? */
/* In an event, after its passes. Relations that return on the spot: what the motion does there.
 * True if that was decided; *changed: relations have other values. */
bool run_slide_decide(Run *run, const Scope *sc, bool *changed);
/* The motion would slide where the run must not; run->failure says where */
bool run_slide_refused(const Run *run);
int run_slide_crowded(const Run *run); /* how many surfaces may meet, if more have met */
/* Derivatives where it slides, as far as it still does */
int run_slide_refresh(Run *run, const Scope *sc, bool *changed);
int run_slide_begin(Run *run, const Scope *sc); /* does the run begin on a surface? */
bool run_slide_open(Run *run, const Scope *sc); /* true: events accumulate here */
int run_slide_close(Run *run, const Scope *sc); /* the values that follow */
void run_slide_correct(Part *p);                /* after a step: back onto the surface */
/* s: the time in which its motion changes, but for rows */
double run_tempo(const Run *run, const Part *p);
/* Of one part, with the contact forces of DsData.push */
int run_slide_motion(Run *run, const Scope *sc, Part *p, int what);
/* The same with the weights of the last evaluation */
int run_slide_again(Run *run, const Scope *sc, Part *p, int what);
void run_slide_count(Run *run);       /* n_sliding */
void run_record(Run *run, int place); /* the Real cannot be computed again from the states */

/* Its relations take the values of side 0 or 1 */
void run_slide_force(Run *run, int surface, int side);
int run_slide_next(const Run *run, int k); /* the next relation of the same surface; -1 */
/* Of side 1, at the last evaluation of the part */
double run_slide_weight(const Run *run, const Part *p, int surface);
int run_slide_observe(Run *run, const Scope *sc); /* outputs of what belongs to no part */
/* Something slides or is in contact among what the scope has and what it reads */
bool run_slide_seen(const Run *run, const Scope *sc);
double run_slide_noise(const Run *run, const Part *p); /* of its slopes, relative */
