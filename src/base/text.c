/* base/text.c -- see text.h. */
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A comma as decimal point comes from the host program's locale. */
static void point(char *digits) {
  for (; *digits; digits++)
    if (*digits == ',')
      *digits = '.';
}

void text_real(Text *t, double value) {
  if (isnan(value) || isinf(value)) {
    text_add(t, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    return;
  }
  char digits[40];
  for (int precision = 15; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value)
      break;
  }
  point(digits);
  text_add(t, digits);
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
