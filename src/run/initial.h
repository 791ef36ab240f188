#pragma once
/* run/initial.h -- parameters, start values, the initial system. */
#include "run/rooms.h"

RunStatus run_read_tolerances(Run *run); /* nominal values and bounds, from the parameters */
RunStatus run_initialise(Run *run);
