#pragma once
/* plot/layout.h -- where the parts of a picture are. Lengths in points. */
#include "plot/plot.h"
#include "plot/trace.h"

/* Sizes that suit print. */
#define FONT_SIZE 8.0
#define TITLE_SIZE 9.5
#define LINE_HEIGHT 11.0
#define CURVE_WIDTH 1.1
#define THIN 0.5
#define EDGE 6.0 /* around everything */

enum { GREY_TEXT = 0x333333, GREY_FRAME = 0x4d4d4d, GREY_GRID = 0xd4d4d4, GREY_MINOR = 0xececec };

/* An entry of a legend: where its sample begins, in which row. */
typedef struct {
  uint32_t curve, row;
  double x;
} LegendEntry;

typedef struct {
  const ChartPlot *plot;
  DrawBox box; /* of the curves */
  Ticks x, y, y2;
  bool shows_x; /* labels of the x axis stand below */
  LegendEntry *legend;
  uint32_t n_legend, legend_rows;
} Frame;

typedef struct {
  Drawing *d;
  const Chart *chart;
  Frame *frames;
  double left, right; /* of all boxes */
  double strips;      /* height of what shows the modes, between the last box and its labels */
  double lane;        /* height of the lane of event marks above the first box */
} Layout;

DrawStroke layout_stroke(uint32_t style); /* of a curve */
TraceScale layout_x(const Frame *f);
TraceScale layout_y(const Frame *f, bool right);

/* curves.c: grid, curves, axes and legend of a plot */
void layout_plot(Layout *l, const Frame *f);
/* The text of a curve in the legend. */
const char *layout_legend(const ChartPlot *p, const ChartCurve *c, Arena *a);

/* marks.c: events and pulses in a plot, strips of modes below the last one, the key to the signs at the bottom */
void layout_measure_modes(Layout *l); /* sets strips and lane */
double layout_key_height(const Layout *l);
void layout_marks(Layout *l, const Frame *f);
void layout_modes(Layout *l, double bottom);
