#pragma once
/* run/direction.h -- which way relations on their band go from where an event has come to. */
#include "run/instant.h"

/* Of a - b, a moment later. */
typedef enum { WAY_DOWN = -1, WAY_NONE = 0, WAY_UP = 1, WAY_UNKNOWN } Way;

void run_direction_allocate(Run *run);
/* The ways of all relations of the scope that are on their band, from exact derivatives of the
 * motion; z: a - b. The values, and the slopes of the states, are those of now. */
void run_directions(Instant *in, const double *z);
Way run_way(const Run *run, int k);
/* What it compares may move between events */
bool run_may_move(const Run *run, int k);
/* Relation k is on its band for good: nothing moves that it compares */
bool run_direction_stands(const Run *run, int k);
void run_set_way(Run *run, int k, Way way);
/* s: after that a relation which has made the event at work is on its band again, by a parabola,
 * from an excursion that errors of steps may hide; the shortest. INFINITY: there is none. Values
 * and slopes are those after the event. */
double run_flight(Run *run, const Scope *sc);
/* Second derivatives of all states, at the values and slopes stored, exactly; NULL: not known */
const double *run_curves(Run *run, const Scope *sc);
/* After that, at the same values: how slopes change with a motion of the states alone */
void run_slopes_along(Run *run, const double *along, double *change);

/* probe.c: what these leave unknown, by a trial step. */

/* s: a short time for the solution where the event began */
double run_moment(const Instant *in);
/* Those that are unknown so far; false: it cannot be evaluated a moment ahead */
bool run_probe_ways(Instant *in);
/* Relations of mixed systems that are on their band take the sides that agree a moment later; true:
 * one has another value now */
bool run_probe_mixed(Instant *in);

/* follow.c */

/* Where relations are, and the sides that they keep as long as no jump moves them. */
void run_remember_entry(Instant *in);
bool run_on_band(const Run *run, int k);
bool run_may_slide(const Run *run, int k); /* the motion, along relation k */
/* Relation k, on its band, takes this side, if it may */
bool run_take_side(Run *run, int k, bool side);
/* All that are on their band take the side that they move to; true: one has another value now */
bool run_follow(Instant *in, int *status);
