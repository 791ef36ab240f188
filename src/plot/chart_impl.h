#pragma once
/* plot/chart_impl.h -- what the files that make charts share. */
#include "plot/plot.h"
#include "plot/units.h"

typedef struct {
  const NuFigure *figure;
  const PlotSource *sources;
  uint32_t n;
  const NuFigureOptions *o;
  UnitWishes wishes;
  bool strict;     /* one axis, one unit */
  double from, to; /* s */
  Arena *arena;
  Diags *diags;
} Builder;

/* Labels, legends, colours. */
bool chart_name(const Builder *b, const NuPlot *p, ChartPlot *out);
/* Ranges of the axes. False after G002. */
bool chart_range(const Builder *b, const NuPlot *p, ChartPlot *out);
