#pragma once
/* load/load.h -- C text of a DSblock -> machine code in memory -> callable model. */
#include "base/diag.h"
#include "dsblock.h"

/* Never changes after it was made; any number of runs and threads may share it until program_free. */
typedef struct Program {
  const DsModel *model;
  void *code; /* owner of the machine code */
} Program;

/* Compiles with libtcc. NULL after a diagnostic: the compiler's complaint (an error of ours) or a system that forbids memory
 * that is writable and executable. The text includes no header: dsblock.h is put in front of it. */
Program *load_program(const char *c_text, Diags *diags);
void program_free(Program *p); /* NULL is allowed */
/* The text of dsblock.h, for `nusim export --c`. */
const char *load_header(size_t *length);
