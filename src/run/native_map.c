/* run/native_map.c -- the tables of two abscissae of Modelica.Blocks as external objects. They
 * belong to the run; equal ones are one. */
#include "run/memory.h"
#include "run/native.h"
#include "run/table_file.h"

#include <stdlib.h>

#include "numeric/surface.h"

typedef struct {
  Surface *surface;
  uint64_t key;
} MapObject;

static const char map_kind; /* its address is the kind of these objects */

static void end_map(void *object) {
  MapObject *o = object;
  surface_free(o->surface);
  free(o);
}

static long long find_equal(Run *run, uint64_t key) {
  for (uint32_t k = 1; k <= run_objects(run); k++) {
    const MapObject *o = run_native(run, k, &map_kind);
    if (o && o->key == key)
      return k;
  }
  return 0;
}

static int open_map(DsData *d, const DsPlace *at, const DsCell *in, TableSource source,
                    DsCell *out) {
  long long numbers[] = {in[5].i, in[6].i};
  NativeMatrix m;
  if (!native_matrix(d, at, in, source, &m))
    return DS_RETRY;
  uint64_t key = native_key(&m, numbers, sizeof numbers);
  out->i = find_equal(d->run, key);
  if (out->i)
    return DS_OK;
  if (!native_matrix_read_file(d, at, &m))
    return DS_RETRY;
  const char *why = NULL;
  MapObject *o = calloc(1, sizeof *o);
  Surface *s = o ? surface_new(m.at, m.rows, m.columns, (Smoothness)in[5].i, (Outside)in[6].i, &why)
                 : NULL;
  free(m.own);
  if (!s) {
    free(o);
    return native_fail(d, at, "%s", why ? why : "not enough memory for a table");
  }
  *o = (MapObject){s, key};
  out->i = run_add_native(d->run, o, end_map, &map_kind);
  return out->i ? DS_OK : native_fail(d, at, "not enough memory for a table");
}

int native_map_open(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return open_map(d, at, in, (TableSource){.delimiter = ','}, out);
}

int native_map_open_csv(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return open_map(d, at, in,
                  (TableSource){.delimiter = *in[8].s ? *in[8].s : ',', .header_lines = in[9].i},
                  out);
}

static const Surface *surface_of(DsData *d, const DsPlace *at, long long handle) {
  const MapObject *o = run_native(d->run, handle, &map_kind);
  if (o)
    return o->surface;
  native_fail(d, at, "a table is used before it is made, or as another kind of table");
  return NULL;
}

static bool point_at(DsData *d, const DsPlace *at, const DsCell *in, SurfacePoint *p) {
  const Surface *s = surface_of(d, at, in[0].i);
  if (!s)
    return false;
  if (surface_value(s, in[1].r, in[2].r, p))
    return true;
  native_fail(d, at,
              "a table that is not to be extrapolated has no value at (%g, %g): it reaches from "
              "(%g, %g) to (%g, %g)",
              in[1].r, in[2].r, s->x[0], s->y[0], s->x[s->n - 1], s->y[s->m - 1]);
  return false;
}

int native_map_value(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  SurfacePoint p;
  if (!point_at(d, at, in, &p))
    return DS_RETRY;
  out->r = p.z;
  return DS_OK;
}

int native_map_slope(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  SurfacePoint p;
  if (!point_at(d, at, in, &p))
    return DS_RETRY;
  out->r = p.z1 * in[3].r + p.z2 * in[4].r;
  return DS_OK;
}

int native_map_bend(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  SurfacePoint p;
  if (!point_at(d, at, in, &p))
    return DS_RETRY;
  double a = in[3].r, b = in[4].r;
  out->r = p.z11 * a * a + 2 * p.z12 * a * b + p.z22 * b * b + p.z1 * in[5].r + p.z2 * in[6].r;
  return DS_OK;
}

static int ends_of(DsData *d, const DsPlace *at, long long handle, bool last, DsCell *out) {
  const Surface *s = surface_of(d, at, handle);
  if (!s)
    return DS_RETRY;
  if (out[0].p[1].i != 2)
    return native_fail(d, at, "the ends of a table of two abscissae are two numbers");
  out[0].p[0].o[0].r = s->x[last ? s->n - 1 : 0];
  out[0].p[0].o[1].r = s->y[last ? s->m - 1 : 0];
  return DS_OK;
}

int native_map_minimum(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return ends_of(d, at, in[0].i, false, out);
}
int native_map_maximum(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  return ends_of(d, at, in[0].i, true, out);
}
