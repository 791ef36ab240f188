/* expr/eval_native.c -- external functions that are known here, by table.
 * Constants and parameters of the Modelica Standard Library need these at translation: scanning and comparing strings, and
 * the functions of language "builtin". They behave as the library documents them (Modelica.Utilities.Strings). Everything
 * else, LAPACK and files above all, has no value at translation. */
#include <ctype.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expr/eval_impl.h"

/* ---- the functions; in: arguments that go in, out: arguments that come out and the result, both in order ---- */

#define NATIVE(name) static bool name(Eval *ev, const Scalar *in, Scalar *out)

static const char *piece(Eval *ev, const char *text, size_t n) {
  char *copy = ev_push(ev, &ev->run->temps, n + 1);
  memcpy(copy, text, n);
  copy[n] = 0;
  return copy;
}

NATIVE(length) {
  (void)ev;
  out->integer = (int64_t)strlen(in[0].string);
  return true;
}

NATIVE(substring) {
  int64_t n = (int64_t)strlen(in[0].string), first = in[1].integer, last = in[2].integer;
  if (first < 1)
    first = 1;
  if (last < 0)
    last = first;
  if (last > n)
    last = n;
  out->string = first > n || last < first ? "" : piece(ev, in[0].string + first - 1, (size_t)(last - first + 1));
  return true;
}

NATIVE(compare) {
  (void)ev;
  const char *a = in[0].string, *b = in[1].string;
  int order = in[2].integer ? strcmp(a, b) : strcasecmp(a, b);
  out->integer = order < 0 ? 1 : order > 0 ? 3 : 2; /* Types.Compare: Less, Equal, Greater */
  return true;
}

/* The hash of A. Partow's "AP" function on unsigned characters, as a signed number. */
NATIVE(hash_string) {
  (void)ev;
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
static bool skip_space(Eval *ev, const char *text, int64_t start, size_t *at) {
  if (start < 1 || (uint64_t)start > strlen(text) + 1)
    return ev_fail(ev, "position %lld is outside of a string of length %zu", (long long)start, strlen(text));
  *at = (size_t)start - 1;
  while (isspace((unsigned char)text[*at]))
    ++*at;
  return true;
}

NATIVE(skip_white_space) {
  size_t at;
  if (!skip_space(ev, in[0].string, in[1].integer, &at))
    return false;
  out->integer = (int64_t)at + 1;
  return true;
}

/* nextIndex after a token that ends at `end`; the start index if there was none. */
static void set_next(const Scalar *in, size_t begin, size_t end, Scalar *out) {
  out->integer = end > begin ? (int64_t)end + 1 : in[1].integer;
}

NATIVE(scan_identifier) {
  const char *s = in[0].string;
  size_t begin, end;
  if (!skip_space(ev, s, in[1].integer, &begin))
    return false;
  end = begin;
  if (isalpha((unsigned char)s[end]))
    while (isalnum((unsigned char)s[end]) || s[end] == '_')
      end++;
  set_next(in, begin, end, &out[0]);
  out[1].string = piece(ev, s + begin, end - begin);
  return true;
}

NATIVE(scan_string) {
  const char *s = in[0].string;
  size_t begin, end;
  if (!skip_space(ev, s, in[1].integer, &begin))
    return false;
  size_t close = begin + 1;
  if (s[begin] == '"')
    while (s[close] && (s[close] != '"' || s[close - 1] == '\\'))
      close++;
  /* an empty string counts as none, as in the library */
  end = s[begin] == '"' && s[close] && close > begin + 1 ? close + 1 : begin;
  set_next(in, begin, end, &out[0]);
  out[1].string = end > begin ? piece(ev, s + begin + 1, end - begin - 2) : "";
  return true;
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

NATIVE(scan_integer) {
  const char *s = in[0].string;
  size_t begin, end;
  if (!skip_space(ev, s, in[1].integer, &begin))
    return false;
  end = begin;
  size_t n = read_sign(s, in[2].integer != 0, &end) ? digits(s + end) : 0;
  end += n;
  bool real = s[end] == '.' || s[end] == 'e' || s[end] == 'E';
  if (!n || n > 18 || real)
    end = begin;
  set_next(in, begin, end, &out[0]);
  out[1].integer = end > begin ? strtoll(piece(ev, s + begin, end - begin), NULL, 10) : 0;
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

NATIVE(scan_real) {
  const char *s = in[0].string;
  size_t begin;
  if (!skip_space(ev, s, in[1].integer, &begin))
    return false;
  size_t n = real_length(s + begin, in[2].integer != 0);
  set_next(in, begin, begin + n, &out[0]);
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  out[1].real = n ? strtod_l(piece(ev, s + begin, n), NULL, plain) : 0;
  freelocale(plain);
  return true;
}

/* An absolute path; of what does not exist, below the current directory. */
NATIVE(full_path_name) {
  const char *name = in[0].string;
  char path[PATH_MAX], *real = realpath(name, path);
  size_t n = strlen(name);
  const char *slash = n && name[n - 1] == '/' ? "/" : "";
  if (real)
    out->string = strcmp(real, "/") ? arena_printf(ev->arena, "%s%s", real, slash) : "/";
  else if (*name == '/')
    out->string = name;
  else if (getcwd(path, sizeof path))
    out->string = arena_printf(ev->arena, "%s/%s", path, name);
  else
    return ev_unknown(ev, "the current directory is not known");
  return true;
}

NATIVE(model_error) {
  (void)out;
  return ev_fail(ev, "%s", in[0].string);
}

/* ---- the table ---- */

/* signature: one letter per argument of the C function, s String, i Integer or enumeration, b Boolean, r Real; capitals come
 * out; a letter after '=' is the result. */
typedef struct {
  const char *name, *signature;
  bool (*call)(Eval *ev, const Scalar *in, Scalar *out);
} Native;

static const Native natives[] = {
    {"ModelicaStrings_length", "s=I", length},
    {"ModelicaStrings_substring", "sii=S", substring},
    {"ModelicaStrings_compare", "ssb=I", compare},
    {"ModelicaStrings_hashString", "s=I", hash_string},
    {"ModelicaStrings_skipWhiteSpace", "si=I", skip_white_space},
    {"ModelicaStrings_scanIdentifier", "siIS", scan_identifier},
    {"ModelicaStrings_scanInteger", "sibII", scan_integer},
    {"ModelicaStrings_scanReal", "sibIR", scan_real},
    {"ModelicaStrings_scanString", "siIS", scan_string},
    {"ModelicaInternal_fullPathName", "s=S", full_path_name},
    {"ModelicaError", "s", model_error},
};

enum { MAX_ARGS = 8 };

static bool letter_fits(char letter, TypeBase base) {
  switch (base) {
  case TY_REAL: return letter == 'r';
  case TY_INTEGER: case TY_ENUM: return letter == 'i';
  case TY_BOOLEAN: return letter == 'b';
  case TY_STRING: return letter == 's';
  case TY_NONE: case TY_CLOCK: case TY_RECORD: case TY_EXTERNAL: case TY_FUNCTION: case TY_TUPLE:
    return false;
  }
  return false;
}

/* The arguments of the C call: as written, or all inputs and the one output as result. */
typedef struct {
  ExprId args[MAX_ARGS], result;
  uint32_t n;
} CallForm;

static bool call_form(Eval *ev, const Func *f, CallForm *c) {
  bool written = f->n_external_args || f->external_result.i;
  *c = (CallForm){.n = written ? f->n_external_args : f->n_inputs, .result = f->external_result};
  if (c->n > MAX_ARGS)
    return false;
  for (uint32_t i = 0; i < c->n; i++)
    c->args[i] = written ? f->external_args[i] : expr_local(ev->pool, f->vars[i].type, i);
  if (!written && f->n_outputs == 1)
    c->result = expr_local(ev->pool, f->vars[f->n_inputs].type, f->n_inputs);
  return true;
}

/* Where an argument that comes out goes to: a scalar variable that is not an input. */
static Value *out_place(Eval *ev, const Func *f, ExprId e, Value *locals) {
  const Expr *x = expr_get(ev->pool, e);
  bool fits = x->op == OP_LOCAL && x->index >= f->n_inputs && x->index < f->n_vars && locals[x->index].n == 1;
  return fits ? &locals[x->index] : NULL;
}

static bool misused(Eval *ev, const Func *f) {
  return ev_fail(ev, "external function `%s` is declared with other arguments than it has", f->external);
}

static bool call_native(Eval *ev, const Func *f, const Native *n, const CallForm *c, Value *locals) {
  Scalar in[MAX_ARGS] = {{0}}, out[MAX_ARGS] = {{0}};
  Value *places[MAX_ARGS];
  uint32_t n_in = 0, n_out = 0, k = 0;
  for (const char *s = n->signature; *s; s++) {
    bool result = *s == '=', comes_out;
    s += result;
    ExprId e = result ? c->result : k < c->n ? c->args[k++] : NO_EXPR;
    comes_out = isupper((unsigned char)*s);
    if (!e.i || !letter_fits((char)tolower((unsigned char)*s), ev_base(ev, e)))
      return misused(ev, f);
    if (comes_out && !(places[n_out++] = out_place(ev, f, e, locals)))
      return misused(ev, f);
    if (!comes_out && !ev_scalar(ev, e, &in[n_in++]))
      return false;
  }
  if (k != c->n)
    return misused(ev, f);
  if (!n->call(ev, in, out))
    return false;
  for (uint32_t i = 0; i < n_out; i++)
    places[i]->at[0] = out[i];
  return true;
}

/* external "builtin": the operators of the language under their names. */
static bool call_builtin(Eval *ev, const Func *f, const CallForm *c, Op op, Value *locals) {
  Scalar a[2];
  TypeBase base = c->n ? ev_base(ev, c->args[0]) : TY_NONE;
  Value *to = c->result.i ? out_place(ev, f, c->result, locals) : NULL;
  Kernel kernel = ev_kernel_of(op, base);
  if (!kernel) {
    base = TY_REAL;
    kernel = ev_kernel_of(op, base);
  }
  if (!to || !kernel)
    return misused(ev, f);
  for (uint32_t i = 0; i < c->n; i++)
    if (!ev_scalar_as(ev, c->args[i], base, &a[i]))
      return false;
  return kernel(ev, a, to->at);
}

bool native_call(Eval *ev, const Func *f, Value *locals) {
  CallForm c;
  Op op;
  bool builtin = f->language && !strcmp(f->language, "builtin");
  if (!call_form(ev, f, &c))
    return ev_unknown(ev, "external function `%s` cannot be evaluated at translation", f->external);
  if (builtin && ev_builtin(f->external, c.n, &op))
    return call_builtin(ev, f, &c, op, locals);
  for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
    if (!strcmp(natives[i].name, f->external))
      return call_native(ev, f, &natives[i], &c, locals);
  return ev_unknown(ev, "external function `%s` cannot be evaluated at translation", f->external);
}
