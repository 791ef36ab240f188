/* structure/dump.c -- the sorted blocks as text: the debugger, the test format and the tutorial at
 * once.
 * In:   a structure.   Out: its states, the blocks of both systems in order of evaluation, actions.
 * Keep: tests/structure compares the text; names are those of the model. */
#include "structure/dump.h"
#include "structure/name.h"
#include "structure/sorted.h"

static const char *const phase_names[] = {
    [PHASE_DISCRETE] = "event", [PHASE_DYNAMIC] = "dynamic", [PHASE_OUTPUT] = "output"};

static void dump_place(const Diags *diags, Span span, Text *out) {
  Place at = source_place(diags_sources(diags), span.lo);
  if (span.hi && at.source)
    text_printf(out, "  // %s:%u", at.source->name, at.line);
}

static void dump_parts(const Structure *s, const SBlock *b, Text *out) {
  for (uint32_t k = b->n_tear; k < b->n; k++) {
    text_add(out, "    ");
    structure_name(s, b->unknowns[k], out);
    text_add(out, " := ");
    structure_print(s, b->parts[k], out);
    text_add(out, "\n");
  }
  for (uint32_t k = 0; k < b->n_tear; k++) {
    text_add(out, "    0 = ");
    structure_print(s, b->parts[k], out);
    text_add(out, "\n");
  }
}

static void dump_block(const Structure *s, const SSystem *sys, const SBlock *b, const Diags *diags,
                       Text *out) {
  const SRow *row = &sys->rows.at[b->rows[0]];
  text_add(out, "  ");
  switch (b->kind) {
  case BLOCK_EXPLICIT:
    structure_name(s, b->unknowns[0], out);
    text_add(out, " := ");
    structure_print(s, b->value, out);
    break;
  case BLOCK_RELATION:
    text_printf(out, "relation %u: ", row->number);
    structure_name(s, b->unknowns[0], out);
    if (s->relations.at[row->number].timed)
      text_add(out, "  (time event)");
    break;
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR:
  /* of a torn block only the iterated unknowns; the rest follows below */
  case BLOCK_ALGORITHM: {
    text_add(out, b->kind == BLOCK_LINEAR      ? "linear"
                  : b->kind == BLOCK_NONLINEAR ? "nonlinear"
                                               : "algorithm");
    if (b->kind == BLOCK_NONLINEAR && !b->partials)
      text_add(out, " (differenced)");
    uint32_t shown = b->kind == BLOCK_ALGORITHM ? b->n : b->n_tear;
    text_printf(out, " %u", shown);
    if (shown < b->n)
      text_printf(out, " of %u", b->n);
    text_add(out, ":");
    for (uint32_t k = 0; k < shown; k++) {
      text_add(out, k ? ", " : " ");
      structure_name(s, b->unknowns[k], out);
    }
    break;
  }
  }
  if (b->mixed)
    text_printf(out, b->cut ? "  (proposed for mixed system %u)" : "  (in mixed system %u)",
                b->mixed);
  dump_place(diags, row->span, out);
  text_add(out, "\n");
  if (b->kind == BLOCK_LINEAR || b->kind == BLOCK_NONLINEAR)
    dump_parts(s, b, out);
}

static void dump_system(const Structure *s, const SSystem *sys, const char *title, bool phases,
                        const Diags *diags, Text *out) {
  text_printf(out, "%s: %u equations, %u blocks\n", title, sys->rows.n, sys->blocks.n);
  const char *last = "";
  for (uint32_t b = 0; b < sys->blocks.n; b++) {
    const char *phase = phase_names[sys->blocks.at[b].phase];
    if (phases && phase != last)
      text_printf(out, " %s\n", phase);
    last = phase;
    dump_block(s, sys, &sys->blocks.at[b], diags, out);
  }
}

void structure_dump(const Structure *s, const Diags *diags, Text *out) {
  text_printf(out, "structure of %s\nstates:", s->model->name);
  for (uint32_t k = 0; k < s->states.n; k++) {
    text_add(out, k ? ", " : " ");
    structure_name(s, s->states.at[k], out);
  }
  text_printf(out, "\nrelations: %u, samples: %u\n", s->relations.n, s->samples.n);
  dump_system(s, &s->initial, "initial", false, diags, out);
  dump_system(s, &s->simulation, "simulation", true, diags, out);
  for (uint32_t k = 0; k < s->actions.n; k++) {
    const SAction *act = &s->actions.at[k];
    text_add(out, "  when ");
    structure_print(s, act->guard, out);
    if (act->kind == ACTION_REINIT) {
      text_printf(out, " then reinit(%s, ", s->model->vars.at[act->state].name);
      structure_print(s, act->value, out);
      text_add(out, ")");
    } else
      text_add(out, act->kind == ACTION_ASSERT ? " then assert(...)"
                    : act->kind == ACTION_CALL ? " then a call"
                                               : " then terminate(...)");
    dump_place(diags, act->span, out);
    text_add(out, "\n");
  }
}
