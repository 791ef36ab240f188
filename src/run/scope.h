#pragma once
/* run/scope.h -- what work is about: one part, the parts that an event may touch, or all. */
#include <stdbool.h>
#include <stddef.h>

/* A stretch of Run.block. */
typedef struct {
  size_t at, n; /* bytes */
} RunRange;

/* Numbers and places are those of the model. */
typedef struct {
  bool all; /* every part */
  /* In order of evaluation: those at work; and they with those whose moving values they read */
  int n_parts, n_seen;
  const int *parts, *seen;
  int n_relations, n_samples, n_discrete, n_pre_reads, n_states;
  const int *relations, *samples; /* numbers */
  /* Places in r; of discrete Reals, of continuous ones whose pre values are read */
  const int *discrete, *pre_reads, *states;
  int n_ranges;
  const RunRange *ranges; /* all values that they determine */
} Scope;

/* Numbers of relations and samples, places of states. */
#define EACH_IN(list, n, k)                                                                        \
  for (int k##_at = 0, k; k##_at < (n) && (k = (list)[k##_at], true); k##_at++)
#define EACH_RELATION(sc, k) EACH_IN ((sc)->relations, (sc)->n_relations, k)
#define EACH_SAMPLE(sc, k) EACH_IN ((sc)->samples, (sc)->n_samples, k)
#define EACH_STATE(sc, k) EACH_IN ((sc)->states, (sc)->n_states, k)

/* Values of relations of the scope. */
static inline void scope_copy_relations(const Scope *sc, unsigned char *to,
                                        const unsigned char *from) {
  EACH_RELATION (sc, k)
    to[k] = from[k];
}

/* For qsort of numbers. */
static inline int scope_ascending(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
