/* api/result.c -- stored results: what they are about, and values of any variable.
 * The model inside a result is translated in a session of its own, so that nothing that was loaded
 * before can matter to it, nor it to what is loaded later. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/result_impl.h"
#include "interpret/interpret.h"
#include "result/filter.h"
#include "result/result.h"
#include "structure/structure.h"

/* ---- the frame ---- */

NuStatus api_result_call(NuResult *r, ResultWork *work, void *args) {
  jmp_buf here;
  uint32_t from = r->diags ? diags_count(r->diags) : 0;
  r->mem.recover = &here;
  if (setjmp(here) == 0) {
    NuStatus status = work(r, args);
    r->mem.recover = NULL;
    api_deliver(r->s, &r->mem, r->diags, from);
    return status;
  }
  r->mem.recover = NULL;
  api_deliver_exhausted(r->s, r->mem.limit);
  return NU_MEMORY;
}

/* ---- the model inside ---- */

static void hear(void *user, const NuDiagnostic *d) {
  NuResult *r = user;
  if (d->severity == NU_ERROR && !r->complaint)
    r->complaint = strdup(d->message);
}

static NuStatus translate(Call *c, void *args) {
  NuResult *r = args;
  Arena *keep = c->s->arena;
  Call inner = {c->s, keep, c->diags};
  NuTarget target = {0};
  FlatModel *m = api_flatten(&inner, &target);
  if (!m || !flat_check_stored(m, c->arena, c->diags))
    return NU_FILE;
  flat_restore_names(m, r->store->quoted, r->store->n_quoted, keep);
  r->model.flat = m;
  r->figures = api_figures(m, keep);
  r->model.structure = structure_build(m, keep, c->diags);
  r->model.layout = r->model.structure ? interpret_model(m, r->model.structure, keep, c->diags)
                                       : NULL;
  return r->model.layout ? NU_OK : NU_FILE;
}

static NuStatus open_model(NuResult *r) {
  NuSessionOptions options = nu_session_options();
  options.sink = hear;
  options.sink_user = r;
  options.memory_limit = r->s->mem.limit;
  const char *text = r->store->model;
  NuStatus status = nu_session_new(&options, &r->inner);
  if (status == NU_OK)
    status = nu_load_text(r->inner, "model of the result", text, strlen(text));
  if (status == NU_OK)
    status = api_call(r->inner, translate, r);
  if (status == NU_OK)
    return recompute_fits(r->store, &r->model, r->arena, r->diags) ? NU_OK : NU_FILE;
  Diag *d = diag_add(r->diags, D_F002, (Span){0, 0},
                     "cannot read `%s`: the model inside cannot be translated", r->store->path);
  if (r->complaint)
    diag_note(r->diags, d, "%s", r->complaint);
  return status == NU_MEMORY ? NU_MEMORY : NU_FILE;
}

/* ---- opening ---- */

static NuStatus open_result(NuResult *r, void *args) {
  r->arena = arena_new(&r->mem);
  r->diags = diags_new(r->arena, r->s->sources);
  r->store = store_open(args, r->arena, r->diags);
  return r->store ? open_model(r) : NU_FILE;
}

NuStatus nu_result_open(NuSession *s, const char *path, NuResult **result) {
  *result = NULL;
  NuResult *r = calloc(1, sizeof *r);
  if (!r)
    return NU_MEMORY;
  r->s = s;
  r->mem.limit = s->mem.limit;
  NuStatus status = api_result_call(r, open_result, (void *)path);
  if (status == NU_OK)
    *result = r;
  else
    nu_result_free(r);
  return status;
}

void nu_result_free(NuResult *r) {
  if (!r)
    return;
  store_close(r->store);
  interpret_end(r->model.layout);
  nu_session_free(r->inner);
  mem_drop_since(&r->mem, NULL);
  free((void *)r->complaint);
  free(r);
}

static NuStatus refresh(NuResult *r, void *args) {
  (void)args;
  return store_refresh(r->store, r->diags) &&
                 recompute_fits(r->store, &r->model, r->arena, r->diags)
             ? NU_OK
             : NU_FILE;
}

NuStatus nu_result_refresh(NuResult *r) { return api_result_call(r, refresh, NULL); }

/* ---- answers ---- */

NuResultInfo nu_result_info(const NuResult *r) {
  const Store *s = r->store;
  uint32_t n;
  const StorePiece *pieces = store_pieces(s, &n);
  return (NuResultInfo){.class_name = s->class_name,
                        .solver = s->solver,
                        .version = s->version,
                        .ended = s->ended,
                        .status = s->ended ? api_run_status(s->status) : NU_OK,
                        .start = s->start,
                        .stop = s->stop,
                        .end = n ? pieces[n - 1].stop : NAN,
                        .rtol = s->rtol,
                        .intervals = s->intervals,
                        .points = store_points(s),
                        .n_variables = (size_t)r->model.layout->n_variables};
}

bool nu_result_variable(const NuResult *r, size_t i, NuVariable *v) {
  return api_variable(r->model.layout, i, v);
}

bool nu_result_find(const NuResult *r, const char *name, size_t *i) {
  int k = run_find_variable(r->model.layout, name);
  *i = k < 0 ? 0 : (size_t)k;
  return k >= 0;
}

size_t nu_result_figures(const NuResult *r, const NuFigure **figures) {
  *figures = r->figures;
  return r->model.flat->figures.n;
}

/* ---- values ---- */

NuExtract nu_extract(void) { return (NuExtract){.from = NAN, .to = NAN}; }

typedef struct {
  const NuExtract *what;
  RowFilter filter;
  const RunColumn *columns;
  uint32_t n_columns;
  double *values;
  ResultFiles files;
} Extraction;

static bool choose_columns(NuResult *r, const NuExtract *what, const RunColumn **columns,
                           uint32_t *n) {
  bool asked = what->n_variables > 0;
  const char *const *names = asked ? what->variables : r->store->selected;
  return run_select_columns(r->model.layout, names,
                            asked ? (uint32_t)what->n_variables : r->store->n_selected, r->arena,
                            r->diags, columns, n);
}

static bool take_row(void *user, const RunRow *row) {
  Extraction *x = user;
  if (!filter_takes(&x->filter, row))
    return true;
  if (!results_row(&x->files, row))
    return false;
  if (!x->what->row)
    return true;
  for (uint32_t k = 0; k < x->n_columns; k++)
    x->values[k] = api_value(row->data, x->columns[k].type, x->columns[k].place);
  return x->what->row(x->what->row_user, row->time, x->values);
}

static bool open_files(NuResult *r, Extraction *x) {
  const char *const paths[RESULT_FORMATS] = {
      [RESULT_CSV] = x->what->csv, [RESULT_MAT] = x->what->mat};
  ResultShape shape = {.columns = x->columns,
                       .n = x->n_columns,
                       .all = !x->what->n_variables && !r->store->n_selected,
                       .steps = x->what->event_rows == NU_ROWS_ALL,
                       .model = r->model.layout,
                       .structure = r->model.structure,
                       .start = r->store->start,
                       .stop = r->store->stop};
  return results_open(&x->files, paths, &shape, r->arena, r->diags);
}

static NuStatus extract_rows(NuResult *r, Extraction *x) {
  const NuExtract *what = x->what;
  RecomputeRows rows = {.columns = x->columns,
                        .n_columns = x->n_columns,
                        .from = isnan(what->from) ? -INFINITY : what->from,
                        .to = isnan(what->to) ? INFINITY : what->to,
                        .row = take_row,
                        .user = x};
  if (!open_files(r, x))
    return NU_FILE;
  RecomputeStatus status = recompute_rows(r->store, &r->model, &rows, r->arena, r->diags);
  if (!results_end(&x->files, r->diags) || status == RECOMPUTE_FAILED)
    return NU_FILE;
  return status == RECOMPUTE_STOPPED ? NU_INTERRUPTED : NU_OK;
}

static NuStatus extract(NuResult *r, void *args) {
  Extraction *x = args;
  const NuExtract *what = x->what;
  if (!choose_columns(r, what, &x->columns, &x->n_columns))
    return NU_USAGE;
  x->values = NEW_ARRAY(r->arena, double, x->n_columns + 1);
  x->filter = (RowFilter){(RowChoice)what->event_rows, r->store->start, r->store->stop,
                          r->store->intervals, -INFINITY};
  return extract_rows(r, x);
}

NuStatus nu_result_extract(NuResult *r, const NuExtract *what) {
  Extraction x = {.what = what};
  NuStatus status = api_result_call(r, extract, &x);
  results_close(&x.files);
  return status;
}

typedef struct {
  const NuExtract *what;
  const char *const **names;
  size_t *n;
} ColumnsArgs;

static NuStatus columns(NuResult *r, void *args) {
  const ColumnsArgs *a = args;
  const RunColumn *at;
  uint32_t n;
  if (!choose_columns(r, a->what, &at, &n))
    return NU_USAGE;
  const char **names = NEW_ARRAY(r->arena, const char *, n + 1);
  for (uint32_t k = 0; k < n; k++)
    names[k] = at[k].name;
  *a->names = names;
  *a->n = n;
  return NU_OK;
}

NuStatus nu_result_columns(NuResult *r, const NuExtract *what, const char *const **names,
                           size_t *n) {
  *names = NULL, *n = 0;
  return api_result_call(r, columns, &(ColumnsArgs){what, names, n});
}

/* ---- one point ---- */

typedef struct {
  double *time, *values;
  size_t n;
} Point;

static bool keep_point(void *user, double time, const double *values) {
  const Point *p = user;
  *p->time = time;
  memcpy(p->values, values, p->n * sizeof *values);
  return true;
}

NuStatus nu_result_at(NuResult *r, const NuExtract *what, double time, double *point,
                      double *values) {
  const char *const *names;
  Point p = {point, values, 0};
  *point = NAN;
  NuStatus status = nu_result_columns(r, what, &names, &p.n);
  if (status != NU_OK)
    return status;
  NuExtract rows = nu_extract();
  rows.variables = what->variables;
  rows.n_variables = what->n_variables;
  rows.event_rows = NU_ROWS_ALL;
  rows.from = store_time_before(r->store, time);
  rows.to = time;
  rows.row = keep_point;
  rows.row_user = &p;
  return isnan(rows.from) ? NU_OK : nu_result_extract(r, &rows);
}

static NuStatus no_point(NuResult *r, void *time) {
  diag_add(r->diags, D_A001, (Span){0, 0}, "`%s` has no point up to time %.9g", r->store->path,
           *(const double *)time);
  return NU_USAGE;
}

NuStatus nu_result_get(NuResult *r, const char *name, double time, double *value) {
  *value = NAN;
  if (isnan(store_time_before(r->store, time)))
    return api_result_call(r, no_point, &time);
  NuExtract what = nu_extract();
  double point;
  const char *const *names;
  size_t n = 0;
  what.variables = &name;
  what.n_variables = 1;
  NuStatus status = nu_result_columns(r, &what, &names, &n);
  if (status != NU_OK || n != 1) /* a pattern is no name */
    return status != NU_OK ? status : NU_USAGE;
  return nu_result_at(r, &what, time, &point, value);
}

/* ---- events ---- */

typedef struct {
  bool json;
  char **text;
} EventsArgs;

EventSetup api_event_setup(const NuResult *r) {
  return (EventSetup){.model = r->model.layout,
                      .structure = r->model.structure,
                      .class_name = r->store->class_name,
                      .causes = r->store->causes.at,
                      .n_causes = r->store->causes.n,
                      .start = r->store->start,
                      .stop = r->store->stop};
}

static NuStatus tell_events(NuResult *r, void *args) {
  const EventsArgs *e = args;
  Arena *a = arena_new(&r->mem);
  EventSetup setup = api_event_setup(r);
  EventList *list = events_new(&setup, a);
  bool ok = events_read(list, r->store, setup.model, a, r->diags);
  Text out = {.arena = a};
  if (ok)
    (e->json ? events_json : events_text)(list, &out);
  NuStatus status = ok ? api_give_text(&out, e->text) : NU_FILE;
  arena_free(a);
  return status;
}

NuStatus nu_result_events(NuResult *r, bool json, char **text) {
  *text = NULL;
  return api_result_call(r, tell_events, &(EventsArgs){json, text});
}
