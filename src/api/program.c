/* api/program.c -- model -> machine code: the whole path of a model in one function. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/api_impl.h"
#include "emit/emit.h"
#include "expr/func.h"
#include "flat/flatten.h"
#include "interpret/interpret.h"
#include "result/store.h"
#include "structure/structure.h"

double api_cpu_time(void) { return mem_clock(); }

/* s of real time: a compiler that is another process takes none of our processor time. */
static double real_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
  const NuTarget *target;
  NuProgram *program;  /* allocated by the caller, so that nothing is lost when memory is short */
  const Store *result; /* its model is the one; NULL: it is a source */
  bool trusted;
} CompileArgs;

/* No machine code: because it was asked for, or because it is forbidden here. */
static bool is_evaluated(NuCode code) {
  return code == NU_CODE_EVAL || (code == NU_CODE_AUTO && !load_may_execute());
}

/* C text for machine code, or a model without. `auto` has both: long runs may still go over to the
 * C compiler, whose code is loaded from a file. */
static bool generate(Call *c, const CompileArgs *a, FlatModel *m, Arena *keep, Text *code) {
  const Structure *s = a->program->structure;
  if (a->target->code != NU_CODE_EVAL && !emit_c(m, s, c->diags, code))
    return false;
  if (!is_evaluated(a->target->code))
    return true;
  a->program->interpreted = interpret_model(m, s, keep, c->diags);
  return a->program->interpreted != NULL;
}

/* Text -> C. False after a diagnostic. The structure stays in the memory of the program. */
static bool translate(Call *c, const CompileArgs *a, Text *code) {
  Call inner = *c;
  NuProgram *program = a->program;
  program->mem.limit = c->s->mem.limit > c->s->mem.used ? c->s->mem.limit - c->s->mem.used
                                                        : c->s->mem.limit;
  program->mem.recover = c->s->mem.recover;
  program->mem.deadline = c->s->mem.deadline;
  inner.arena = arena_new(&program->mem);
  FlatModel *m = api_flatten(&inner, a->target);
  bool ok = m && (a->result ? flat_check_stored : flat_check)(m, c->arena, c->diags);
  if (ok && a->result)
    flat_restore_names(m, a->result->quoted, a->result->n_quoted, inner.arena);
  program->structure = ok ? structure_build(m, inner.arena, c->diags) : NULL;
  ok = program->structure && generate(c, a, m, inner.arena, code);
  program->figures = ok ? api_figures(m, inner.arena) : NULL;
  program->sources = sources_view(c->s->sources, inner.arena);
  program->mem.recover = NULL;
  program->mem.deadline = 0;
  return ok;
}

static NuStatus compile(Call *c, void *args) {
  const CompileArgs *a = args;
  NuProgramInfo *info = &a->program->info;
  uint32_t from = diags_count(c->s->diags);
  bool evaluated = is_evaluated(a->target->code);
  Text code = {.arena = c->arena};
  double t0 = api_cpu_time();
  c->s->mem.deadline = c->s->time_limit > 0 ? t0 + c->s->time_limit : 0;
  bool translated = translate(c, a, &code);
  c->s->mem.deadline = 0;
  double t1 = api_cpu_time(), real = real_time();
  NuStatus status = api_call_status(c, from);
  if (!translated || status != NU_OK)
    return status != NU_OK ? status : NU_MODEL_ERROR;
  if (evaluated)
    a->program->own = program_of_model(a->program->interpreted, code.n ? text_str(&code) : NULL);
  else
    a->program->own = load_program(text_str(&code), (CodeChoice)a->target->code, c->diags);
  if (!a->program->own)
    return evaluated ? NU_MEMORY : api_call_status(c, from);
  const DsModel *m = a->program->own->model;
  *info = (NuProgramInfo){.class_name = m->name,
                          .n_variables = (size_t)m->n_variables,
                          .n_states = (size_t)m->nx,
                          .structures = 1,
                          .start = m->start_time,
                          .stop = m->stop_time,
                          .tolerance = m->tolerance,
                          .interval = m->interval,
                          .translate_time = t1 - t0,
                          .compile_time = a->target->code == NU_CODE_CC ? real_time() - real
                                                                        : api_cpu_time() - t1};
  return NU_OK;
}

static NuProgram *new_program(NuSession *s) {
  NuProgram *p = calloc(1, sizeof *p);
  ApiModes *modes = p ? api_modes_new() : NULL;
  if (!modes) {
    free(p);
    return NULL;
  }
  p->s = s;
  p->modes = modes;
  return p;
}

NuStatus nu_compile(NuSession *s, const NuTarget *target, NuProgram **program) {
  *program = NULL;
  NuProgram *p = new_program(s);
  if (!p)
    return NU_MEMORY;
  CompileArgs args = {.target = target, .program = p};
  NuStatus status = api_call(s, compile, &args);
  if (status == NU_OK)
    *program = p;
  else
    nu_program_free(p);
  return status;
}

/* Functions that a model inside of a result may call whoever has made it: their only memory is that
 * of the run. */
static bool is_harmless(const char *name) {
  static const char *const groups[] = {"ModelicaStandardTables_", "ModelicaStrings_",
                                       "ModelicaRandom_", "ModelicaError", "ModelicaFormatError"};
  bool harmless = false;
  for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
    harmless = harmless || !strncmp(name, groups[k], strlen(groups[k]));
  return harmless;
}

static bool forbid(const NuProgram *p, const char *name, Diags *diags) {
  Diag *d = diag_add(diags, D_F004, (Span){0, 0},
                     "the model inside of `%s` calls the function `%s`", p->distrusted, name);
  diag_help(diags, d, "allow it if you trust who made the file: --trust");
  return false;
}

bool api_may_call(const NuProgram *p, const DsModel *m, Diags *diags) {
  for (int k = 0; k < m->n_externals && p->distrusted; k++)
    if (!is_harmless(m->externals[k].name) || *m->externals[k].library)
      return forbid(p, m->externals[k].name, diags);
  return true;
}

/* The same for the modes that a run may still come to: a run that would be stopped there is better
 * not begun. */
static bool may_call_later(const NuProgram *p, Diags *diags) {
  const FlatModel *m = p->structure->model;
  for (uint32_t k = 0; k < m->functions.n && p->distrusted && p->structure->conditions.n; k++) {
    const Func *f = m->functions.at[k];
    bool outside = f->external && !(f->language && !strcmp(f->language, "builtin")) &&
                   !native_plain_arguments(f->external);
    if (outside && !(is_harmless(f->external) && native_signature(f->external)))
      return forbid(p, f->external, diags);
  }
  return true;
}

static NuStatus compile_result(Call *c, void *args) {
  CompileArgs *a = args;
  const NuTarget target = *a->target;
  Store *store = store_open(target.class_name, c->arena, c->diags);
  if (!store)
    return NU_FILE;
  a->result = store;
  a->target = &(NuTarget){.code = target.code};
  uint32_t from = diags_count(c->s->diags);
  size_t n = strlen(store->model);
  const char *name = arena_printf(c->s->arena, "the model inside of %s", target.class_name);
  bool loaded = library_load_text(c->s->lib, name, arena_strndup(c->s->arena, store->model, n), n);
  NuStatus status = api_call_status(c, from);
  status = status == NU_OK && !loaded ? NU_MODEL_ERROR : status;
  if (status == NU_OK)
    status = compile(c, a);
  a->program->distrusted = a->trusted ? NULL : arena_strdup(c->s->arena, target.class_name);
  if (status == NU_OK && !(api_may_call(a->program, a->program->own->model, c->diags) &&
                           may_call_later(a->program, c->diags)))
    status = NU_FILE;
  store_close(store);
  return status;
}

NuStatus nu_compile_result(NuSession *s, const char *path, NuCode code, bool trusted,
                           NuProgram **program) {
  *program = NULL;
  NuProgram *p = new_program(s);
  if (!p)
    return NU_MEMORY;
  CompileArgs args = {
      .target = &(NuTarget){.class_name = path, .code = code}, .program = p, .trusted = trusted};
  NuStatus status = api_call(s, compile_result, &args);
  if (status == NU_OK)
    *program = p;
  else
    nu_program_free(p);
  return status;
}

void nu_program_free(NuProgram *p) {
  if (!p)
    return;
  api_modes_free(p->modes);
  program_free(p->own);
  interpret_end(p->interpreted);
  mem_drop_since(&p->mem, NULL);
  free(p);
}

NuProgramInfo nu_program_info(const NuProgram *p) {
  NuProgramInfo info = p->info;
  info.structures += api_modes_made(p);
  return info;
}

bool api_variable(const DsModel *m, size_t i, NuVariable *v) {
  static const NuType types[] = {[DS_REAL] = NU_REAL,
                                 [DS_INTEGER] = NU_INTEGER,
                                 [DS_BOOLEAN] = NU_BOOLEAN,
                                 [DS_ENUMERATION] = NU_ENUMERATION,
                                 [DS_STRING] = NU_STRING};
  static const NuVariability variabilities[] = {[DS_CONTINUOUS] = NU_CONTINUOUS,
                                                [DS_DISCRETE] = NU_DISCRETE,
                                                [DS_PARAMETER] = NU_PARAMETER,
                                                [DS_CONSTANT] = NU_CONSTANT};
  static const NuCausality causalities[] = {
      [DS_LOCAL] = NU_LOCAL, [DS_INPUT] = NU_INPUT, [DS_OUTPUT] = NU_OUTPUT};
  if (i >= (size_t)m->n_variables)
    return false;
  const DsVariable *d = &m->variables[i];
  *v = (NuVariable){.name = d->name,
                    .unit = d->unit,
                    .display_unit = d->display_unit,
                    .quantity = d->quantity,
                    .comment = d->comment,
                    .type = types[d->type],
                    .variability = variabilities[d->variability],
                    .causality = causalities[d->access],
                    .is_state = d->property == DS_STATE,
                    .is_protected = d->flags & DS_IS_PROTECTED,
                    .is_structural = d->flags & DS_STRUCTURAL,
                    .literals = d->literals,
                    .n_literals = d->n_literals > 0 ? (size_t)d->n_literals : 0};
  return true;
}

bool nu_program_variable(const NuProgram *p, size_t i, NuVariable *v) {
  return api_variable(p->own->model, i, v);
}

bool nu_program_find(const NuProgram *p, const char *name, size_t *i) {
  for (size_t k = 0; k < p->info.n_variables; k++)
    if (strcmp(p->own->model->variables[k].name, name) == 0) {
      *i = k;
      return true;
    }
  return false;
}
