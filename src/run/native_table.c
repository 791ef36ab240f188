/* run/native_table.c -- the tables of Modelica.Blocks as external objects.
 * A table belongs to the run. Equal tables are one: a table does not change, and a constructor that
 * is evaluated again does not make another one. */
#include "run/memory.h"
#include "run/native.h"
#include "run/table_file.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/table.h"

typedef struct {
  TimeTable t;  /* start, shift and events of a plain table are 0 */
  uint64_t key; /* of what it was made from */
  bool timed;
} TableObject;

static const char table_kind; /* its address is the kind of these objects */

static void end_table(void *object) {
  TableObject *o = object;
  table_free(o->t.table);
  free(o);
}

/* ---- making ---- */

/* What a constructor gets, however many of its arguments it has. */
typedef struct {
  NativeMatrix m;
  const long long *selected;
  size_t n_selected;
  long long smoothness, outside, events;
  double start, shift;
  bool timed;
} Wanted;

static uint64_t mix(uint64_t h, const void *data, size_t n) {
  const unsigned char *b = data;
  for (size_t k = 0; k < n; k++)
    h = (h ^ b[k]) * 1099511628211u;
  return h;
}

static bool is_name(const char *text) {
  return text[strspn(text, " \t")] && strcmp(text, "NoName");
}

/* Cells of Reals and of whole numbers are arrays of them. */
static const double *reals(const DsCell *c) { return (const double *)(const void *)c; }
static const long long *wholes(const DsCell *c) { return (const long long *)(const void *)c; }

bool native_matrix(DsData *d, const DsPlace *at, const DsCell *in, TableSource source,
                   NativeMatrix *m) {
  long long rows = in[3].i, width = in[4].i, cells = in[2].p[1].i;
  source.file = in[0].s;
  source.name = in[1].s;
  *m = (NativeMatrix){
      .source = source, .at = reals(in[2].p[0].p), .rows = (size_t)rows, .columns = (size_t)width};
  if (rows >= 0 && width >= 0 && (rows == 0 || width <= cells / rows) && rows * width == cells)
    return true;
  native_fail(d, at, "the sizes given for a table are not those of its matrix");
  return false;
}

uint64_t native_key(const NativeMatrix *m, const void *more, size_t n) {
  uint64_t h = 1469598103934665603u;
  h = mix(h, m->at, m->rows * m->columns * sizeof *m->at);
  h = mix(h, m->source.file, strlen(m->source.file) + 1);
  h = mix(h, m->source.name, strlen(m->source.name) + 1);
  const double numbers[] = {(double)m->rows, (double)m->columns, (double)m->source.header_lines,
                            m->source.delimiter};
  h = mix(h, numbers, sizeof numbers);
  return mix(h, more, n);
}

bool native_matrix_read_file(DsData *d, const DsPlace *at, NativeMatrix *m) {
  char text[300];
  if (is_name(m->source.file)) {
    m->at = m->own = table_read(&m->source, &m->rows, &m->columns, text, sizeof text);
    if (!m->own)
      native_fail(d, at, "%s", text);
    return m->own;
  }
  if (is_name(m->source.name))
    native_fail(d, at, "the table `%s` has no file; tables in C functions are not supported",
                m->source.name);
  return !is_name(m->source.name);
}

static uint64_t key_of(const Wanted *w) {
  const double numbers[] = {
      (double)w->smoothness, (double)w->outside, (double)w->events, w->start, w->shift, w->timed};
  return mix(native_key(&w->m, numbers, sizeof numbers), w->selected,
             w->n_selected * sizeof *w->selected);
}

/* The object made from the same, or 0. */
static long long find_equal(Run *run, uint64_t key) {
  for (uint32_t k = 1; k <= run_objects(run); k++) {
    const TableObject *o = run_native(run, k, &table_kind);
    if (o && o->key == key)
      return k;
  }
  return 0;
}

static int open_table(DsData *d, const DsPlace *at, Wanted *w, DsCell *out) {
  uint64_t key = key_of(w);
  out->i = find_equal(d->run, key);
  if (out->i)
    return DS_OK;
  if (!native_matrix_read_file(d, at, &w->m))
    return DS_RETRY;
  const char *why = NULL;
  TableObject *o = calloc(1, sizeof *o);
  Table *t = o ? table_new(w->m.at, w->m.rows, w->m.columns, w->selected, w->n_selected,
                           (Smoothness)w->smoothness, (Outside)w->outside, &why)
               : NULL;
  free(w->m.own);
  if (!t) {
    free(o);
    return native_fail(d, at, "%s", why ? why : "not enough memory for a table");
  }
  *o = (TableObject){{t, w->start, w->shift, (TimeEvents)w->events}, key, w->timed};
  out->i = run_add_native(d->run, o, end_table, &table_kind);
  return out->i ? DS_OK : native_fail(d, at, "not enough memory for a table");
}

/* columns: the selected ones, their number, smoothness, extrapolation */
static bool wanted_table(DsData *d, const DsPlace *at, const DsCell *in, const DsCell *columns,
                         TableSource source, Wanted *w) {
  *w = (Wanted){.selected = wholes(columns[0].p[0].p),
                .n_selected = (size_t)columns[1].i,
                .smoothness = columns[2].i,
                .outside = columns[3].i};
  if (!native_matrix(d, at, in, source, &w->m))
    return false;
  if (columns[1].i != columns[0].p[1].i)
    native_fail(d, at, "the number given for the columns of a table is not theirs");
  return columns[1].i == columns[0].p[1].i;
}

static TableSource separated(const DsCell *in) {
  return (TableSource){.delimiter = *in[0].s ? *in[0].s : ',', .header_lines = in[1].i};
}
static const TableSource plain = {.delimiter = ','};

int native_table_open(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  Wanted w;
  return wanted_table(d, at, in, in + 5, plain, &w) ? open_table(d, at, &w, out) : DS_RETRY;
}

int native_table_open_csv(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  Wanted w;
  return wanted_table(d, at, in, in + 5, separated(in + 10), &w) ? open_table(d, at, &w, out)
                                                                 : DS_RETRY;
}

static int open_time_table(DsData *d, const DsPlace *at, const DsCell *in, TableSource source,
                           DsCell *out) {
  Wanted w;
  if (!wanted_table(d, at, in, in + 6, source, &w))
    return DS_RETRY;
  w.start = in[5].r;
  w.shift = in[10].r;
  w.events = in[11].i;
  w.timed = true;
  return open_table(d, at, &w, out);
}

int native_time_table_open(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return open_time_table(d, at, in, plain, out);
}
int native_time_table_open_csv(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return open_time_table(d, at, in, separated(in + 13), out);
}

int native_object_close(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)d, (void)at, (void)in, (void)out;
  return DS_OK; /* objects end with the run */
}

/* ---- values ---- */

static const TableObject *object_of(DsData *d, const DsPlace *at, long long handle, bool timed) {
  const TableObject *o = run_native(d->run, handle, &table_kind);
  if (o && o->timed == timed)
    return o;
  native_fail(d, at, "a table is used before it is made, or as another kind of table");
  return NULL;
}

static bool column_of(DsData *d, const DsPlace *at, const TableObject *o, long long column) {
  if (column >= 1 && (unsigned long long)column <= o->t.table->m)
    return true;
  d->host->out_of_range(d, at, column, (long long)o->t.table->m);
  return false;
}

static int beyond(DsData *d, const DsPlace *at, const TableObject *o, double u) {
  const Table *t = o->t.table;
  return native_fail(
      d, at, "a table that is not to be extrapolated has no value at %g: it reaches from %g to %g",
      u, t->x[0], t->x[t->n - 1]);
}

/* Value, first or second derivative along a path: u, its first and second derivative by time in v[0
 * .. order]. */
static int along(DsData *d, const DsPlace *at, const DsCell *in, const DsCell *v, int order,
                 double *out) {
  const TableObject *o = object_of(d, at, in[0].i, false);
  double y[3] = {0};
  if (!o || !column_of(d, at, o, in[1].i))
    return DS_RETRY;
  for (int k = order ? 1 : 0; k <= order; k++)
    if (!table_value(o->t.table, (size_t)in[1].i - 1, v[0].r, v[0].r, k, &y[k]))
      return beyond(d, at, o, v[0].r);
  *out = order == 0 ? y[0] : order == 1 ? y[1] * v[1].r : y[2] * v[1].r * v[1].r + y[1] * v[2].r;
  return DS_OK;
}

int native_table_value(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return along(d, at, in, in + 2, 0, &out->r);
}
int native_table_slope(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return along(d, at, in, in + 2, 1, &out->r);
}
int native_table_bend(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return along(d, at, in, in + 2, 2, &out->r);
}

static int along_time(DsData *d, const DsPlace *at, const DsCell *in, int order, double *out) {
  const TableObject *o = object_of(d, at, in[0].i, true);
  double y[3] = {0};
  if (!o || !column_of(d, at, o, in[1].i))
    return DS_RETRY;
  for (int k = order ? 1 : 0; k <= order; k++)
    if (!time_table_value(&o->t, (size_t)in[1].i - 1, in[2].r, in[3].r, k, &y[k]))
      return beyond(d, at, o, in[2].r - o->t.shift);
  *out = order == 0   ? y[0]
         : order == 1 ? y[1] * in[5].r
                      : y[2] * in[5].r * in[5].r + y[1] * in[6].r;
  return DS_OK;
}

int native_time_table_value(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return along_time(d, at, in, 0, &out->r);
}
int native_time_table_slope(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return along_time(d, at, in, 1, &out->r);
}
int native_time_table_bend(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return along_time(d, at, in, 2, &out->r);
}

int native_time_table_next(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  const TableObject *o = object_of(d, at, in[0].i, true);
  if (o)
    out->r = time_table_next(&o->t, in[1].r);
  return o ? DS_OK : DS_RETRY;
}

static int end_of(DsData *d, const DsPlace *at, long long handle, bool timed, bool last,
                  double *out) {
  const TableObject *o = object_of(d, at, handle, timed);
  if (o)
    *out = o->t.table->x[last ? o->t.table->n - 1 : 0];
  return o ? DS_OK : DS_RETRY;
}

int native_table_minimum(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return end_of(d, at, in[0].i, false, false, &out->r);
}
int native_table_maximum(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return end_of(d, at, in[0].i, false, true, &out->r);
}
int native_time_table_minimum(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return end_of(d, at, in[0].i, true, false, &out->r);
}
int native_time_table_maximum(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return end_of(d, at, in[0].i, true, true, &out->r);
}
