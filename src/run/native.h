#pragma once
/* run/native.h -- external functions that the runtime has itself (expr/natives.def). */
#include "run/run_impl.h"

#define NATIVE(name, signature, function) DsNative native_##function;
#define NATIVE_TEXT(name, signature, function) DsNative native_##function;
#include "expr/natives.def"

int native_fail(DsData *d, const DsPlace *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
