#pragma once
/* run/code.h -- better machine code for a long run, taken between two steps. */
#include "run/rooms.h"

double run_clock(void); /* s of real time */
void run_code_begin(Run *run);
void run_code_review(Part *p); /* between steps */
void run_code_end(Run *run);
/* Goes on with other code of the same model: everything but its functions must be equal. Values
 * stay. */
void run_use_code(Run *run, const DsModel *same_layout);
