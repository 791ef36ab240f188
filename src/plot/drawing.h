#pragma once
/* plot/drawing.h -- a picture as a list of shapes; back ends go through the list and take no memory
 * of an arena, so that nothing of theirs is open when memory is short. Lengths are points of 1/72
 * inch; x to the right, y downwards from the top left corner. */
#include "base/text.h"
#include "base/vec.h"

typedef struct {
  double x, y;
} DrawPoint;

typedef struct {
  double x0, y0, x1, y1; /* left, top, right, bottom */
} DrawBox;

typedef enum {
  DASH_NONE,
  DASH_LONG,
  DASH_SHORT,
  DASH_DOT,
  DASH_DOT_LONG,
  DASH_DOT_DOT,
  DASH_WIDE,
  DASH_FINE,
  DASHES
} DrawDash;
typedef enum { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END } DrawAnchor;

/* A colour as 0xRRGGBB. */
typedef uint32_t DrawColor;
enum { DRAW_NONE = 0x1000000, DRAW_BLACK = 0, DRAW_WHITE = 0xffffff };

typedef enum {
  SHAPE_LINE,    /* through its points */
  SHAPE_POLYGON, /* closed; `fill` may be a colour */
  SHAPE_CIRCLE,  /* around the first point, `size` is the radius */
  SHAPE_TEXT,    /* base line begins, is centred or ends at the first point */
  SHAPE_GROUP,   /* what follows up to SHAPE_END belongs together; `text` says what it is */
  SHAPE_END
} ShapeKind;

typedef struct {
  ShapeKind kind;
  const DrawPoint *points;
  uint32_t n;
  DrawColor stroke, fill; /* text: fill */
  double width;           /* of the stroke */
  DrawDash dash;
  const char *text;
  double size;       /* of letters, or radius */
  bool bold, upward; /* text: runs from below to above */
  DrawAnchor anchor;
} Shape;

typedef struct {
  Arena *arena;
  double width, height;
  const char *title, *description; /* for those who cannot see it; clean */
  VEC(Shape) shapes;
} Drawing;

typedef struct {
  DrawColor color;
  double width;
  DrawDash dash;
} DrawStroke;

/* Keeps the points */
void draw_line(Drawing *d, const DrawPoint *points, uint32_t n, DrawStroke stroke);
void draw_segment(Drawing *d, double x0, double y0, double x1, double y1, DrawStroke stroke);
/* Width 0: no border */
void draw_rectangle(Drawing *d, DrawBox box, DrawColor fill, DrawStroke stroke);
void draw_polygon(Drawing *d, const DrawPoint *points, uint32_t n, DrawColor fill,
                  DrawStroke stroke); /* copies the points */
void draw_circle(Drawing *d, DrawPoint at, double radius, DrawColor fill, DrawStroke stroke);
typedef struct {
  double size;
  DrawAnchor anchor;
  DrawColor color;
  bool bold, upward;
} DrawFont;
void draw_text(Drawing *d, double x, double y, const char *text, DrawFont font);
void draw_group(Drawing *d, const char *about);
void draw_end(Drawing *d);

/* A text in valid UTF-8 on one line. */
const char *draw_clean(const char *text, Arena *a);
/* Width of a text in letters of that size, the same on every machine: that of DejaVu Sans, wider
 * than most. */
double draw_text_width(const char *text, double size, bool bold);
/* The beginning of a text that is not wider than `most`, ending in dots if something is left
 * off. */
const char *draw_text_fit(const char *text, double size, bool bold, double most, Arena *a);

/* Lengths of line and gap in turns, ending in 0, times the width of the line. */
const double *draw_dashes(DrawDash dash);

/* ---- back ends ---- */

/* Bytes of a picture, in memory of their own. */
typedef struct {
  unsigned char *at;
  size_t n, room;
  bool failed; /* no memory */
} Bytes;

void bytes_add(Bytes *b, const void *data, size_t n);
void bytes_free(Bytes *b);

/* NULL, or what went wrong. */
typedef const char *DrawBackend(const Drawing *const *pages, uint32_t n, Bytes *out);
DrawBackend draw_svg, draw_png, draw_pdf;
