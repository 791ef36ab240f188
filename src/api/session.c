/* api/session.c -- sessions, loading, and the frame around every public function.
 * How:  memory comes from arenas whose exhaustion jumps to the recovery point set in api_call
 *       (base/memory.h). Between that point and the jump lie frames of this library only: sinks are
 *       called after the point was taken back.
 * Keep: nothing is changed in api_call between setjmp and the work, so that no local is
 *       indeterminate after the jump. */
#include "api/api_impl.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define VERSION "0.1.0"

enum { DEFAULT_MEMORY_GB = 4 };

const char *nu_version(void) { return VERSION; }

/* ---- status ---- */

static const struct {
  const char *name;
  int exit_code;
} statuses[] = {
    [NU_OK] = {"ok", 0},
    [NU_MODEL_ERROR] = {"model error", 1},
    [NU_USAGE] = {"usage error", 2},
    [NU_INIT_FAILED] = {"initialisation failed", 3},
    [NU_RUN_FAILED] = {"run failed", 4},
    [NU_LIMIT] = {"stopped by a limit", 5},
    [NU_FILE] = {"file problem", 6},
    [NU_INTERRUPTED] = {"interrupted", 130},
    [NU_MEMORY] = {"out of memory", 5},
};

int nu_exit_code(NuStatus status) { return statuses[status].exit_code; }
const char *nu_status_name(NuStatus status) { return statuses[status].name; }

/* The letter of a code says what kind of problem it is (base/diag.def). */
static NuStatus status_of(DiagCode code) {
  if (code == D_L001)
    return NU_FILE;
  switch (diag_code_name(code)[0]) {
  case 'A':
  case 'G': return NU_USAGE;
  case 'F': return NU_FILE;
  case 'I': return NU_INIT_FAILED;
  case 'K': return NU_LIMIT;
  case 'R': return NU_RUN_FAILED;
  default: return NU_MODEL_ERROR;
  }
}

/* Overrides are sources of their own (flat/flatten.c); what is wrong in them is not the model's
 * fault. */
static bool in_override(const Diags *ds, const Diag *d) {
  const Source *source = d->span.lo ? sources_find(diags_sources(ds), d->span.lo) : NULL;
  return source && strncmp(source->name, "-p ", 3) == 0;
}

NuStatus api_status(const Diags *ds, uint32_t from) {
  for (uint32_t i = from; i < diags_count(ds); i++) {
    const Diag *d = diags_at(ds, i);
    if (d->severity == SEV_ERROR)
      return in_override(ds, d) ? NU_USAGE : status_of(d->code);
  }
  return NU_OK;
}

NuStatus api_call_status(const Call *c, uint32_t from) {
  NuStatus status = api_status(c->s->diags, from);
  return status == NU_OK ? api_status(c->diags, 0) : status;
}

/* ---- the frame ---- */

NuStatus api_call(NuSession *s, Work *work, void *args) {
  if (!s)
    return NU_USAGE;
  if (s->exhausted) {
    api_deliver_exhausted(s, s->mem.limit);
    return NU_MEMORY;
  }
  Call call = {.s = s};
  const Arena *const mark = s->mem.arenas;
  jmp_buf here, *const outer = s->mem.recover;
  NuStatus status;
  s->mem.recover = &here;
  if (setjmp(here) == 0) {
    call.arena = arena_new(&s->mem);
    call.diags = diags_new(call.arena, s->sources);
    status = work(&call, args);
    s->mem.recover = outer;
    api_deliver(s, &s->mem, s->diags, s->delivered);
    s->delivered = diags_count(s->diags);
    api_deliver(s, &s->mem, call.diags, 0);
    arena_free(call.arena);
    return status;
  }
  s->mem.recover = outer;
  const bool late = mem_late(&s->mem);
  s->mem.deadline = 0;
  mem_drop_since(&s->mem, mark);
  s->exhausted = true;
  api_deliver(s, &s->mem, s->diags, s->delivered);
  s->delivered = diags_count(s->diags);
  if (late)
    api_deliver_late(s);
  else
    api_deliver_exhausted(s, s->mem.limit);
  return late ? NU_LIMIT : NU_MEMORY;
}

NuStatus api_give_text(const Text *text, char **out) {
  *out = malloc(text->n + 1);
  if (!*out)
    return NU_MEMORY;
  memcpy(*out, text_str(text), text->n);
  (*out)[text->n] = 0;
  return NU_OK;
}

void nu_free(void *text) { free(text); }

/* ---- sessions ---- */

NuSessionOptions nu_session_options(void) {
  return (NuSessionOptions){.memory_limit = (size_t)DEFAULT_MEMORY_GB << 30};
}

static NuStatus make_session(Call *c, void *args) {
  NuSession *s = c->s;
  const NuSessionOptions *options = args;
  s->names = interner_new(s->arena);
  s->diags = diags_new(s->arena, s->sources);
  s->lib = library_new(s->arena, s->names, s->sources, s->diags);
  library_set_path(s->lib, arena_printf(s->arena, "%s:%s", options->path ? options->path : "",
                                        options->own ? options->own : ""));
  s->has_path = options->path && *options->path;
  return NU_OK;
}

/* The parts that the frame of the other functions needs. */
static bool make_base(NuSession *s) {
  jmp_buf here;
  s->mem.recover = &here;
  bool made = setjmp(here) == 0;
  if (made) {
    s->arena = arena_new(&s->mem);
    s->sources = sources_new(s->arena);
    s->diags = diags_new(s->arena, s->sources);
  }
  s->mem.recover = NULL;
  return made;
}

NuStatus nu_session_new(const NuSessionOptions *options, NuSession **session) {
  *session = NULL;
  NuSession *s = calloc(1, sizeof *s);
  if (!s)
    return NU_MEMORY;
  NuSessionOptions defaults = nu_session_options();
  options = options ? options : &defaults;
  s->mem.limit = options->memory_limit;
  s->time_limit = options->time_limit;
  s->sink = options->sink;
  s->sink_user = options->sink_user;
  NuStatus status = make_base(s) ? api_call(s, make_session, (void *)options) : NU_MEMORY;
  if (status == NU_OK)
    *session = s;
  else
    nu_session_free(s);
  return status;
}

void nu_session_free(NuSession *s) {
  if (!s)
    return;
  mem_drop_since(&s->mem, NULL);
  free(s);
}

/* ---- loading ---- */

static NuStatus load_file(Call *c, void *path) {
  uint32_t from = diags_count(c->s->diags);
  library_load(c->s->lib, path);
  return api_status(c->s->diags, from);
}

NuStatus nu_load_file(NuSession *s, const char *path) {
  return api_call(s, load_file, (void *)path);
}

typedef struct {
  const char *name, *text;
  size_t length;
} LoadText;

static NuStatus load_text(Call *c, void *args) {
  const LoadText *a = args;
  uint32_t from = diags_count(c->s->diags);
  library_load_text(c->s->lib, a->name, a->text, a->length);
  return api_status(c->s->diags, from);
}

NuStatus nu_load_text(NuSession *s, const char *name, const char *text, size_t length) {
  LoadText args = {name, text, length};
  return api_call(s, load_text, &args);
}

typedef struct {
  const char *target;
  const char **class_name;
} LoadTarget;

/* A file, or a directory that holds a package? */
static bool is_loadable(Call *c, const char *target) {
  struct stat info;
  if (stat(target, &info) != 0)
    return false;
  return !S_ISDIR(info.st_mode) || strchr(target, '/') ||
         stat(arena_printf(c->arena, "%s/package.mo", target), &info) == 0;
}

static NuStatus load_target(Call *c, void *args) {
  const LoadTarget *a = args;
  size_t n = strlen(a->target);
  if (is_loadable(c, a->target))
    return load_file(c, (void *)a->target);
  if (strchr(a->target, '/') || (n > 3 && strcmp(a->target + n - 3, ".mo") == 0))
    return load_file(c, (void *)a->target);
  uint32_t from = diags_count(c->s->diags);
  const char *first = arena_strndup(c->arena, a->target, strcspn(a->target, "."));
  if (library_top(c->s->lib, first)) {
    *a->class_name = arena_strdup(c->s->arena, a->target);
    return api_status(c->s->diags, from);
  }
  if (api_status(c->s->diags, from) != NU_OK)
    return api_status(c->s->diags, from);
  Diag *d = diag_add(c->diags, D_L001, (Span){0, 0},
                     "`%s` is neither a file nor a class along MODELICAPATH", a->target);
  if (stat(arena_printf(c->arena, "%s.mo", a->target), &(struct stat){0}) == 0)
    diag_help(c->diags, d, "did you mean `%s.mo`?", a->target);
  else if (!c->s->has_path)
    diag_help(
        c->diags, d,
        "MODELICAPATH is not set; it names the directories that hold libraries, separated by `:`");
  return NU_FILE;
}

NuStatus nu_load_target(NuSession *s, const char *target, const char **class_name) {
  *class_name = NULL;
  LoadTarget args = {target, class_name};
  return api_call(s, load_target, &args);
}

bool nu_source_file(const NuSession *s, size_t i, const char **path) {
  const Source *source;
  *path = NULL;
  for (uint32_t k = 0; (source = sources_at(s->sources, k)); k++)
    if (source->is_file && i-- == 0) {
      *path = source->name;
      return true;
    }
  return false;
}
