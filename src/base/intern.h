#pragma once
/* base/intern.h -- one copy of each name, so that names compare by address. */
#include "base/memory.h"

typedef struct Interner Interner;
Interner *interner_new(Arena *a);
const char *intern(Interner *in, const char *text, size_t n);
const char *intern_str(Interner *in, const char *text);
