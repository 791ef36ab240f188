/* api/figure_label.c -- what tells several results apart in a legend: the parameters that differ if
 * there are few, else the file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/figure_impl.h"
#include "base/limits.h"

/* The parameters that all results have, and their values in one of them after the other. */
typedef struct {
  FigureJob *job;
  FigureNames names;
  double *values; /* [result][name]; its own memory */
} Parameters;

static bool all_have(const FigureJob *j, const char *name) {
  size_t i;
  for (size_t k = 1; k < j->o->n_results; k++)
    if (!nu_result_find(j->files[k].result, name, &i))
      return false;
  return true;
}

static NuStatus list(Call *c, void *args) {
  Parameters *p = args;
  NuVariable v;
  (void)c;
  for (size_t i = 0; nu_result_variable(p->job->files[0].result, i, &v); i++)
    if (v.variability == NU_PARAMETER && v.type != NU_STRING && all_have(p->job, v.name))
      vec_push(p->job->arena, &p->names, v.name);
  return NU_OK;
}

static bool all_stored(const FigureJob *j) {
  for (size_t k = 0; k < j->o->n_results; k++)
    if (!j->files[k].result)
      return false;
  return true;
}

static NuStatus read_values(Parameters *p) {
  size_t n = p->job->o->n_results;
  NuStatus status = NU_OK;
  NuExtract what = nu_extract();
  what.variables = p->names.at;
  what.n_variables = p->names.n;
  p->values = calloc(n * p->names.n + 1, sizeof *p->values);
  if (!p->values)
    return NU_MEMORY;
  for (size_t k = 0; k < n && status == NU_OK && p->names.n; k++) {
    double point;
    status = nu_result_at(p->job->files[k].result, &what,
                          nu_result_info(p->job->files[k].result).end, &point,
                          p->values + k * p->names.n);
  }
  return status;
}

/* ---- texts ---- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

static void label_by_file(const FigureJob *j) {
  size_t n = j->o->n_results;
  bool unique = true;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++)
      unique = unique && strcmp(base_name(j->files[i].path), base_name(j->files[k].path)) != 0;
  for (size_t k = 0; k < n; k++)
    j->sources[k].label = unique ? base_name(j->files[k].path) : j->files[k].path;
}

static void add_value(const FigureJob *j, const char *name, double value, Text *out) {
  NuVariable v = {0};
  size_t i;
  if (nu_result_find(j->files[0].result, name, &i))
    nu_result_variable(j->files[0].result, i, &v);
  text_printf(out, "%s%s = ", out->n ? ", " : "", name);
  if (v.type == NU_BOOLEAN)
    text_add(out, value != 0 ? "true" : "false");
  else if (v.type == NU_ENUMERATION && value >= 1 && value <= (double)v.n_literals)
    text_add(out, v.literals[(size_t)value - 1]);
  else
    text_real(out, value);
  if (v.type == NU_REAL && v.unit && *v.unit && strcmp(v.unit, "1") != 0)
    text_printf(out, " %s", v.unit);
}

static bool differs(const Parameters *p, uint32_t name) {
  for (size_t k = 1; k < p->job->o->n_results; k++)
    if (p->values[k * p->names.n + name] != p->values[name])
      return true;
  return false;
}

static NuStatus label(Call *c, void *args) {
  const Parameters *p = args;
  FigureJob *j = p->job;
  uint32_t found[MOST_LABEL_PARAMETERS], n = 0;
  bool unique = true;
  (void)c;
  label_by_file(j);
  for (uint32_t k = 0; k < p->names.n && p->values; k++)
    if (differs(p, k)) {
      if (n == MOST_LABEL_PARAMETERS)
        return NU_OK;
      found[n++] = k;
    }
  const char **labels = NEW_ARRAY(j->arena, const char *, j->o->n_results + 1);
  for (size_t r = 0; r < j->o->n_results && n; r++) {
    Text out = {.arena = j->arena};
    for (uint32_t k = 0; k < n; k++)
      add_value(j, p->names.at[found[k]], p->values[r * p->names.n + found[k]], &out);
    labels[r] = text_str(&out);
    for (size_t k = 0; k < r; k++)
      unique = unique && strcmp(labels[k], labels[r]) != 0;
  }
  for (size_t r = 0; r < j->o->n_results && n && unique; r++)
    j->sources[r].label = labels[r];
  return NU_OK;
}

NuStatus figure_label(FigureJob *j) {
  Parameters p = {.job = j};
  NuStatus status = NU_OK;
  if (j->o->n_results > 1 && all_stored(j)) {
    status = api_call(j->s, list, &p);
    if (status == NU_OK)
      status = read_values(&p);
  }
  if (status == NU_OK)
    status = api_call(j->s, label, &p);
  free(p.values);
  return status;
}
