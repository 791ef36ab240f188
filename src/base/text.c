/* base/text.c -- see text.h. */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static void reserve(Text *t, size_t more) {
  if (t->n + more + 1 <= t->room)
    return;
  size_t room = t->room ? t->room * 2 : 256;
  while (room < t->n + more + 1)
    room *= 2;
  char *fresh = arena_alloc(t->arena, room);
  if (t->n)
    memcpy(fresh, t->at, t->n);
  t->at = fresh;
  t->room = room;
}

void text_addn(Text *t, const char *piece, size_t n) {
  reserve(t, n);
  if (n)
    memcpy(t->at + t->n, piece, n);
  t->n += n;
  t->at[t->n] = 0;
}

void text_add(Text *t, const char *piece) { text_addn(t, piece, strlen(piece)); }

void text_char(Text *t, char c) { text_addn(t, &c, 1); }

void text_printf(Text *t, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (n > 0) {
    reserve(t, (size_t)n);
    vsnprintf(t->at + t->n, (size_t)n + 1, format, args);
    t->n += (size_t)n;
  }
  va_end(args);
}

void text_real(Text *t, double value) {
  reserve(t, REAL_ROOM);
  t->n += real_digits(value, t->at + t->n);
}

void text_integer(Text *t, long long value) {
  char digits[24];
  size_t at = sizeof digits;
  unsigned long long rest = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
  do
    digits[--at] = (char)('0' + rest % 10), rest /= 10;
  while (rest);
  if (value < 0)
    digits[--at] = '-';
  text_addn(t, digits + at, sizeof digits - at);
}

void text_json(Text *t, const char *value) {
  text_char(t, '"');
  for (const unsigned char *p = (const unsigned char *)value; *p; p++) {
    if (*p == '"' || *p == '\\')
      text_printf(t, "\\%c", *p);
    else if (*p == '\n')
      text_add(t, "\\n");
    else if (*p < 0x20)
      text_printf(t, "\\u%04x", *p);
    else
      text_char(t, (char)*p);
  }
  text_char(t, '"');
}

const char *text_str(const Text *t) { return t->at ? t->at : ""; }
