#pragma once
/* structure/inspect_impl.h -- what the text and the JSON of `nusim inspect` have in common. */
#include "structure/inspect.h"
#include "structure/sorted.h"

enum { N_BLOCK_KINDS = BLOCK_ALGORITHM + 1 };
extern const char *const block_kind_names[];
extern const char *const block_phase_names[];

typedef struct {
  uint32_t variables, states, dummies, aliases, algebraic, discrete, inputs, parameters, constants;
  uint32_t equations, differentiated;
  uint32_t relations, timed, samples, conditions, reinits, delays;
  /* largest: unknowns, and how many of them are iterated */
  uint32_t blocks[N_BLOCK_KINDS], largest[N_BLOCK_KINDS], torn[N_BLOCK_KINDS];
  uint32_t mixed;
  uint32_t index; /* structural differentiation index */
} Counts;

/* An equation that was differentiated. */
typedef struct {
  uint32_t row, times;
} Constraint;

/* The best of the variables that a constraint made follow from the states. */
typedef struct {
  bool any, fixed, start;
  FlatStateSelect select;
} Rivals;

typedef struct {
  const Inspect *in;
  const Structure *s;
  Counts counts;
  VEC(Constraint) constraints;
  uint32_t *invariant_of; /* per SVar: invariant that holds it, + 1; 0: none */
  /* Per SVar with a derivative: row of a constraint that holds it, + 1; 0: none */
  uint32_t *constraint_of;
  Rivals *rivals;                    /* per row */
  bool *reinitialised;               /* per SVar */
  uint32_t *row_of, *initial_row_of; /* per SVar: row that determines it, NO_ROW if none */
} Facts;

Facts facts_of(const Inspect *in);
/* What a parameter is bound to, or a start value; may be none. */
ExprId inspect_value(const Inspect *in, uint32_t v);
const char *fact_mode(const Facts *f,
                      const bool *values); /* "contact, not (x > 0)"; NULL: of the structure */
bool fact_decides(const Facts *f, uint32_t var);        /* a condition of the structure */
const char *fact_times(const Facts *f, uint32_t times); /* once, twice, 3 times */

/* Texts in the arena of the inspection. */
const char *fact_name(const Facts *f, uint32_t var);
const char *fact_row(const Facts *f, const SRow *row);   /* x + y = 3 */
const char *fact_place(const Facts *f, Span span);       /* Ball.mo:3; "" if nowhere */
const char *fact_start(const Facts *f, uint32_t var);    /* Modelica text; "0" by default */
const char *fact_nominal(const Facts *f, uint32_t var);  /* likewise, "1" by default */
const char *fact_reason(const Facts *f, uint32_t state); /* why it is a state */
bool fact_is_alias(const Facts *f, const SBlock *b);     /* gives an alias its value, no more */
/* Has a derivative, but follows from the states */
bool fact_is_dummy(const Facts *f, uint32_t var);

typedef enum { START_FIXED, START_EQUATION, START_OTHERS, START_DEFAULT } StartKind;
/* What determines the initial value of a state; *row: the row, if there is one. */
StartKind fact_start_kind(const Facts *f, uint32_t state, uint32_t *row);
extern const char *const start_kind_names[];
/* Is the row of the initial system `x = start` because of fixed = true? */
bool fact_is_fixed_row(const Facts *f, const SRow *row);
const char *fact_type(const Facts *f, uint32_t var);
const char *fact_kind(const Facts *f, uint32_t var); /* state, alias, parameter ... */
