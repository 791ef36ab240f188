/* expr/eval_string.c -- String() (MLS 3.6 section 3.7.1).
 * Numbers are written by printf in the C locale. A format that the user gave is taken apart and put
 * together again, so that nothing reaches printf but flags, two numbers and one known letter. */
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "expr/eval_impl.h"
#include "base/limits.h"

/* One conversion: %[flags][width][.precision]letter. */
typedef struct {
  char flags[6];        /* each of "-+ #0" at most once */
  int width, precision; /* precision -1: not given */
  char letter;
} Spec;

static bool is_real_letter(char c) { return c && strchr("feEgG", c); }

/* Digits of a number up to `limit`; -1 if it is larger. */
static int read_count(const char **p, int limit) {
  int n = 0;
  for (; **p >= '0' && **p <= '9'; ++*p)
    if (n >= 0 && (n = n * 10 + (**p - '0')) > limit)
      n = -1;
  return n;
}

static bool parse(Eval *ev, const char *format, Spec *s) {
  const char *p = format;
  size_t n = 0;
  *s = (Spec){.precision = -1};
  for (; *p && strchr("-+ #0", *p); p++)
    if (!strchr(s->flags, *p))
      s->flags[n++] = *p;
  s->width = read_count(&p, MOST_TEXT_WIDTH);
  if (*p == '.') {
    p++;
    s->precision = read_count(&p, MOST_TEXT_DIGITS);
    if (s->precision < 0)
      s->width = -1;
  }
  s->letter = *p;
  if (s->width < 0 || !*p || p[1] || !strchr("feEgGdioxXuc", *p))
    return ev_fail(ev, "\"%s\" is not a format for String()", format);
  return true;
}

/* ---- printing ---- */

static int print_into(char *room, size_t size, const char *format, va_list args) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
  int n = vsnprintf(room, size, format, args);
  uselocale(before);
  freelocale(plain);
  return n;
}

/* Prints in the C locale onto temps, twice: for the length, then the text. */
static const char *print(Eval *ev, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = print_into(NULL, 0, format, args);
  size_t size = (size_t)(n < 0 ? 0 : n) + 1;
  char *room = ev_push(ev, &ev->run->temps, size);
  *room = 0;
  print_into(room, size, format, again);
  va_end(again);
  va_end(args);
  return room;
}

static const char *print_real(Eval *ev, const Spec *s, double x) {
  char format[24];
  snprintf(format, sizeof format, "%%%s*.*%c", s->flags, s->letter);
  return print(ev, format, s->width, s->precision, x);
}

static const char *print_integer(Eval *ev, const Spec *s, int64_t x) {
  char format[24];
  bool character = s->letter == 'c';
  snprintf(format, sizeof format, "%%%s*.*%s%c", s->flags, character ? "" : "ll", s->letter);
  if (character)
    return print(ev, format, s->width, s->precision, (int)x);
  return print(ev, format, s->width, s->precision, (long long)x);
}

static bool with_spec(Eval *ev, TypeBase base, Scalar v, const Spec *s, Scalar *out) {
  if (!ev_charge(ev, (uint64_t)s->width / 4 + 16))
    return false;
  if (is_real_letter(s->letter)) {
    out->string = print_real(ev, s, base == TY_REAL ? v.real : (double)v.integer);
    return true;
  }
  int64_t x = v.integer;
  if (base == TY_REAL) { /* deprecated: rounded */
    double whole = round(v.real);
    if (!(whole >= -0x1p63 && whole < 0x1p63))
      return ev_fail(ev, "integer overflow");
    x = (int64_t)whole;
  }
  if (s->letter == 'c' && (x < 1 || x > 127))
    return ev_fail(ev, "%" PRId64 " is not the code of a character", x);
  out->string = print_integer(ev, s, x);
  return true;
}

static bool padded(Eval *ev, const char *text, const Spec *s, Scalar *out) {
  if (!ev_charge(ev, (uint64_t)s->width / 4 + 1))
    return false;
  out->string = print(ev, "%*s", *s->flags ? -s->width : s->width, text);
  return true;
}

/* ---- the operator ---- */

/* significantDigits, minimumLength, leftJustified as a conversion. */
static bool options(Eval *ev, const Expr *x, TypeBase base, Spec *s) {
  int64_t digits = 6, length = 0, left = 1;
  if ((x->n > 1 && x->args[1].i && !ev_integer(ev, x->args[1], &digits)) ||
      (x->n > 2 && x->args[2].i && !ev_integer(ev, x->args[2], &length)) ||
      (x->n > 3 && x->args[3].i && !ev_integer(ev, x->args[3], &left)))
    return false;
  if (digits < 1 || digits > MOST_TEXT_DIGITS)
    return ev_fail(ev, "String() cannot give %" PRId64 " significant digits", digits);
  if (length < 0 || length > MOST_TEXT_WIDTH)
    return ev_fail(ev, "String() cannot give a text of length %" PRId64, length);
  *s = (Spec){.width = (int)length,
              .precision = base == TY_REAL ? (int)digits : -1,
              .letter = base == TY_REAL ? 'g' : 'd'};
  s->flags[0] = left ? '-' : 0;
  return true;
}

static bool literal_name(Eval *ev, const TypeDecl *decl, int64_t ordinal, const char **name) {
  if (!decl || ordinal < 1 || ordinal > decl->n)
    return ev_fail(ev, "%" PRId64 " is not an ordinal of enumeration `%s`", ordinal,
                   decl ? decl->name : "?");
  *name = decl->names[ordinal - 1];
  return true;
}

bool string_of(Eval *ev, const Expr *x, Scalar *out) {
  const Type *t = ev_type(ev, expr_get(ev->pool, x->args[0])->type);
  bool formatted = x->n == 2 && x->args[1].i && ev_base(ev, x->args[1]) == TY_STRING;
  bool number = t->base == TY_REAL || t->base == TY_INTEGER;
  Scalar v, format;
  Spec s;
  const char *text = "";
  if (!ev_scalar(ev, x->args[0], &v))
    return false;
  if (formatted && number)
    return ev_scalar(ev, x->args[1], &format) && parse(ev, format.string, &s) &&
           with_spec(ev, t->base, v, &s, out);
  if (formatted || !options(ev, x, t->base, &s))
    return formatted ? ev_fail(ev, "String() takes a format for numbers only") : false;
  if (number)
    return with_spec(ev, t->base, v, &s, out);
  if (t->base == TY_BOOLEAN)
    return padded(ev, v.integer ? "true" : "false", &s, out);
  if (t->base == TY_ENUM)
    return literal_name(ev, t->decl, v.integer, &text) && padded(ev, text, &s, out);
  return ev_fail(ev, "String() is not defined for its argument");
}
