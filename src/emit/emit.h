#pragma once
/* emit/emit.h -- structure -> C text of a DSblock (include/dsblock.h). */
#include "structure/structure.h"

/* Adds the text of a whole C file to `out`. Returns false after a diagnostic (X001: a function that cannot be compiled). */
bool emit_c(const FlatModel *m, const Structure *s, Diags *diags, Text *out);
