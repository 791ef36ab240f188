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

/* An entry of the key. */
typedef struct {
  enum { KEY_SWATCH, KEY_SIGN, KEY_NOTE } kind;
  uint32_t value, row;
  const char *text;
  double x;
} KeyEntry;

typedef struct {
  Drawing *d;
  const Chart *chart;
  Frame *frames;
  double left, right;             /* of all boxes */
  double left_label, right_label; /* base lines of the labels of the axes */
  /* Height of what shows the modes, between the last box and its labels */
  double strips;
  double lane;  /* height of the lane of event marks above the first box */
  double names; /* width of the names of the strips */
  VEC(KeyEntry) key;
  uint32_t key_rows, key_left; /* key_left: entries without room */
  double key_x, key_height;
  double bottom; /* of the plots; the key stands below */
  double lack;   /* how much the paper is too short */
} Layout;

DrawStroke layout_stroke(uint32_t style); /* of a curve */
TraceScale layout_x(const Frame *f);
TraceScale layout_y(const Frame *f, bool right);

/* curves.c: grid, curves, axes and legend of a plot */
void layout_plot(Layout *l, const Frame *f);
/* A number at an axis, with a minus sign instead of a hyphen. */
const char *layout_number(const char *label, Arena *a);
/* The text of a curve in the legend. */
const char *layout_legend(const ChartPlot *p, const ChartCurve *c, Arena *a);

/* marks.c: events and pulses in a plot */
typedef struct {
  double at;      /* on the time axis */
  unsigned kinds; /* a bit for each kind of mark */
} MarkInstant;
/* -1: not drawn */
int mark_kind(const char *kind);
/* NULL: there are no more */
const char *mark_name(int kind);
/* That are seen in a plot */
uint32_t mark_instants(const Chart *c, const ChartPlot *p, MarkInstant **out, Arena *a);
void mark_sign(Drawing *d, int kind, double x, double y);
void layout_measure_marks(Layout *l); /* sets the lane */
unsigned layout_marks_shown(const Layout *l, bool *thinned);
void layout_marks(Layout *l, const Frame *f);
void layout_pulses(Layout *l, const Frame *f);

/* paths.c: events on curves that are not drawn over time */
void layout_path_marks(Layout *l, const Frame *f);

/* strips.c: modes below the last plot */
uint32_t strip_count(const Chart *c);
uint32_t strips_left(const Chart *c); /* tracks without one */
const NuModeTrack *strip_track(const Chart *c, uint32_t number);
void strip_swatch(Drawing *d, DrawBox b, uint32_t value);
void layout_measure_strips(Layout *l); /* sets their height and the room for their names */
void layout_strips(Layout *l, const Frame *f);
void layout_strips_key(Layout *l);

/* key.c */
void layout_key_add(Layout *l, KeyEntry e);
void layout_measure_key(Layout *l); /* when left and right are known */
void layout_key(Layout *l, double bottom);
