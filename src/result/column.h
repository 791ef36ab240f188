#pragma once
/* result/column.h -- one column of a result, exactly and in few bytes.
 * Values are 64-bit words: whole numbers, or doubles by column_of_real, whose order as whole
 * numbers is that of the doubles. */
#include "base/text.h"

typedef struct ColumnCoder ColumnCoder;
/* NULL when memory is short. column_coder_free before the arena goes. */
ColumnCoder *column_coder_new(Arena *a);
void column_coder_free(ColumnCoder *c); /* NULL is allowed */

uint64_t column_of_real(double value);
double column_to_real(uint64_t word);

/* Appends n values. */
void column_encode(ColumnCoder *c, const uint64_t *values, uint32_t n, Text *out);
/* Reads n values from the front of *at, which moves behind them; false if the bytes are not such a
 * piece. */
bool column_decode(ColumnCoder *c, const unsigned char **at, const unsigned char *end,
                   uint64_t *values, uint32_t n);

/* The same for bytes of any kind. */
void column_pack(ColumnCoder *c, const void *bytes, size_t n, Text *out);
/* Bytes in the coder's memory, valid until the next call; NULL if they cannot be unpacked, or are
 * more than `most`. */
const unsigned char *column_unpack(ColumnCoder *c, const unsigned char **at,
                                   const unsigned char *end, size_t most, size_t *n);

/* Whole numbers of variable length, 7 bits per byte, low ones first. */
void column_put_number(Text *out, uint64_t value);
bool column_get_number(const unsigned char **at, const unsigned char *end, uint64_t *value);
/* Signed ones near 0 become small. */
uint64_t column_fold(int64_t value);
int64_t column_unfold(uint64_t value);
