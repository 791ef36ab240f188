/* api/option.c -- the options of a run (run/options.def) as a table: what callers see of it, values
 * that are not given, numbers that are not allowed.
 * Keep: a row has the type of its field in NuRunOptions, or this does not compile. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "api/run_impl.h"

/* Least and most that are allowed, both included, and what to call that. */
#define RANGE_NONE 0, 0, NULL
#define RANGE_FINITE -DBL_MAX, DBL_MAX, "a number"
#define RANGE_POSITIVE DBL_TRUE_MIN, DBL_MAX, "a positive number"
#define RANGE_NOT_NEGATIVE 0, DBL_MAX, "a number that is not negative"
#define RANGE_FRACTION DBL_TRUE_MIN, 1 - DBL_EPSILON / 2, "a number between 0 and 1"
#define RANGE_COUNT 1, 0x1p63, "a positive whole number"
#define RANGE_COUNT_32 1, UINT32_MAX, "a positive whole number up to 4294967295"

#define SAME_TYPE(type, field)                                                                     \
  _Static_assert(_Generic(((NuRunOptions *)0)->field, type : 1, default : 0),                      \
                 "NuRunOptions." #field " is not of the type of its row");
#define RUN_OPTION(type, field, ...) SAME_TYPE(type, field)
#define API_OPTION RUN_OPTION
#define LIST_OPTION(field, ...) SAME_TYPE(const char *const *, field) SAME_TYPE(size_t, n_##field)
#include "run/options.def"

#define KIND(type)                                                                                 \
  _Generic((type){0},                                                                              \
      bool: NU_OPTION_FLAG,                                                                        \
      double: NU_OPTION_REAL,                                                                      \
      uint64_t: NU_OPTION_COUNT,                                                                   \
      const char *: NU_OPTION_TEXT,                                                                \
      default: NU_OPTION_CHOICE)
#define AT(field) offsetof(NuRunOptions, field)
#define ROW(type, field, name, letter, value, range, resume, help)                                 \
  {name, letter, KIND(type), #field, AT(field), 0, value, RANGE_##range, NU_RESUME_##resume, help},
#define LIST(field, name, letter, value, range, resume, help)                                      \
  {name,  letter,        NU_OPTION_TEXTS,    #field, AT(field), AT(n_##field),                     \
   value, RANGE_##range, NU_RESUME_##resume, help},

static const NuOption table[] = {
#define RUN_OPTION ROW
#define API_OPTION ROW
#define LIST_OPTION LIST
#include "run/options.def"
};
enum { N_OPTIONS = sizeof table / sizeof *table };

const NuOption *nu_run_option(size_t i) { return i < N_OPTIONS ? &table[i] : NULL; }

const NuOption *api_option_find(const char *field) {
  for (size_t i = 0; i < N_OPTIONS; i++)
    if (!strcmp(table[i].field, field))
      return &table[i];
  return NULL;
}

/* ---- values ---- */

void api_option_forget(const NuOption *row, NuRunOptions *o) {
  void *field = (char *)o + row->at;
  switch (row->kind) {
  case NU_OPTION_FLAG: *(bool *)field = false; return;
  case NU_OPTION_REAL: *(double *)field = NAN; return;
  case NU_OPTION_COUNT: *(uint64_t *)field = 0; return;
  case NU_OPTION_CHOICE: *(int *)field = 0; return;
  case NU_OPTION_TEXT: *(const char **)field = NULL; return;
  case NU_OPTION_TEXTS:
    *(const char *const **)field = NULL;
    *(size_t *)((char *)o + row->count_at) = 0;
    return;
  }
}

NuRunOptions nu_run_options(void) {
  NuRunOptions o = {.resume_at = NAN};
  for (size_t i = 0; i < N_OPTIONS; i++)
    api_option_forget(&table[i], &o);
  return o;
}

double api_option_number(const NuOption *row, const NuRunOptions *o) {
  const void *field = (const char *)o + row->at;
  switch (row->kind) {
  case NU_OPTION_FLAG: return *(const bool *)field;
  case NU_OPTION_REAL: return *(const double *)field;
  case NU_OPTION_COUNT: return (double)*(const uint64_t *)field;
  case NU_OPTION_CHOICE: return *(const int *)field;
  case NU_OPTION_TEXT: return *(const char *const *)field != NULL;
  case NU_OPTION_TEXTS: return (double)*(const size_t *)((const char *)o + row->count_at);
  }
  return NAN;
}

bool api_option_given(const NuOption *row, const NuRunOptions *o) {
  double x = api_option_number(row, o);
  return row->kind == NU_OPTION_REAL ? !isnan(x) : x != 0;
}

static int count_words(const char *words) {
  int n = 1;
  for (; *words; words++)
    n += *words == '|';
  return n;
}

/* Is the number allowed, or does it mean that nothing is given? */
static bool allows(const NuOption *row, double x) {
  bool in_range = x >= row->least && x <= row->most;
  switch (row->kind) {
  case NU_OPTION_FLAG: return x == 0 || x == 1;
  case NU_OPTION_REAL: return isnan(x) || in_range;
  case NU_OPTION_COUNT: return x == 0 || (in_range && x == floor(x));
  case NU_OPTION_CHOICE: return x >= 0 && x < count_words(row->value) && x == floor(x);
  case NU_OPTION_TEXT:
  case NU_OPTION_TEXTS: break;
  }
  return true;
}

bool api_option_set(const NuOption *row, NuRunOptions *o, double x) {
  void *field = (char *)o + row->at;
  if (!allows(row, x))
    return false;
  switch (row->kind) {
  case NU_OPTION_FLAG: *(bool *)field = x != 0; return true;
  case NU_OPTION_REAL: *(double *)field = x; return true;
  case NU_OPTION_COUNT: *(uint64_t *)field = (uint64_t)x; return true;
  case NU_OPTION_CHOICE: *(int *)field = (int)x; return true;
  case NU_OPTION_TEXT:
  case NU_OPTION_TEXTS: break;
  }
  return false;
}

/* ---- options of a caller ---- */

static const char *const *copy_texts(const char *const *texts, size_t n, Arena *a) {
  const char **copy = NEW_ARRAY(a, const char *, n);
  for (size_t i = 0; i < n; i++)
    copy[i] = arena_strdup(a, texts[i]);
  return copy;
}

void api_options_keep(NuRunOptions *o, Arena *a) {
  for (size_t i = 0; i < N_OPTIONS; i++) {
    void *field = (char *)o + table[i].at;
    const char **text = field;
    const char *const **texts = field;
    if (table[i].kind == NU_OPTION_TEXT && *text)
      *text = arena_strdup(a, *text);
    else if (table[i].kind == NU_OPTION_TEXTS)
      *texts = copy_texts(*texts, *(const size_t *)((char *)o + table[i].count_at), a);
  }
}

bool api_options_check(const NuRunOptions *o, Diags *diags) {
  bool good = true;
  for (size_t i = 0; i < N_OPTIONS; i++) {
    double x = api_option_number(&table[i], o);
    if (allows(&table[i], x))
      continue;
    diag_add(diags, D_A001, (Span){0, 0}, "the option `%s` needs %s, not %g", table[i].field,
             table[i].expects ? table[i].expects : table[i].value, x);
    good = false;
  }
  return good;
}
