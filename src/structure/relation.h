#pragma once
/* structure/relation.h -- what makes events, and what remembers: relations, samples, delay(),
 * spatialDistribution().
 * Lowering makes them; what else is known about a relation is found later, by the files that are
 * named in it. */
#include "base/source.h"
#include "expr/expr.h"

/* Relation a op b outside of noEvent whose operands vary between events. */
typedef struct {
  /* ---- as lowered: lower_expr.c, lower_quiet.c, lower.c ---- */
  Op op;
  ExprId a, b;
  ExprId left, right; /* the same as written: before anything was replaced */
  uint32_t var;       /* its SVar */
  /* It stands for sign() of this, in the flat model; NO_EXPR: it was written as it is */
  ExprId sign;
  /* It stands under noEvent: the SVar, + 1, that says whether it makes events all the same; 0:
   * none */
  uint32_t watch;
  unsigned char chatter; /* DsChatter of dsblock.h, as its equation asks for */
  Span span;

  /* ---- events in time: lower_expr.c, steady.c ---- */
  bool timed;     /* depends on time and discrete values only, affine in time */
  bool rising;    /* timed: a-b grows with time */
  ExprId instant; /* timed: where a-b = 0 */

  /* ---- in the sorted system: sort.c, guard.c, pulse.c ---- */
  bool mixed;   /* in a loop with unknowns that its operands depend on */
  ExprId guard; /* it matters only while this holds; NO_EXPR: always */
  ExprId area;  /* of the pulse in a - b; NO_EXPR: there is none in this mode */

  /* ---- what it switches: field.c ---- */
  bool field; /* only continuous Reals depend on it */
  bool modal; /* derivatives depend on it, directly or by way of discrete variables */
  /* Its operands follow from states, time and values that are held, without equations */
  bool direct;
  bool swapped;     /* it compares the sides of its surface the other way round */
  uint32_t surface; /* number of the first relation between the same two sides */

  /* ---- how large what it compares is: size.c; NO_EXPR: not known ---- */
  ExprId size, terms;
  ExprId size_initially, terms_initially; /* in the order of the initial system */
} SRelation;

/* sample(start, interval) */
typedef struct {
  ExprId start, interval;
  uint32_t var; /* its SVar */
  Span span;
} SSample;

/* delay(): what is recorded, how long, and how long at most. */
typedef struct {
  uint32_t in; /* SVar of the expression */
  ExprId delay, most;
  bool varies; /* the delay, between events */
  Span span;
} SDelay;

/* spatialDistribution(): what is recorded, and the initial distribution. */
typedef struct {
  uint32_t recorded[4]; /* SVars: in0, in1, x, 1 if the velocity is positive else 0 */
  uint32_t n;           /* points */
  ExprId *points, *values;
  Span span;
} STransport;
