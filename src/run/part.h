#pragma once
/* run/part.h -- a part of the model: what it determines, its solver, its phase, what happened to
 * it. Lasts for the run; what it remembers between turns goes into snapshots (walk_part). */
#include "run/contact.h"
#include "run/core.h"
#include "run/discontinuity.h"
#include "run/slide.h"
#include "run/solver.h"

/* The continuous phase under way. The solver's step runs ahead of the time that was asked for: a
 * step may be made, and the event in it be found, while its rows still wait. */
typedef struct {
  double until;   /* the next time event, or the stop time */
  bool timed;     /* the first of the two */
  double largest; /* s; step */
  /* s: until `flight` steps of at most `in_flight`, because errors of longer ones might hide an
   * excursion; 0: of any length */
  double flight, in_flight;
  bool in_step; /* a step is made, and it is known what happens in it */
  double theta; /* fraction of it at which its event is; 0: there is none */
} Phase;

enum { CROWD = 1000, SLIGHT_EVENTS = 8, MOTIONS = 16 };

/* What a part remembers of its events, so that it is seen where they accumulate. */
typedef struct {
  double *crowd; /* CROWD: times of the last events; NULL before the first */
  uint64_t n;
  /* Times of the last ones after slight excursions, and of the one before them */
  double slight[SLIGHT_EVENTS + 1];
  int n_slight;
  /* MOTIONS*n: slopes after the last events with small excursions, the last one first; NULL
   * before the first */
  double *motions;
  int n_motions;
  double ends;          /* where its events accumulate, by what is known; NaN: they do not */
  int ends_by;          /* a relation that makes them */
  int narrow;           /* state events in a row before which no relation of theirs went anywhere */
  uint64_t located;     /* state events */
  double located_since; /* when the last EVENTS_IN_A_ROW of them began */
} PartEvents;

/* A part of the model that makes steps of its own; the whole model if it has no parts. */
struct Part {
  Run *run;
  int number;
  int x, n;                /* states: places, as many */
  Scope scope;             /* itself */
  int *readers, n_readers; /* parts that read its values, directly */
  const struct PartKind *kind;
  Stepper *stepper; /* the method at work */
  Solver solver;
  Phase phase;
  double h;    /* proposed size of the next step */
  double pace; /* of its last steps, see run_pace; 0: there are none */
  StepWatch watch;
  /* Its pace when it was last free: a measure of time for differences; 0: unknown */
  double tempo;
  double h_before; /* size of the step before; 0: there is none since the last event */
  /* Fraction of the step that was last looked at: the values belong to it; NaN: none */
  double looked;
  double hint; /* fraction of the step where a stage first saw a relation changed; 0: none */
  uint64_t hint_trial;  /* the trial step it belongs to */
  uint64_t guess_trial; /* the trial step that began with the guess */
  bool monitored;       /* some relation makes state events */
  int rescues;          /* steps in a row that needed a rescue */
  /* Places in r that Newton's method has been asked for */
  int *iterated, n_iterated, most_iterated;
  PartEvents events;
  bool due;  /* a time event is due where it stands */
  bool soon; /* its next step may begin with an event */
  /* The states a moment before the event at work, if it was located; NULL before the first */
  double *left;
  bool has_left;
  bool over;    /* it has come to the end */
  bool touched; /* by the event at work: it begins anew after that */
  Slide slide;
  Contact contact;
  struct {
    Slide slide;
    Contact contact;
    bool has_dense;
    int n_iterated;
    uint64_t evaluations;
  } aside; /* what it had before a look */
};

/* Parts of a scope: those at work; those, and what they read. */
static inline int part_count(const Run *run, const Scope *sc) {
  return run->divided && !sc->all ? sc->n_parts : run->n_parts;
}
static inline Part *part_at(const Run *run, const Scope *sc, int k) {
  return &run->parts[run->divided && !sc->all ? sc->parts[k] : k];
}
static inline int part_seen_count(const Run *run, const Scope *sc) {
  return run->divided && !sc->all ? sc->n_seen : run->n_parts;
}
static inline Part *part_seen(const Run *run, const Scope *sc, int k) {
  return &run->parts[run->divided && !sc->all ? sc->seen[k] : k];
}
#define EACH_PART(run, sc, p)                                                                      \
  for (Part *p = NULL, **p##_once = &p; p##_once; p##_once = NULL)                                 \
    for (int p##_k = 0; p##_k < part_count(run, sc) && (p = part_at(run, sc, p##_k), true); p##_k++)
#define EACH_SEEN(run, sc, p)                                                                      \
  for (Part *p = NULL, **p##_once = &p; p##_once; p##_once = NULL)                                 \
    for (int p##_k = 0; p##_k < part_seen_count(run, sc) && (p = part_seen(run, sc, p##_k), true); \
         p##_k++)

void run_parts_make(Run *run);
void run_touch(Run *run); /* scope: what an event of run->began may touch */
/* Is a part of sc->seen at work, too? What an event only reads is solved from where it was before
 * the event, as often as it is asked for: it has one value, which all that reads it has followed,
 * in rows of the event, too. */
bool run_begin_seen(Run *run, const Scope *sc, int part, int what);
bool run_has_delays(const Run *run, const Scope *sc); /* the scope has those of the model */
