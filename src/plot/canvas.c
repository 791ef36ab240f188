/* plot/canvas.c -- lines of dots. */
#include "plot/canvas.h"

#include <math.h>

Canvas canvas_new(size_t columns, size_t lines, bool ascii, Arena *a) {
  return (Canvas){columns, lines, ascii, arena_alloc(a, columns * lines + 1),
                  arena_alloc(a, columns * lines + 1)};
}

static size_t wide(const Canvas *c) { return c->ascii ? 1 : 2; }
static size_t high(const Canvas *c) { return c->ascii ? 1 : 4; }
double canvas_width(const Canvas *c) { return (double)(c->columns * wide(c)); }
double canvas_height(const Canvas *c) { return (double)(c->lines * high(c)); }

static void dot(Canvas *c, double x, double y, char sign) {
  /* bits of U+2800: dots 1 2 3 7 left, 4 5 6 8 right, from the top */
  static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  double px = floor(x + 0.5), py = floor(y + 0.5);
  if (!(px >= 0 && px < canvas_width(c) && py >= 0 && py < canvas_height(c)))
    return;
  size_t i = (size_t)px, k = (size_t)py, at = k / high(c) * c->columns + i / wide(c);
  c->cells[at] |= bits[k % high(c)][i % wide(c)];
  c->signs[at] = c->ascii ? sign : 0;
}

void canvas_line(Canvas *c, double x0, double y0, double x1, double y1, char sign, bool dotted) {
  double length = fmax(fabs(x1 - x0), fabs(y1 - y0)),
         most = 2 * (canvas_width(c) + canvas_height(c));
  int n = length < most ? (int)ceil(length) : (int)most;
  for (int i = 0; i <= n; i += dotted ? 2 : 1) {
    double part = n ? (double)i / n : 0;
    dot(c, x0 + part * (x1 - x0), y0 + part * (y1 - y0), sign);
  }
}

void canvas_letter(Canvas *c, size_t column, size_t line, char letter) {
  c->signs[line * c->columns + column] = letter;
}

long canvas_find(const Canvas *c, size_t column) {
  for (size_t line = 0; line < c->lines; line++)
    if (c->cells[line * c->columns + column])
      return (long)line;
  return -1;
}

void canvas_print(const Canvas *c, size_t line, Text *out) {
  const unsigned char *cells = c->cells + line * c->columns;
  const char *signs = c->signs + line * c->columns;
  size_t n = c->columns;
  while (n && !cells[n - 1] && !signs[n - 1])
    n--;
  for (size_t i = 0; i < n; i++) {
    unsigned bits = cells[i];
    if (signs[i])
      text_char(out, signs[i]);
    else if (!bits)
      text_char(out, ' ');
    else /* UTF-8 of U+2800 + bits */
      text_printf(out, "\xE2%c%c", (int)(0xA0 + (bits >> 6)), (int)(0x80 + (bits & 0x3F)));
  }
}
