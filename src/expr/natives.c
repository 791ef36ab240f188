/* expr/natives.c -- the table of natives.def by name. */
#include <string.h>

#include "expr/func.h"

const char *native_signature(const char *name) {
  static const struct {
    const char *name, *signature;
  } natives[] = {
#define NATIVE(name, signature, function) {#name, signature},
#include "expr/natives.def"
  };
  for (size_t k = 0; k < sizeof natives / sizeof *natives; k++)
    if (!strcmp(natives[k].name, name))
      return natives[k].signature;
  return NULL;
}
