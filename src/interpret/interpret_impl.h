#pragma once
/* interpret/interpret_impl.h -- shared by the files of this folder. */
#include <pthread.h>

#include "describe/describe.h"
#include "expr/eval.h"
#include "interpret/interpret.h"

typedef struct Work Work;

/* A model without machine code. Nothing of it changes but the list of workspaces. */
typedef struct {
  Description *about; /* with the model itself */
  const FlatModel *m;
  const Structure *s;
  ExprPool *p;
  Arena *a;
  uint32_t *iterators; /* per algorithm: LOCALs below this number are iterators */

  pthread_mutex_t lock; /* of `idle` */
  Work *idle;           /* workspaces that no thread has */
} Interp;

/* What an evaluation changes: the workspace of a thread from when it enters the model until it
 * leaves it. Functions of the model that the runtime calls back go on in it. */
struct Work {
  Work *next;       /* among those that are idle; of a thread: the one around it */
  Interp *in;       /* the model that it is for */
  uint32_t depth;   /* of functions of the model inside each other */
  Memory mem, kept; /* of one evaluation, and of types for all later ones */
  Eval ev;          /* pool NULL: never used yet */
  DsData *d;
  Scalar cell;         /* a value that has no place of 8 bytes */
  int status;          /* of a callback that ended the evaluation; DS_OK: none */
  int system;          /* the one at work: SYSTEM_SIMULATION ... */
  uint32_t block;      /* number of the block at work */
  uint32_t first, end; /* blocks of the mixed system at work */
};

/* work.c: workspaces */
bool work_init(Interp *in); /* false: this system gives no lock */
void work_end(Interp *in);
/* The workspace that this thread is in, or one that nobody has; NULL: not enough memory. */
Work *work_take(Interp *in);
void work_leave(Work *w);

/* native.c: external functions */
bool native_known(const Func *f);
void native_table(Interp *in);
bool native_external(void *user, Eval *ev, const Func *f, Value *args, uint32_t n_args,
                     Value *result);

/* entry.c: the functions of the model */
void entry_points(Interp *in);
