#pragma once
/* result/mat_impl.h -- what writing and reading MATLAB files of version 4 share: the head of a
 * matrix. */
#include "result/result.h"

#include "base/vec.h"

/* In front of each matrix, followed by its name and its numbers column by column. */
typedef struct {
  /* 10 * kind of numbers (0 double, 1 float, 2 int32, 3 int16, 4 uint16, 5 uint8) + 1 for text */
  int32_t type;
  int32_t rows, columns;
  int32_t imaginary;   /* 0 */
  int32_t name_length; /* with its final 0 */
} MatHead;

enum { MAT_DOUBLE = 0, MAT_FLOAT = 10, MAT_INT32 = 20, MAT_BYTES = 50, MAT_TEXT = 51 };

/* Where a number of a row comes from. */
typedef struct {
  bool whole; /* in bank i, else r */
  int place;  /* -1: the number of the pass */
} MatCell;

/* A variable of the file: a column of name, description and dataInfo. */
typedef struct {
  const char *name, *comment, *unit;
  /* 0, 1, 2: time, data_1, data_2; row from 1, negative: of its negative; interpolation;
   * extrapolation */
  int32_t info[4];
} MatVariable;

/* A trajectory that is being written. Behind the columns that data_2 counts stands, until the end,
 * a matrix `rest` that reaches to the end of the file: in its numbers the next columns gather. To
 * take them over is to overwrite its head, which is `first` until then, and to count them; so a
 * file whose run was killed can be read. */
enum { MAT_REST = 25 }; /* bytes of the head of `rest`, with its name */
typedef struct {
  ResultFile head;
  int fd; /* -1: none */
  double start, stop;
  VEC(MatVariable) variables;
  VEC(MatCell) fixed, varying; /* rows of data_1 and data_2 behind the time */
  /* Places of the numbers of data_1 and of the number of columns of data_2 */
  int64_t fixed_at, count_at;
  int64_t columns;      /* of data_2, those in `rest` not counted */
  int64_t counted;      /* place behind them: of `rest` */
  int64_t end;          /* place behind what was written */
  int64_t size;         /* of the file */
  char first[MAT_REST]; /* what belongs to the place `counted` */
  bool begun;           /* data_1 has its values */
  char *buffer;         /* what is not yet in the file: goes to the place `end` */
  size_t used, room;
  double taken; /* s; when columns were last taken over */
} MatFile;
