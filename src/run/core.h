#pragma once
/* run/core.h -- the run itself: the model at work, its values, its parts, and the rooms that hold
 * the rest (rooms.h says how long each of them lasts). `own` has what single files keep for
 * themselves. */
#include "base/vec.h"
#include "run/evaluation.h"
#include "run/failure.h"
#include "run/goal.h"
#include "run/rooms.h"

/* What single files keep for themselves, and define. */
typedef struct Implicit Implicit;
typedef struct SlideWork SlideWork;
typedef struct BlendWork BlendWork;
typedef struct ContactWork ContactWork;
typedef struct SpeedWork SpeedWork;
typedef struct SpiralWork SpiralWork;
typedef struct Discontinuities Discontinuities;
typedef struct Directions Directions;
typedef struct RunInvariant RunInvariant;
typedef struct RunBounds RunBounds;
typedef struct RunWeights RunWeights;
typedef struct Projection Projection;
typedef struct Selection Selection;
typedef struct ExactJacobian ExactJacobian;
typedef struct PartSearch PartSearch;
typedef struct RunCode RunCode;

typedef struct {
  Implicit *implicit;               /* implicit.c: formulation `dae`; else NULL */
  SlideWork *slide;                 /* slide.c; NULL: no relation switches a field only */
  BlendWork *blend;                 /* blend.c; as slide */
  ContactWork *contact;             /* contact.c; NULL: no state has jumped at an event */
  SpeedWork *speed;                 /* speed.c; NULL: nothing has slid */
  SpiralWork *spiral;               /* spiral.c; NULL: none has come near its end */
  Discontinuities *discontinuities; /* collapse.c; NULL: none has limited a step */
  Directions *directions;           /* direction.c */
  RunInvariant *invariant;          /* invariant.c; of the hostile build, else NULL */
  RunBounds *bounds;                /* bounds.c; NULL before the initialisation */
  RunWeights *weights;              /* weights.c */
  Projection *projection;           /* project.c */
  Selection *selection;             /* select.c */
  ExactJacobian *jacobian;          /* jacobian.c */
  PartSearch *search;               /* part.c */
  RunCode *code;                    /* code.c; NULL before the start */
  VEC(struct RunValue) settings;    /* set.c: that take effect with the next event */
} RunOwn;

/* Room for trials. */
typedef struct {
  unsigned char *spare; /* a copy of the block */
  double *trial;        /* a state to look at; as many components as the solver has */
  double *placed;       /* another one, of a part that is read */
} RunCells;

struct Run {
  /* what it was made of, and what for */
  uint64_t serial; /* no other run of the process has it */
  const Program *program;
  const RunOptions *options;
  Arena *a;
  Diags *diags;
  RunGoal goal;
  RunStage stage;
  RunStats stats;

  /* the model at work, and its values */
  const DsModel *m; /* the present structure, or better code of it */
  DsData d;
  unsigned char *block; /* all values */
  size_t block_size;
  int n_real; /* places of Reals that there is room for */
  RunCells cells;

  /* its parts */
  Part *parts; /* n_parts */
  int n_parts;
  bool divided;       /* they are those of the model; else the only one is the whole */
  const Scope *whole; /* all of them */
  int n_sliding;      /* parts that slide, or in which something is held in contact */
  Queue *queue;

  /* rooms that last for the run */
  Relations *rel;
  RunSamples *samples;
  RunScales *scales;
  RunGuess *guess;
  RunStarts *starts;
  RunSingular *singular;
  RunMemory *memory;
  Past *past;
  Trace *trace;
  Output *out;
  Look *look;
  RunOwn own;

  /* rooms that come and go: with the structure, an event, a pass, an evaluation */
  Workspace *work, *structures; /* the present structure, and all that the run has been in */
  Instant *instant;
  Pass *pass;
  MixedTrials *mixed;
  RunEvaluation eval;
  Failure failure;
  Failure warning; /* waiting to be told */
};

/* run.c */
void run_lay_out(Run *run); /* memory for the values */
