#pragma once
/* run/external.h -- external functions: those that the runtime has (native.c), those of libraries
 * (foreign.c). */
#include "run/core.h"

typedef void (*const *RunExternals)(void);                   /* one per DsModel.externals */
RunExternals run_find_externals(Run *run, const DsModel *m); /* NULL after a diagnostic */
DsNative *run_find_native(const char *name);                 /* NULL if there is none */
void run_random_room(Run *run, uint32_t n);                  /* so many generators from now on */

/* foreign.c */
void (*run_find_foreign(Run *run, const DsExternal *x))(void); /* NULL after a diagnostic */
int run_foreign(DsData *d, const DsPlace *at, DsForeign *call, void (*f)(void), DsCell *a);
void run_end_foreign(Run *run, void (*end)(void *object), void *object);
