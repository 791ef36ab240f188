#pragma once
/* numeric/descriptor_impl.h -- what the files of the descriptor form share. Matrices are stored
 * column after column here. */
#include "numeric/descriptor.h"

typedef struct {
  int m, n;
  double *e, *a; /* m by n */
} Pencil;

/* ---- descriptor_scale.c ---- */
/* Scales p by powers of 2 and stores them in row (m) and column (n). size: as in the options, or
 * NULL. */
void pencil_scale(Pencil *p, const double *size, double *row, double *column, Arena *scratch);

/* ---- descriptor_singular.c ---- */
/* Fills end, free_unknown and bound_equation of a system that is not regular. lacking: the
 * separation found so many directions undetermined (0: it is not known). */
void pencil_explain(const Pencil *p, double rank, int lacking, Descriptor *d, Arena *arena);
