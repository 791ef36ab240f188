#pragma once
/* flat/check_impl.h -- what the files of the static checks share: readings of expressions,
 * incidence, matching, texts. */
#include "flat/flat.h"

#define NONE UINT32_MAX

/* ---- which variables an expression reads (check_reads.c) ---- */

typedef enum {
  READ_CURRENT, /* all whose present value is needed: everything outside of pre() and impulse() */
  READ_SOLVABLE /* those that the equation may be solved for: also outside of conditions, relations
                   and sample() */
} ReadKind;

typedef struct {
  const FlatModel *m;
  Arena *a;
  uint32_t *node_seen, *var_seen; /* stamp of the last reading that met the node or variable */
  uint32_t node_room, stamp;
  VEC(ExprId) stack;
  VEC(uint32_t) found; /* variables of this reading, each once, in order of first visit */
} Reader;

void reader_init(Reader *r, const FlatModel *m, Arena *a);
void reader_start(Reader *r); /* forgets what was found */
void reader_add(Reader *r, ExprId e, ReadKind kind);
/* values, conditions and subscripts */
void reader_add_statements(Reader *r, Stmt *const *body, uint32_t n, ReadKind kind);
/* Both sides, all branches with their conditions */
void reader_add_equation(Reader *r, const FlatEquation *eq, ReadKind kind);
uint32_t *reader_sorted(Reader *r, uint32_t *n); /* a copy of `found`, ascending */

/* ---- which variables the branches of a when-clause or if-equation are written for ---- */

typedef struct {
  uint32_t var;           /* NONE: an equation that is not in solved form */
  const FlatEquation *eq; /* the equation in the body */
} WhenTarget;
typedef struct {
  WhenTarget *at;
  uint32_t n, room;
} WhenTargets;
/* All branches and if-equations in them; a variable may occur more than once. */
void when_targets(const FlatModel *m, Arena *a, const FlatEquation *eq, WhenTargets *out);

/* ---- incidence and matching (check_incidence.c, check_match.c) ---- */

/* One scalar equation. A when-clause gives a row per variable, a tuple or algorithm one per result;
 * rows may share `cols`. */
typedef struct {
  const FlatEquation *eq;
  const uint32_t *cols; /* ascending */
  uint32_t n;
  uint32_t written; /* the column of `x` in `x = ...` and `der(x) = ...`, else NONE */
} Row;

typedef struct {
  VEC(Row) rows;
  uint32_t n_cols;
  uint32_t *col_of_var, *var_of_col; /* NONE where the variable is not unknown */
  uint32_t *row_match, *col_match;   /* NONE: not matched */
  uint32_t n_matched;
  bool varies; /* some if-equation has branches of different length */
} Incidence;

bool flat_is_unknown(const FlatModel *m, uint32_t var);
/* `most`: an if-equation with branches of different length counts as its longest branch, else as
 * its shortest. `without`: per variable, which get no column; NULL if all unknowns get one. */
void incidence_build(const FlatModel *m, Arena *a, bool most, const bool *without, Incidence *out);
void incidence_match(Arena *a, Incidence *in);
/* After that: further rows of one column each. Those that find one are really needed: rows from
 * before keep theirs. */
void incidence_add(Arena *a, Incidence *in, const uint32_t *cols, uint32_t n);

/* ---- the checks ---- */

typedef struct {
  const FlatModel *m;
  Arena *a;
  Diags *diags;
  FlatCounts counts;
  Incidence in;       /* matched */
  const bool *absent; /* modes_absent */
  bool stored;        /* see flat_check_stored */
} Check;

/* ---- if-equations that change with the mode (check_modes.c) ---- */

/* An if-equation whose branches differ in number */
bool modes_differ(Check *c, const FlatEquation *eq);
/* Per variable: an unknown that takes part in no equation of some mode and so needs none there.
 * NULL if there is none. */
const bool *modes_absent(Check *c);

void check_variability(Check *c); /* V001, V003, D404; needs no matching */
void check_branches(Check *c);    /* S105; needs no matching */
void check_balance(Check *c);     /* S101, S103 */
void check_redundancy(Check *c);  /* S102 */
void check_whens(Check *c);       /* S104, D403, D404; needs no matching */
void check_events(Check *c);      /* V001 of Booleans, Integers ...; needs no matching */
void check_watched(Check *c);     /* X003 */
void check_declared(Check *c);    /* V006; needs no matching */
void check_pre(Check *c);         /* D406; needs no matching */
void check_conditions(Check *c);  /* D401 */
void check_loops(Check *c);       /* D402; needs a complete matching */

/* ---- texts (check.c) ---- */

/* The expression with names as the user writes them, cut to a readable length. */
const char *check_text(const FlatModel *m, Arena *a, ExprId e);
const char *check_equation_text(const FlatModel *m, Arena *a, const FlatEquation *eq);
/* "line 5", or "Ball.mo:5" when it is another file than that of `from`. */
const char *check_place(Arena *a, const Diags *diags, Span span, Span from);
/* "Plant.pump1" */
const char *check_origin(const FlatModel *m, Arena *a, uint32_t origin);
/* "`a`, `b`, `c` and 4 more" */
const char *check_names(const FlatModel *m, Arena *a, const uint32_t *vars, uint32_t n,
                        uint32_t most);
const char *check_plural(uint32_t n); /* "" or "s" */
