/* api/level.c -- elements that can be had at several levels of abstraction (Mosterman 2000, section
 * 2.4), and how to make them ideal. A parameter selects the level if its enumeration has a literal
 * `Ideal`; it shapes the equations, so that a change is a modification of the model before it is
 * translated. */
#include <stdlib.h>
#include <string.h>

#include "api/api_impl.h"
#include "base/limits.h"

static const char ideal[] = "Ideal";

typedef struct {
  const NuTarget *target;
  const char *const *names;
  size_t n_names;
  NuLevel *levels; /* allocated; as all of them */
  size_t n;
} LevelArgs;

typedef VEC(NuLevel) Levels;

static const TypeDecl *enumeration_of(const FlatModel *m, const FlatVar *v) {
  const Type *type = type_get(m->pool, v->type);
  return type->base == TY_ENUM ? type->decl : NULL;
}

static bool selects_level(const FlatModel *m, const FlatVar *v) {
  const TypeDecl *type = enumeration_of(m, v);
  if (!type || v->variability != FLAT_PARAMETER || v->is_final || v->is_protected)
    return false;
  for (uint32_t k = 0; k < type->n; k++)
    if (!strcmp(type->names[k], ideal))
      return true;
  return false;
}

/* The literal that a parameter has, followed through parameters that it equals; NULL: it must be
 * computed. */
static const char *literal_of(const FlatModel *m, const FlatVar *v) {
  for (uint32_t steps = 0; v->binding.i && steps < m->vars.n; steps++) {
    int64_t ordinal = 0;
    const TypeDecl *type = enumeration_of(m, v);
    if (expr_as_integer(m->pool, v->binding, &ordinal))
      return type && ordinal >= 1 && ordinal <= type->n ? type->names[ordinal - 1] : NULL;
    const Expr *e = expr_get(m->pool, v->binding);
    if (e->op != OP_VAR)
      return NULL;
    v = &m->vars.at[e->index];
  }
  return NULL;
}

/* Everything that has a level, in the order of declaration. */
static Levels find_levels(Call *c, const FlatModel *m) {
  Arena *keep = c->s->arena;
  Levels all = {0};
  for (uint32_t k = 0; k < m->vars.n; k++) {
    const FlatVar *v = &m->vars.at[k];
    if (!selects_level(m, v))
      continue;
    const char *is = literal_of(m, v);
    NuLevel level = {
        .component = arena_strdup(keep, m->origins.at[v->origin].path),
        .parameter = arena_strdup(keep, v->name),
        .level = is ? arena_strdup(keep, is) : NULL,
        .ideal = arena_printf(keep, "%s=%s.%s", v->name, enumeration_of(m, v)->name, ideal)};
    vec_push(c->arena, &all, level);
  }
  return all;
}

static bool is_component(const FlatModel *m, const char *name) {
  for (uint32_t k = 0; k < m->origins.n; k++)
    if (!strcmp(m->origins.at[k].path, name))
      return true;
  return false;
}

/* A002 with the elements whose names are near. */
static void tell_unknown(Call *c, const Levels *all, const char *name) {
  const char **names = NEW_ARRAY(c->arena, const char *, all->n + 1), *best[3];
  for (uint32_t k = 0; k < all->n; k++)
    names[k] = all->at[k].component;
  bool pattern = strpbrk(name, "*?") != NULL;
  Diag *d = diag_add(c->diags, D_A002, (Span){0, 0},
                     pattern ? "no component with a level of abstraction matches `%s`"
                             : "the model has no component `%s`",
                     name);
  uint32_t n = nearest_names(name, names, all->n, best, 3);
  if (n && *best[0])
    diag_help(c->diags, d, "did you mean `%s`?", best[0]);
}

/* A005 with those of its parts that have levels. */
static void tell_without(Call *c, const Levels *all, const char *name) {
  Diag *d = diag_add(c->diags, D_A005, (Span){0, 0}, "`%s` has no level of abstraction", name);
  Text parts = {.arena = c->arena};
  size_t length = strlen(name);
  uint32_t n = 0;
  for (uint32_t k = 0; k < all->n; k++) {
    const char *part = all->at[k].component;
    if (strncmp(part, name, length) || part[length] != '.' || ++n > MOST_LEVELS_SHOWN)
      continue;
    text_printf(&parts, "%s%s", n > 1 ? ", " : "", part);
  }
  if (n)
    diag_help(c->diags, d, "parts of it have: %s%s", text_str(&parts),
              n > MOST_LEVELS_SHOWN ? ", ..." : "");
}

/* Which of them a name means. False after a diagnostic. */
static bool choose(Call *c, const FlatModel *m, const Levels *all, const char *name, bool *chosen) {
  bool found = false;
  for (uint32_t k = 0; k < all->n; k++) {
    const char *component = all->at[k].component;
    if (strcmp(component, name) && !run_name_matches(name, component))
      continue;
    if (strchr(component, '[')) {
      diag_add(c->diags, D_X001, (Span){0, 0},
               "the level of `%s` cannot be chosen: it is an element of an array", component);
      return false;
    }
    chosen[k] = found = true;
  }
  if (!found && is_component(m, name))
    tell_without(c, all, name);
  else if (!found)
    tell_unknown(c, all, name);
  return found;
}

static NuStatus levels(Call *c, void *args) {
  LevelArgs *a = args;
  uint32_t from = diags_count(c->s->diags);
  FlatModel *m = api_flatten(c, a->target);
  NuStatus status = api_call_status(c, from);
  if (!m || status != NU_OK)
    return status != NU_OK ? status : NU_MODEL_ERROR;
  Levels all = find_levels(c, m);
  bool *chosen = NEW_ARRAY(c->arena, bool, all.n + 1);
  for (uint32_t k = 0; k < all.n; k++)
    chosen[k] = a->n_names == 0;
  for (size_t k = 0; k < a->n_names; k++)
    if (!choose(c, m, &all, a->names[k], chosen))
      return NU_USAGE;
  a->levels = malloc((all.n + 1) * sizeof *a->levels);
  if (!a->levels)
    return NU_MEMORY;
  for (uint32_t k = 0; k < all.n; k++)
    if (chosen[k])
      a->levels[a->n++] = all.at[k];
  return NU_OK;
}

NuStatus nu_levels(NuSession *s, const NuTarget *target, const char *const *names, size_t n_names,
                   NuLevel **out, size_t *n) {
  LevelArgs args = {.target = target, .names = names, .n_names = n_names};
  NuStatus status = api_call(s, levels, &args);
  *out = args.levels;
  *n = args.n;
  return status;
}
