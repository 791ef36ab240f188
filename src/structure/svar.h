#pragma once
/* structure/svar.h -- SVars: every value that equations talk about.
 * The variables of the flat model under their own numbers, then derivatives, pre values, relations,
 * conditions of when, samples, the buffers of floor, ceil, div ..., in the order in which lowering
 * and index reduction meet them.
 * Keep: a number never changes while a structure is built: what is replaced by something else keeps
 *       its SVar, so that results and messages still know it. */
#include "base/source.h"
#include "expr/expr.h"

#define NO_SVAR UINT32_MAX

typedef enum {
  SV_VAR,
  SV_DER,
  SV_PRE,
  SV_RELATION,
  SV_CONDITION,
  SV_BUFFER,
  SV_SAMPLE,
  SV_LAMBDA,
  SV_CHOSEN,
  SV_CHOICE,
  SV_IMPULSE
} SVarKind;

/* The arrays of values at run time */
typedef enum {
  BANK_REAL,
  BANK_INTEGER,
  BANK_STRING,
  BANK_REAL_PRE,
  BANK_INTEGER_PRE,
  BANK_STRING_PRE,
  BANK_RELATION,
  BANK_SAMPLE
} SBank;

typedef struct {
  /* ---- what it is: whoever adds it (build.c) ---- */
  SVarKind kind;
  /* VAR: its own number; DER, PRE: the SVar under the operator; RELATION, SAMPLE: number; CHOSEN,
   * CHOICE: number of the selection; IMPULSE: the SVar whose pulse it is; else a running number */
  uint32_t of;
  TypeId type;
  ExprId expr;    /* its VAR node */
  ExprId meaning; /* CONDITION, BUFFER: what it holds */
  Span span;

  /* ---- how it varies: lowering, index reduction, the choice of states ---- */
  bool known;    /* parameter, constant or input */
  bool discrete; /* keeps its value between events */
  bool state;    /* a VAR whose derivative occurs */
  /* A state, a parameter, or what is absent: equations may determine its initial value */
  bool free;
  /* A parameter whose value 0 shaped the structure: a change needs a new translation (zeros.c) */
  bool shapes;
  uint32_t der, pre; /* SVars; NO_SVAR if none */
  uint32_t pulse;    /* SVar of its impulse(); 0: none (pulse.c) */

  /* ---- what it stands for: alias.c ---- */
  ExprId alias;  /* what it was found equal to: a variable up to sign; NO_EXPR if nothing */
  ExprId always; /* the same, if it holds in all modes */

  /* ---- in this mode: modes.c, solve.c ---- */
  bool vanishes;    /* what determines it may be exactly 0 in some mode */
  bool absent;      /* nothing in this mode says anything about it: it keeps its value */
  uint32_t dormant; /* its derivative, that does not occur in this mode; 0: none */

  /* ---- contact: lower.c, push.c ---- */
  /* DER: reinit acts on the state, so that events may accumulate and a contact force act on it */
  bool pushed;
  /* See push.c; the second of a state: something does not see the force */
  bool push_negated, push_hidden;
  /* Number of the state + 1 whose contact force is added to it, or taken away; 0: none */
  uint32_t push_of;

  /* ---- where its value is: layout.c ---- */
  SBank bank;
  uint32_t place; /* in its bank */
} SVar;
