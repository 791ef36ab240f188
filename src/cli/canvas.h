#pragma once
/* cli/canvas.h -- a picture made of characters: braille patterns hold 2 x 4 dots each. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
  size_t columns, lines;
  bool ascii;
  unsigned char *cells; /* lines * columns; bits of the dots of each character */
} Canvas;

void canvas_new(Canvas *c, size_t columns, size_t lines, bool ascii);
void canvas_free(Canvas *c);
/* A straight line; x and y run from 0 to 1, y upwards. Points outside are cut off. */
void canvas_line(Canvas *c, double x0, double y0, double x1, double y1);
void canvas_print(const Canvas *c, size_t line, FILE *out);
