#pragma once
/* describe/describe_impl.h -- shared by the files of this folder. Each function fills some tables
 * of d->model. A table without rows is NULL, and so is a list of what the model does not have; a
 * list that happens to be empty is not, so that the run may add to its address. */
#include "describe/describe.h"

#define NEW_ROWS(d, Type, n) ((n) ? NEW_ARRAY((d)->a, Type, (n)) : NULL)
#define NEW_LIST(d, type, n) NEW_ARRAY((d)->a, type, (n) + 1)

void describe_variables(Description *d);
void describe_relations(Description *d);
void describe_mixed(Description *d);
void describe_redundant(Description *d);

/* describe_block.c: numbers blocks, hence before the tables that refer to them */
void describe_blocks(Description *d);
void describe_blocks_of_slice(Description *d);
void describe_tangent(Description *d);
void describe_parts(Description *d);

/* describe_mode.c */
void describe_selections(Description *d);
void describe_conditions(Description *d);
void describe_jumps(Description *d);
void describe_invariants(Description *d);
void describe_pushes(Description *d);
void describe_unsaid(Description *d);

/* describe.c: lists */
void describe_value(Description *d, ValueList *list, ExprId value, Span span); /* at its end */
int *describe_numbers(Description *d, const uint32_t *from, uint32_t n);
int *describe_places_of(Description *d, const uint32_t *vars, uint32_t n); /* of SVars, in memory */
const char *describe_text(const char *text);                               /* NULL: "" */
