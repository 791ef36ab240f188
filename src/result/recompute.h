#pragma once
/* result/recompute.h -- the rows of a run again, from its store: every variable, bit for bit.
 * What was recorded is put in its place; the rest of what is wanted is computed by the slice of the
 * equations that it depends on, as machine code where that is possible. */
#include "result/store.h"

/* What a store is read with: its model, translated again. */
typedef struct {
  const FlatModel *flat;
  const Structure *structure;
  const DsModel *layout; /* variables and places; its functions are not called */
  bool evaluate;         /* no machine code */
} StoreModel;

/* Do the records fit the model? False after F002. */
bool recompute_fits(const Store *s, const StoreModel *m, Arena *a, Diags *diags);

typedef struct {
  /* Values that are right in the rows' data, beside all that are not continuous Reals */
  const RunColumn *columns;
  uint32_t n_columns;
  double from, to;     /* s */
  RunRowFunction *row; /* false: stop */
  void *user;
} RecomputeRows;

/* By the row function; after a diagnostic */
typedef enum { RECOMPUTE_OK, RECOMPUTE_STOPPED, RECOMPUTE_FAILED } RecomputeStatus;
RecomputeStatus recompute_rows(Store *s, const StoreModel *m, const RecomputeRows *what, Arena *a,
                               Diags *diags);
