#pragma once
/* run/run_impl.h -- shared by the files of this folder. */
#include "base/vec.h"
#include "numeric/mixed.h"
#include "numeric/numeric.h"
#include "numeric/slide.h"
#include "numeric/stepper.h"
#include "numeric/tangent.h"
#include "run/discontinuity.h"
#include "run/run.h"
#include "run/weights.h"

#include <float.h>
#include <math.h>

/* Tolerances of event handling, in one place. */
typedef struct {
  double band;        /* half width of the band around a relation, per rtol and size of what it compares: see run_band */
  double rounding;    /* the same in units of the last place of the terms that its sides come from */
  double same;        /* a relation has not been moved by a jump if it changed less than this many roundings of its operands */
  double instant;     /* a located event is known to this many units of the last place of the time */
  double left;        /* so many smallest steps before it, its relations are on their old sides */
  double joined;      /* relations of mixed systems that change within so many of these units are one event */
  double probe;       /* length of the probe for the direction of relations, in steps of the solver, or paces: see run_pace */
  double first;       /* the pace before the first step, in times in which a state moves by its size */
  int micro;          /* excursions inside the band in a row before a relation is left where it is */
  double narrow;      /* half widths of the band: a relation that goes no further between two events goes nowhere */
  double dense;       /* paces: events of one relation closer than this leave no room for steps */
  double crowd_span;  /* smallest steps: events that are no further apart on average take no time */
  uint64_t most_passes; /* passes of one event before giving up although no state repeats */
  double together;    /* instants of time events that differ by so many roundings are one */
  double redundant;   /* two values that should be equal may differ by this part of their size */
  double outside;     /* a variable is outside of its bounds by more than this many tolerances of its size */
  double small_state; /* states of a unit that stay below this are small: 1 is no measure for them, see weights.c */
  double least_atol;  /* roundings of 1: absolute tolerance of a state whose nominal value is not declared, at least */
  double contradiction; /* residual of a singular linear system, relative to its terms, from which on it has no solution */
} RunTolerances;
extern const RunTolerances run_tolerances;

enum { SHOWN_UNKNOWNS = 8, SHOWN_FLIPS = 4, MOST_RESCUES = 12 };

/* A relation that the solution for its value contradicts. */
typedef struct {
  int relation;
  bool held;   /* the value */
  double a, b; /* its two sides in the solution */
} RelationFlip;

/* What went wrong last while evaluating; told only if it persists. */
typedef struct {
  bool any;
  DiagCode code;
  DsPlace place;
  int block; /* -1: none */
  int worst; /* equation of the block with the largest residual; -1: unknown */
  double residual; /* of that equation */
  double start[SHOWN_UNKNOWNS], last[SHOWN_UNKNOWNS], size[SHOWN_UNKNOWNS]; /* of the first unknowns of a nonlinear block */
  RelationFlip flips[SHOWN_FLIPS]; /* of a mixed system without a solution */
  int n_flips;
  char text[400];
} Failure;

/* The search for a state that comes back in the passes of one event. */
typedef struct {
  uint64_t kept, power, steps; /* a state; passes until it is replaced; passes since */
} Cycle;

/* Two sides that are as good as equal: which way their difference goes. */
enum { MOST_TURNS = 64 };
typedef struct {
  double a, b;
  int sign; /* of a - b a moment later */
} RunTurn;

/* Memory of one relation. */
typedef struct {
  bool armed; /* it was outside of its band since the last change */
  bool armed_inside; /* and that was seen in the middle of the step with the event */
  bool stuck; /* it re-entered its band too often: it is left alone until it leaves the band */
  bool flipped; /* its side was set by its direction in this instant */
  bool crossed; /* it fired in this instant */
  bool resting; /* on its band when the event began, and not crossing it there */
  bool returned; /* its side was set by its direction, and it has not left its band since */
  int micro;  /* excursions in a row that stayed inside the band */
  double entry; /* a - b when the event began */
  bool side;    /* its value then, as far as it did not make the event */
  bool returns; /* it has changed, and moves back at once */
  bool slides;  /* the motion stays on its surface */
  double surface; /* then: a - b when the event began; NAN: it began in it */
  double times[3], earlier[2]; /* of its last events, and of those before */
  double reach;     /* half widths of its band: how far a - b has been from 0 since the last one, as far as steps and events show */
  double excursion; /* the same between the last two */
  int narrow;       /* its last events before which it went nowhere, in a row */
  double narrow_since; /* when the first of these was */
  double width;     /* half the largest width of its band so far: a mode that begins anew does not make excursions wider */
  bool begins;     /* it stands under noEvent, and makes events from the next one on */
} RelationState;

/* Costs of the method at work up to a moment. */
typedef struct {
  double t;
  uint64_t work, rejected, steps;
} SolverLook;

enum { MOST_STEPPERS = 8 };

/* Which method integrates. */
typedef struct {
  Stepper *made[MOST_STEPPERS]; /* by number in the table of methods */
  unsigned used;            /* bits by that number */
  Pattern pattern;
  bool has_pattern;
  bool exact; /* Jacobians are exact */
  bool full;  /* they have a place for every entry, because the motion may slide */
  /* auto */
  int stiff, easy, calm;    /* steps that looked so */
  int returns;              /* how often a stiff method was left because steps were calm */
  uint64_t patience;        /* factor of what a trial needs; grows when trials gain nothing */
  bool on_trial;            /* a stiff method has to prove itself */
  double cost;              /* evaluations per unit of time of the explicit method */
  uint64_t steps, events;   /* steps since the last change; events before it */
  uint64_t grid_steps;      /* steps at the last output point */
  uint32_t grid;
  SolverLook look;
  double rescue_time;
  int rescues;
  Stepper *gave_up;         /* the first of those that did at rescue_time */
} Solver;

enum { TEXT_SLOTS = 1024, CROWD = 1000, MOST_MESSAGES = 64, SLIGHT_EVENTS = 8, MOTIONS = 16 };

typedef struct CellChunk CellChunk;
typedef struct TextChunk TextChunk;
typedef struct KeptText KeptText;
typedef struct RunObject RunObject;

typedef struct {
  unsigned long long s[16];
  int p;
  long long id;
} RandomState;

typedef struct DelayBuffer DelayBuffer;
typedef struct Transport Transport;

/* Better machine code for a long run. */
typedef struct {
  double begun, next; /* s of run_clock: when the run began, when to look again */
  bool wanted;        /* the compiler was asked */
  unsigned steps;     /* since the run began */
} RunCode;

typedef struct Implicit Implicit;

/* A value for a variable, of its type. */
typedef struct {
  int variable;
  double r;
  long long i;
  const char *s;
} RunValue;

/* The continuous phase under way. The solver's step runs ahead of the time that was asked for: a step may be made, and the event in
 * it be found, while its rows still wait. */
typedef struct {
  double until;   /* the next time event, or the stop time */
  bool timed;     /* the first of the two */
  double largest; /* s; step */
  bool in_step;   /* a step is made, and it is known what happens in it */
  double theta;   /* part of it at which its event is; 0: there is none */
} Phase;

/* A stretch of Run.block. */
typedef struct {
  size_t at, n; /* bytes */
} RunRange;

/* What work is about: one part, the parts that an event may touch, or all. Numbers and places are those of the model. */
typedef struct {
  bool all;           /* every part */
  int n_parts, n_seen; /* in order of evaluation: those at work; and they with those whose moving values they read */
  const int *parts, *seen;
  int n_relations, n_samples, n_discrete, n_states;
  const int *relations, *samples, *discrete, *states; /* numbers; places of discrete Reals; places of states */
  int n_ranges;
  const RunRange *ranges; /* all values that they determine */
} Scope;

/* A scope that is put together at an event, with room for everything. */
typedef struct {
  Scope scope;
  int *parts, *seen, *relations, *samples, *discrete, *states;
  RunRange *ranges;
} EventScope;

/* The surfaces that a part slides on, each named by the first of its relations. */
typedef struct {
  int k;                   /* 0: none */
  int surface[SLIDE_MOST];
  double a[SLIDE_MOST];    /* weights at the last step that counts */
  double now[SLIDE_MOST];  /* at the last evaluation */
  double z[SLIDE_MOST], band[SLIDE_MOST]; /* distances there; and half the widths of their bands */
  /* at an event */
  double entry[SLIDE_MOST]; /* distances when it began */
  int before[SLIDE_MOST], n_before; /* surfaces then */
  bool told[SLIDE_MOST];    /* that it leaves this one of them */
  int decisions;
  bool leaves, placed;     /* a weight has reached its limit; the states are exactly on the surfaces because of that */
  bool changed;            /* other surfaces than before */
} Slide;
typedef struct SlideWork SlideWork;
typedef struct BlendWork BlendWork;

/* Relations whose events have accumulated, and that are held in contact since then. */
enum { CONTACT_MOST = 4 };
typedef struct {
  int k; /* 0: none */
  int relation[CONTACT_MOST];
  double limit[CONTACT_MOST]; /* when the events have accumulated; NAN: that has been told */
  double force[CONTACT_MOST]; /* along the direction of the jumps, at the last evaluation */
  double z[CONTACT_MOST], rate[CONTACT_MOST], free[CONTACT_MOST]; /* a - b, how fast it changes; and the rate of that without forces */
  double band[CONTACT_MOST], entry[CONTACT_MOST]; /* half the widths of the bands; z when the event at work began */
  double drift[CONTACT_MOST * CONTACT_MOST]; /* how jump j, a row, moves z itself */
  bool leaves[CONTACT_MOST], changed;
} Contact;
typedef struct ContactWork ContactWork;

/* A part of the model that makes steps of its own; the whole model if it has no parts. */
typedef struct {
  Run *run;
  int number;
  int x, n;         /* states: places, as many */
  Scope scope;      /* itself */
  int *readers, n_readers; /* parts that read its values, directly */
  bool steps;       /* it has states or events, and is not just read */
  Stepper *stepper; /* the method at work */
  Solver solver;
  Phase phase;
  double h;         /* proposed size of the next step */
  double pace;      /* of its last steps, see run_pace; 0: there are none */
  StepWatch watch;
  double tempo;     /* its pace when it was last free: a measure of time for differences; 0: unknown */
  double h_before;  /* size of the step before; 0: there is none since the last event */
  double looked;    /* part of the step that was last looked at, and what the values belong to; NaN: none */
  double hint;      /* part of the step at which a stage first saw a relation changed; 0 if none */
  uint64_t hint_trial;  /* the trial step it belongs to */
  uint64_t guess_trial; /* the trial step that began with the guess */
  bool monitored;   /* some relation makes state events */
  int rescues;      /* steps in a row that needed a rescue */
  int *iterated, n_iterated, most_iterated; /* places in r that Newton's method has been asked for */
  double *crowd;    /* CROWD: times of the last events; NULL before the first */
  uint64_t n_events;
  double slight[SLIGHT_EVENTS + 1]; /* times of the last ones after slight excursions, and of the one before them */
  int n_slight;
  double *motions;  /* MOTIONS*n: slopes after the last events with small excursions, the last one first; NULL before the first */
  int n_motions;
  double ends;      /* where its events accumulate, by what is known; NaN: they do not */
  int ends_by;      /* a relation that makes them */
  int narrow;       /* state events in a row before which no relation of theirs went anywhere */
  bool due;         /* a time event is due where it stands */
  bool soon;        /* its next step may begin with an event */
  double *left;     /* the states a moment before the event at work, if it was located; NULL before the first */
  bool has_left;
  bool over;        /* it has come to the end */
  bool touched;     /* by the event at work: it begins anew after that */
  Slide slide;
  Contact contact;
  struct {
    Slide slide;
    Contact contact;
    bool has_dense;
    int n_iterated;
    uint64_t evaluations;
  } aside;          /* what it had before a look */
} Part;

/* The values at the present time, in the middle of a step: a look that leaves no trace when the run goes on. */
typedef struct {
  bool on;
  unsigned char *block; /* what the run goes on with, as is what follows up to the generators */
  double time;
  const Part *current;
  bool failed;
  uint64_t evaluations;
  RandomState *random;
  uint32_t n_random, room_random;
  unsigned char *shown; /* values of the row at the present time */
  double shown_time;    /* NaN: there is none */
} Look;

typedef struct RunFactors RunFactors;
typedef struct RunOpen RunOpen;
typedef struct RunInvariant RunInvariant;
typedef struct RunBounds RunBounds;
typedef struct RunMode RunMode;
typedef struct RunJump RunJump;
typedef struct {
  RunJump *at;
  int n;
  double *values; /* what DsModel.jump gives */
  double *mean;   /* the same with the entries of E along the way of the jump */
  double *trial;
  size_t n_values;
  bool looked, curved; /* entries of E depend on the states */
} RunJumps;
enum { FACTORS_KEPT = 4 };

struct Run {
  uint64_t serial; /* no other run of the process has it */
  const Program *program;
  const DsModel *m; /* its model, or better code of it */
  RunCode code;
  RunMode *structure, *structures; /* the present structure, and all that the run has been in */
  unsigned char *before_pass; /* a copy of the block from the beginning of a pass */
  VEC(const RunMode *) tried; /* structures that the pass at work has been in */
  bool mode_changed;     /* in it */
  bool changed_mode;     /* in the event at work */
  bool *wanted;          /* per condition: what the last mode that was tried asks for */
  double *before_jump, *after_jump; /* states */
  double *first_states;  /* start values of the states, before the initial system */
  int *first_variables;  /* per state: its variable, also in modes where it is none; -1: it has no name */
  double *invariant_values, *invariant_matrix; /* what DsModel.invariants gives; cells of the projection */
  int *invariant_pivot;
  size_t room_invariants, room_invariant_entries;
  double *relation_area; /* per relation: area of the pulse in the difference of its sides */
  bool has_pulses;       /* in the pass at work */
  VEC(uint64_t) initial_modes; /* that the initialisation has left again */
  VEC(int) off_path;     /* blocks whose solution the path of homotopy() does not lead to */
  int n_real;            /* places of Reals that there is room for */
  const RunOptions *options;
  Arena *a;
  Diags *diags;
  DsData d;
  const Part *current; /* the last evaluation was that of the derivatives of this part, and succeeded; NULL: it was another */
  unsigned char *block; /* all values */
  size_t block_size;
  unsigned char *spare; /* a copy of the block for trials */
  unsigned char *bad;   /* a copy from when a derivative was last not finite */
  double bad_time;      /* when that was; NaN: never */

  double start, stop, rtol, interval;
  uint32_t intervals, next_grid;
  double *atol, *nominal;
  RunWeights *weights;
  const RunColumn *columns;
  uint32_t n_columns;
  unsigned char *given;

  const StepperKind *asked; /* method; NULL: auto */
  double fixed;     /* step size asked for; 0: the output interval */
  Part *parts;      /* n_parts */
  int n_parts;
  bool divided;     /* they are those of the model; else the only one is the whole */
  Part *part;       /* at work */
  const Scope *scope; /* of the work */
  Scope whole;
  Tangent *tangent; /* exact Jacobian of the whole; NULL if there is none */
  bool sought_tangent;
  double *jacobian, *jacobian_time; /* its values, and the derivatives by time */
  EventScope *event; /* NULL: the model is one part */
  int *began, n_began; /* parts at which the event at work began */
  uint32_t *met, meeting; /* per part: the last search that met it */
  int *queue;       /* parts, as a heap: the one that goes on next stands first */
  int *queued;      /* per part: where it stands there */
  unsigned char *entry; /* a copy of the block from the beginning of an event */
  double *placed;   /* as many components as the solver has */
  bool begun;       /* run_begin was called */
  bool underway;    /* the initialisation is over */
  VEC(RunValue) settings; /* that take effect with the next event */
  bool parameters_set;    /* since the last row */
  double pause;   /* until then the run goes */
  Look look;
  Implicit *implicit; /* formulation `dae`; else NULL */
  double *trial; /* a state to look at; as many components as the solver has */
  RelationState *relations;
  double *za, *zb, *z_lo, *z_hi, *instants; /* za - zb = 1 for timed relations */
  double *size, *terms; /* how large what relations compare is, at the last look (run_indicators) */
  double *z_window;     /* five times a - b of all relations: see locate.c */
  double *size_past;    /* per relation two: the largest size up to the start of the step, see run_size_lately */
  double *side;   /* sign of za - zb that agrees with the value of the relation since the last event; 0: more than one does, or none */
  bool *fired;
  bool monitored; /* some relation makes state events */
  struct RunIsolation *isolation; /* isolate.h */
  double *z_start, *z_before, *z_between; /* a - b at the start of the step, of the step before; inside the step */
  double *sample_start, *sample_interval;
  uint64_t *sample_next;
  DelayBuffer *delays;
  double *delay_values;
  double *delay_samples; /* times, then values per delay and per end of a transport, at delay_points + 1 points of the last step */
  int delay_points;
  Transport *transports;
  double *transport_values, *profiles; /* what the model says of them now; of their first distributions */
  bool at_event; /* an event is under way, and delays and transports have not been recorded after it */
  unsigned char *reinit; /* per state */
  double *reinit_value;
  SlideWork *slide; /* NULL: no relation switches a field only */
  BlendWork *blend; /* as slide */
  ContactWork *contact; /* NULL: no state has jumped at an event of a relation */
  Discontinuities *discontinuities; /* that make no event and have limited a step; NULL: none has */
  int n_sliding;    /* parts that slide, or in which something is held in contact */
  int *pivot;
  RunFactors **factors; /* FACTORS_KEPT per block of full linear equations, the last one used first; NULL: not yet */
  DsFactors *held;      /* per block: d.factors */
  int *held_blocks, n_held; /* those that may have a known matrix */
  bool *is_listed;          /* per block: it is one of them */
  bool *is_owned;           /* per block: a part has it */
  int *loose, n_loose;      /* of held_blocks: those of no part, which may read any of them */
  SparseLu **sparse; /* per block: of those whose matrix is given by its entries; NULL before the first use */
  int *singular, n_singular; /* places in r of unknowns of full linear systems that have been singular */
  RunOpen *open;   /* systems that have many solutions */
  RunInvariant *invariant; /* of the hostile build, else NULL */
  bool *open_told; /* per variable, and its derivative: told that it does not follow from its system */
  bool *is_singular;         /* per place in r; also of discrete variables, which nobody has to be told of */
  double *newton; /* cells of newton_solve */
  double *lsq;    /* copy of a linear system, and cells of lsq_solve */
  double *nominals, *low, *high; /* per place in r: 0 and no bounds where nothing is declared */
  RunBounds *bounds;  /* variables that have not left theirs yet; NULL before the initialisation */
  double *redundant;  /* both sides of each redundant initial condition */
  bool *near;                    /* per relation of a mixed system: its two sides were equal in the last trial */
  double *mixed_a, *mixed_b;     /* and these are the sides */
  unsigned char *mixed_values;   /* values of its relations on trial */
  MixedSearch *mixed;            /* cells of the search */
  bool *is_iterated;         /* per place in r: Newton's method has been asked for it */
  int *owner;                /* per place in r: number of the part that determines it; -1: none */
  double *guess;             /* per place in r: the value at the last step that counts, where a trial step begins */
  bool rescue;        /* no smaller step can be tried: nonlinear systems are solved at any cost */
  bool in_mixed;      /* trial values of relations: a contradiction is no failure */
  bool many;          /* a linear system had many solutions since this was cleared */
  bool met_singular;  /* a linear system had many solutions in the trial at work */
  bool contradiction; /* a linear system had no solution in the trial at work */
  CellChunk *temps, *vars; /* where the tops of the two stacks of cells are */
  TextChunk *scratch;      /* texts of the evaluation under way */
  KeptText *kept_texts[TEXT_SLOTS];
  RunObject *objects;      /* external objects: handle - 1 */
  uint32_t n_objects, room_objects;
  RandomState *random; /* generators that keep their state */
  uint32_t n_random;
  const char *messages[MOST_MESSAGES]; /* of the evaluation under way, told when it ends */
  uint32_t n_messages;

  RunRowFunction *row;
  void *row_user;
  double row_time; /* of the last row */
  uint32_t step;   /* number of the pass in this instant; 0: before the first */
  RunCause *causes; /* of that pass */
  uint32_t n_causes;
  VEC(RunCause) notes; /* RUN_MODE_...: of the pass at work */
  RunTurn turns[MOST_TURNS];    /* comparisons that were decided by their direction in this instant */
  int n_turns;
  double *side_a, *side_b;      /* per relation: its two sides when a pass last compared them */
  unsigned char *relation_was;  /* values of relations before the pass */
  unsigned char *relation_next; /* those that they take after it, or have a moment later */
  unsigned char *relation_later; /* and after a longer one */
  bool ahead;       /* the equations are asked a moment ahead: that is no pass */
  unsigned char *mode; /* relations and discrete Booleans after the last event */
  int *booleans, n_booleans; /* places in i of the latter */
  bool in_event;   /* handling an event, not the start */
  bool told;       /* there are rows of it */
  bool jumps;      /* reinit changes a state in this pass */
  bool state_event; /* the event is one, or has been followed by one at its instant */
  bool departed;   /* a relation took the side that it moves to, and was on its band before the event */
  bool terminated;
  bool stop_asked; /* by the row function */
  Failure failure;
  Failure warning; /* waiting to be told */
  Failure ending;  /* what terminate() said, waiting for the row of its pass */
  uint64_t n_events;
  double last_event; /* time */
  double *entries, *basis, *sizes; /* of selections: entries, matrix and sizes at work */
  bool *in_basis;
  int *basis_cells;
  RunStats stats;
  VEC(RunRest) rests;
  double clock_start;
};

/* Half the width of the band around a relation, from the size of what it compares and the sum of its terms (DsModel.sizes). */
static inline double run_band_of(const Run *run, double size, double terms) {
  double rtol = run->rtol > 1e-12 ? run->rtol : 1e-12;
  return run_tolerances.band * rtol * size + run_tolerances.rounding * DBL_EPSILON * terms;
}

/* Where the past of relation k is kept. If what it switches may switch its own sides, volts on one branch of a curve and
 * amperes on the other, each of its values has a past of its own. */
static inline double *run_size_place(const Run *run, int k) {
  const DsRelation *rel = &run->m->relations[k];
  bool by_value = rel->mixed || (run->m->n_conditions && !rel->direct);
  return &run->size_past[2 * k + (by_value && run->d.relation[k])];
}

/* A value that relation k has never had through a step has no past: there its sides are as large as with the other value,
 * unless they are unknowns of a system with it. */
static inline double run_size_before(const Run *run, int k) {
  double *past = run_size_place(run, k);
  return *past > 0 || run->m->relations[k].mixed ? *past : run->size_past[2 * k + !run->d.relation[k]];
}

/* The largest size so far: near 0, what is compared is small but not fine. Nothing is forgotten, neither as steps go by, for
 * that would make relations finer the more rows are asked for, nor as modes come and go: where all voltages pass through 0
 * together, only the past knows how large they are. */
static inline double run_size_lately(const Run *run, int k, double now) { return fmax(now, run_size_before(run, k)); }

/* Half the width of the band around relation k where run_indicators has last looked at it. Weights of a motion that slides, and
 * forces of a contact, which stand in place of its sides then, have no past. */
static inline double run_band(const Run *run, int k) {
  double size = run->relations[k].slides ? run->size[k] : run_size_lately(run, k, run->size[k]);
  return run_band_of(run, size, run->terms[k]);
}

/* Relation k has been this far from its change since its last event. */
static inline void run_note_reach(Run *run, int k, double away) {
  RelationState *rs = &run->relations[k];
  rs->width = fmax(rs->width, run_band(run, k));
  rs->reach = fmax(rs->reach, away / rs->width);
}

#define EACH_RELATION(run, k) \
  for (int k##_at = 0, k; k##_at < (run)->scope->n_relations && (k = (run)->scope->relations[k##_at], true); k##_at++)
#define EACH_SAMPLE(run, k) \
  for (int k##_at = 0, k; k##_at < (run)->scope->n_samples && (k = (run)->scope->samples[k##_at], true); k##_at++)
#define EACH_STATE(run, k) \
  for (int k##_at = 0, k; k##_at < (run)->scope->n_states && (k = (run)->scope->states[k##_at], true); k##_at++)

/* Values of relations of the scope. */
static inline void run_copy_relations(const Run *run, unsigned char *to, const unsigned char *from) {
  EACH_RELATION(run, k)
    to[k] = from[k];
}

/* For qsort. */
static inline int run_ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* slide.c */
void run_slide_allocate(Run *run);
int run_slide_evaluate(Run *run, int what); /* derivatives or outputs of the scope, some part slides */
void run_slide_indicators(Run *run);        /* in place of those of relations that are slid upon */
bool run_slide_may(const Run *run, int k);  /* may the motion begin to slide along relation k? */
/* In an event, after its passes. Relations that return on the spot: what the motion does there. True if that was decided; *changed: relations
 * have other values. */
bool run_slide_decide(Run *run, bool *changed);
bool run_slide_refused(const Run *run); /* the motion would slide where the run must not; run->failure says where */
int run_slide_crowded(const Run *run); /* how many surfaces may meet, if more have met */
int run_slide_refresh(Run *run, bool *changed); /* derivatives where it slides, as far as it still does */
int run_slide_begin(Run *run); /* does the run begin on a surface? */
bool run_slide_open(Run *run); /* true: events accumulate here */
int run_slide_close(Run *run); /* the values that follow */
void run_slide_correct(Run *run); /* after a step: back onto the surface */
double run_tempo(const Run *run, const Part *p);   /* s: the time in which its motion changes, but for rows */
int run_slide_motion(Run *run, Part *p, int what); /* of one part, with the contact forces of DsData.push */
int run_slide_again(Run *run, Part *p, int what);  /* the same with the weights of the last evaluation */
void run_slide_count(Run *run);   /* n_sliding */
void run_record(Run *run, int place); /* the Real cannot be computed again from the states */

void run_slide_force(Run *run, int surface, int side); /* its relations take the values of side 0 or 1 */
int run_slide_next(const Run *run, int k); /* the next relation of the same surface; -1 */
double run_slide_weight(const Run *run, const Part *p, int surface); /* of side 1, at the last evaluation of the part */
int run_slide_observe(Run *run); /* outputs of what belongs to no part */
bool run_slide_near(const Run *run, const Part *p); /* it slides or is in contact, or something that it reads is */

/* blend.c: a unit is a part, by its number, or what belongs to none: n_parts. */
void run_blend_allocate(Run *run);
void run_blend_forget(Run *run); /* nothing slides any more */
size_t run_blend_width(const Run *run, int unit); /* continuous Reals that it determines: slopes first */
bool run_blend_depends(Run *run, int unit); /* it reads something that slides */
void run_blend_plain(Run *run, int unit);   /* it does not, nor does it slide */
/* All sides of k surfaces of its own, and of those that it reads from; relations keep their values. */
int run_blend_corners(Run *run, int unit, int k, const int *surface, int what);
double *run_blend_fields(const Run *run, const Part *p); /* the corners of its own surfaces after that: 2^k rows */
double *run_blend_speeds(const Run *run, const Part *p); /* room for how fast they move its surfaces */
void run_blend_average(Run *run, int unit, const double *a); /* the averages become the values; a: weights of its own surfaces */

/* contact.c */
int run_contact_evaluate(Run *run, Part *p); /* derivatives of a part with contacts, and the forces that hold them */
void run_contact_finish(Run *run); /* slopes of the scope get forces that nothing else sees, until events have accumulated */
void run_contact_show(Run *run);   /* and lose them again, for rows */
void run_contact_push(Run *run); /* the forces that the parts have act on derivatives: DsData.push */
void run_contact_indicators(Run *run, Part *p);
double run_contact_noise(void *part); /* of the slopes, relative: see StepProblem */
void run_contact_correct(Run *run); /* after a step of the part at work */
double run_contact_next(const Run *run, const Part *p); /* when events of the part have accumulated */
/* In an event: it begins; true: events accumulate here. After its passes: contacts that do not hold any more; true if there were any. Then:
 * do events accumulate at a relation that has made this one? */
bool run_contact_open(Run *run, Part *p);
bool run_contact_review(Run *run, Part *p);
RunStatus run_contact_note(Run *run, double t);
double run_time_error(const Part *p, double t, double before); /* of an event that comes so long after the one before */
RunStatus run_refuse_zeno(Run *run, int relation, double limit);
void run_tell_stop(Run *run, int relation, double limit);
/* accumulate.c: after an event of the part; and before it goes on to the end of its step, or its next event */
void run_accumulate_note(Run *run, Part *p, double t);
RunStatus run_accumulate_pass(Run *run);
void run_accumulate_room(Run *run, Part *p);
void run_contact_keep(Run *run, Tape *t);

/* run.c */
void run_lay_out(Run *run); /* memory for the values */

/* part.c */
void run_parts_make(Run *run);
void run_work_on(Run *run, Part *p);
void run_touch(Run *run); /* scope: what an event of run->began may touch */
void run_save(Run *run, unsigned char *to); /* the values of the scope, into a copy of the block */
void run_unsave(Run *run, const unsigned char *from);
bool run_has_delays(const Run *run); /* the scope has those of the model */
bool run_place(Run *run, Part *p, double t); /* its states at t; false: they were others */
int run_values_at(Run *run, double t); /* all continuous variables of the scope, and of what it reads */

/* schedule.c */
double run_next(const Part *p); /* when it needs attention: at its event, or the end of its step, or where it stands */
void run_schedule_make(Run *run);
RunStatus run_go_on(Run *run); /* until run->pause */
RunStatus run_begin_all(Run *run, double t); /* solvers, from the present values */
RunStatus run_happen_to_all(Run *run, double t); /* an event that may change anything; every step ends there */

/* host.c */
extern const DsHost run_host;
extern const long long run_fuel; /* of one evaluation */
int run_evaluate_partials(Run *run, double *p);  /* DsTangent.evaluate */
bool run_compare(int op, double z);              /* a op b for z = a - b */
bool run_all_finite(const double *v, int n);
void run_note(Failure *f, DiagCode code, const DsPlace *place, const char *text);
void run_commit(Run *run); /* pre := present values */
void run_keep_guess(Part *p); /* the present values are where the next trial step begins */
void run_take_guess(const Part *p);
void run_tell_warning(Run *run);
void run_end_by_model(Run *run, const DsPlace *at, const char *text); /* the run ends with the event at work */
/* Tells why the model ends the run, if that has not been told; the text, and in *place where it stands. NULL: there is nothing to tell */
const char *run_tell_ending(Run *run, const char **place);
void run_tell_absent(Run *run); /* at the beginning: variables that nothing gives a value */
void run_tell_contradiction(Run *run, int k); /* redundant initial condition k */
void run_tell_paths(Run *run); /* initial values that homotopy() does not lead to */
/* Tells the last failure, or `otherwise` if there was none. */
Diag *run_tell_failure(Run *run, DiagCode otherwise, const char *text);
bool run_is_finite(const Run *run); /* the Reals of the scope */
/* The variables are finite; else it is told. */
RunStatus run_check_finite(Run *run);
RunStatus run_check_discrete(Run *run); /* the same for discrete Reals only, in the middle of an event */

/* cycle.c */
uint64_t run_cycle_length(Cycle *c, uint64_t state); /* passes after which this state has come back; 0: it has not yet */
RunStatus run_tell_cycle(Run *run, uint64_t length); /* goes through the circle once more, and tells it */
RunStatus run_tell_endless(Run *run, uint64_t passes);

/* Adds what the solver knows: the states that limit its step, a message of a library. */
void run_tell_solver(Run *run, Diag *d);

/* blame.c */
enum { BLAME_NOTES = 6 };
typedef struct {
  Span span;        /* of the equation */
  const char *text; /* the part of it that has no finite value, and why */
  const char *notes[BLAME_NOTES];
  uint32_t n_notes;
} RunBlame;
/* The first expression that is not finite at the present values; false if there is none or it is not known. */
bool run_blame(Run *run, RunBlame *out);
/* Who evaluates expressions may add types to the pool, which runs in other threads share. */
void run_pool_lock(Run *run, const struct Structure *s);
void run_pool_unlock(const struct Structure *s);
/* Declared limits of a variable, where they are known; else infinite. */
void run_limits(Run *run, int variable, double *low, double *high);

/* open.c: systems that do not determine all of their unknowns. parts: per iterated unknown, how much of it lies in the null space. */
void run_open_allocate(Run *run);
void run_open_closed(Run *run, int block);
void run_open_found(Run *run, int block, const double *parts);
void run_open_newton(Run *run, int block, const NewtonProblem *p, double *z); /* at a solution; changes what p->f changes */
void run_open_tell(Run *run); /* of the values as they are */

/* bounds.c */
RunStatus run_bounds_parameters(Run *run, bool solved); /* solved: also those that the initialisation finds */
RunStatus run_bounds_starts(Run *run); /* the values are those to start with */
void run_bounds_begin(Run *run);        /* which variables are looked at from now on */
RunStatus run_bounds_row(Run *run);   /* the present values are accepted */
RunStatus run_bounds_step(Run *run);  /* states at the end of the step of the part at work */
void run_bounds_end(Run *run);        /* those that were not told one by one */
Span run_declared_at(const Run *run, int variable);
/* "7 is more than its max = 1"; and between which values it lies, if both are known */
const char *run_bound_text(Run *run, int variable, double x, double low, double high);
void run_bound_note(Run *run, Diag *d, int variable, double low, double high);

/* native.c */
typedef void (*const *RunExternals)(void); /* one per DsModel.externals */
RunExternals run_find_externals(Run *run, const DsModel *m); /* NULL after a diagnostic */
DsNative *run_find_native(const char *name); /* NULL if there is none */
void run_random_room(Run *run, uint32_t n); /* so many generators from now on */

/* foreign.c */
void (*run_find_foreign(Run *run, const DsExternal *x))(void); /* NULL after a diagnostic */
int run_foreign(DsData *d, const DsPlace *at, DsForeign *call, void (*f)(void), DsCell *a);
void run_end_foreign(Run *run, void (*end)(void *object), void *object);

/* memory.c */
void run_message(Run *run, const char *text); /* told when the evaluation ends */
void run_clear_texts(Run *run); /* those of the last evaluation */
void run_end_evaluation(Run *run);
void run_release_memory(Run *run); /* cells and texts */
void run_release(Run *run);        /* and external objects */
DsCell *run_cells(DsData *d, long long n);
DsCell *run_room(DsData *d, long long n);
const char *run_keep_text(Run *run, const char *text); /* a copy for as long as the run lasts, one of each */
char *run_text(Run *run, size_t n); /* room for n characters and a 0, until the evaluation ends; NULL if there is none */
const char *run_text_of(Run *run, const char *text, size_t n);
const char *run_text_real(DsData *d, double value, long long digits, long long width, int left);
const char *run_text_integer(DsData *d, long long value, long long width, int left);
const char *run_text_pad(DsData *d, const char *text, long long width, int left);
const char *run_text_join(DsData *d, const char *a, const char *b);
const char *run_format_real(DsData *d, double value, const char *format);
const char *run_format_integer(DsData *d, long long value, const char *format);
/* External objects: handles; 0 after a failure. Native ones have a kind (any address), others NULL. */
long long run_add_native(Run *run, void *object, void (*end)(void *object), const void *kind); /* ends the object if it fails */
void *run_native(const Run *run, long long handle, const void *kind);
uint32_t run_objects(const Run *run);
bool run_objects_are_native(const Run *run);
long long run_add_object(DsData *d, void *object, void (*end)(void *object));
void *run_object(DsData *d, long long handle);

/* select.c */
void run_select_allocate(Run *run);
void run_select_first(Run *run);   /* choices for the start, from start values */
bool run_select(Run *run);         /* by the present values; true: states became others, their values are set */
int run_select_chosen(const Run *run, int state); /* variable of DsSelection.variables that the state is */

/* mode.c */
void run_modes_begin(Run *run);
void run_modes_free(Run *run);
bool run_mode_agrees(const Run *run); /* the conditions are those of the present structure */
RunStatus run_equations_in_mode(Run *run); /* of one pass, in the structure that agrees with its own values; told if it fails */
int run_mode_of_relations(Run *run); /* the structure that the present values of relations ask for; NUM_RETRY: it is none to evaluate in */
bool run_mode_begin(Run *run, unsigned other); /* as the first one but for these conditions; false: there is no such structure */
void run_mode_first(Run *run); /* before initial values are sought: a structure with equations for them */
RunStatus run_mode_again(Run *run); /* values were put in place from outside: the structure that they belong to */
RunStatus run_reinit_in_mode(Run *run); /* applies it; told if the mode contradicts */
RunStatus run_initial_in_mode(Run *run, bool *changed); /* the initialisation must be done again in another structure? */

bool run_mode_before(Run *run); /* the structure of the fixed start values of its conditions; false: there are none, or no such structure */
RunStatus run_jump_in_mode(Run *run); /* run_jump of the present structure */
void run_mode_text(const Run *run, Text *out); /* the present mode */

/* first_mode.c */
void run_starts_keep(Run *run);    /* before the initial system is solved */
void run_starts_project(Run *run); /* after that: start values that the mode binds, told if they move */
void run_starts_tell(Run *run);    /* states that have another value than at their start */

/* jump.c */
void run_jumps_allocate(Run *run, RunJumps *out); /* of the present structure */
/* What the last run_jump of these did; index 0: nothing binds states. */
typedef struct {
  int index;
  bool jumped;
  double energy; /* lost; NAN: not known */
} RunJumped;
RunJumped run_jumped(const Run *run, const RunJumps *js);
RunStatus run_jump(Run *run, RunJumps *js); /* states and pulses after the structure has changed; told if it fails */
void run_clear_pulses(Run *run);

/* path.c: the jump to `left`, which does not agree with its values: does a relation of states change on the way? Then the values from
 * before the pass become those of that point, and the conditions those of there. The present structure is that from before. */
bool run_stop_on_path(Run *run, const DsModel *left);

/* project.c */
void run_project_allocate(Run *run); /* for the present structure */
void run_project(Run *run, bool stops); /* the states after an accepted step onto the invariants; stops: the method begins anew */

/* run.c */
void run_allocate_blocks(Run *run); /* what belongs to the blocks of the model */

/* linear.c */
void run_linear_allocate(Run *run);
void run_linear_free(Run *run);
int run_linear(DsData *d, int block, int n, const int *places, double *a, double *b);
void run_forget_matrices(Run *run); /* discrete values or those before an event may have changed: no matrix is known any more */

/* mixed.c */
int run_mixed(DsData *d, int system, int (*f)(DsData *d));

/* delay.c */
void run_delays_allocate(Run *run);
void run_delays_begin(Run *run);
int run_delays_record(Run *run, bool event); /* the present values; at an event: after it. These two also of transports */
/* At the start: the present values are the past, too; changed: number of one that was not so before, -1 if none. */
int run_delays_first(Run *run, int *changed);
int run_delays_step(Run *run, double theta); /* the last step up to theta */
double run_delays_next(const Run *run); /* when the next jump has had its delay */
bool run_delays_pass(Run *run);         /* jumps whose delay has passed take place now; are there any? */
double run_delays_shortest(const Run *run);
double run_delay(DsData *d, int k, double delay);
void run_delays_keep(Run *run, Tape *t);

/* transport.c */
void run_transports_allocate(Run *run);
int run_transports_begin(Run *run);
int run_transports_entering(Run *run, double *to, int apart); /* what may enter at both ends of each, as the equations are now */
int run_transports_record(Run *run, bool event); /* the present values; at an event: after it */
double run_transports_longest(const Run *run);   /* step that what flows now is good for */
int run_transports_check(Run *run, double theta); /* RETRY: the step up to theta moves something too far */
void run_transports_pass(Run *run);              /* jumps that have reached an end take place now */
double run_transport(DsData *d, int k, int what, double x);
void run_transports_keep(Run *run, Tape *t);

/* set.c */
/* Parameters that were set, and that the initialisation may find otherwise: as they were set; then what became of them. */
RunValue *run_guesses(Run *run, int *n);
void run_tell_guesses(Run *run, const RunValue *guesses, int n);
void run_tell_inputs(Run *run); /* at the end: those of the model that have never been set */
RunStatus run_take_settings(Run *run); /* in an event, after its pre values are known */

/* options.c */
bool run_read_value(Run *run, int variable, const char *text, RunValue *out); /* false after a diagnostic */
void run_store_value(Run *run, const RunValue *value);
bool run_read_options(Run *run);

/* code.c */
double run_clock(void); /* s of real time */
void run_code_begin(Run *run);
void run_code_review(Run *run); /* between steps */
void run_code_end(Run *run);
/* Goes on with other code of the same model: everything but its functions must be equal. Values stay. */
void run_use_code(Run *run, const DsModel *same_layout);

/* initial.c */
RunStatus run_read_tolerances(Run *run); /* nominal values and bounds, from the parameters */
RunStatus run_initialise(Run *run);

/* event.c */
RunStatus run_equations(Run *run, int what); /* told if it fails */
RunStatus run_event(Run *run, double t, bool located); /* of the scope; located: found by relations, not by its time */
RunStatus run_one_pass(Run *run, bool *changed); /* pre values stay, and what reinit asks for waits */
void run_apply_reinit(Run *run);
RunStatus run_passes(Run *run); /* passes until nothing changes any more */
RunStatus run_settle_initially(Run *run); /* the same at the start, with the modes that last */
double run_next_time(Run *run, bool *found); /* next time event of the scope; equal to the present time if one is due now */

/* trace.c */
void run_trace_allocate(Run *run);
void run_trace_begin(Run *run); /* the initialisation is over */
void run_cause(Run *run, RunCauseKind kind, int number, double a, double b); /* of the next pass */
void run_trace_relations(Run *run); /* those that change in the next pass are told from now on */
RunStatus run_trace_pass(Run *run); /* the pass changed something; before reinit */
RunStatus run_trace_turn(Run *run, bool begins); /* it did not, but relations have taken other sides, run->spare has the old ones; that is an event of its own? */
void run_trace_mode(Run *run);      /* at the end of an event */
void run_trace_rest(Run *run, int relation, int state); /* the motion begins to stay on a surface; state: see RunRest, or -1 */

/* continuous.c */
RunStatus run_make_step(Run *run); /* a good step of the part at work, and the place of the event in it */
RunStatus run_pass_step(Run *run); /* it is accepted */
RunStatus run_stop_step(Run *run, double t); /* it ends at t, inside of it */
double run_largest_step(const Run *run);
double run_pace(const Run *run, const Part *p); /* the time in which its solution moves by about one step; > 0 */
/* Rows at the points of the grid up to t, without t itself if an event is there; those after run->pause are left for later. */
RunStatus run_grid_rows(Run *run, double t, bool event);
bool run_on_grid(const Run *run, double t); /* the next point of the grid is at the instant t */
void run_skip_grid(Run *run, double t); /* grid points at the instant of an event need no row of their own */
int run_at(Run *run, double t, const double *x); /* derivatives of the part at work at (t, x) */
RunStatus run_row(Run *run, RunRowKind kind);
RunStatus run_check_limits(Run *run);
int run_rhs(void *user, double t, const double *x, double *dx);

/* pause.c */
void run_pause_allocate(Run *run);
void run_look_room(Run *run, uint32_t n_random);
void run_look_aside(Run *run);      /* what the run goes on with: until run_look_away */
void run_note_row(Run *run);        /* the present values are those of a row */
RunStatus run_look(Run *run);       /* values at run->pause */
void run_look_away(Run *run);       /* back to those that the run goes on with */

/* solver.c */
Stepper *run_solver_of(Run *run, const StepperKind *kind); /* made when first asked for; NULL after a diagnostic */
bool run_solver_begin(Run *run); /* from the present values; false after a diagnostic */
void run_solver_review(Run *run); /* after a step: auto may change the method */
double run_solver_beyond(Run *run); /* step size times eigenvalue, if the step is beyond the stability limit of its method; else 0 */
bool run_solver_rescue(Run *run); /* the method gave up: may another one try? */
void run_solver_totals(Run *run); /* into run->stats */
void run_solver_free(Run *run);

/* jacobian.c */
const Pattern *run_jacobian_pattern(Run *run); /* NULL: full. Sets solver.exact, if the model has derivatives */
JacobianFunction run_jacobian;
TangentTable run_tangent_table(const DsModel *m); /* the model has derivatives */

/* implicit.c */
void run_implicit_problem(Run *run, StepProblem *p); /* what differs in the formulation `dae` */
const double *run_components(Run *run); /* what the solver integrates, at the present values */

/* locate.c */
/* After a good trial step: is there an event in it? Then *theta is where, and run->fired says which relations. */
int run_locate(Run *run, double *theta);
double run_side_at(Run *run, int k, double theta); /* |a - b| in that part of the step, in widths of the band; 0: unknown */
void run_locate_again(Run *run); /* what was found in the step is forgotten: another one is made in its place */
bool run_triggered(const Run *run, int k, double a, double b);
int run_first_triggered(const Run *run); /* the first relation that has fired at the present za, zb; -1 if none */
void run_pass_sides(Run *run); /* the end of the step becomes the start of the next */
void run_hold_sides(Run *run); /* relations have the values that they keep until the next event */
int run_sides(Run *run); /* za and zb at the present values */
int run_indicators(Run *run, double *z); /* the same, how large they are, and z = a - b */
void run_begin_sizes(Run *run); /* a step begins here */

/* ---- evaluation: as short as possible, as it is done most of all ---- */

static inline void run_begin_evaluation(Run *run) {
  run->d.fuel = run_fuel;
  run->d.top = run->d.vars = 0;
  run->d.depth = 0;
  run->d.stack = __builtin_frame_address(0);
  if (run->scratch)
    run_clear_texts(run);
}

/* Entry points beyond those that parts have. */
enum { DO_PARAMETERS = DS_PART_CHECKS + 1, DO_START, DO_INITIAL };

static inline int run_whole(Run *run, int what) {
  const DsModel *m = run->m;
  switch (what) {
  case DS_PART_EVENTS: return m->events(&run->d);
  case DS_PART_ACTIONS: return m->actions(&run->d);
  case DS_PART_DERIVATIVES: return m->derivatives(&run->d);
  case DS_PART_OUTPUTS: return m->outputs(&run->d);
  case DS_PART_CHECKS: return m->checks(&run->d);
  case DO_PARAMETERS: return m->parameters(&run->d);
  case DO_START: return m->start(&run->d);
  case DO_INITIAL: return m->initial(&run->d);
  }
  return DS_FATAL;
}

/* Part by part; moving values also of those that are only read. */
int run_divided(Run *run, int what); /* part.c */
int run_sources(Run *run);           /* what the scope reads at events and does not solve there: at the present time */

/* One entry point of the scope, with fresh fuel. */
static inline int run_evaluate(Run *run, int what) {
  run_begin_evaluation(run);
  bool slides = run->n_sliding && (what == DS_PART_DERIVATIVES || what == DS_PART_OUTPUTS);
  int status = slides ? run_slide_evaluate(run, what) : run->scope->all ? run_whole(run, what) : run_divided(run, what);
  if (run->m->n_string || run->n_messages)
    run_end_evaluation(run);
  if (run->warning.any)
    run_tell_warning(run);
  bool stays = run->current && (what == DS_PART_OUTPUTS || what == DS_PART_CHECKS);
  run->current = status == DS_OK && (what == DS_PART_DERIVATIVES || stays) ? run->part : NULL;
  return status;
}
