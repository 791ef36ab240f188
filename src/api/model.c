/* api/model.c -- questions about a model that is not run: check, flat text, intermediate forms,
 * layout. */
#include <string.h>

#include "api/api_impl.h"
#include "emit/emit.h"
#include "flat/flatten.h"
#include "structure/dump.h"
#include "structure/structure.h"
#include "syntax/syntax.h"

const char *api_class_name(Call *c, const NuTarget *target) {
  if (target->class_name)
    return target->class_name;
  const char *name = flatten_default_class(c->s->lib, c->s->arena);
  if (!name) {
    LibClass *const *classes = NULL;
    uint32_t n = library_loaded(c->s->lib, &classes);
    diag_add(c->diags, D_L005, (Span){0, 0}, "%s contains no model that could be simulated",
             n ? classes[0]->source->name : "this text");
  }
  return name;
}

FlatModel *api_flatten(Call *c, const NuTarget *target) {
  const char *name = api_class_name(c, target);
  FlattenOptions options = {.overrides = target->overrides,
                            .n_overrides = (uint32_t)target->n_overrides,
                            .strict = target->strict};
  FlatModel *m = name ? flatten_class(c->s->lib, name, &options, c->arena, c->diags) : NULL;
  if (m && target->strict)
    flat_check_standard(m, c->arena, c->diags);
  return m;
}

/* ---- check ---- */

typedef struct {
  const NuTarget *target;
  NuCheck *check;
} CheckArgs;

/* All that a run would refuse before it begins: constraints, matching, initial conditions, order of
 * evaluation; and, as functions are read when code is made of them, that code, which nobody
 * keeps. */
static void check_structure(Call *c, FlatModel *m) {
  const Structure *s = structure_build(m, c->arena, c->diags);
  Text code = {.arena = c->arena};
  if (s && m->functions.n)
    emit_c(m, s, c->diags, &code);
}

static NuStatus check(Call *c, void *args) {
  const CheckArgs *a = args;
  uint32_t from = diags_count(c->s->diags);
  const char *name = api_class_name(c, a->target);
  if (!name)
    return NU_MODEL_ERROR;
  a->check->class_name = arena_strdup(c->s->arena, name);
  FlatModel *m = api_flatten(c, a->target);
  if (m) {
    FlatCounts n = flat_count(m);
    a->check->counted = true;
    a->check->equations = n.equations;
    a->check->unknowns = n.unknowns;
    a->check->states_declared = n.states_declared;
    a->check->parameters = n.parameters;
    a->check->relations = n.relations;
    a->check->when_clauses = n.when_clauses;
    if (flat_check(m, c->arena, c->diags) && api_call_status(c, from) == NU_OK)
      check_structure(c, m);
    if (a->target->units)
      flat_check_units(m, c->arena, c->diags);
  }
  NuStatus status = api_call_status(c, from);
  return m || status != NU_OK ? status : NU_MODEL_ERROR;
}

NuStatus nu_check(NuSession *s, const NuTarget *target, NuCheck *result) {
  *result = (NuCheck){0};
  CheckArgs args = {target, result};
  return api_call(s, check, &args);
}

/* ---- texts of a class ---- */

typedef struct {
  const NuTarget *target;
  NuDump form;
  bool origin;
  char **text;
} DumpArgs;

/* Sorted blocks, or the C made of them. */
static bool dump_structure(Call *c, const DumpArgs *a, Text *out) {
  FlatModel *m = api_flatten(c, a->target);
  if (!m || !flat_check(m, c->arena, c->diags))
    return false;
  Structure *structure = structure_build(m, c->arena, c->diags);
  if (!structure)
    return false;
  if (a->form == NU_DUMP_C)
    return emit_c(m, structure, c->diags, out);
  structure_dump(structure, c->diags, out);
  return true;
}

static bool dump_form(Call *c, const DumpArgs *a, Text *out) {
  const char *name = NULL;
  FlatModel *m = NULL;
  switch (a->form) {
  case NU_DUMP_TOKENS:
  case NU_DUMP_AST:
    diag_add(c->diags, D_A001, (Span){0, 0},
             "tokens and syntax tree belong to a file, not to a class");
    return false;
  case NU_DUMP_INSTANCE:
    name = api_class_name(c, a->target);
    return name && flatten_dump_instance(c->s->lib, name, c->arena, c->diags, out);
  case NU_DUMP_FLAT:
    m = api_flatten(c, a->target);
    if (m)
      flat_print(m, c->diags, a->origin, out);
    return m != NULL;
  case NU_DUMP_STRUCTURE:
  case NU_DUMP_C: return dump_structure(c, a, out);
  }
  return false;
}

static NuStatus dump(Call *c, void *args) {
  const DumpArgs *a = args;
  uint32_t from = diags_count(c->s->diags);
  Text out = {.arena = c->arena};
  bool done = dump_form(c, a, &out);
  NuStatus status = api_call_status(c, from);
  if (status != NU_OK || !done)
    return status != NU_OK ? status : NU_MODEL_ERROR;
  return api_give_text(&out, a->text);
}

NuStatus nu_flatten(NuSession *s, const NuTarget *target, bool origin, char **text) {
  *text = NULL;
  DumpArgs args = {target, NU_DUMP_FLAT, origin, text};
  return api_call(s, dump, &args);
}

NuStatus nu_dump(NuSession *s, const NuTarget *target, NuDump form, char **text) {
  *text = NULL;
  DumpArgs args = {target, form, true, text};
  return api_call(s, dump, &args);
}

/* ---- texts of a source ---- */

typedef struct {
  const char *name, *source;
  NuDump form;
  char **text;
} SourceArgs;

/* The text as a source of the session; NULL after L001. */
static const Source *source_of(Call *c, const SourceArgs *a) {
  if (!a->source)
    return library_source(c->s->lib, a->name);
  size_t n = strlen(a->source);
  const char *copy = arena_strndup(c->s->arena, a->source, n);
  return sources_add(c->s->sources, arena_strdup(c->s->arena, a->name), copy, n);
}

static NuStatus dump_source(Call *c, void *args) {
  const SourceArgs *a = args;
  uint32_t from = diags_count(c->s->diags);
  const Source *source = source_of(c, a);
  if (!source)
    return NU_FILE;
  Text out = {.arena = c->arena};
  if (a->form == NU_DUMP_TOKENS) {
    syntax_dump_tokens(source, c->s->names, c->arena, c->diags, &out);
  } else if (a->form == NU_DUMP_AST) {
    syntax_dump(syntax_parse(source, c->s->names, c->arena, c->diags), &out);
  } else {
    diag_add(c->diags, D_A001, (Span){0, 0}, "this form belongs to a class, not to a file");
  }
  NuStatus given = api_give_text(&out, a->text), status = api_call_status(c, from);
  return status != NU_OK ? status : given;
}

NuStatus nu_dump_source(NuSession *s, const char *name, const char *source, NuDump form,
                        char **text) {
  *text = NULL;
  SourceArgs args = {name, source, form, text};
  return api_call(s, dump_source, &args);
}

static NuStatus format(Call *c, void *args) {
  const SourceArgs *a = args;
  uint32_t from = diags_count(c->s->diags);
  const Source *source = source_of(c, a);
  if (!source)
    return NU_FILE;
  Text out = {.arena = c->arena};
  bool done = syntax_format(source, c->s->names, c->arena, c->diags, &out);
  NuStatus status = api_call_status(c, from);
  if (status != NU_OK || !done)
    return status != NU_OK ? status : NU_MODEL_ERROR;
  return api_give_text(&out, a->text);
}

NuStatus nu_format(NuSession *s, const char *name, const char *source, char **text) {
  *text = NULL;
  SourceArgs args = {.name = name, .source = source, .text = text};
  return api_call(s, format, &args);
}
