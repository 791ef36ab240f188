#pragma once
/* base/tape.h -- one walk over the memory of an object that counts, writes or reads it, so that
 * what is written and what is read cannot differ. A walk is a function that hands each piece to
 * tape_bytes in a fixed order:
 *   Tape t = {TAPE_COUNT};                    walk(object, &t);     then t.n is the size
 *   t = (Tape){TAPE_WRITE, bytes, size};      walk(object, &t);     and back with TAPE_READ
 * A walk may look at `way` where a piece must first be given room. Pieces are bytes of this build
 * of the program, which may have come from a file that somebody forged: nothing is read behind the
 * end, flags are true or false, and numbers that something is found by are walked over with their
 * limit. A tape that breaks these rules is `bad`, and what was read of it must not be used. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef enum { TAPE_COUNT, TAPE_WRITE, TAPE_READ } TapeWay;

typedef struct {
  TapeWay way;
  unsigned char *at; /* the first byte; not used when counting */
  size_t size;       /* bytes there are */
  size_t n;          /* bytes so far */
  bool bad;
} Tape;

static inline void tape_bytes(Tape *t, void *piece, size_t size) {
  if (t->way != TAPE_COUNT && (t->bad || size > t->size - t->n)) {
    t->bad = true;
    if (t->way == TAPE_READ && size)
      memset(piece, 0, size);
    return;
  }
  if (t->way == TAPE_WRITE && size)
    memcpy(t->at + t->n, piece, size);
  else if (t->way == TAPE_READ && size)
    memcpy(piece, t->at + t->n, size);
  t->n += size;
}

#define tape_value(t, lvalue) tape_bytes((t), &(lvalue), sizeof(lvalue))
#define tape_array(t, pointer, count)                                                              \
  tape_bytes((t), (pointer), (size_t)(count) * sizeof *(pointer))

/* Truth values. */
static inline void tape_flags(Tape *t, bool *flags, size_t n) {
  tape_bytes(t, flags, n);
  if (t->way != TAPE_READ)
    return;
  for (size_t k = 0; k < n; k++) {
    unsigned char byte;
    memcpy(&byte, &flags[k], 1);
    flags[k] = byte != 0;
  }
}
static inline void tape_flag(Tape *t, bool *flag) { tape_flags(t, flag, 1); }

/* Numbers from `least` to below `limit`. */
static inline void tape_numbers(Tape *t, int *numbers, size_t n, int least, int limit) {
  tape_bytes(t, numbers, n * sizeof *numbers);
  for (size_t k = 0; k < n && t->way == TAPE_READ; k++)
    if (numbers[k] < least || numbers[k] >= limit)
      numbers[k] = least, t->bad = true;
}
static inline void tape_number(Tape *t, int *number, int least, int limit) {
  tape_numbers(t, number, 1, least, limit);
}

/* Bytes that can still be read; when counting or writing there is no end. */
static inline size_t tape_left(const Tape *t) {
  return t->way == TAPE_READ ? t->size - t->n : (size_t)-1;
}
