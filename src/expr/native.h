#pragma once
/* expr/native.h -- external functions of texts that NuSim has itself: at translation
 * (eval_native.c) and in a run. */
#include "expr/eval.h"

/* What such a function may ask for. */
typedef struct {
  void *user;
  /* n characters and a 0 behind them; NULL after a failure */
  char *(*room)(void *user, size_t n);
  bool (*fail)(void *user, const char *why); /* returns false */
} NativeContext;

/* in: arguments that go in, out: arguments that come out and the result, both in order. False after
 * a failure. */
typedef bool NativeText(const NativeContext *c, const Scalar *in, Scalar *out);

/* NULL if there is none of this name; the signature is that of natives.def. */
NativeText *native_text(const char *name, const char **signature);
