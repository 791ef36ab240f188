#pragma once
/* load/cc.h -- C text of a DSblock -> the C compiler of the system, as a child process -> callable
 * model.
 * The compiler is $NUSIM_CC, else `cc`, looked for on PATH and started without a shell. Its files
 * live in a directory of their own that nobody else may read, and are gone when the job is done. */
#include <stdbool.h>
#include <stddef.h>

#include "dsblock.h"

typedef struct CcJob CcJob;
typedef enum { CC_BUSY, CC_READY, CC_FAILED } CcState;

/* Starts to compile; dsblock.h is put in front of the text. NULL when memory is short. */
CcJob *cc_start(const char *c_text);
/* How it stands; `wait`: until it is no longer busy. */
CcState cc_state(CcJob *job, bool wait);
const DsModel *cc_model(const CcJob *job); /* of a job that is ready */
const char *cc_why(const CcJob *job);      /* of a job that failed */
/* Ends a compiler that is still busy, unloads the code; NULL is allowed */
void cc_free(CcJob *job);
