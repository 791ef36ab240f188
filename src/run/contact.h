#pragma once
/* run/contact.h -- where events accumulate: what stays in contact (contact.c), what is told where
 * nothing does (accumulate.c). */
#include "base/limits.h"
#include "base/tape.h"
#include "run/rooms.h"

/* Relations whose events have accumulated, and that are held in contact since then. */
typedef struct {
  int k; /* 0: none */
  int relation[CONTACT_MOST];
  double limit[CONTACT_MOST]; /* when the events have accumulated; NAN: that has been told */
  double force[CONTACT_MOST]; /* along the direction of the jumps, at the last evaluation */
  /* a - b, how fast it changes; and the rate of that without forces */
  double z[CONTACT_MOST], rate[CONTACT_MOST], free[CONTACT_MOST];
  /* Half the widths of the bands; z when the event at work began */
  double band[CONTACT_MOST], entry[CONTACT_MOST];
  double drift[CONTACT_MOST * CONTACT_MOST]; /* how jump j, a row, moves z itself */
  bool leaves[CONTACT_MOST], changed;
} Contact;

/* contact_exact.c: what it needs beside a Contact. */
typedef struct {
  /* Per contact, of all states: the direction of its force, and what that changes in the slopes */
  double *const *directions, *const *turns;
  double *matrix;      /* [i*k + j]: how a force along direction j changes z' of contact i */
  double *both;        /* cells, per state */
  const double *none;  /* zeros, per state */
  double *unit, *turn; /* cells, per state; unit: zeros */
} ContactMotion;
/* rate, free and drift of all contacts, turns and matrix; false: not known exactly */
bool run_contact_exact(Run *run, const Scope *sc, const ContactMotion *cm, Contact *co);
/* The direction of the surface of contact i: how z' changes with each state that its force moves,
 * relative to the largest; false: not known */
bool run_contact_normal(Run *run, const Scope *sc, const ContactMotion *cm, const Contact *co,
                        int i, double *normal);

/* Derivatives of a part with contacts, and the forces that hold them */
int run_contact_evaluate(Run *run, const Scope *sc, Part *p);
/* Fields of the part on all sides of k surfaces (blend.h), each with the forces that hold its
 * contacts there */
int run_contact_corners(Run *run, Part *p, int k, const int *surface);
/* Slopes of the scope get forces that nothing else sees, until events have accumulated */
void run_contact_finish(Run *run, const Scope *sc);
void run_contact_show(Run *run, const Scope *sc); /* and lose them again, for rows */
/* Those of the part, per state of it; NULL: there are none */
const double *run_contact_hidden(const Run *run, const Part *p);
/* The forces that the parts have act on derivatives: DsData.push */
void run_contact_push(Run *run);
void run_contact_indicators(Run *run, Part *p);
double run_noise(void *part); /* of the slopes, relative: see StepProblem */
/* After a step: does a surface still have the direction that the force has? Told, if not */
RunStatus run_contact_check(Part *p);
void run_contact_correct(Part *p); /* after a step of the part at work */
/* When events of the part have accumulated */
double run_contact_next(const Run *run, const Part *p);
/* In an event: it begins; true: events accumulate here. After its passes: contacts that do not hold
 * any more; true if there were any. Then: do events accumulate at a relation that has made this
 * one? moved: states have gone to where they do. */
bool run_contact_open(Run *run, Part *p);
bool run_contact_review(Run *run, Part *p);
RunStatus run_contact_note(Run *run, double t, bool *moved);
/* Other equations hold: do these still say who sees the forces of contacts? */
RunStatus run_contact_hold_on(Run *run, const Scope *sc);
/* Of an event that comes so long after the one before */
double run_time_error(const Part *p, double t, double before);
RunStatus run_refuse_zeno(Run *run, int relation, double limit);
void run_tell_stop(Run *run, int relation, double limit);
/* accumulate.c: after an event of the part; and before it goes on to the end of its step, or its
 * next event */
void run_accumulate_note(Run *run, Part *p, double t);
RunStatus run_accumulate_pass(Part *p);
void run_accumulate_room(Run *run, Part *p);
void run_contact_keep(Run *run, Tape *t);
