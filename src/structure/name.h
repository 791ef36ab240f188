#pragma once
/* structure/name.h -- what people call the things in a Structure: for messages, results and
 * `nusim inspect`. */
#include "base/text.h"
#include "structure/sorted.h"

/* Modelica-like name: x, der(x), pre(x), "x > 0" for a relation ... */
void structure_name(const Structure *s, uint32_t var, Text *out);
/* Modelica text of a lowered expression. */
void structure_print(const Structure *s, ExprId e, Text *out);
/* "`contact`, not (`x > 0`)": the mode of the structure, or that with the values. */
void structure_mode_text(const Structure *s, const bool *values, Text *out);
/* The variable of the flat model that an SVar is about, for messages: its number, or -1 - number
 * for a derivative of it. */
int structure_variable(const Structure *s, uint32_t var);
/* Instance path of what an equation comes from; "" if nowhere. */
const char *structure_origin(const FlatModel *m, uint32_t origin);
/* alias.c: is a variable equal to another one, or to its negative, in all modes? */
bool structure_alias(const Structure *s, uint32_t var, uint32_t *of, bool *negated);
