/* expr/native.c -- external functions of texts, by table: scanning and comparing, as
 * Modelica.Utilities.Strings documents them. Constants and parameters of the Modelica Standard
 * Library need them at translation, algorithms in a run. */
#include "expr/native.h"

#include <ctype.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_FUNCTION(name) static bool name(const NativeContext *c, const Scalar *in, Scalar *out)

/* out := a copy of n characters. */
static bool piece(const NativeContext *c, const char *text, size_t n, Scalar *out) {
  char *copy = c->room(c->user, n);
  if (!copy)
    return false;
  memcpy(copy, text, n);
  copy[n] = 0;
  out->string = copy;
  return true;
}

TEXT_FUNCTION(length) {
  (void)c;
  out->integer = (int64_t)strlen(in[0].string);
  return true;
}

TEXT_FUNCTION(substring) {
  int64_t n = (int64_t)strlen(in[0].string), first = in[1].integer, last = in[2].integer;
  if (first < 1)
    first = 1;
  if (last < 0)
    last = first;
  if (last > n)
    last = n;
  out->string = "";
  return first > n || last < first ||
         piece(c, in[0].string + first - 1, (size_t)(last - first + 1), out);
}

TEXT_FUNCTION(compare) {
  (void)c;
  const char *a = in[0].string, *b = in[1].string;
  int order = in[2].integer ? strcmp(a, b) : strcasecmp(a, b);
  out->integer = order < 0 ? 1 : order > 0 ? 3 : 2; /* Types.Compare: Less, Equal, Greater */
  return true;
}

/* The hash of A. Partow's "AP" function on unsigned characters, as a signed number. */
TEXT_FUNCTION(hash_string) {
  (void)c;
  uint32_t h = 0xAAAAAAAAu;
  const unsigned char *p = (const unsigned char *)in[0].string;
  for (uint32_t i = 0; p[i]; i++) {
    uint32_t even = (h << 7) ^ (p[i] * (h >> 3)), odd = ~((h << 11) + (p[i] ^ (h >> 5)));
    h ^= i % 2 ? odd : even;
  }
  out->integer = (int32_t)h;
  return true;
}

/* Offset of the first character from position `start` on that is not white space. */
static bool skip_space(const NativeContext *c, const char *text, int64_t start, size_t *at) {
  if (start < 1 || (uint64_t)start > strlen(text) + 1) {
    char why[100];
    snprintf(why, sizeof why, "position %lld is outside of a string of length %zu",
             (long long)start, strlen(text));
    return c->fail(c->user, why);
  }
  *at = (size_t)start - 1;
  while (isspace((unsigned char)text[*at]))
    ++*at;
  return true;
}

TEXT_FUNCTION(skip_white_space) {
  size_t at;
  if (!skip_space(c, in[0].string, in[1].integer, &at))
    return false;
  out->integer = (int64_t)at + 1;
  return true;
}

/* nextIndex after a token that ends at `end`; the start index if there was none. */
static void set_next(const Scalar *in, size_t begin, size_t end, Scalar *out) {
  out->integer = end > begin ? (int64_t)end + 1 : in[1].integer;
}

TEXT_FUNCTION(scan_identifier) {
  const char *s = in[0].string;
  size_t begin, end;
  if (!skip_space(c, s, in[1].integer, &begin))
    return false;
  end = begin;
  if (isalpha((unsigned char)s[end]))
    while (isalnum((unsigned char)s[end]) || s[end] == '_')
      end++;
  set_next(in, begin, end, &out[0]);
  return piece(c, s + begin, end - begin, &out[1]);
}

TEXT_FUNCTION(scan_string) {
  const char *s = in[0].string;
  size_t begin, end;
  if (!skip_space(c, s, in[1].integer, &begin))
    return false;
  size_t close = begin + 1;
  if (s[begin] == '"')
    while (s[close] && (s[close] != '"' || s[close - 1] == '\\'))
      close++;
  /* an empty string counts as none, as in the library */
  end = s[begin] == '"' && s[close] && close > begin + 1 ? close + 1 : begin;
  set_next(in, begin, end, &out[0]);
  out[1].string = "";
  return end == begin || piece(c, s + begin + 1, end - begin - 2, &out[1]);
}

static size_t digits(const char *s) { return strspn(s, "0123456789"); }

/* Reads a sign unless the number must be unsigned; false if a sign stands where none may be. */
static bool read_sign(const char *s, bool is_unsigned, size_t *end) {
  bool sign = s[*end] == '+' || s[*end] == '-';
  if (sign && is_unsigned)
    return false;
  *end += sign;
  return true;
}

TEXT_FUNCTION(scan_integer) {
  const char *s = in[0].string;
  size_t begin, end;
  if (!skip_space(c, s, in[1].integer, &begin))
    return false;
  end = begin;
  size_t n = read_sign(s, in[2].integer != 0, &end) ? digits(s + end) : 0;
  end += n;
  bool real = s[end] == '.' || s[end] == 'e' || s[end] == 'E';
  if (!n || n > 18 || real)
    end = begin;
  set_next(in, begin, end, &out[0]);
  /* a character that is no digit follows */
  out[1].integer = end > begin ? strtoll(s + begin, NULL, 10) : 0;
  return true;
}

/* The length of [sign] digits [. digits] [e [sign] digits] at s; 0 if there is none. */
static size_t real_length(const char *s, bool is_unsigned) {
  size_t end = 0;
  if (!read_sign(s, is_unsigned, &end))
    return 0;
  size_t whole = digits(s + end), fraction = 0;
  end += whole;
  if (s[end] == '.') {
    fraction = digits(s + end + 1);
    end += 1 + fraction;
  }
  if (!whole && !fraction)
    return 0;
  if (s[end] == 'e' || s[end] == 'E') {
    size_t exponent = end + 1;
    exponent += s[exponent] == '+' || s[exponent] == '-';
    size_t n = digits(s + exponent);
    if (!n)
      return 0;
    end = exponent + n;
  }
  return end;
}

TEXT_FUNCTION(scan_real) {
  const char *s = in[0].string;
  size_t begin;
  if (!skip_space(c, s, in[1].integer, &begin))
    return false;
  size_t n = real_length(s + begin, in[2].integer != 0);
  set_next(in, begin, begin + n, &out[0]);
  Scalar text = {.string = ""};
  if (n && !piece(c, s + begin, n, &text))
    return false;
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  out[1].real = n ? strtod_l(text.string, NULL, plain) : 0;
  freelocale(plain);
  return true;
}

/* An absolute path; of what does not exist, below the current directory. */
TEXT_FUNCTION(full_path_name) {
  const char *name = in[0].string;
  char path[PATH_MAX], whole[2 * PATH_MAX], *real = realpath(name, path);
  size_t n = strlen(name);
  const char *slash = n && name[n - 1] == '/' ? "/" : "";
  if (real)
    snprintf(whole, sizeof whole, "%s%s", real, strcmp(real, "/") ? slash : "");
  else if (*name == '/')
    return piece(c, name, n, out);
  else if (n < PATH_MAX && getcwd(path, sizeof path))
    snprintf(whole, sizeof whole, "%s/%s", path, name);
  else
    return c->fail(c->user, "the current directory is not known");
  return piece(c, whole, strlen(whole), out);
}

TEXT_FUNCTION(model_error) {
  (void)out;
  return c->fail(c->user, in[0].string);
}

/* ---- the table ---- */

NativeText *native_text(const char *name, const char **signature) {
  static const struct {
    const char *name, *signature;
    NativeText *call;
  } table[] = {
#define NATIVE_TEXT(name, signature, function, purity) {#name, signature, function},
#include "expr/natives.def"
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    if (!strcmp(table[k].name, name)) {
      *signature = table[k].signature;
      return table[k].call;
    }
  return NULL;
}
