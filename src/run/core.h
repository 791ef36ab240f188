#pragma once
/* run/core.h -- the run itself: the model at work, its values, its parts, and the rooms that hold
 * the rest. A room is a struct of its own with a header of its own; who does not include that
 * header cannot look inside. Rooms by lifetime:
 *   run          goal, scales (weights.h), samples, past, memory, trace, out, look, starts
 *   part         part.h, with its solver, slide and contact; queue (schedule.h)
 *   structure    work (workspace.h): what belongs to the blocks of one structure
 *   instant      instant.h: everything that lives for one event; pass: for one pass of it
 *   evaluation   eval, failure, warning; mixed (workspace.h)
 * `own` has what single files keep for themselves. */
#include "base/vec.h"
#include "numeric/numeric.h"
#include "numeric/stepper.h"
#include "run/failure.h"
#include "run/run.h"
#include "run/scope.h"

#include <float.h>
#include <math.h>

/* A value for a variable, of its type. */
typedef struct {
  int variable;
  double r;
  long long i;
  const char *s;
} RunValue;

/* Better machine code for a long run. */
typedef struct {
  double begun, next; /* s of run_clock: when the run began, when to look again */
  bool wanted;        /* the compiler was asked */
  unsigned steps;     /* since the run began */
} RunCode;

typedef struct Part Part;
typedef struct Relations Relations;
typedef struct Instant Instant;
typedef struct Pass Pass;
typedef struct Workspace Workspace;
typedef struct Output Output;
typedef struct Look Look;
typedef struct Implicit Implicit;
typedef struct SlideWork SlideWork;
typedef struct BlendWork BlendWork;
typedef struct ContactWork ContactWork;
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
typedef struct MixedTrials MixedTrials;
typedef struct RunMemory RunMemory;
typedef struct Past Past;
typedef struct Queue Queue;
typedef struct Trace Trace;

/* Instants of sample(): start + next*interval, never summed up. Arrays: per sample. */
typedef struct {
  double *start, *interval;
  uint64_t *next;
} RunSamples;

/* Where iterations of nonlinear systems begin. Arrays: per place in r. */
typedef struct {
  bool *is_iterated; /* Newton's method has been asked for it */
  int *owner;        /* number of the part that determines it; -1: none */
  double *value;     /* at the last step that counts, where a trial step begins */
} RunGuess;

/* Sizes of variables: nominal values, tolerances, declared bounds. */
typedef struct {
  double *atol, *nominal;        /* per state */
  double *nominals, *low, *high; /* per place in r: 0 and no bounds where nothing is declared */
} RunScales;

/* Unknowns of full linear systems that have been singular. */
typedef struct {
  int *place, n; /* in r */
  bool *is;      /* per place in r; also of discrete variables, which nobody has to be told of */
  bool *told;    /* per variable, and its derivative: that it does not follow from its system */
} RunSingular;

/* What an evaluation may do, and what it has met. */
typedef struct {
  const Scope *scope; /* what it is about */
  /* The last one was that of the derivatives of this scope, and succeeded; NULL: it was another */
  const Scope *current;
  struct {
    unsigned char *block; /* a copy from when a derivative was last not finite */
    double time;          /* when that was; NaN: never */
    const Part *part;     /* whose it was */
  } bad;
  bool rescue;        /* no smaller step can be tried: nonlinear systems are solved at any cost */
  bool in_mixed;      /* trial values of relations: a contradiction is no failure */
  bool ahead;         /* the equations are asked a moment ahead: that is no pass */
  bool many;          /* a linear system had many solutions since this was cleared */
  bool met_singular;  /* a linear system had many solutions in the trial at work */
  bool contradiction; /* a linear system had no solution in the trial at work */
} RunEvaluation;

/* What the run was asked for. */
typedef struct {
  double start, stop, rtol, interval;
  uint32_t intervals;       /* of the output grid */
  const StepperKind *asked; /* method; NULL: auto */
  double fixed;             /* step size asked for; 0: the output interval */
} RunGoal;

/* The start: what the initialisation begins with and remembers. */
typedef struct {
  unsigned char *given; /* per variable: its value was set from outside */
  double *states;       /* start values of the states, before the initial system */
  int *variables; /* per state: its variable, also in modes where it is none; -1: it has no name */
  double *redundant;   /* both sides of each redundant initial condition */
  VEC(int) off_path;   /* blocks whose solution the path of homotopy() does not lead to */
  VEC(uint64_t) modes; /* that the initialisation has left again */
} RunStarts;

/* Room for trials. */
typedef struct {
  unsigned char *spare; /* a copy of the block */
  double *trial;        /* a state to look at; as many components as the solver has */
  double *placed;       /* another one, of a part that is read */
} RunCells;

/* How far the run has come. */
typedef struct {
  bool begun;    /* run_begin was called */
  bool underway; /* the initialisation is over */
  bool terminated;
  double pause; /* until then the run goes */
} RunStage;

/* Rooms of single files. */
typedef struct {
  Implicit *implicit;               /* implicit.c: formulation `dae`; else NULL */
  SlideWork *slide;                 /* slide.c; NULL: no relation switches a field only */
  BlendWork *blend;                 /* blend.c; as slide */
  ContactWork *contact;             /* contact.c; NULL: no state has jumped at an event */
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
  RunCode code;                     /* code.c */
  VEC(RunValue) settings;           /* set.c: that take effect with the next event */
} RunOwn;

struct Run {
  uint64_t serial; /* no other run of the process has it */
  const Program *program;
  const RunOptions *options;
  Arena *a;
  Diags *diags;
  RunGoal goal;

  const DsModel *m; /* the present structure, or better code of it */
  DsData d;
  unsigned char *block; /* all values */
  size_t block_size;
  int n_real; /* places of Reals that there is room for */
  RunCells cells;

  Part *parts; /* n_parts */
  int n_parts;
  bool divided;       /* they are those of the model; else the only one is the whole */
  const Scope *whole; /* all of them */
  int n_sliding;      /* parts that slide, or in which something is held in contact */

  RunEvaluation eval;
  Failure failure;
  Failure warning; /* waiting to be told */

  Relations *rel;
  RunSamples *samples;
  RunGuess *guess;
  RunScales *scales;
  RunSingular *singular;
  RunStarts *starts;
  MixedTrials *mixed;
  RunMemory *memory;
  Past *past;
  Queue *queue;
  Trace *trace;
  Instant *instant;
  Pass *pass;
  Workspace *work, *structures; /* the present structure, and all that the run has been in */
  Output *out;
  Look *look;
  RunOwn own;

  RunStage stage;
  RunStats stats;
};

/* run.c */
void run_lay_out(Run *run); /* memory for the values */
