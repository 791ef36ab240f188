#pragma once
/* run/host.h -- what a model may ask of the runtime (DsHost). */
#include "run/rooms.h"

extern const DsHost run_host;
int run_evaluate_partials(Run *run, double *p); /* DsTangent.evaluate */
