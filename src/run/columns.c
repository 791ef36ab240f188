/* run/columns.c -- variables of a model by name, columns of a result by name or pattern. */
#include <string.h>

#include "base/vec.h"
#include "run/run.h"
#include "run/outcome.h"

int run_find_variable(const DsModel *m, const char *name) {
  for (int k = 0; k < m->n_variables; k++)
    if (!strcmp(m->variables[k].name, name))
      return k;
  return -1;
}

/* Names whose last part is `name`: fast.x for x. */
static uint32_t same_end(const char *name, const char *const *names, uint32_t n, const char **best,
                         uint32_t most) {
  uint32_t found = 0;
  for (uint32_t k = 0; k < n && found < most; k++) {
    const char *dot = strrchr(names[k], '.');
    if (dot && !strcmp(dot + 1, name))
      best[found++] = names[k];
  }
  return found;
}

/* Where no name is near: the first of all. */
static void list_names(const char *const *names, uint32_t n, Arena *a, Diags *diags, Diag *d) {
  enum { SHOWN = 6 };
  Text list = {.arena = a};
  for (uint32_t k = 0; k < n && k < SHOWN; k++)
    text_printf(&list, "%s`%s`", k ? ", " : "", names[k]);
  if (n)
    diag_note(diags, d, n > SHOWN ? "it has %s and %u more" : "it has %s", text_str(&list),
              n - SHOWN);
}

void run_unknown_name(const DsModel *m, const char *what, const char *name, Arena *a,
                      Diags *diags) {
  const char **names = NEW_ARRAY(a, const char *, m->n_variables + 1), *best[3];
  uint32_t count = 0;
  bool parameters = !strcmp(what, "parameter");
  for (int k = 0; k < m->n_variables; k++)
    if (!parameters || m->variables[k].variability == DS_PARAMETER)
      names[count++] = m->variables[k].name;
  Diag *d = diag_add(diags, D_A002, (Span){0, 0}, "the model has no %s `%s`", what, name);
  uint32_t found = nearest_names(name, names, count, best, 3);
  if (!found)
    found = same_end(name, names, count, best, 3);
  if (found == 1)
    diag_help(diags, d, "did you mean `%s`?", best[0]);
  else if (found == 2)
    diag_help(diags, d, "did you mean `%s` or `%s`?", best[0], best[1]);
  else if (found)
    diag_help(diags, d, "did you mean `%s`, `%s` or `%s`?", best[0], best[1], best[2]);
  else
    list_names(names, count, a, diags, d);
}

bool run_name_matches(const char *pattern, const char *name) {
  const char *star = NULL, *back = NULL;
  while (*name) {
    if (*pattern == '*') {
      star = pattern++;
      back = name;
    } else if (*pattern == '?' || *pattern == *name) {
      pattern++;
      name++;
    } else if (star) {
      pattern = star + 1;
      name = ++back;
    } else
      return false;
  }
  while (*pattern == '*')
    pattern++;
  return !*pattern;
}

typedef struct {
  const DsModel *m;
  Arena *a;
  bool *taken; /* per variable */
  VEC(RunColumn) columns;
} Selection;

static void add_variable(Selection *s, int k) {
  const DsVariable *v = &s->m->variables[k];
  if (!s->taken[k])
    vec_push(s->a, &s->columns, (RunColumn){v->name, k, (DsType)v->type, v->place});
  s->taken[k] = true;
}

/* der(x) of a state x. */
static bool add_derivative(Selection *s, const char *name) {
  size_t n = strlen(name);
  if (n < 6 || strncmp(name, "der(", 4) || name[n - 1] != ')')
    return false;
  int k = run_find_variable(s->m, arena_strndup(s->a, name + 4, n - 5));
  if (k < 0 || s->m->variables[k].der < 0)
    return false;
  vec_push(s->a, &s->columns,
           (RunColumn){arena_strdup(s->a, name), -1 - k, DS_REAL, s->m->variables[k].der});
  return true;
}

static bool add_pattern(Selection *s, const char *pattern) {
  bool any = false;
  for (int k = 0; k < s->m->n_variables; k++)
    if (run_name_matches(pattern, s->m->variables[k].name)) {
      add_variable(s, k);
      any = true;
    }
  return any;
}

bool run_select_columns(const DsModel *m, const char *const *select, uint32_t n, Arena *a,
                        Diags *diags, const RunColumn **columns, uint32_t *n_columns) {
  Selection s = {.m = m, .a = a, .taken = NEW_ARRAY(a, bool, m->n_variables + 1)};
  bool ok = true;
  for (int k = 0; k < m->n_variables && !n; k++)
    if (m->variables[k].variability < DS_PARAMETER)
      add_variable(&s, k);
  for (uint32_t q = 0; q < n; q++) {
    int k = run_find_variable(m, select[q]);
    bool pattern = strpbrk(select[q], "*?") != NULL;
    if (k >= 0)
      add_variable(&s, k);
    if (k >= 0 || add_derivative(&s, select[q]) || (pattern && add_pattern(&s, select[q])))
      continue;
    ok = false;
    if (pattern)
      diag_add(diags, D_A002, (Span){0, 0}, "no variable matches `%s`", select[q]);
    else
      run_unknown_name(m, "variable", select[q], a, diags);
  }
  *columns = s.columns.at;
  *n_columns = s.columns.n;
  return ok;
}
