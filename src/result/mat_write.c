/* result/mat_write.c -- rows of a run as a trajectory in a MATLAB file of version 4, as other
 * Modelica tools write it. Matrices (text and numbers lie "binTrans": one column per variable, one
 * column per point):
 *   Aclass       "Atrajectory", "1.1", "", "binTrans"
 *   name, description   one column per variable, padded with blanks; the first is the time
 *   dataInfo     4 numbers per variable: see MatVariable
 *   data_1       time and all that does not change: a column for the start, a column for the stop
 *   data_2       time and all that varies: a column per row of the result
 * How:  variables at the same place, and those that are equal up to sign, share a row. Columns
 *       gather in a matrix `rest` behind data_2, which takes them over once a second (see MatFile).
 *       Until the first row is there parameters are NaN.
 * Keep: all numbers are doubles, so values are those of the run, bit for bit (Integers beyond 2^53
 *       are rounded). */
#include "result/mat_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/map.h"
#include "structure/name.h"

static const size_t buffer_size = 1 << 18;
static const double take_interval = 1;     /* s */
static const int64_t most_rest = 64 << 20; /* bytes */

/* ---- which variables, and their rows ---- */

typedef struct {
  MatFile *f;
  const ResultShape *shape;
  Arena *a;
  Map rows; /* place * 2 + bank -> row * 2 + sign */
} Layout;

/* The place that stands for all variables equal to a column up to sign. Does it never change? */
static MatCell representative(const ResultShape *shape, const RunColumn *c, bool *negated,
                              bool *fixed) {
  MatCell cell = {c->type != DS_REAL, c->place};
  uint32_t of = 0;
  *negated = false;
  *fixed = c->variable >= 0 && shape->model->variables[c->variable].variability >= DS_PARAMETER;
  if (c->variable < 0 || !shape->structure ||
      !structure_alias(shape->structure, (uint32_t)c->variable, &of, negated))
    return cell;
  if (of >= (uint32_t)shape->model->n_variables) {
    *negated = false;
    return cell;
  }
  const DsVariable *v = &shape->model->variables[of];
  *fixed = v->variability >= DS_PARAMETER;
  cell.place = v->place;
  return cell;
}

static void add_variable(Layout *l, const RunColumn *c) {
  MatFile *f = l->f;
  bool negated, fixed;
  if (c->type == DS_STRING)
    return;
  MatCell cell = representative(l->shape, c, &negated, &fixed);
  uint64_t key = (uint64_t)cell.place * 2 + cell.whole, row = 0;
  if (!map_get(&l->rows, key, &row)) {
    if (fixed)
      vec_push(l->a, &f->fixed, (MatCell){cell.whole, c->place});
    else
      vec_push(l->a, &f->varying, (MatCell){cell.whole, c->place});
    row = ((uint64_t)(fixed ? f->fixed.n : f->varying.n) + 1) * 2 + negated;
    map_put(l->a, &l->rows, key, row);
  }
  int32_t number = (int32_t)(row / 2), sign = (row % 2 != 0) == negated ? 1 : -1;
  const DsVariable *v = c->variable >= 0 ? &l->shape->model->variables[c->variable] : NULL;
  MatVariable entry = {c->name,
                       v ? v->comment : "",
                       v ? v->unit : "",
                       {fixed ? 1 : 2, sign * number, 0, fixed ? 0 : -1}};
  vec_push(l->a, &f->variables, entry);
}

static ResultFile *make(const ResultShape *shape, Arena *a) {
  MatFile *f = NEW(a, MatFile);
  Layout l = {f, shape, a, {0}};
  f->fd = -1;
  f->start = shape->start;
  f->stop = shape->stop;
  vec_push(a, &f->variables, (MatVariable){"time", "time", "s", {0, 1, 0, -1}});
  if (shape->steps) {
    vec_push(a, &f->varying, (MatCell){false, -1});
    vec_push(a, &f->variables, (MatVariable){"k", "pass of the event", "", {2, 2, 0, -1}});
  }
  for (uint32_t k = 0; k < shape->n && !shape->all; k++)
    add_variable(&l, &shape->columns[k]);
  for (int k = 0; k < shape->model->n_variables && shape->all; k++) {
    const DsVariable *v = &shape->model->variables[k];
    add_variable(&l, &(RunColumn){v->name, k, (DsType)v->type, v->place});
  }
  size_t column = (f->varying.n + 1) * sizeof(double);
  f->room = column > buffer_size ? column : buffer_size;
  f->buffer = arena_alloc(a, f->room);
  return &f->head;
}

/* ---- bytes ---- */

static bool fail(MatFile *f, const char *why) {
  f->head.why = f->head.why ? f->head.why : why;
  return false;
}

static bool write_at(MatFile *f, int64_t at, const void *bytes, size_t n) {
  const char *from = bytes;
  while (n) {
    ssize_t done = pwrite(f->fd, from, n, at);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return fail(f, done < 0 ? strerror(errno) : "the device takes no more");
    from += done;
    at += done;
    n -= (size_t)done;
  }
  return true;
}

/* The buffer goes to the file as it is. */
static bool append_buffer(MatFile *f) {
  if (!write_at(f, f->end, f->buffer, f->used))
    return false;
  f->end += (int64_t)f->used;
  f->size = f->counted = f->end;
  f->used = 0;
  return true;
}

static bool put(MatFile *f, const void *bytes, size_t n) {
  const char *from = bytes;
  while (n && !f->head.why) {
    size_t part = n < f->room - f->used ? n : f->room - f->used;
    memcpy(f->buffer + f->used, from, part);
    f->used += part;
    from += part;
    n -= part;
    if (f->used == f->room)
      append_buffer(f);
  }
  return !f->head.why;
}

static bool put_head(MatFile *f, const char *name, int32_t type, size_t rows, size_t columns) {
  if (rows > INT32_MAX || columns > INT32_MAX)
    return fail(f, "there are too many variables, or their texts are too long, for a MATLAB file "
                   "of version 4");
  MatHead h = {type, (int32_t)rows, (int32_t)columns, 0, (int32_t)strlen(name) + 1};
  return put(f, &h, sizeof h) && put(f, name, strlen(name) + 1);
}

/* A text and blanks up to a length. */
static bool put_padded(MatFile *f, const char *text, size_t length) {
  static const char blanks[] = "                                                                ";
  size_t n = strlen(text), left = length - n;
  put(f, text, n);
  for (; left >= sizeof blanks - 1; left -= sizeof blanks - 1)
    put(f, blanks, sizeof blanks - 1);
  return put(f, blanks, left);
}

/* ---- what stands before the rows ---- */

static bool put_class(MatFile *f) {
  static const char *const lines[] = {"Atrajectory", "1.1", "", "binTrans"};
  enum { LINES = sizeof lines / sizeof *lines, LENGTH = 11 };
  put_head(f, "Aclass", MAT_TEXT, LINES, LENGTH);
  for (size_t column = 0; column < LENGTH; column++)
    for (size_t line = 0; line < LINES; line++)
      put(f, column < strlen(lines[line]) ? lines[line] + column : " ", 1);
  return !f->head.why;
}

static bool put_names(MatFile *f) {
  size_t longest = 0;
  for (uint32_t k = 0; k < f->variables.n; k++) {
    size_t n = strlen(f->variables.at[k].name);
    longest = n > longest ? n : longest;
  }
  if (!put_head(f, "name", MAT_TEXT, longest, f->variables.n))
    return false;
  for (uint32_t k = 0; k < f->variables.n; k++)
    put_padded(f, f->variables.at[k].name, longest);
  return !f->head.why;
}

/* "comment [unit]" */
static size_t description_length(const MatVariable *v) {
  size_t comment = strlen(v->comment), unit = strlen(v->unit);
  return comment + (unit ? unit + 2 + (comment > 0) : 0);
}

static bool put_descriptions(MatFile *f) {
  size_t longest = 1;
  for (uint32_t k = 0; k < f->variables.n; k++) {
    size_t n = description_length(&f->variables.at[k]);
    longest = n > longest ? n : longest;
  }
  if (!put_head(f, "description", MAT_TEXT, longest, f->variables.n))
    return false;
  for (uint32_t k = 0; k < f->variables.n; k++) {
    const MatVariable *v = &f->variables.at[k];
    put_padded(f, v->comment, strlen(v->comment));
    if (*v->unit) {
      put_padded(f, *v->comment ? " [" : "[", *v->comment ? 2 : 1);
      put_padded(f, v->unit, strlen(v->unit));
      put_padded(f, "]", 1);
    }
    put_padded(f, "", longest - description_length(v));
  }
  return !f->head.why;
}

static bool put_numbers(MatFile *f) {
  put_head(f, "dataInfo", MAT_INT32, 4, f->variables.n);
  for (uint32_t k = 0; k < f->variables.n; k++)
    put(f, f->variables.at[k].info, sizeof f->variables.at[k].info);
  put_head(f, "data_1", MAT_DOUBLE, (size_t)f->fixed.n + 1, 2);
  f->fixed_at = f->end + (int64_t)f->used;
  for (int column = 0; column < 2; column++) {
    put(f, column ? &f->stop : &f->start, sizeof f->start);
    for (uint32_t k = 0; k < f->fixed.n; k++)
      put(f, &(double){NAN}, sizeof(double));
  }
  f->count_at = f->end + (int64_t)f->used + (int64_t)offsetof(MatHead, columns);
  return put_head(f, "data_2", MAT_DOUBLE, (size_t)f->varying.n + 1, 0);
}

static double clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool open_file(ResultFile *head) {
  MatFile *f = (MatFile *)head;
  f->fd = open(head->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (f->fd < 0)
    return fail(f, strerror(errno));
  f->taken = clock_now();
  return put_class(f) && put_names(f) && put_descriptions(f) && put_numbers(f) && append_buffer(f);
}

/* ---- rows ---- */

static double value_of(const RunRow *row, MatCell c) {
  return c.place < 0 ? row->step : c.whole ? (double)row->data->i[c.place] : row->data->r[c.place];
}

/* The values of data_1, known since initialisation. */
static bool put_fixed(MatFile *f, const RunRow *row) {
  int64_t at = f->fixed_at + (int64_t)sizeof(double),
          column = (int64_t)((f->fixed.n + 1) * sizeof(double));
  for (uint32_t k = 0; k < f->fixed.n;) {
    size_t n = 0, most = f->room / sizeof(double);
    uint32_t first = k;
    for (; k < f->fixed.n && n < most; k++, n++)
      memcpy(f->buffer + n * sizeof(double), &(double){value_of(row, f->fixed.at[k])},
             sizeof(double));
    int64_t from = at + (int64_t)(first * sizeof(double));
    if (!write_at(f, from, f->buffer, n * sizeof(double)) ||
        !write_at(f, from + column, f->buffer, n * sizeof(double)))
      return false;
  }
  f->begun = true;
  return true;
}

static size_t column_size(const MatFile *f) { return (f->varying.n + 1) * sizeof(double); }

/* The head of the matrix `rest` at a place. */
static bool put_rest(MatFile *f, int64_t at) {
  MatHead h = {MAT_BYTES, (int32_t)(f->size - at - MAT_REST), 1, 0, MAT_REST - (int32_t)sizeof h};
  char bytes[MAT_REST];
  memcpy(bytes, &h, sizeof h);
  memcpy(bytes + sizeof h, "rest", sizeof "rest");
  return write_at(f, at, bytes, sizeof bytes);
}

/* Makes the file longer, by zeros that read as empty matrices; then `rest` takes them. */
static bool make_room(MatFile *f, int64_t size) {
  const int64_t empty = (int64_t)sizeof(MatHead),
                more = (size - f->size + empty - 1) / empty * empty;
  if (more <= 0)
    return true;
  if (ftruncate(f->fd, f->size + more) != 0)
    return fail(f, strerror(errno));
  f->size += more;
  return put_rest(f, f->counted);
}

/* Complete columns go from the buffer into `rest`. */
static bool spill(MatFile *f) {
  size_t kept = f->end == f->counted ? sizeof f->first : 0; /* bytes under the head of `rest` */
  if (f->used <= kept || f->head.why)
    return !f->head.why;
  if (!make_room(f, f->end + (int64_t)f->used + MAT_REST) ||
      !write_at(f, f->end + (int64_t)kept, f->buffer + kept, f->used - kept))
    return false;
  memcpy(f->first, f->buffer, kept);
  f->end += (int64_t)f->used;
  f->used = 0;
  return true;
}

/* Columns in `rest` become columns of data_2. The next `rest` is there before. */
static bool take_over(MatFile *f) {
  int64_t columns = f->columns + (f->end - f->counted) / (int64_t)column_size(f);
  f->taken = clock_now();
  if (f->end == f->counted)
    return true;
  if (!put_rest(f, f->end) || !write_at(f, f->counted, f->first, sizeof f->first) ||
      !write_at(f, f->count_at, &(int32_t){(int32_t)columns}, sizeof(int32_t)))
    return false;
  f->columns = columns;
  f->counted = f->end;
  return true;
}

static bool put_row(ResultFile *head, const RunRow *row) {
  MatFile *f = (MatFile *)head;
  int64_t column = (int64_t)column_size(f);
  if (f->head.why || (!f->begun && !put_fixed(f, row)))
    return false;
  if (f->columns + (f->end - f->counted + (int64_t)f->used) / column >= INT32_MAX)
    return fail(f, "a MATLAB file of version 4 has at most 2147483647 points");
  if ((int64_t)(f->room - f->used) < column && !spill(f))
    return false;
  memcpy(f->buffer + f->used, &row->time, sizeof row->time);
  f->used += sizeof row->time;
  for (uint32_t k = 0; k < f->varying.n; k++, f->used += sizeof(double))
    memcpy(f->buffer + f->used, &(double){value_of(row, f->varying.at[k])}, sizeof(double));
  bool due = clock_now() - f->taken >= take_interval || f->end - f->counted > most_rest;
  return !due || (spill(f) && take_over(f));
}

/* Nothing stands behind the columns any more. After a failure those that are in the file whole are
 * kept. */
static bool end_file(ResultFile *head) {
  MatFile *f = (MatFile *)head;
  spill(f);
  bool few = f->used > 0 && !f->head.why; /* less than the head of `rest` has */
  take_over(f);
  int64_t columns = f->columns;
  if (few && write_at(f, f->end, f->buffer, f->used)) {
    f->end += (int64_t)f->used;
    columns += (int64_t)(f->used / column_size(f));
    write_at(f, f->count_at, &(int32_t){(int32_t)columns}, sizeof(int32_t));
  }
  if (ftruncate(f->fd, f->end) != 0)
    fail(f, strerror(errno));
  return !f->head.why;
}

static void close_file(ResultFile *head) {
  MatFile *f = (MatFile *)head;
  if (f->fd >= 0)
    close(f->fd);
  f->fd = -1;
}

const ResultFormat mat_format = {make, open_file, put_row, end_file, close_file};
