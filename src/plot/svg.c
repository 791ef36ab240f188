/* plot/svg.c -- a picture as SVG 1.1. Texts stay texts, so that they can be found, read aloud and
 * edited; each group has a title, which browsers show. Not by cairo, whose SVG has outlines instead
 * of letters.
 * Keep: equal pictures give equal bytes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/drawing.h"

static void put(Bytes *out, const char *text) { bytes_add(out, text, strlen(text)); }

/* At most two decimals, with a point in every locale. */
static void number(Bytes *out, double v) {
  static const double most = 1e12; /* no picture goes so far, and no Integer overflows */
  char digits[40];
  long long k = llround(fmin(fmax(v, -most), most) * 100), whole = (k < 0 ? -k : k) / 100,
            part = (k < 0 ? -k : k) % 100;
  const char *sign = k < 0 ? "-" : "";
  if (part == 0)
    snprintf(digits, sizeof digits, "%s%lld", sign, whole);
  else if (part % 10 == 0)
    snprintf(digits, sizeof digits, "%s%lld.%lld", sign, whole, part / 10);
  else
    snprintf(digits, sizeof digits, "%s%lld.%02lld", sign, whole, part);
  put(out, digits);
}

static void attribute(Bytes *out, const char *name, double v) {
  put(out, " ");
  put(out, name);
  put(out, "=\"");
  number(out, v);
  put(out, "\"");
}

static void color(Bytes *out, const char *name, DrawColor c) {
  char text[32];
  if (c == DRAW_NONE)
    snprintf(text, sizeof text, " %s=\"none\"", name);
  else
    snprintf(text, sizeof text, " %s=\"#%06x\"", name, c);
  put(out, text);
}

static void escaped(Bytes *out, const char *text) {
  for (const char *at = text; *at; at++) {
    switch (*at) {
    case '&': put(out, "&amp;"); break;
    case '<': put(out, "&lt;"); break;
    case '>': put(out, "&gt;"); break;
    case '"': put(out, "&quot;"); break;
    default: bytes_add(out, at, 1);
    }
  }
}

static void element(Bytes *out, const char *name, const char *text) {
  put(out, "<");
  put(out, name);
  put(out, ">");
  escaped(out, text);
  put(out, "</");
  put(out, name);
  put(out, ">\n");
}

static void stroke(Bytes *out, const Shape *s) {
  color(out, "fill", s->fill);
  if (s->stroke == DRAW_NONE)
    return;
  color(out, "stroke", s->stroke);
  attribute(out, "stroke-width", s->width);
  const double *dash = draw_dashes(s->dash);
  for (int k = 0; dash[k] > 0; k++) {
    put(out, k ? "," : " stroke-dasharray=\"");
    number(out, dash[k] * s->width);
  }
  if (dash[0] > 0)
    put(out, "\"");
}

static void path(Bytes *out, const Shape *s) {
  put(out, "<path");
  stroke(out, s);
  put(out, " d=\"M");
  for (uint32_t k = 0; k < s->n; k++) {
    put(out, k ? " " : "");
    number(out, s->points[k].x);
    put(out, ",");
    number(out, s->points[k].y);
  }
  put(out, s->kind == SHAPE_POLYGON ? "Z\"/>\n" : "\"/>\n");
}

static void text(Bytes *out, const Shape *s) {
  static const char *const anchors[] = {[ANCHOR_START] = "",
                                        [ANCHOR_MIDDLE] = " text-anchor=\"middle\"",
                                        [ANCHOR_END] = " text-anchor=\"end\""};
  put(out, "<text");
  if (s->upward) {
    put(out, " transform=\"translate(");
    number(out, s->points[0].x);
    put(out, ",");
    number(out, s->points[0].y);
    put(out, ") rotate(-90)\"");
  } else {
    attribute(out, "x", s->points[0].x);
    attribute(out, "y", s->points[0].y);
  }
  attribute(out, "font-size", s->size);
  if (s->bold)
    put(out, " font-weight=\"bold\"");
  put(out, anchors[s->anchor]);
  color(out, "fill", s->fill);
  put(out, ">");
  escaped(out, s->text);
  put(out, "</text>\n");
}

static void shape(Bytes *out, const Shape *s) {
  switch (s->kind) {
  case SHAPE_LINE:
  case SHAPE_POLYGON: path(out, s); break;
  case SHAPE_CIRCLE:
    put(out, "<circle");
    attribute(out, "cx", s->points[0].x);
    attribute(out, "cy", s->points[0].y);
    attribute(out, "r", s->size);
    stroke(out, s);
    put(out, "/>\n");
    break;
  case SHAPE_TEXT: text(out, s); break;
  case SHAPE_GROUP:
    put(out, "<g>");
    element(out, "title", s->text);
    break;
  case SHAPE_END: put(out, "</g>\n"); break;
  }
}

const char *draw_svg(const Drawing *const *pages, uint32_t n, Bytes *out) {
  if (n != 1)
    return "an SVG file holds one figure";
  const Drawing *d = pages[0];
  put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
           "role=\"img\" version=\"1.1\" "
           "width=\"");
  number(out, d->width);
  put(out, "pt\" height=\"");
  number(out, d->height);
  put(out, "pt\" viewBox=\"0 0 ");
  number(out, d->width);
  put(out, " ");
  number(out, d->height);
  put(out, "\" font-family=\"'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif\" "
           "stroke-linejoin=\"round\">\n");
  element(out, "title", d->title);
  element(out, "desc", d->description);
  for (uint32_t k = 0; k < d->shapes.n; k++)
    shape(out, &d->shapes.at[k]);
  put(out, "</svg>\n");
  return out->failed ? "no memory" : NULL;
}
