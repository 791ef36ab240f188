#pragma once
/* run/external.h -- external functions: those that the runtime has (native.c), those of libraries
 * (foreign.c). */
#include "run/rooms.h"

typedef void (*const *RunExternals)(void); /* one per DsModel.externals */
/* NULL after a diagnostic */
RunExternals run_find_externals(const DsModel *m, Arena *a, Diags *diags);
DsNative *run_find_native(const char *name); /* NULL if there is none */

/* foreign.c */
/* NULL after a diagnostic */
void (*run_find_foreign(const DsExternal *x, Arena *a, Diags *diags))(void);
int run_foreign(DsData *d, const DsPlace *at, DsForeign *call, void (*f)(void), DsCell *a);
void run_end_foreign(Run *run, void (*end)(void *object), void *object);
