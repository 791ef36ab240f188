/* api/figure_data.c -- results as a figure needs them: columns with units and names of values, and
 * what tells several results apart. */
#include <math.h>
#include <string.h>

#include "api/figure_impl.h"
#include "flat/unit.h"

NuStatus figure_open(FigureFile *f) {
  return api_is_store(f->path) ? nu_result_open(f->job->s, f->path, &f->result) : NU_OK;
}

void figure_close(FigureFile *f) {
  nu_modes_free(&f->modes);
  nu_table_free(&f->table);
  nu_result_free(f->result);
}

/* ---- what is known about a column ---- */

/* "m" -> "m/s" */
static const char *per_second(const char *unit, Arena *a) {
  Unit u, s;
  if (!unit_parse(unit, &u) || !unit_parse("s", &s))
    return "";
  Unit rate = unit_product(&u, &s, -1);
  Text out = {.arena = a};
  unit_print(&rate, &out);
  return text_str(&out);
}

static void about_variable(const NuVariable *v, PlotColumn *c) {
  static const char *const truth[] = {"false", "true"};
  c->typed = true;
  c->unit = v->unit;
  c->display = v->display_unit;
  c->discrete = v->variability != NU_CONTINUOUS || v->type != NU_REAL;
  if (v->type == NU_BOOLEAN) {
    c->literals = truth;
    c->n_literals = 2;
  } else if (v->type == NU_ENUMERATION && v->n_literals) {
    c->literals = v->literals;
    c->n_literals = (uint32_t)v->n_literals;
    c->first = 1;
  }
}

static void about_column(const NuResult *r, PlotColumn *c, Arena *a) {
  NuVariable v;
  size_t i, n = strlen(c->name);
  if (nu_result_find(r, c->name, &i) && nu_result_variable(r, i, &v)) {
    about_variable(&v, c);
  } else if (n > 5 && strncmp(c->name, "der(", 4) == 0) {
    const char *inner = arena_strndup(a, c->name + 4, n - 5);
    if (nu_result_find(r, inner, &i) && nu_result_variable(r, i, &v))
      c->unit = per_second(v.unit, a);
  }
}

static NuStatus describe(Call *c, void *args) {
  FigureFile *f = args;
  PlotSource *s = &f->job->sources[f->number];
  const NuTable *t = &f->table;
  (void)c;
  *s = (PlotSource){.path = f->path,
                    .label = f->path,
                    .columns = NEW_ARRAY(f->job->arena, PlotColumn, t->n_columns + 1),
                    .n = (uint32_t)t->n_columns,
                    .rows = t->n_rows};
  for (size_t k = 0; k < t->n_columns; k++) {
    PlotColumn *p = &s->columns[k];
    *p = (PlotColumn){.name = t->names[k],
                      .unit = t->units ? t->units[k] : "",
                      .display = "",
                      .values = t->columns[k]};
    if (f->result && k)
      about_column(f->result, p, f->job->arena);
  }
  if (f->modes.own)
    s->modes = &f->modes;
  if (!*s->columns[0].unit)
    s->columns[0].unit = "s";
  return NU_OK;
}

NuStatus figure_read(FigureFile *f) {
  NuSession *s = f->job->s;
  size_t n = f->names.n;
  for (uint32_t k = 0; k < f->names.n && !f->result; k++)
    if (strpbrk(f->names.at[k], "*?"))
      n = 0; /* a pattern is found among all columns */
  NuStatus status = f->result ? api_table_of(s, f->result, f->names.at, n, &f->table)
                              : nu_table_read_some(s, f->path, f->names.at, n, &f->table);
  bool timeline = f->job->o->events || f->job->o->modes;
  if (status == NU_OK && f->result && timeline)
    status = nu_result_modes(f->result, &f->modes);
  return status == NU_OK ? api_call(s, describe, f) : status;
}
