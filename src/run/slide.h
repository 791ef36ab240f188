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
  /* Where the motion has spiralled in (spiral.c): the place, + 1, of the surface on which the speed
   * of this one is 0, and whose own weight stays 1/2; 0: an ordinary one. That speed over the
   * distance from the other surface; and when the spiral ends (NaN: that has been told) */
  int mate[SLIDE_MOST];
  double scale[SLIDE_MOST], limit[SLIDE_MOST];
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
                          const Scope *sc);  /* in place of those of relations that are slid upon */
bool run_slide_may(const Run *run, int k);   /* may the motion begin to slide along relation k? */
bool run_slide_could(const Run *run, int k); /* the same at another instant */
/* In an event, after its passes. Relations that return on the spot: what the motion does there.
 * True if that was decided; *changed: relations have other values. */
bool run_slide_decide(Run *run, const Scope *sc, bool *changed);
/* The motion would slide where the run must not; run->failure says where */
bool run_slide_refused(const Run *run);
int run_slide_crowded(const Run *run); /* how many surfaces may meet, if more do now; else 0 */
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
/* Its derivatives like that, and how fast they move its surfaces */
int run_slide_keep(Run *run, const Scope *sc, Part *p, double *speed);
/* x, per state of the part, changes along what its weights change, so that the surfaces move by
 * these distances, or at these speeds, less */
void run_slide_undo(Run *run, const Part *p, const double *z, double *x);
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

/* How fast the fields of all sides move these surfaces where the part stands: 2^k*k, as in
 * SlideProblem; NULL: not known. z: distances; unsure: what rounding makes of a speed. */
const double *run_slide_speeds(Run *run, Part *p, int k, const int *surface, double *z,
                               double *unsure);
int run_slide_surface(const Run *run, int k); /* of relation k */
/* Do the fields move surface i at speeds that can be told from each other? */
bool run_slide_moved(const double *w, int k, int i, const double *unsure);
int run_slide_plainly(Run *run, int unit); /* its derivatives on one side of everything */
/* Value of what is multilinear in the weights, with weight j at 0 or 1 */
double run_slide_at_side(int k, const double *v, size_t stride, const double *a, int j,
                         double side);
/* Two more surfaces on which the part may stay, with this weight of the first one: states that
 * run_slide_speeds has just looked at go to the second one. */
void run_slide_place(Run *run, Part *p, const int pair[2], double weight, double scale);
/* It stays on them; the spiral ends then (NaN: it has ended). */
void run_slide_hold(Run *run, Part *p, const int pair[2], double weight, double scale,
                    double limit);
bool run_slide_must_not(Run *run, int surface); /* chatter is an error there; that is noted */
