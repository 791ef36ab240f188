/* plot/terminal_marks.c */
#include "plot/terminal.h"
void term_print_events(const TermPlot *p, Text *out) { (void)p; (void)out; }
void term_print_modes(const TermPlot *p, Text *out) { (void)p; (void)out; }
void term_print_key(const Term *t, Text *out) { (void)t; (void)out; }
