/* api/inspect.c -- the structure of a model for people and programs. */
#include "structure/inspect.h"
#include "structure/pattern.h"
#include "structure/structure.h"

#include "api/api_impl.h"
#include "numeric/jacobian.h"

typedef struct {
  const NuTarget *target;
  const NuInspection *what;
  char **text;
} InspectArgs;

/* Evaluations that a differenced Jacobian of this pattern costs. */
static uint32_t colors_of(const SPattern *p, Arena *a) {
  if (!p->n)
    return 0;
  int *start = NEW_ARRAY(a, int, p->n + 1), *rows = NEW_ARRAY(a, int, p->start[p->n] + 1);
  for (uint32_t j = 0; j <= p->n; j++)
    start[j] = (int)p->start[j];
  for (uint32_t k = 0; k < p->start[p->n]; k++)
    rows[k] = (int)p->rows[k];
  Pattern pattern;
  Jacobian jacobian;
  if (!pattern_copy((int)p->n, start, rows, a, &pattern))
    return p->n;
  jacobian_init(&jacobian, &pattern, a);
  return (uint32_t)jacobian.n_colors;
}

static void write_text(const Inspect *in, const NuInspection *what, Diags *diags, Text *out) {
  if (what->structure)
    inspect_structure_text(in, out);
  if (what->modes) {
    text_add(out, out->n ? "\n" : "");
    inspect_modes_text(in, diags, out);
  }
  if (what->init) {
    text_add(out, out->n ? "\n" : "");
    inspect_initial_text(in, out);
  }
  if (what->variables) {
    text_add(out, out->n ? "\n" : "");
    inspect_variables_text(in, out);
  }
}

static void write_json(const Inspect *in, const NuInspection *what, Diags *diags, Text *out) {
  text_add(out, "{\"class\":");
  text_json(out, in->s->model->name);
  if (what->structure) {
    text_add(out, ",\"structure\":");
    inspect_structure_json(in, out);
  }
  if (what->modes) {
    text_add(out, ",\"modes\":");
    inspect_modes_json(in, diags, out);
  }
  if (what->init) {
    text_add(out, ",\"init\":");
    inspect_initial_json(in, out);
  }
  if (what->variables) {
    text_add(out, ",\"variables\":");
    inspect_variables_json(in, out);
  }
  text_add(out, "}");
}

static NuStatus inspect(Call *c, void *args) {
  const InspectArgs *a = args;
  uint32_t from = diags_count(c->s->diags);
  FlatModel *m = api_flatten(c, a->target);
  Structure *s = m && flat_check(m, c->arena, c->diags) ? structure_build(m, c->arena, c->diags)
                                                        : NULL;
  NuStatus status = api_call_status(c, from);
  if (status != NU_OK || !s)
    return status != NU_OK ? status : NU_MODEL_ERROR;
  SPattern pattern;
  Inspect in = {.s = s, .sources = c->s->sources, .all = a->what->all, .a = c->arena};
  if (structure_pattern(s, c->arena, &pattern)) {
    in.pattern = &pattern;
    in.colors = colors_of(&pattern, c->arena);
  }
  Text out = {.arena = c->arena};
  if (a->what->json)
    write_json(&in, a->what, c->diags, &out);
  else
    write_text(&in, a->what, c->diags, &out);
  return api_give_text(&out, a->text);
}

NuStatus nu_inspect(NuSession *s, const NuTarget *target, const NuInspection *what, char **text) {
  *text = NULL;
  InspectArgs args = {target, what, text};
  return api_call(s, inspect, &args);
}
