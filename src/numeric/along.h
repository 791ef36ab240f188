#pragma once
/* numeric/along.h -- how fast everything moves along a motion: derivatives in one direction, from
 * the partial derivatives of tangent.h, without a Jacobian. */
#include "numeric/tangent.h"

/* Derivative of a node by time, and the sum of the absolute values of what it comes from: a measure
 * of its rounding. */
typedef struct {
  double d, size;
} Along;

/* Room for the largest block of steps first .. end. */
size_t along_work(const TangentTable *t, int first, int end);
/* Steps first .. end, in order; p: entries; of: per node, those of states, time and earlier steps
 * are known. What follows from a block whose matrix is singular is no number. */
void along_steps(const TangentTable *t, int first, int end, const double *p, Along *of,
                 double *work);
