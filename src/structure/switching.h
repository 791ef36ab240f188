#pragma once
/* structure/switching.h -- what relations do to the equations: when they matter, what they switch,
 * where a motion may slide along them, where contact forces act, how large their sides are. */
#include "structure/build.h"
#include "structure/graph.h"

/* guard.c: when a relation matters */
void guards_find(Lower *lo);

/* switched.c: blocks of Reals read relations instead of Booleans, Integers and enumerations that
 * are defined by them. */
void switched_write_out(Structure *s, Arena *scratch);

/* field.c: relations that switch a field only: true if there are any; without those that do not act
 * on their own sides: true if there were any. And which are about the same surface, when they have
 * their numbers. */
bool fields_find(const Structure *s, const BlockGraph *g, Arena *a);
bool fields_drop(const Structure *s, const BlockGraph *g, Arena *a);
/* Where equations change: conditions that are relations switch a field, too */
void fields_of_modes(Structure *s, const BlockGraph *g);
void surfaces_find(Structure *s, Arena *a);

void pushes_find(Structure *s, Arena *a); /* push.c: where contact forces act */

/* size.c: how large what relations compare is. Parts are known; s->initial may be empty. */
void sizes_find(Structure *s, Arena *scratch);
