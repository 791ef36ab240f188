#pragma once
/* api/result_impl.h -- an open result, for the files that answer questions about it. */
#include "api/api_impl.h"
#include "result/events.h"
#include "result/recompute.h"

struct NuResult {
  NuSession *s;     /* whose sink is told */
  NuSession *inner; /* of the model inside */
  Memory mem;
  Arena *arena;
  Diags *diags;
  Store *store;
  StoreModel model;
  const NuFigure *figures; /* in the memory of `inner` */
  const char *complaint;   /* the first error in the model inside; NULL: none */
};

/* Runs `work` with a recovery point for exhausted memory, then delivers the diagnostics. */
typedef NuStatus ResultWork(NuResult *r, void *args);
NuStatus api_result_call(NuResult *r, ResultWork *work, void *args);

/* What a list of its events needs. */
EventSetup api_event_setup(const NuResult *r);
