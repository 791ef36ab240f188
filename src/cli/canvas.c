/* cli/canvas.c -- lines of dots. In ASCII a character holds one dot. */
#include "cli/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

void canvas_new(Canvas *c, size_t columns, size_t lines, bool ascii) {
  *c = (Canvas){columns, lines, ascii, must_alloc(NULL, columns * lines)};
  memset(c->cells, 0, columns * lines);
}

void canvas_free(Canvas *c) { free(c->cells); }

static void dot(Canvas *c, double x, double y) {
  /* bits of U+2800: dots 1 2 3 7 left, 4 5 6 8 right, from the top */
  static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  size_t wide = c->ascii ? 1 : 2, high = c->ascii ? 1 : 4;
  if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
    return;
  size_t px = (size_t)(x * (double)(c->columns * wide - 1) + 0.5), py = (size_t)((1 - y) * (double)(c->lines * high - 1) + 0.5);
  c->cells[py / high * c->columns + px / wide] |= bits[py % high][px % wide];
}

void canvas_line(Canvas *c, double x0, double y0, double x1, double y1) {
  double wide = (double)c->columns * 2, high = (double)c->lines * 4;
  double length = fmax(fabs(x1 - x0) * wide, fabs(y1 - y0) * high);
  int n = length < 4 * (wide + high) ? (int)length + 1 : (int)(4 * (wide + high));
  for (int i = 0; i <= n; i++) {
    double part = (double)i / n;
    dot(c, x0 + part * (x1 - x0), y0 + part * (y1 - y0));
  }
}

void canvas_print(const Canvas *c, size_t line, FILE *out) {
  const unsigned char *cells = c->cells + line * c->columns;
  size_t n = c->columns;
  while (n && !cells[n - 1])
    n--;
  for (size_t i = 0; i < n; i++) {
    unsigned bits = cells[i];
    if (!bits)
      fputc(' ', out);
    else if (c->ascii)
      fputc('*', out);
    else /* UTF-8 of U+2800 + bits */
      fprintf(out, "\xE2%c%c", (int)(0xA0 + (bits >> 6)), (int)(0x80 + (bits & 0x3F)));
  }
}
