/* api/values.c -- values of a run between its parts: variables by name, snapshots. */
#include "api/run_impl.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/snapshot.h"

/* ---- variables ---- */

/* The place of a variable, or of the derivative of a state: der(x). */
static bool find_place(NuRun *r, const char *name, DsType *type, int *place) {
  const DsModel *m = r->p->own->model;
  size_t n = strlen(name);
  bool der = n > 5 && !strncmp(name, "der(", 4) && name[n - 1] == ')';
  char *inner = der ? strndup(name + 4, n - 5) : NULL;
  int k = run_find_variable(m, inner ? inner : name);
  free(inner);
  if (k < 0 || (der && m->variables[k].der < 0))
    return false;
  *type = der ? DS_REAL : (DsType)m->variables[k].type;
  *place = der ? m->variables[k].der : m->variables[k].place;
  return true;
}

/* What was set takes effect. */
static NuStatus settle(NuRun *r) {
  if (r->state != RUN_IS_ON)
    return NU_OK;
  double begun = api_cpu_time();
  r->busy = true;
  return api_run_passed(r, run_settle(r->run), begun);
}

typedef struct {
  const char *name;
  double *value;
  char **text;
} Question;

static const char *literal_of(const NuRun *r, const char *name, long long i) {
  int k = run_find_variable(r->p->own->model, name);
  const DsVariable *v = &r->p->own->model->variables[k];
  return i >= 1 && i <= v->n_literals ? v->literals[i - 1] : "";
}

/* Does the mode at work determine it? Not so derivatives of variables that follow from others
 * there. */
static bool is_said(const DsData *d, DsType type, int place) {
  bool said = true;
  for (int k = 0; k < d->model->n_unsaid && type == DS_REAL; k++)
    said = said && d->model->unsaid[k] != place;
  return said;
}

static NuStatus give(NuRun *r, const Question *q, DsType type, int place) {
  const DsData *d = run_data(r->run);
  bool said = is_said(d, type, place);
  if (q->value)
    *q->value = said ? api_value(d, type, place) : NAN;
  if (!q->text)
    return NU_OK;
  Text t = {.arena = r->arena};
  switch (type) {
  case DS_REAL: text_real(&t, said ? d->r[place] : NAN); break;
  case DS_INTEGER: text_printf(&t, "%lld", d->i[place]); break;
  case DS_BOOLEAN: text_add(&t, d->i[place] ? "true" : "false"); break;
  case DS_ENUMERATION: text_add(&t, literal_of(r, q->name, d->i[place])); break;
  case DS_STRING: text_add(&t, d->s[place]); break;
  }
  return api_give_text(&t, q->text);
}

static NuStatus answer(NuRun *r, void *args) {
  const Question *q = args;
  DsType type;
  int place;
  if (!r->data) {
    api_run_allowed(r, 0, "nu_run_get");
    return NU_USAGE;
  }
  if (!find_place(r, q->name, &type, &place)) {
    run_unknown_name(r->p->own->model, "variable", q->name, r->arena, r->diags);
    return NU_USAGE;
  }
  NuStatus status = settle(r);
  return status == NU_OK ? give(r, q, type, place) : status;
}

NuStatus nu_run_get(NuRun *r, const char *name, double *value) {
  *value = NAN;
  return r->busy ? NU_USAGE : api_run_call(r, answer, &(Question){name, value, NULL});
}

NuStatus nu_run_get_text(NuRun *r, const char *name, char **text) {
  *text = NULL;
  return r->busy ? NU_USAGE : api_run_call(r, answer, &(Question){name, NULL, text});
}

typedef struct {
  const char *name;
  NuAttribute attribute;
  const char *text; /* NULL: the number */
  double number;
} Setting;

static NuStatus set(NuRun *r, void *args) {
  const Setting *s = args;
  if (!api_run_allowed(r, 1u << RUN_IS_NEW | 1u << RUN_IS_ON, "nu_run_set"))
    return NU_USAGE;
  if (r->store && r->state == RUN_IS_ON)
    store_was_set(r->store);
  return api_run_status(run_set(r->run, s->name, s->attribute == NU_START ? RUN_START : RUN_VALUE,
                                s->text, s->number));
}

NuStatus nu_run_set(NuRun *r, const char *name, NuAttribute attribute, double value) {
  return r->busy ? NU_USAGE : api_run_call(r, set, &(Setting){name, attribute, NULL, value});
}

NuStatus nu_run_set_text(NuRun *r, const char *name, NuAttribute attribute, const char *text) {
  return r->busy ? NU_USAGE : api_run_call(r, set, &(Setting){name, attribute, text, NAN});
}

/* ---- snapshots ---- */

struct NuSnapshot {
  RunSnapshot *own;
  double row_time; /* of the last row of the result */
};

static NuStatus take_snapshot(NuRun *r, void *args) {
  NuSnapshot **out = args;
  if (!api_run_allowed(r, 1u << RUN_IS_NEW | 1u << RUN_IS_ON, "nu_run_snapshot"))
    return NU_USAGE;
  NuStatus status = settle(r);
  if (status != NU_OK)
    return status;
  NuSnapshot *s = calloc(1, sizeof *s);
  if (s)
    s->own = run_snapshot(r->run);
  if (!s || !s->own) {
    free(s);
    api_deliver_exhausted(r->p->s, 0);
    return NU_MEMORY;
  }
  s->row_time = r->filter.last;
  *out = s;
  return NU_OK;
}

NuStatus nu_run_snapshot(NuRun *r, NuSnapshot **snapshot) {
  *snapshot = NULL;
  return r->busy ? NU_USAGE : api_run_call(r, take_snapshot, snapshot);
}

static NuStatus restore(NuRun *r, void *args) {
  const NuSnapshot *s = args;
  if (!api_run_allowed(r, 1u << RUN_IS_NEW | 1u << RUN_IS_ON | 1u << RUN_IS_BROKEN,
                       "nu_run_restore"))
    return NU_USAGE;
  if ((r->store || r->files.n || r->events) && r->filter.last > s->row_time) {
    diag_add(
        r->diags, D_A004, (Span){0, 0},
        "nu_run_restore is not possible now: rows after the snapshot are in the result already");
    return NU_USAGE;
  }
  RunState before = r->state;
  r->state = RUN_IS_BROKEN;
  r->status = run_restore(r->run, s->own, api_take_row, r);
  if (r->status == RUN_USAGE)
    r->state = before;
  else if (r->status == RUN_OK)
    r->state = run_snapshot_begun(s->own) ? RUN_IS_ON : RUN_IS_NEW;
  if (r->status == RUN_OK) {
    r->time = run_snapshot_begun(s->own) ? run_snapshot_time(s->own) : run_start_time(r->run);
    r->filter.last = s->row_time;
    r->data = run_snapshot_begun(s->own) ? run_data(r->run) : NULL;
    atomic_store(&r->cancel, 0);
  }
  return api_run_status(r->status);
}

NuStatus nu_run_restore(NuRun *r, const NuSnapshot *snapshot) {
  return r->busy ? NU_USAGE : api_run_call(r, restore, (void *)(uintptr_t)snapshot);
}

void nu_snapshot_free(NuSnapshot *s) {
  if (!s)
    return;
  run_snapshot_free(s->own);
  free(s);
}

/* ---- how fast the model is ---- */

typedef struct {
  NuRate *rates;
  size_t n;
} Rates;

static int slower_first(const void *a, const void *b) {
  const NuRate *x = a, *y = b;
  double p = hypot(x->re, x->im), q = hypot(y->re, y->im);
  return p != q ? (p > q) - (p < q) : (x->im > y->im) - (x->im < y->im);
}

static NuStatus rates(NuRun *r, void *args) {
  Rates *out = args;
  if (!api_run_allowed(r, 1u << RUN_IS_ON, "nu_run_rates"))
    return NU_USAGE;
  NuStatus status = settle(r);
  if (status != NU_OK)
    return status;
  uint32_t n = 0;
  const double _Complex *w = run_rates(r->run, &n);
  if (!w)
    return NU_RUN_FAILED;
  out->rates = malloc((n + 1) * sizeof *out->rates);
  if (!out->rates)
    return NU_MEMORY;
  for (uint32_t k = 0; k < n; k++)
    out->rates[k] = (NuRate){creal(w[k]), cimag(w[k])};
  qsort(out->rates, n, sizeof *out->rates, slower_first);
  out->n = n;
  return NU_OK;
}

NuStatus nu_run_rates(NuRun *r, NuRate **out, size_t *n) {
  Rates all = {0};
  NuStatus status = r->busy ? NU_USAGE : api_run_call(r, rates, &all);
  *out = all.rates;
  *n = all.n;
  return status;
}
