/* plot/cairo.c -- pictures as PNG and PDF, drawn by cairo.
 * Keep: equal pictures give equal bytes, so a PDF has no date. */
#include <cairo/cairo-pdf.h>
#include <cairo/cairo.h>
#include <math.h>

#include "plot/drawing.h"
#include "base/limits.h"

#ifdef __SANITIZE_ADDRESS__
/* What fontconfig keeps until the program ends is its own. */
const char *__lsan_default_suppressions(void), *__lsan_default_options(void);
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void) {
  return "leak:libfontconfig";
}
__attribute__((visibility("default"))) const char *__lsan_default_options(void) {
  return "print_suppressions=0";
}
#endif

static const double DOTS_PER_POINT = 200.0 / 72; /* of a PNG */
enum { CAIRO_SIDE = 32000 };                     /* dots; Cairo has a limit near it */

static void set_color(cairo_t *c, DrawColor color) {
  cairo_set_source_rgb(c, (double)(color >> 16 & 255) / 255, (double)(color >> 8 & 255) / 255,
                       (double)(color & 255) / 255);
}

static void paint(cairo_t *c, const Shape *s) {
  if (s->fill != DRAW_NONE) {
    set_color(c, s->fill);
    cairo_fill_preserve(c);
  }
  if (s->stroke == DRAW_NONE) {
    cairo_new_path(c);
    return;
  }
  double dash[8];
  int n = 0;
  for (const double *at = draw_dashes(s->dash); *at > 0 && n < 8; at++)
    dash[n++] = *at * s->width;
  set_color(c, s->stroke);
  cairo_set_line_width(c, s->width);
  cairo_set_dash(c, dash, n, 0);
  cairo_stroke(c);
}

static void draw_letters(cairo_t *c, const Shape *s) {
  cairo_text_extents_t size;
  cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         s->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(c, s->size);
  cairo_text_extents(c, s->text, &size);
  set_color(c, s->fill);
  cairo_save(c);
  cairo_translate(c, s->points[0].x, s->points[0].y);
  if (s->upward)
    cairo_rotate(c, -M_PI / 2);
  cairo_move_to(c,
                s->anchor == ANCHOR_END      ? -size.x_advance
                : s->anchor == ANCHOR_MIDDLE ? -size.x_advance / 2
                                             : 0,
                0);
  cairo_show_text(c, s->text);
  cairo_restore(c);
  cairo_new_path(c);
}

static void draw_shape(cairo_t *c, const Shape *s) {
  switch (s->kind) {
  case SHAPE_LINE:
  case SHAPE_POLYGON:
    for (uint32_t k = 0; k < s->n; k++)
      (k ? cairo_line_to : cairo_move_to)(c, s->points[k].x, s->points[k].y);
    if (s->kind == SHAPE_POLYGON)
      cairo_close_path(c);
    paint(c, s);
    break;
  case SHAPE_CIRCLE:
    cairo_arc(c, s->points[0].x, s->points[0].y, s->size, 0, 2 * M_PI);
    paint(c, s);
    break;
  case SHAPE_TEXT: draw_letters(c, s); break;
  case SHAPE_GROUP:
  case SHAPE_END: break;
  }
}

static void draw_page(cairo_t *c, const Drawing *d) {
  /* outlines as they are: hinting would move letters by the resolution of a screen */
  cairo_font_options_t *font = cairo_font_options_create();
  cairo_font_options_set_hint_style(font, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(font, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(font, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(c, font);
  cairo_font_options_destroy(font);
  cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
  set_color(c, DRAW_WHITE);
  cairo_paint(c);
  for (uint32_t k = 0; k < d->shapes.n; k++)
    draw_shape(c, &d->shapes.at[k]);
}

static cairo_status_t keep(void *out, const unsigned char *data, unsigned n) {
  bytes_add(out, data, n);
  return ((Bytes *)out)->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static const char *finish(cairo_t *c, cairo_surface_t *surface, cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_status(c);
  cairo_destroy(c);
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  return status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status);
}

const char *draw_png(const Drawing *const *pages, uint32_t n, Bytes *out) {
  if (n != 1)
    return "a PNG file holds one figure";
  const Drawing *d = pages[0];
  double width = ceil(d->width * DOTS_PER_POINT), height = ceil(d->height * DOTS_PER_POINT);
  if (!(width <= CAIRO_SIDE && height <= CAIRO_SIDE && width * height <= MOST_PICTURE_DOTS))
    return "the picture is too large";
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width,
                                                        (int)height);
  cairo_t *c = cairo_create(surface);
  cairo_scale(c, DOTS_PER_POINT, DOTS_PER_POINT);
  draw_page(c, d);
  cairo_status_t status = cairo_status(c);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream(surface, keep, out);
  return finish(c, surface, status);
}

const char *draw_pdf(const Drawing *const *pages, uint32_t n, Bytes *out) {
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(keep, out, pages[0]->width,
                                                                 pages[0]->height);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, pages[0]->title);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  cairo_t *c = cairo_create(surface);
  for (uint32_t k = 0; k < n; k++) {
    cairo_pdf_surface_set_size(surface, pages[k]->width, pages[k]->height);
    draw_page(c, pages[k]);
    cairo_show_page(c);
  }
  return finish(c, surface, CAIRO_STATUS_SUCCESS);
}
