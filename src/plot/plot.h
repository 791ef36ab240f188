#pragma once
/* plot/plot.h -- figures of results.
 *   words -> NuFigure (words.c)
 *   NuFigure + columns of results -> Chart (chart.c)
 *   Chart -> Drawing (layout.c) -> a file (write.c), or Chart -> lines of text (terminal.c)
 * Whoever calls reads the results: nothing here
 * knows where columns come from. */
#include "base/diag.h"
#include "nusim.h"
#include "plot/drawing.h"
#include "plot/ticks.h"

/* ---- what there is to draw ---- */

typedef struct {
  const char *name;
  const char *unit, *display; /* "" where nothing is known */
  const double *values;
  bool typed;                  /* what follows is known; else it is guessed from the values */
  bool discrete;               /* keeps its value between events */
  const char *const *literals; /* names of the values first, first + 1, ...; NULL: numbers */
  uint32_t n_literals;
  int first;
} PlotColumn;

/* The columns of one result; the first is the time. */
typedef struct {
  const char *path;
  const char *label; /* tells it from the other results */
  PlotColumn *columns;
  uint32_t n;
  size_t rows;
  const NuModes *modes; /* NULL: not known or not wanted */
} PlotSource;

/* The column of a name; NULL after A002 with the nearest ones. */
const PlotColumn *plot_column(const PlotSource *s, const char *name, Arena *a, Diags *diags);

/* ---- what to draw ---- */

/* A curve as it is typed: "y", "y vs x", "y @right"; "a, b" are two in one plot. */
typedef struct {
  const char *y, *x; /* x NULL: time */
  bool right;
  bool joined; /* shares the plot of the one before */
} PlotWord;

/* False after A001. */
bool plot_words(const char *const *words, size_t n, PlotWord **out, uint32_t *n_out, Arena *a,
                Diags *diags);
/* Patterns with * and ? become the columns that they match. False after A002. */
bool plot_expand(PlotWord **words, uint32_t *n, const PlotSource *s, Arena *a, Diags *diags);
/* One plot for each unit, in the order of the words; curves without a unit have plots of their own.
 * All results over each other. NULL after A002. */
NuFigure *plot_figure(const PlotWord *words, uint32_t n, const PlotSource *sources,
                      uint32_t n_sources, Arena *a, Diags *diags);

/* ---- charts: everything is chosen ---- */

typedef struct {
  double lo, hi; /* what is seen, in the unit that is shown */
  bool log;
  const char *label;       /* "h [m]", without what the ticks leave out */
  const char *unit;        /* that is shown; "" if none */
  const char *source_unit; /* of the numbers in the result */
  const char *const *literals;
  uint32_t n_literals;
  int first;
} ChartAxis;

typedef struct {
  const char *name, *legend;  /* legend "": not in the legend */
  const char *unit;           /* of its own, where an axis has curves of several; else "" */
  const double *time, *x, *y; /* n values in the units of the axes */
  size_t n;
  bool steps, ordered, right;
  uint32_t style;  /* colour and dashes */
  uint32_t source; /* number of its result */
} ChartCurve;

typedef struct {
  const char *title; /* "" if none */
  ChartAxis x, y, y2;
  ChartCurve *curves; /* in the order of drawing */
  uint32_t n;
  bool has_left, has_right, over_time;
  bool fixed;    /* the range of an axis was given */
  double weight; /* share of the height */
} ChartPlot;

typedef struct {
  const char *title, *caption; /* "" if none */
  const char *identifier;
  ChartPlot *plots;
  uint32_t n;
  bool common_x;        /* all plots have the axis of the last one */
  double from, to;      /* s; what was asked for, or infinite */
  double second;        /* how long a second is on the time axis: 1000 for ms */
  const NuModes *modes; /* strips below, or NULL */
  const NuModes *marks; /* events and pulses, or NULL */
} Chart;

/* What all figures of a call share. */
typedef struct {
  const PlotSource *sources;
  uint32_t n; /* sources */
  const NuFigureOptions *o;
  bool *used; /* [o->n_units]: something in a figure is shown in this unit */
} PlotInput;

/* NULL after a diagnostic. */
Chart *chart_build(const NuFigure *figure, const PlotInput *in, Arena *a, Diags *diags);
/* False after G003 for each unit that no figure needed. */
bool chart_units_used(const PlotInput *in, Diags *diags);

/* The label with the power of ten and the offset that the ticks left out. */
const char *chart_axis_label(const ChartAxis *axis, const Ticks *t, bool ascii, Arena *a);
Ticks chart_ticks(const ChartAxis *axis, uint32_t most, Arena *a);

/* ---- pictures ---- */

Drawing *plot_layout(const Chart *chart, const NuFigureOptions *o, Arena *a);
/* As lines of text. */
void plot_terminal(const Chart *chart, const NuFigureOptions *o, Text *out);

/* Can a file of this name be drawn? False after A001. */
bool plot_writable(const char *path, Diags *diags);
/* Writes the pages to a file; of several figures in a format that holds one NAME.svg, NAME-2.svg
 * ... False after F001. No file is left half written. */
bool plot_write(const Drawing *const *pages, uint32_t n, const char *path, Arena *a, Diags *diags);
