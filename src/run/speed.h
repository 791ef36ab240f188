#pragma once
/* run/speed.h -- how fast the fields of a part move its surfaces. */
#include "run/slide.h"

/* Of k surfaces, in all corners that run_blend_corners has evaluated: into run_blend_speeds. z:
 * a - b now; unsure: what rounding makes of a speed */
int run_speeds(Run *run, const Part *p, int k, const int *surface, double *z, double *unsure);
