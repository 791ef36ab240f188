#pragma once
/* structure/build.h -- one attempt to build a structure: what its steps are handed, and how they
 * add values and rows.
 * A step reads and changes the Structure in `s`; what only some steps share stands in the room that
 * it belongs to (lower_impl.h for lowering).
 * Keep: an attempt that fails is dropped as a whole; the next one begins from the flat model. */
#include "base/diag.h"
#include "base/map.h"
#include "structure/sorted.h"

/* An if-equation: the conditions of its branches but for `else`, lowered. */
typedef struct {
  ExprId *conditions;
  uint32_t n;
  uint32_t end; /* behind the last one inside it */
  bool kept;    /* its branches are kept apart */
  bool unlike;  /* its branches hold different variables */
} LowerIf;

typedef struct Lower {
  const FlatModel *m;
  Structure *s;
  ExprPool *p;
  Arena *a;
  Diags *diags;
  Span span; /* of the equation at work */
  uint32_t origin;

  /* ---- how the model is read ---- */
  SReading how;
  const bool *mode; /* per Structure.conditions; NULL: one that is likely at the start */
  bool later;       /* no run begins in this mode */
  bool quiet;       /* what stands under noEvent makes none under any circumstances */

  /* ---- from one room to the next ---- */
  struct LowerMemory *mem; /* lower_impl.h; made by lower_model */
  VEC(LowerIf) ifs;        /* in order of writing, inner ones behind outer ones; for modes.c */
  Map split;               /* conditions of how.splits, lowered, as a set; modes.c */
  struct Repeats *repeats; /* constraints to be left out; those that are found are added */
  uint32_t n_written;      /* SVars before equations were differentiated */
} Lower;

uint32_t svar_add(Lower *lo, SVarKind kind, uint32_t of, TypeId type);
uint32_t svar_pre(Lower *lo, uint32_t var);
/* Its value before the event: an input may be set there, a parameter stays */
ExprId svar_before(Lower *lo, uint32_t var);
uint32_t svar_der(Lower *lo, uint32_t var);
SRow *row_add(Lower *lo, SSystem *sys, SRowKind kind, ExprId lhs, ExprId rhs);
/* Per row of the simulation: the row of the initial system that says the same */
uint32_t *rows_initially(const Lower *lo);
ExprId lower_default_start(Lower *lo, uint32_t var); /* start value as lowered expression */
