#pragma once
/* base/tape.h -- one walk over the memory of an object that counts, writes or reads it, so that what is written and what is read
 * cannot differ. A walk is a function that hands each piece to tape_bytes in a fixed order:
 *   Tape t = {TAPE_COUNT};              walk(object, &t);     then t.n is the size
 *   t = (Tape){TAPE_WRITE, bytes, 0};   walk(object, &t);     and back with TAPE_READ
 * A walk may look at `way` where a piece must first be given room. Pieces are bytes of this process: no file format. */
#include <stddef.h>
#include <string.h>

typedef enum { TAPE_COUNT, TAPE_WRITE, TAPE_READ } TapeWay;

typedef struct {
  TapeWay way;
  unsigned char *at; /* the first byte; not used when counting */
  size_t n;          /* bytes so far */
} Tape;

static inline void tape_bytes(Tape *t, void *piece, size_t size) {
  if (t->way == TAPE_WRITE && size)
    memcpy(t->at + t->n, piece, size);
  else if (t->way == TAPE_READ && size)
    memcpy(piece, t->at + t->n, size);
  t->n += size;
}

#define tape_value(t, lvalue) tape_bytes((t), &(lvalue), sizeof(lvalue))
#define tape_array(t, pointer, count) tape_bytes((t), (pointer), (size_t)(count) * sizeof *(pointer))
