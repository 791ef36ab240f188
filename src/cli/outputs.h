#pragma once
/* cli/outputs.h -- the files of `-o`: their extension is their format, `-` is CSV on standard
 * output. */
#include "cli/options.h"

enum { OUT_STORE, OUT_CSV, OUT_MAT, OUT_FORMATS };

typedef struct {
  const char *at[OUT_FORMATS]; /* as they are opened; NULL: none */
  int order[OUT_FORMATS];      /* formats in the order of the command line */
  size_t n;
} Outputs;

extern const char *const output_extensions[OUT_FORMATS];

/* Sorts the words; .nus is allowed with `store`. False after a message. */
bool outputs_choose(Outputs *o, const Words *words, bool store);
void outputs_add(Outputs *o, int format, const char *path);
