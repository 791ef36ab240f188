#pragma once
/* interpret/interpret_impl.h -- shared by the files of this folder. */
#include <pthread.h>

#include "expr/eval.h"
#include "interpret/interpret.h"

enum { SIMULATION, INITIAL, PULSES, N_SYSTEMS };

/* A model without machine code. What changes belongs to the evaluation under way, of which there is one at a time. */
typedef struct {
  DsModel model;
  const FlatModel *m;
  const Structure *s;
  ExprPool *p;
  Arena *a;
  const uint32_t *number[N_SYSTEMS]; /* per block of the system: its number in model.blocks */
  int **places;              /* per number: places in r of what is iterated */
  const SBlock **solved;     /* per number */
  const SSlopes **slopes;    /* per number; NULL: derivatives are differenced */
  uint32_t *iterators;       /* per algorithm: LOCALs below this number are iterators */
  const SSlice *slice;       /* what `outputs` computes; NULL: all output variables */
  STangent tangent_of;
  SInvariants invariants;
  DsTangent tangent;

  pthread_mutex_t lock; /* recursive: the runtime calls back */
  Memory mem;           /* of evaluations */
  Eval ev;
  DsData *d;
  Scalar cell;          /* a value that has no place of 8 bytes */
  int status;           /* of a callback that ended the evaluation; DS_OK: none */
  int system;           /* the one at work */
  uint32_t block;       /* number of the block at work */
  uint32_t first, end;  /* blocks of the mixed system at work */
} Interp;

/* describe.c: tables of the model */
const SSystem *system_at(const Interp *in, int system);
void describe_model(Interp *in, const Diags *diags);
DsPlace describe_place(Arena *a, const Diags *diags, Span span);

/* native.c: external functions */
bool native_known(const Func *f);
void native_table(Interp *in, const Diags *diags);
bool native_external(void *user, Eval *ev, const Func *f, Value *args, uint32_t n_args, Value *result);

/* entry.c: the functions of the model */
void entry_points(Interp *in);
