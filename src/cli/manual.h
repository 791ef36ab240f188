#pragma once
/* cli/manual.h -- manual pages from the tables of commands and options. */
#include "cli/options.h"

/* nusim-COMMAND(1); of NULL nusim(1). */
void manual_page(const CommandInfo *command, FILE *out);
