/* expr/natives.c -- the table of natives.def by name. */
#include <string.h>

#include "expr/func.h"

typedef enum { OTHER, PURE } Purity;

typedef struct {
  const char *name, *signature;
  Purity purity;
} Native;

static const Native *find(const char *name) {
  static const Native natives[] = {
#define NATIVE(name, signature, function, purity) {#name, signature, purity},
#include "expr/natives.def"
  };
  for (size_t k = 0; k < sizeof natives / sizeof *natives; k++)
    if (!strcmp(natives[k].name, name))
      return &natives[k];
  return NULL;
}

const char *native_signature(const char *name) {
  const Native *n = find(name);
  return n ? n->signature : NULL;
}

bool native_is_pure(const char *name) {
  const Native *n = find(name);
  return n && n->purity == PURE;
}

uint32_t native_plain_arguments(const char *name) {
  static const char *const one[] = {"sin",  "cos", "tan", "asin",  "acos", "atan", "sinh",  "cosh",
                                    "tanh", "exp", "log", "log10", "sqrt", "fabs", "floor", "ceil"};
  for (size_t k = 0; k < sizeof one / sizeof *one; k++)
    if (!strcmp(name, one[k]))
      return 1;
  return !strcmp(name, "atan2") || !strcmp(name, "pow") ? 2 : 0;
}

bool native_next_slot(const char **signature, NativeSlot *slot) {
  *slot = (NativeSlot){0};
  const char *s = *signature;
  for (; *s == '*' || *s == '='; s++)
    *(*s == '*' ? &slot->array : &slot->result) = true;
  bool any = *s != 0;
  slot->out = *s >= 'A' && *s <= 'Z';
  slot->letter = (char)(slot->out ? *s - 'A' + 'a' : *s);
  *signature = s + any;
  return any;
}
