#pragma once
/* tests/bench/models.h -- models of any size for measurements: text of about n scalar equations in
 * one of several shapes. */
#include "base/text.h"

typedef struct {
  const char *name;
  void (*write)(Text *out, unsigned n); /* a model `M` with about n equations (or parameters) */
  const char *what;
} BenchShape;

extern const BenchShape bench_shapes[];
extern const unsigned bench_n_shapes;
