/* emit/emit_slice.c -- a slice of the equations as a DSblock of its own (structure/slice.c says
 * what is in it).
 * Its data have the layout of the whole model, so that values of a record go where they were in the
 * run.
 * Keep: the text of each block and function is that of the whole model, hence so are the bits. */
#include "emit/emit_impl.h"
#include "structure/slice.h"
#include "structure/sorted.h"

bool emit_slice(const FlatModel *m, const Structure *s, const SSlice *slice, Diags *diags,
                Text *out) {
  uint32_t errors = diags_errors(diags);
  Emit em = emit_begin(describe_slice(m, s, slice, out->arena, diags));
  Chunks chunks = {0};
  VEC(const char *) calls = {0};
  emit_steps(&em, &s->simulation, slice->steps, slice->n_steps, false, "slice", &chunks);
  for (uint32_t k = 0; k < chunks.n; k++)
    vec_push(em.a, &calls, chunks.at[k].name);
  emit_sequence(&em, "outputs", "DsData *d", "d", calls.at, calls.n);
  emit_functions(&em);
  emit_file(&em, out);
  return diags_errors(diags) == errors;
}
