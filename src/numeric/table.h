#pragma once
/* numeric/table.h -- interpolation in tables: one abscissa, several ordinates. */
#include <stdbool.h>
#include <stddef.h>

/* The numbers are those of Modelica.Blocks.Types. */
typedef enum {
  SMOOTH_LINEAR = 1,
  SMOOTH_AKIMA,
  SMOOTH_CONSTANT,
  SMOOTH_FRITSCH_BUTLAND,
  SMOOTH_STEFFEN,
  SMOOTH_MAKIMA
} Smoothness;
typedef enum { OUTSIDE_HOLD = 1, OUTSIDE_LINEAR, OUTSIDE_PERIODIC, OUTSIDE_ERROR } Outside;
typedef enum { TIMES_ALWAYS = 1, TIMES_JUMPS, TIMES_NEVER } TimeEvents;

typedef struct {
  size_t n, m;    /* points, ordinates */
  double *x;      /* n: ascending; equal neighbours make a jump (linear and constant only) */
  double *y;      /* m*n: ordinate j of point i at y[j*n + i] */
  double *slopes; /* of a smooth table, like y; else NULL */
  Smoothness smoothness;
  Outside outside;
} Table;

/* Takes columns of a matrix with n rows and `width` columns, the first being the abscissa. NULL and
 * *why if that makes no table, or without memory (*why = NULL). */
Table *table_new(const double *matrix, size_t n, size_t width, const long long *columns, size_t m,
                 Smoothness s, Outside o, const char **why);
void table_free(Table *t);

/* Value (order 0) or derivative by the abscissa (1, 2) of ordinate j at u. `side`: the point that
 * says which interval counts, u itself or a neighbour of it, for values at a jump. False outside of
 * a table that has no values there. */
bool table_value(const Table *t, size_t j, double u, double side, int order, double *out);

/* A table over time: nothing before `start`, moved by `shift`. */
typedef struct {
  Table *table;
  double start, shift;
  TimeEvents events;
} TimeTable;

/* The first instant after `time` at which the table bends or jumps; DBL_MAX if there is none. */
double time_table_next(const TimeTable *t, double time);
/* As table_value; `next` is what time_table_next said last: from that instant on, and until it is
 * asked again, values come from the interval before it. */
bool time_table_value(const TimeTable *t, size_t j, double time, double next, int order,
                      double *out);
