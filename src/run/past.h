#pragma once
/* run/past.h -- the past that delay() (delay.c) and spatialDistribution() (transport.c) ask for.
 * Lasts for the run; steps and events add to it. */
#include "base/tape.h"
#include "run/rooms.h"

typedef struct DelayBuffer DelayBuffer;
typedef struct Transport Transport;

struct Past {
  DelayBuffer *delays;
  double *delay_values;
  /* Times, then values per delay and per end of a transport, at points + 1 points of the last
   * step */
  double *samples;
  int points;
  /* Per delay and per end of a transport: what errors of states make of it, at the last look; and
   * cells for three times as many values */
  double *unsure;
  Transport *transports;
  /* What the model says of them now; of their first distributions */
  double *transport_values, *profiles;
  /* An event is under way, and delays and transports have not been recorded after it */
  bool at_event;
};

/* delay.c */
void run_delays_allocate(Run *run);
void run_delays_begin(Run *run);
/* The present values; at an event: after it. These two also of transports */
int run_delays_record(Run *run, bool event);
/* At the start: the present values are the past, too; changed: number of one that was not so
 * before, -1 if none. */
int run_delays_first(Run *run, int *changed);
int run_delays_step(Part *p, double theta); /* the last step up to theta */
double run_delays_next(const Run *run);     /* when the next jump has had its delay */
/* Jumps whose delay has passed take place now; are there any? */
bool run_delays_pass(Run *run);
double run_delays_shortest(const Run *run);
double run_delay(DsData *d, int k, double delay);
void run_delays_keep(Run *run, Tape *t);

/* transport.c */
void run_transports_allocate(Run *run);
int run_transports_begin(Run *run);
/* What may enter at both ends of each, as the equations are now */
int run_transports_entering(Run *run, double *to, int apart);
int run_transports_record(Run *run, bool event); /* the present values; at an event: after it */
double run_transports_longest(const Run *run);   /* step that what flows now is good for */
/* RETRY: the step up to theta moves something too far */
int run_transports_check(Part *p, double theta);
void run_transports_pass(Run *run); /* jumps that have reached an end take place now */
double run_transport(DsData *d, int k, int what, double x);
void run_transports_keep(Run *run, Tape *t);
