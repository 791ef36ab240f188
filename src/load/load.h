#pragma once
/* load/load.h -- C text of a DSblock -> machine code -> callable model. */
#include "base/diag.h"
#include "dsblock.h"

/* AUTO: what is ready at once, and for long runs the C compiler in the background. */
typedef enum { CODE_AUTO, CODE_TCC, CODE_CC, CODE_EVAL } CodeChoice;

/* Never changes after it was made; any number of runs and threads may share it until
 * program_free. */
typedef struct Program {
  const DsModel *model;
  CodeChoice code;  /* where the model comes from: TCC, CC or EVAL */
  void *tcc;        /* owners of the code: libtcc's state, */
  struct CcJob *cc; /* or a shared object */
  /* Better code of the same model, made when a run is long (load/later.h); NULL: never */
  struct LaterCode *later;
} Program;

/* NULL after a diagnostic: the compiler's complaint (an error of ours) or no compiler that works.
 * The text includes no header: dsblock.h is put in front of it. choice: AUTO, TCC or CC. */
Program *load_program(const char *c_text, CodeChoice choice, Diags *diags);
/* A program from a model that is there already, which lives longer than the program. c_text: what a
 * compiler may make of it for long runs; NULL: nothing. NULL when memory is short. */
Program *program_of_model(const DsModel *model, const char *c_text);
void program_free(Program *p); /* NULL is allowed */
/* May memory be writable and executable here? libtcc needs it, and ends the process where it is
 * forbidden: ask first. */
bool load_may_execute(void);
/* The text of dsblock.h, for `nusim export --c`. */
const char *load_header(size_t *length);
