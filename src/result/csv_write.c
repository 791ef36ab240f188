/* result/csv_write.c -- rows of a run as CSV lines. */
#include "result/result.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* In quotes; quotes inside are doubled. */
static void quoted(Text *t, const char *s) {
  text_char(t, '"');
  for (; *s; s++) {
    if (*s == '"')
      text_char(t, '"');
    text_char(t, *s);
  }
  text_char(t, '"');
}

static void put_line(CsvWriter *w) {
  text_char(&w->line, '\n');
  if (fwrite(w->line.at, 1, w->line.n, w->file) != w->line.n)
    w->failed = true;
}

void csv_begin(CsvWriter *w, FILE *file, const RunColumn *columns, uint32_t n, bool steps,
               Arena *a) {
  *w = (CsvWriter){.file = file, .columns = columns, .n = n, .steps = steps, .line = {.arena = a}};
  text_add(&w->line, steps ? "\"time\",\"k\"" : "\"time\"");
  for (uint32_t k = 0; k < n; k++) {
    text_char(&w->line, ',');
    quoted(&w->line, columns[k].name);
  }
  put_line(w);
}

bool csv_row(void *writer, const RunRow *row) {
  CsvWriter *w = writer;
  w->line.n = 0;
  text_real(&w->line, row->time);
  if (w->steps) {
    text_char(&w->line, ',');
    text_integer(&w->line, row->step);
  }
  for (uint32_t k = 0; k < w->n; k++) {
    const RunColumn *c = &w->columns[k];
    text_char(&w->line, ',');
    switch (c->type) {
    case DS_REAL: text_real(&w->line, row->data->r[c->place]); break;
    case DS_INTEGER:
    case DS_BOOLEAN:
    case DS_ENUMERATION: text_integer(&w->line, row->data->i[c->place]); break;
    case DS_STRING: quoted(&w->line, row->data->s[c->place]); break;
    }
  }
  put_line(w);
  return !w->failed;
}

bool csv_end(CsvWriter *w) {
  if (fflush(w->file))
    w->failed = true;
  return !w->failed;
}

/* ---- as a file of its own ---- */

typedef struct {
  ResultFile head;
  ResultShape shape;
  Arena *arena;
  FILE *file;
  CsvWriter writer;
} CsvFile;

static bool check(CsvFile *f, bool good) {
  if (!good && !f->head.why)
    f->head.why = strerror(errno);
  return good;
}

static ResultFile *make(const ResultShape *shape, Arena *a) {
  CsvFile *f = NEW(a, CsvFile);
  f->arena = a;
  f->shape = *shape;
  return &f->head;
}

/* Standard output is not opened anew: that would cut what stands there already. */
static FILE *create(const char *path) {
  if (strcmp(path, "/dev/stdout") != 0)
    return fopen(path, "wb");
  int fd = dup(STDOUT_FILENO);
  FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (!file && fd >= 0)
    close(fd);
  return file;
}

static bool open_file(ResultFile *head) {
  CsvFile *f = (CsvFile *)head;
  f->file = create(head->path);
  if (!check(f, f->file))
    return false;
  csv_begin(&f->writer, f->file, f->shape.columns, f->shape.n, f->shape.steps, f->arena);
  return true; /* a full disk is seen later: the run shall tell it */
}

static bool put_row(ResultFile *head, const RunRow *row) {
  CsvFile *f = (CsvFile *)head;
  return check(f, csv_row(&f->writer, row));
}

static bool end_file(ResultFile *head) {
  CsvFile *f = (CsvFile *)head;
  return check(f, csv_end(&f->writer));
}

static void close_file(ResultFile *head) {
  CsvFile *f = (CsvFile *)head;
  if (f->file)
    fclose(f->file);
  f->file = NULL;
}

const ResultFormat csv_format = {make, open_file, put_row, end_file, close_file};
