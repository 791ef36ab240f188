#pragma once
/* flat/flatten.h -- class name -> flat model. */
#include "flat/flat.h"
#include "instance/library.h"

typedef struct {
  const char *const *overrides; /* "name=expression" texts applied as modifications of the model
                                   (structural parameters) */
  uint32_t n_overrides;
  bool strict; /* X002 for each extension of Modelica used */
  /* The limits of evaluation and of unrolled loops are divided by this; 0: they are not */
  uint32_t frugal;
} FlattenOptions;

/* Errors go to diags; returns NULL if there were any. The model lives in the arena `a`. */
FlatModel *flatten_class(Library *lib, const char *class_name, const FlattenOptions *options,
                         Arena *a, Diags *diags);
/* The class a command means when none is named: the last non-partial model with an experiment
 * annotation among the loaded classes (and their elements), else the last model; NULL if there is
 * none. Full name. */
const char *flatten_default_class(Library *lib, Arena *a);
/* Text of the instance tree (nusim dump --instance). */
bool flatten_dump_instance(Library *lib, const char *class_name, Arena *a, Diags *diags, Text *out);
