#pragma once
/* run/mat_file.h -- matrices in MATLAB files: versions 4, 6 and 7. */
#include <stdbool.h>
#include <stddef.h>

/* Matrix `name` (a.b: field b of structure a) of a file's contents, row by row (malloc), and its
 * size. NULL if there is none; then *why says what is wrong with the file, or is NULL. */
double *mat_read(const char *data, size_t length, const char *name, size_t *rows, size_t *columns,
                 const char **why);

/* Writes a matrix given row by row in version 4, 6 or 7, to a new file or behind what is there.
 * False with errno after a failure; *why if the file is there and of another version. */
bool mat_write(const char *file, const char *name, const double *matrix, size_t rows,
               size_t columns, int version, bool append, const char **why);
