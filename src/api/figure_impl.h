#pragma once
/* api/figure_impl.h -- what the files that make figures share. */
#include "api/api_impl.h"
#include "base/vec.h"
#include "plot/plot.h"

typedef VEC(const char *) FigureNames;
typedef struct FigureJob FigureJob;

/* A result that is read. */
typedef struct {
  FigureJob *job;
  const char *path;
  size_t number;
  NuResult *result; /* of a store */
  NuTable table;
  NuModes modes;
  FigureNames names; /* what it has to give; none: everything */
} FigureFile;

struct FigureJob {
  NuSession *s;
  const NuFigure *figures; /* none: the words */
  size_t n_figures;
  const NuFigureOptions *o;
  const char *path; /* NULL: text */
  char **text;
  Arena *arena; /* lives as long as the job */
  PlotWord *words;
  uint32_t n_words;
  FigureFile *files; /* n_results */
  PlotSource *sources;
};

NuStatus figure_open(FigureFile *f);
/* Its columns, with what is known about them, go to the source of its number. */
NuStatus figure_read(FigureFile *f);
/* figure_model.c: the figures that the first result brings along become those of the job, if
 * nothing else is to be drawn. NU_USAGE after A002: there is none of the name that was asked
 * for. */
NuStatus figure_choose(FigureJob *j);
/* How results are told apart. */
NuStatus figure_label(FigureJob *j);
void figure_close(FigureFile *f);
