#pragma once
/* cli/width.h -- how much fits on a line. */
#include "cli/options.h"

/* Columns: --width, else those of the terminal, else 80; at most 1000. */
size_t terminal_width(const Args *args);
/* Characters of a text, not bytes. */
size_t text_width(const char *text);
