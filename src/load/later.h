#pragma once
/* load/later.h -- better machine code for a program that turns out to run for long: the C compiler
 * works on the same C text while the runs go on. It computes the same bits, so it does not matter
 * when a run changes over.
 * Safe to use from several threads. */
#include <stdbool.h>
#include <stddef.h>

#include "dsblock.h"

typedef struct LaterCode LaterCode;

LaterCode *later_new(const char *c_text); /* NULL when memory is short: then there is none */
void later_free(LaterCode *l);            /* NULL is allowed */
size_t later_length(const LaterCode *l);  /* of the C text */

/* A run asks for it; starts the compiler unless it is there already. */
void later_want(LaterCode *l);
/* It no longer does. The last one ends a compiler that is still at work. */
void later_leave(LaterCode *l);
/* The model, when it is ready; else NULL. why: NULL, or the reason why it will never be; lives as
 * long as l. */
const DsModel *later_model(LaterCode *l, const char **why);
