#pragma once
/* plot/canvas.h -- a picture made of characters: braille patterns hold 2 x 4 dots each; in ASCII a
 * character holds one dot. */
#include "base/text.h"

typedef struct {
  size_t columns, lines;
  bool ascii;
  unsigned char *cells; /* lines * columns; bits of the dots of each character */
  /* Lines * columns; ASCII: the sign of the last curve; letters on top of dots; 0: none */
  char *signs;
} Canvas;

Canvas canvas_new(size_t columns, size_t lines, bool ascii, Arena *a);
/* Number of dots in both directions. */
double canvas_width(const Canvas *c);
double canvas_height(const Canvas *c);
/* A straight line between dots, counted from the upper left one; `sign` is what ASCII shows;
 * `dotted`: every other dot. */
void canvas_line(Canvas *c, double x0, double y0, double x1, double y1, char sign, bool dotted);
/* A letter over what is there. */
void canvas_letter(Canvas *c, size_t column, size_t line, char letter);
/* The line of the first character of a column that has dots, from the top; -1: none. */
long canvas_find(const Canvas *c, size_t column);
void canvas_print(const Canvas *c, size_t line, Text *out);
