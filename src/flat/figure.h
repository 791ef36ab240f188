#pragma once
/* flat/figure.h -- what shall be drawn of a result: Figure annotations (MLS 3.6 section 18.2.2). */
#include "base/source.h"

#define FIGURE_TIME UINT32_MAX

/* A variable, its derivative, or time. */
typedef struct {
  uint32_t var; /* place in FlatModel.vars; FIGURE_TIME */
  bool der;
} FigureRef;

typedef struct {
  FigureRef x, y;
  const char *legend; /* NULL: not given */
  bool right;         /* __NuSim_right: drawn against an axis of its own on the right */
  int64_t z_order;
} FigureCurve;

typedef struct {
  double min, max;          /* NaN: not given */
  const char *unit, *label; /* NULL: not given */
  bool log;
} FigureAxis;

typedef struct {
  const char *title, *identifier; /* NULL: not given */
  FigureAxis x, y, y2;
  FigureCurve *curves;
  uint32_t n_curves;
} FigurePlot;

typedef struct {
  const char *title, *identifier, *group, *caption; /* NULL: not given */
  bool preferred;
  FigurePlot *plots;
  uint32_t n_plots;
  Span span;
} FlatFigure;
