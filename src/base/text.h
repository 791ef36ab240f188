#pragma once
/* base/text.h -- text that is written piece by piece, in an arena. */
#include "base/memory.h"

typedef struct {
  Arena *arena;
  char *at; /* always ends in 0 once something was added */
  size_t n, room;
} Text;

void text_add(Text *t, const char *piece);
void text_addn(Text *t, const char *piece, size_t n);
void text_char(Text *t, char c);
void text_printf(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The shortest decimal digits that read back as the same double; "1.0" style is not forced ("1"
 * stays "1"). The decimal point is a point in every locale; infinities and NaN print as inf, -inf,
 * nan. */
void text_real(Text *t, double value);
/* The same without an arena; returns the length. */
enum { REAL_ROOM = 32 };
size_t real_digits(double value, char out[REAL_ROOM]);
void text_integer(Text *t, long long value);
/* A JSON string with its quotes. */
void text_json(Text *t, const char *value);
const char *text_str(const Text *t); /* "" when nothing was added */
