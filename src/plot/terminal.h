#pragma once
/* plot/terminal.h -- what the files that write charts as text share. */
#include "plot/plot.h"

typedef struct {
  const Chart *chart;
  const NuFigureOptions *o;
  Arena *arena;
  size_t left; /* columns for the numbers on the left */
} Term;

typedef struct {
  const Term *t;
  const ChartPlot *plot;
  size_t columns, lines; /* of the picture */
  Ticks x, y, y2;
} TermPlot;

size_t term_width(const char *text); /* in characters */
void term_blanks(Text *out, size_t n);
void term_line_end(Text *out); /* without blanks before it */
/* Of a number on the x axis; `columns` if outside */
size_t term_column(const TermPlot *p, double x);
void term_print_x(const TermPlot *p, Text *out);

/* terminal_marks.c */
void term_print_events(const TermPlot *p, Text *out);
size_t term_names_width(const Term *t); /* of the names of what switches, with a gap */
void term_print_modes(const TermPlot *p, Text *out);
void term_print_key(const Term *t, Text *out);
