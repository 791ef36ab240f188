#pragma once
/* run/outcome.h -- what a run reports: rows and why there are some, statistics, where the motion
 * stayed. Results, programs and the run itself see it. */
#include "dsblock.h"

#include <stdbool.h>
#include <stdint.h>

/* One column of the result. */
typedef struct {
  const char *name;
  int variable; /* index in DsModel.variables; -1 - index: its derivative */
  DsType type;
  int place; /* in the bank of its type */
} RunColumn;

/* A point of the output grid; rows of an event, with equal time: before it, after each pass that
 * changed something, after it. The row of a pass has the values at the end of its equations: before
 * reinit, and before relations take the side that they move to. Events that follow each other at
 * one time go on counting passes and have no second row before them. A row after the event at the
 * start time is the first row of all but for one of kind STEP and number 0: the values that the
 * initialisation found. */
typedef enum { RUN_ROW_GRID, RUN_ROW_BEFORE, RUN_ROW_STEP, RUN_ROW_AFTER } RunRowKind;

/* What made a pass of an event necessary. */
typedef enum {
  RUN_CAUSE_RELATION, /* it changed its value, in the continuous phase or in the pass before */
  RUN_CAUSE_SAMPLE,
  RUN_CAUSE_DELAY,    /* a jump has had its delay */
  RUN_CAUSE_REINIT,   /* number: of the state */
  RUN_CAUSE_DISCRETE, /* nothing but discrete variables changed in the pass before; number: -1 */
  RUN_CAUSE_TERMINAL, /* the end of the run; number: -1 */
  RUN_CAUSE_TIME,     /* a relation that is an event in time changed its value */
  /* Variables were set from outside; number: of the first, in DsModel.variables */
  RUN_CAUSE_SET,
  RUN_CAUSE_DEPARTURE, /* a relation on its limit begins to move: another event at the same time */
  RUN_CAUSE_SLIDE,     /* the motion begins to slide along the surface of a relation */
  RUN_CAUSE_EXIT,      /* it leaves it */
  RUN_CAUSE_CONTACT,   /* events of a relation have accumulated: what bounced stays in contact */
  /* no causes: what a pass did that changed the structure (RunRow.notes), in this order, but for
   * CONDITION */
  RUN_MODE_TRIED, /* a mode that was tried and left; number: -1 */
  /* The mode that the pass ended in; number: index of what binds states there; a: 1 if states
   * jumped, else 0; b: the energy that was lost, NAN if that is not known */
  RUN_MODE_KEPT,
  /* Condition `number`, a: 1 or 0, of the mode told before this: other than before the pass */
  RUN_MODE_CONDITION,
  RUN_MODE_AREA, /* a: area of the Dirac pulse in variable `number` of DsModel.variables */
  RUN_NOTE_END   /* in stores only: RunRow.ended */
} RunCauseKind;
typedef struct {
  RunCauseKind kind;
  int number; /* of the relation, sample, delay or state */
  /* RELATION, DEPARTURE: its two sides; REINIT: value before and after; SLIDE, EXIT: weight of
   * the positive side (NAN: it leaves because of something else that happened), NAN; TIME: the
   * time and its instant; else NAN */
  double a, b;
} RunCause;

typedef struct {
  double time;
  RunRowKind kind;
  uint32_t step;      /* number of the pass in this instant; 0: before all, or no event */
  const DsData *data; /* valid during the call, as is what follows */
  const RunCause *causes;
  const RunCause *notes;
  uint32_t n_causes, n_notes;
  bool parameters; /* some may have been set since the row before */
  const char *ended,
      *ended_at; /* the model ends the run: text of terminate(), "Ball.mo:9" or ""; else NULL */
  /* Places in r of the unknowns of full linear systems that have been singular so far */
  const int *singular;
  uint32_t n_singular;
} RunRow;
typedef bool RunRowFunction(void *user, const RunRow *row); /* false: stop */

/* A state that keeps the steps small, and its mean share of the squared error of a step. */
enum { RUN_LIMITING = 3 };
typedef struct {
  const char *name; /* lives as long as the program */
  double share;
} RunLimiting;

/* A change of the method by auto. */
enum { RUN_CHANGES = 8 };
typedef struct {
  double time;
  const char *solver; /* from then on; a static text */
} RunChange;

typedef struct {
  /* An event may be of both kinds */
  uint64_t steps, rejected_steps, rhs_evaluations, state_events, time_events, event_passes;
  uint64_t jacobians, factorizations;
  uint64_t selections; /* how often other variables became states */
  uint64_t structures; /* that the run made or took over, beyond the first */
  uint64_t slides;     /* surfaces that the motion began to slide on */
  uint64_t contacts;   /* accumulations of events after which something stayed in contact */
  /* Events after which relations or discrete Booleans have other values than before */
  uint64_t mode_changes;
  double end_time;
  const char *solver;    /* methods used; a static text */
  const char *code;      /* that the run began with: "tcc", "cc" or "eval" */
  double cc_from;        /* s; when code of the C compiler took over; NAN: never */
  const char *code_note; /* why it will never; NULL: nothing to say. Lives as long as the program */
  RunLimiting limiting[RUN_LIMITING]; /* name NULL: no more */
  const char *jacobian; /* how Jacobians were made: "symbolic", "differences" or both; NULL if there
                           were none; a static text */
  uint64_t n_changes;   /* of the method */
  RunChange changes[RUN_CHANGES]; /* the first of them */
} RunStats;

/* Where the motion stayed on the surface of a relation. */
typedef struct {
  bool contact; /* after events that accumulated; else it slides */
  int relation;
  int state;   /* contact: the one that stopped jumping, place in x; else -1 */
  double time; /* when that began first */
  uint64_t count;
} RunRest;
