/* plot/drawing.c -- shapes of a picture; how wide texts are. */
#include "plot/drawing.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

/* ---- shapes ---- */

static void add(Drawing *d, Shape s) { vec_push(d->arena, &d->shapes, s); }

void draw_line(Drawing *d, const DrawPoint *points, uint32_t n, DrawStroke stroke) {
  if (n > 1)
    add(d, (Shape){.kind = SHAPE_LINE,
                   .points = points,
                   .n = n,
                   .stroke = stroke.color,
                   .fill = DRAW_NONE,
                   .width = stroke.width,
                   .dash = stroke.dash});
}

static DrawPoint *copy(Drawing *d, const DrawPoint *points, uint32_t n) {
  DrawPoint *own = NEW_ARRAY(d->arena, DrawPoint, n);
  memcpy(own, points, n * sizeof *own);
  return own;
}

void draw_segment(Drawing *d, double x0, double y0, double x1, double y1, DrawStroke stroke) {
  draw_line(d, copy(d, (DrawPoint[]){{x0, y0}, {x1, y1}}, 2), 2, stroke);
}

void draw_polygon(Drawing *d, const DrawPoint *points, uint32_t n, DrawColor fill,
                  DrawStroke stroke) {
  add(d, (Shape){.kind = SHAPE_POLYGON,
                 .points = copy(d, points, n),
                 .n = n,
                 .stroke = stroke.width > 0 ? stroke.color : DRAW_NONE,
                 .fill = fill,
                 .width = stroke.width,
                 .dash = stroke.dash});
}

void draw_rectangle(Drawing *d, DrawBox b, DrawColor fill, DrawStroke stroke) {
  draw_polygon(d, (DrawPoint[]){{b.x0, b.y0}, {b.x1, b.y0}, {b.x1, b.y1}, {b.x0, b.y1}}, 4, fill,
               stroke);
}

void draw_circle(Drawing *d, DrawPoint at, double radius, DrawColor fill, DrawStroke stroke) {
  add(d, (Shape){.kind = SHAPE_CIRCLE,
                 .points = copy(d, &at, 1),
                 .n = 1,
                 .stroke = stroke.width > 0 ? stroke.color : DRAW_NONE,
                 .fill = fill,
                 .width = stroke.width,
                 .size = radius});
}

/* Names come from files: what is not UTF-8 or a control character is replaced. */
const char *draw_clean(const char *text, Arena *a) {
  Text out = {.arena = a};
  for (const char *at = text; *at;) {
    size_t n = strcspn(at, "\n\t\r");
    if (n)
      diag_clean(arena_strndup(a, at, n), &out);
    at += n;
    if (*at) {
      text_char(&out, ' ');
      at++;
    }
  }
  return text_str(&out);
}

void draw_text(Drawing *d, double x, double y, const char *text, DrawFont font) {
  if (!*text)
    return;
  add(d, (Shape){.kind = SHAPE_TEXT,
                 .points = copy(d, &(DrawPoint){x, y}, 1),
                 .n = 1,
                 .stroke = DRAW_NONE,
                 .fill = font.color,
                 .text = draw_clean(text, d->arena),
                 .size = font.size,
                 .bold = font.bold,
                 .upward = font.upward,
                 .anchor = font.anchor});
}

void draw_group(Drawing *d, const char *about) {
  add(d, (Shape){.kind = SHAPE_GROUP, .text = draw_clean(about, d->arena)});
}
void draw_end(Drawing *d) { add(d, (Shape){.kind = SHAPE_END}); }

/* ---- dashes ---- */

const double *draw_dashes(DrawDash dash) {
  static const double none[] = {0}, lengths[] = {7, 2.5, 0}, shorts[] = {3.5, 2, 0},
                      dot[] = {7, 2, 1.2, 2, 0}, dot_long[] = {12, 2.5, 2.5, 2.5, 0},
                      dot_dot[] = {6, 2, 1.2, 2, 1.2, 2, 0}, wide[] = {12, 3, 0},
                      fine[] = {1.2, 2, 0};
  switch (dash) {
  case DASH_NONE:
  case DASHES: break;
  case DASH_LONG: return lengths;
  case DASH_SHORT: return shorts;
  case DASH_DOT: return dot;
  case DASH_DOT_LONG: return dot_long;
  case DASH_DOT_DOT: return dot_dot;
  case DASH_WIDE: return wide;
  case DASH_FINE: return fine;
  }
  return none;
}

/* ---- widths of texts ---- */

/* Of the characters from blank to tilde, in thousandths of the size of letters. */
static const short widths[] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838,
};
/* thousandths: letters beyond ASCII, raised digits */
enum { OTHER_WIDTH = 650, SMALL_WIDTH = 400 };

/* Length of the UTF-8 character at a place; a wrong one counts as one byte. */
static size_t character(const char *at) {
  unsigned char c = (unsigned char)*at;
  size_t n = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
  for (size_t k = 1; k < n; k++)
    if (((unsigned char)at[k] & 0xC0) != 0x80)
      return 1;
  return n;
}

static bool is_raised(const char *at) {
  return (unsigned char)at[0] == 0xC2
             ? (unsigned char)at[1] >= 0xB2 && (unsigned char)at[1] <= 0xB9
             : (unsigned char)at[0] == 0xE2 && (unsigned char)at[1] == 0x81 &&
                   (unsigned char)at[2] >= 0xB0;
}

static double width_at(const char *at) {
  if (*at >= ' ' && *at <= '~')
    return widths[*at - ' '];
  return is_raised(at) ? SMALL_WIDTH : OTHER_WIDTH;
}

static double scale_of(double size, bool bold) {
  static const double bolder = 1.09; /* letters of the bold face are that much wider */
  return size / 1000 * (bold ? bolder : 1);
}

double draw_text_width(const char *text, double size, bool bold) {
  double sum = 0;
  for (const char *at = text; *at; at += character(at))
    sum += width_at(at);
  return sum * scale_of(size, bold);
}

const char *draw_text_fit(const char *text, double size, bool bold, double most, Arena *a) {
  static const char dots[] = "\xE2\x80\xA6";
  if (draw_text_width(text, size, bold) <= most)
    return text;
  double sum = draw_text_width(dots, size, bold);
  const char *at = text;
  while (*at && (sum += width_at(at) * scale_of(size, bold)) <= most)
    at += character(at);
  return at > text ? arena_printf(a, "%.*s%s", (int)(at - text), text, dots) : "";
}

/* ---- bytes ---- */

void bytes_add(Bytes *b, const void *data, size_t n) {
  if (b->failed)
    return;
  if (b->n + n > b->room) {
    size_t room = 2 * (b->n + n) + 4096;
    unsigned char *more = realloc(b->at, room);
    b->failed = !more;
    if (!more)
      return;
    b->at = more;
    b->room = room;
  }
  memcpy(b->at + b->n, data, n);
  b->n += n;
}

void bytes_free(Bytes *b) {
  free(b->at);
  *b = (Bytes){0};
}
