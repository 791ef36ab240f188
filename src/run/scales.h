#pragma once
/* run/scales.h -- sizes of variables: nominal values, tolerances, declared bounds. Last for the
 * run; set by the initialisation (initial.c), from parameters. weights.h has what the steps make of
 * them. */

struct RunScales {
  double *atol, *nominal;        /* per state */
  double *nominals, *low, *high; /* per place in r: 0 and no bounds where nothing is declared */
};
