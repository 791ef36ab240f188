#pragma once
/* plot/trace.h -- the line of a curve on paper or in dots: only as many points as can be seen,
 * jumps apart from what is continuous. */
#include "plot/drawing.h"

/* From numbers to places along one direction. */
typedef struct {
  double lo, hi;   /* range of the axis */
  double from, to; /* where its ends are */
  bool log;
} TraceScale;

double trace_place(const TraceScale *s, double value); /* NaN where there is none */

typedef struct {
  const double *time; /* equal times of two points: an event lies between them */
  const double *x, *y;
  size_t n;
  bool steps;   /* values hold until the next point */
  bool ordered; /* x never goes back */
} TraceData;

/* TRACE_JUMP: from the left to the right limit, two points. */
typedef enum { TRACE_LINE, TRACE_JUMP } TraceKind;
typedef struct {
  TraceKind kind;
  const DrawPoint *points; /* inside of the box */
  uint32_t n;
  bool left_seen, right_seen; /* of a jump: its ends are inside */
} TracePiece;

typedef struct {
  Arena *arena;
  TraceScale x, y;
  double grain; /* smallest distance that can be seen */
  VEC(TracePiece) pieces;
  uint32_t jumps; /* how many there are; too many become part of the lines */
} Trace;

void trace_curve(Trace *t, const TraceData *data);

/* Cuts a segment to a box; false: nothing is left. */
bool trace_clip(const DrawBox *box, DrawPoint *a, DrawPoint *b);
