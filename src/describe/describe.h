#pragma once
/* describe/describe.h -- structure -> the tables of a model (DsModel in dsblock.h), computed once:
 * emission prints them as C, evaluation uses them as they are. model.def lists their fields. */
#include "base/map.h"
#include "dsblock.h"
#include "structure/slice.h"
#include "structure/slopes.h"
#include "structure/sorted.h"

enum { SYSTEM_SIMULATION, SYSTEM_INITIAL, SYSTEM_PULSES, N_SYSTEMS };

/* Simultaneous equations: what a row of DsModel.blocks was made from. */
typedef struct {
  const SBlock *block;
  const SSlopes *slopes; /* NULL: derivatives are differenced */
  Span span;             /* of its first equation */
} Solved;

/* Number `at` of what a function of the model computes. */
typedef struct {
  uint32_t at;
  ExprId value;
  Span span; /* of the equation that it comes from */
} Listed;
typedef VEC(Listed) ValueList;

/* Lives in its arena, beside the flat model and the structure, which it refers to. */
typedef struct {
  DsModel model; /* everything but functions and `own` */
  const FlatModel *flat;
  const Structure *s;
  const SSlice *slice; /* NULL: the whole model */
  Arena *a;
  Diags *diags; /* while tables are made */

  uint32_t *number[N_SYSTEMS]; /* per block of the system that is solved: its row */
  VEC(DsBlock) blocks;
  VEC(Solved) solved; /* per row of model.blocks */
  DsTangent tangent;  /* model.tangent, if it is known */
  /* What the functions of these names compute, in order */
  ValueList evaluate, evaluate_relations, selection, jump, relation_areas, invariants, profiles;

  VEC(DsPlace) places;
  Map place_of; /* span -> its row */
  VEC(DsExternal) externals;
} Description;

/* X001 for what no model can hold. */
Description *describe_model(const FlatModel *m, const Structure *s, Arena *a, Diags *diags);
/* A slice has the layout of the whole model and simultaneous equations, but no variables, no
 * relations and no function beside `outputs`. */
Description *describe_slice(const FlatModel *m, const Structure *s, const SSlice *slice, Arena *a,
                            Diags *diags);

const SSystem *describe_system(const Description *d, int system);
/* Row in DsModel.blocks of a block that is solved; `system` is one of the structure. */
uint32_t describe_number(const Description *d, const SSystem *system, const SBlock *b);
/* Row in DsModel.places; it is added if it is new. */
uint32_t describe_place(Description *d, Span span);
DsPlace describe_where(const Description *d, Span span); /* "Ball.mo:7"; "" if nowhere */
/* Row in DsModel.externals; it is added if it is new. */
uint32_t describe_external(Description *d, const Func *f);
bool describe_is_fortran(const Func *f);

/* Lengths of DsModel.terms and DsModel.numbers, which it does not tell. */
int describe_n_terms(const DsModel *m);
int describe_n_numbers(const DsModel *m);
