#pragma once
/* numeric/jump.h -- the jump at a change of structure: values before it, which need not fit the new
 * equations, become values after it that do, and the Dirac pulses that this takes get their areas.
 *
 * E x' + A x + b(t) = 0 of the new structure. What E x conserves is conserved: no momentum, charge
 * or volume appears or is lost but by the pulses. jump_prepare once per E and A, jump_apply at each
 * change. Where E and A depend on x the caller repeats it with E averaged along the jump and A, b
 * at its end.
 *
 * At the instant of the jump unknown j is
 *   x_j = (finite part) + area[0][j] delta + area[1][j] delta' + ...
 *
 * How a caller uses it at a change of mode, block by block:
 *   1. Jump *j = cached for this mode and these parameters, or jump_prepare(arena, n, n, E, A,
 *   NULL).
 *   2. j->form->end: all but DESCRIPTOR_OK are errors of the model in this mode; free_unknown and
 *   bound_equation name them. j->form->doubtful: a warning about j->form->doubt.unknown.
 *   j->form->index, ->dynamic: for the event table.
 *   3. b (and its derivatives with respect to time, up to order index - 1, where they are not zero:
 *   j->enters) at t+, with inputs as they are after the event. x before, for all unknowns with
 *   j->form->differential; others may be anything. 4. jump_apply. JUMP_NONE, JUMP_FINITE and
 *   JUMP_DIRAC are physical; JUMP_INFINITE needs infinite energy: refuse it, naming out.worst,
 *   unless the user allows it.
 * When x changes nothing (mode and values fit), do not apply it again: it would only add
 * rounding. */
#include "numeric/descriptor.h"
#include "numeric/numeric.h"

/* ---- jump.c ---- */

/* Not changed once made; threads may share it. Matrices: n by n, column after column. */
typedef struct {
  const Descriptor *form;
  int n, orders;  /* orders of b that enter: b, b', ... b^(orders - 1); at least 1 */
  int pulses;     /* orders of pulses that can arise: delta, delta', ...: index - 1, at least 0 */
  int used, *use; /* differential unknowns, ascending */
  /* n: highest derivative of b[i] that the values after the jump depend on, -1: not even b[i] */
  int *enters;
  double *p;    /* x+ = p x- + sum s_k b^(k): only columns of `use` */
  double *rate; /* x'+ = rate x- + rate_b b + sum s_k b^(k+1) */
  double *rate_b;
  double *s; /* orders matrices, one after the other */
  double *g; /* pulses matrices: area_k = g_k (x+ - x-), only columns of `use` */
} Jump;

/* e, a: m by n, row by row (see descriptor.h). If form->end is not DESCRIPTOR_OK it holds nothing
 * else. */
Jump *jump_prepare(Arena *arena, int m, int n, const double *e, const double *a,
                   const DescriptorOptions *options);
/* The same for many equations of which few bind anything: those that are plainly algebraic are
 * taken out first (jump_cut.c). If form->end is DESCRIPTOR_OK, its e, a, qt, z, row and step are
 * not there. */
Jump *jump_prepare_large(Arena *arena, int n, const double *e, const double *a);

typedef struct {
  const double *x; /* n: before the jump */
  const double *b; /* given * n: b, b', b'', ... at t+, one after the other */
  /* Orders of b that are known; the others are taken as 0. x' needs one more than x */
  int given;
  const double
      *error; /* n: how far x and the constraints may be off (tolerances of the integration); areas
               * that this alone could cause do not count. NULL: rounding */
} JumpInput;

typedef struct {
  double *x;    /* n: after the jump. It may be the array of the input. */
  double *rate; /* n: x' after the jump; NULL: not wanted */
  /* Pulses * n: coefficients of delta, delta', ... of each unknown; NULL: not wanted if pulses
   * is 0 */
  double *area;
  int order; /* of the highest pulse that counts: 0 none, 1 delta, 2 delta', ... */
  int worst; /* the unknown in which that pulse stands out most; -1: none */
} JumpOutput;

typedef enum {
  JUMP_NONE,      /* x fitted, within the errors */
  JUMP_FINITE,    /* some unknowns that may jump did */
  JUMP_DIRAC,     /* with Dirac pulses */
  JUMP_INFINITE,  /* with derivatives of Dirac pulses */
  JUMP_NOT_FINITE /* a value that is needed was infinite or none */
} JumpEnd;

/* work: jump_work(j) cells. Only for form->end == DESCRIPTOR_OK. No memory is allocated. */
JumpEnd jump_apply(const Jump *j, const JumpInput *in, JumpOutput *out, double *work);
size_t jump_work(const Jump *j);

/* ---- energy.c ---- */

/* What is known of a jump. Matrices: n by n, row by row, as for jump_prepare. */
typedef struct {
  const Jump *jump;
  const double *e, *a;
  const double *before, *after; /* n */
  const double *area;           /* n: coefficients of delta */
  Memory *memory;               /* for the time of the call */
} JumpEnergy;

/* The energy that Dirac pulses take out of masses, capacitors, inductors; negative: what they bring
 * in. NAN: these equations do not tell it. touched (n): becomes true for the unknowns whose energy
 * that is. */
double jump_energy_lost(const JumpEnergy *in, bool *touched);
