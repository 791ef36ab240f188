#pragma once
/* run/contact_impl.h -- what contact.c and contact_slide.c share: the memory of contacts, how they
 * move, what forces change in that. */
#include "numeric/slide.h"
#include "run/contact.h"
#include "run/core.h"

/* The last events of a relation at which states jumped. */
typedef struct {
  double times[ZENO_EVENTS], sizes[ZENO_EVENTS];
  int n;
  double tempo; /* s: pace of the part before the first of them */
} Bounces;

struct ContactWork {
  bool crowded;     /* a relation came to rest beside CONTACT_MOST others */
  bool *asked;      /* per relation: it is known in this event that its jumps go on */
  Bounces *bounces; /* per relation */
  /* Per relation: direction of the last jump, of the states of its part, the largest component
   * is 1; NULL */
  double **jumps;
  bool *acts;     /* per state of the part at work: the relation that was tried makes it jump */
  bool *idle;     /* per state: it is none in the present mode, and nobody integrates it */
  double *ahead;  /* per state of the part at work: how far that would be */
  double *x, *x1; /* per state: where differences are taken, and those inside of them */
  double *f, *f1; /* per state: slopes there */
  double *along;  /* per state: a direction */
  double *mean;   /* per state: slopes that others are compared with */
  double *fields; /* per corner and state of a part: slopes */
  size_t fields_room;
  /* Per contact and state: the direction of its force; what a motion along it changes in f */
  double *directions[CONTACT_MOST], *turns[CONTACT_MOST];
  double *none, *unit; /* per state: 0 */
  /* Per relation, of all states: the direction of its surface when its contact began; NULL: not
   * known yet */
  double **normals;
  double *za, *zb; /* per relation */
  double *push;    /* per state: DsData.push */
  double *hidden;  /* per state: forces that only the motion of the states sees as yet */
  bool frozen;     /* the part at work keeps its weights while it is moved for differences */
  double *plain;   /* per state: slopes without forces that are not seen yet */
  int *carrier;    /* per state: place in r of what the force is added to */
  /* How a motion along jump j changes z' of contact i */
  double matrix[CONTACT_MOST * CONTACT_MOST];
  unsigned char *block;
  unsigned char *held; /* values while passes are tried, which compute forces with `block` */
};

/* Made with the first jump of a state: most models have none */
ContactWork *contact_work(Run *run);
/* How everything moves at the states stored: slopes into f, unless that is NULL */
int contact_move(Run *run, const Scope *sc, Part *p, double *f);
/* z and z' of the contacts at the states and the time stored */
int contact_rates(Run *run, const Scope *sc, Part *p, double *z, double *rate);
/* If the relation changed now, alone, in a motion against its jumps: which states would jump, into
 * w->acts, and how far, into w->ahead? False if that is not known. */
bool contact_try_jump(Run *run, Part *p, int k);
bool contact_any(const bool *jumps, int n);
/* The states take the values that the sequence of relation k ends in at that time, and the contact
 * holds. False: it is followed event by event, as before */
bool contact_hold(Run *run, Part *p, int k, double limit);

/* Forces of the part act on its slopes, and on what is computed from them, from the next evaluation
 * on; none: while they are looked for. */
void contact_push(Run *run, const Part *p, bool any);
/* The jumps of the contacts as directions of all states; slopes of all states, with the forces of
 * the part that nothing else sees yet */
void contact_take_jumps(Run *run, const Part *p);
void contact_take_slopes(const Run *run, const Part *p, double *to);
/* Everything about the contacts of the part at the states and the slopes stored, with the forces
 * that act in these, and the directions of more: z, z', z'', the matrix. */
int contact_measure(Run *run, const Scope *sc, Part *p);
/* How z' changes along w->along from w->x */
int contact_curve_along(Run *run, Part *p, double *change);
bool contact_solve(const ContactWork *w, int k, double *b);
bool contact_add_forces(const Run *run, Contact *co, double back);

/* contact_slide.c: forces and weights that agree, from forces that are near; everything with
 * them */
int contact_settle_forces(Run *run, const Scope *sc, Part *p, double back);
