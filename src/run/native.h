#pragma once
/* run/native.h -- external functions that the runtime has itself (expr/natives.def). */
#include "run/rooms.h"
#include "run/table_file.h"

#define NATIVE(name, signature, function, purity) DsNative native_##function;
#define NATIVE_TEXT(name, signature, function, purity) DsNative native_##function;
#include "expr/natives.def"

int native_fail(DsData *d, const DsPlace *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The matrix of a table: given, or to be read from a file. */
typedef struct {
  TableSource source;
  const double *at; /* row by row */
  size_t rows, columns;
  double *own; /* what was read: the caller frees it */
} NativeMatrix;

/* The first five arguments of a constructor: file, name, matrix, rows, columns. */
bool native_matrix(DsData *d, const DsPlace *at, const DsCell *in, TableSource source,
                   NativeMatrix *m);
/* Tables made from the same have the same */
uint64_t native_key(const NativeMatrix *m, const void *more, size_t n);
bool native_matrix_read_file(DsData *d, const DsPlace *at, NativeMatrix *m);
