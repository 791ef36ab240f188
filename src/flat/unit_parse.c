/* flat/unit_parse.c -- unit expressions of MLS 3.6 chapter 19: "kg.m2/s3", "J/(kg.K)", "mm2",
 * "degC".
 * A symbol is looked for as it stands, then with a prefix. Accepted beyond the grammar, because
 * libraries have it: parentheses around any factor. Values: BIPM, The International System of Units
 * (SI), 9th edition, tables 2 to 8. */
#include "flat/unit.h"
#include "base/limits.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char *const base_names[UNIT_BASES] = {"kg", "m", "s", "A", "K", "mol", "cd"};

static const struct Symbol {
  const char *name;
  signed char power[UNIT_BASES];
  double scale, offset;
  bool prefixes; /* may carry a prefix */
} symbols[] = {
    /*             kg  m   s   A   K  mol cd */
    {"m", {0, 1, 0, 0, 0, 0, 0}, 1, 0, true},
    {"g", {1, 0, 0, 0, 0, 0, 0}, 1e-3, 0, true},
    {"s", {0, 0, 1, 0, 0, 0, 0}, 1, 0, true},
    {"A", {0, 0, 0, 1, 0, 0, 0}, 1, 0, true},
    {"K", {0, 0, 0, 0, 1, 0, 0}, 1, 0, true},
    {"mol", {0, 0, 0, 0, 0, 1, 0}, 1, 0, true},
    {"cd", {0, 0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"N", {1, 1, -2, 0, 0, 0, 0}, 1, 0, true},
    {"Pa", {1, -1, -2, 0, 0, 0, 0}, 1, 0, true},
    {"J", {1, 2, -2, 0, 0, 0, 0}, 1, 0, true},
    {"W", {1, 2, -3, 0, 0, 0, 0}, 1, 0, true},
    {"C", {0, 0, 1, 1, 0, 0, 0}, 1, 0, true},
    {"V", {1, 2, -3, -1, 0, 0, 0}, 1, 0, true},
    {"F", {-1, -2, 4, 2, 0, 0, 0}, 1, 0, true},
    {"Ohm", {1, 2, -3, -2, 0, 0, 0}, 1, 0, true},
    {"S", {-1, -2, 3, 2, 0, 0, 0}, 1, 0, true},
    {"Wb", {1, 2, -2, -1, 0, 0, 0}, 1, 0, true},
    {"T", {1, 0, -2, -1, 0, 0, 0}, 1, 0, true},
    {"H", {1, 2, -2, -2, 0, 0, 0}, 1, 0, true},
    {"Hz", {0, 0, -1, 0, 0, 0, 0}, 1, 0, true},
    {"Bq", {0, 0, -1, 0, 0, 0, 0}, 1, 0, true},
    {"Gy", {0, 2, -2, 0, 0, 0, 0}, 1, 0, true},
    {"Sv", {0, 2, -2, 0, 0, 0, 0}, 1, 0, true},
    {"kat", {0, 0, -1, 0, 0, 1, 0}, 1, 0, true},
    {"lm", {0, 0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"lx", {0, -2, 0, 0, 0, 0, 1}, 1, 0, true},
    {"rad", {0, 0, 0, 0, 0, 0, 0}, 1, 0, true},
    {"sr", {0, 0, 0, 0, 0, 0, 0}, 1, 0, true},
    {"deg", {0, 0, 0, 0, 0, 0, 0}, 0.017453292519943295, 0, false},
    {"rev", {0, 0, 0, 0, 0, 0, 0}, 6.283185307179586, 0, false},
    {"rpm", {0, 0, -1, 0, 0, 0, 0}, 0.10471975511965977, 0, false},
    {"degC", {0, 0, 0, 0, 1, 0, 0}, 1, 273.15, false},
    {"degF", {0, 0, 0, 0, 1, 0, 0}, 5.0 / 9.0, 459.67 * 5.0 / 9.0, false},
    {"degRk", {0, 0, 0, 0, 1, 0, 0}, 5.0 / 9.0, 0, false},
    {"min", {0, 0, 1, 0, 0, 0, 0}, 60, 0, false},
    {"h", {0, 0, 1, 0, 0, 0, 0}, 3600, 0, false},
    {"d", {0, 0, 1, 0, 0, 0, 0}, 86400, 0, false},
    {"l", {0, 3, 0, 0, 0, 0, 0}, 1e-3, 0, true},
    {"L", {0, 3, 0, 0, 0, 0, 0}, 1e-3, 0, true},
    {"t", {1, 0, 0, 0, 0, 0, 0}, 1e3, 0, true},
    {"bar", {1, -1, -2, 0, 0, 0, 0}, 1e5, 0, true},
    {"atm", {1, -1, -2, 0, 0, 0, 0}, 101325, 0, false},
    {"eV", {1, 2, -2, 0, 0, 0, 0}, 1.602176634e-19, 0, true},
    {"u", {1, 0, 0, 0, 0, 0, 0}, 1.66053906660e-27, 0, false},
    {"cal", {1, 2, -2, 0, 0, 0, 0}, 4.184, 0, true},
    {"var", {1, 2, -3, 0, 0, 0, 0}, 1, 0, true},
    {"VA", {1, 2, -3, 0, 0, 0, 0}, 1, 0, true},
    {"ha", {0, 2, 0, 0, 0, 0, 0}, 1e4, 0, false},
    {"debye", {0, 1, 1, 1, 0, 0, 0}, 3.33564095198152e-30, 0, false},
    {"dB", {0, 0, 0, 0, 0, 0, 0}, 1, 0, false},
    {"Np", {0, 0, 0, 0, 0, 0, 0}, 1, 0, false},
    {"sone", {0, 0, 0, 0, 0, 0, 0}, 1, 0, false},
    {"phon", {0, 0, 0, 0, 0, 0, 0}, 1, 0, false},
    {"%", {0, 0, 0, 0, 0, 0, 0}, 0.01, 0, false},
};

static const struct {
  const char *name;
  double scale;
} prefixes[] = {{"da", 1e1},  {"Y", 1e24},  {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},
                {"T", 1e12},  {"G", 1e9},   {"M", 1e6},   {"k", 1e3},   {"h", 1e2},
                {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},  {"n", 1e-9},
                {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24}};

enum { N_PRINTED = 19 }; /* m ... H: the first symbols name the units that unit_print finds */

/* ---- computing ---- */

Unit unit_one(void) { return (Unit){.scale = 1}; }

Unit unit_product(const Unit *a, const Unit *b, int sign) {
  Unit u = {.scale = sign < 0 ? a->scale / b->scale : a->scale * b->scale};
  for (int i = 0; i < UNIT_BASES; i++)
    u.power[i] = a->power[i] + sign * b->power[i];
  return u;
}

bool unit_power(const Unit *u, int numerator, int denominator, Unit *out) {
  *out = (Unit){.scale = pow(u->scale, (double)numerator / denominator)};
  if (numerator == 1 && denominator == 1)
    out->offset = u->offset;
  for (int i = 0; i < UNIT_BASES; i++) {
    int p = u->power[i] * numerator;
    if (p % denominator || p / denominator > MOST_UNIT_EXPONENT * UNIT_POWER ||
        p / denominator < -MOST_UNIT_EXPONENT * UNIT_POWER)
      return false;
    out->power[i] = p / denominator;
  }
  return true;
}

bool unit_same_dimension(const Unit *a, const Unit *b) {
  return memcmp(a->power, b->power, sizeof a->power) == 0;
}

bool unit_same_scale(const Unit *a, const Unit *b) {
  /* relative: scales are products of a few rounded constants */
  static const double rounding = 1e-9;
  return fabs(a->scale - b->scale) <= rounding * fabs(b->scale) &&
         fabs(a->offset - b->offset) <= rounding * (1 + fabs(b->offset));
}

/* ---- reading ---- */

typedef struct {
  const char *at;
  int depth;
} Cursor;

static const struct Symbol *find_symbol(const char *name, size_t n) {
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (strlen(symbols[i].name) == n && memcmp(symbols[i].name, name, n) == 0)
      return &symbols[i];
  return NULL;
}

static Unit unit_of(const struct Symbol *s, double prefix) {
  Unit u = {.scale = s->scale * prefix, .offset = s->offset};
  for (int i = 0; i < UNIT_BASES; i++)
    u.power[i] = s->power[i] * UNIT_POWER;
  return u;
}

/* unit-operand : unit-symbol | unit-prefix unit-symbol */
static bool operand(Cursor *c, Unit *out) {
  size_t n = 0;
  while (isalpha((unsigned char)c->at[n]) || c->at[n] == '_' || c->at[n] == '%')
    n++;
  const struct Symbol *s = find_symbol(c->at, n);
  if (s)
    *out = unit_of(s, 1);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && !s; i++) {
    size_t k = strlen(prefixes[i].name);
    if (n <= k || memcmp(c->at, prefixes[i].name, k) != 0)
      continue;
    const struct Symbol *rest = find_symbol(c->at + k, n - k);
    if (!rest || !rest->prefixes)
      continue;
    s = rest;
    *out = unit_of(s, prefixes[i].scale);
  }
  c->at += n;
  return s != NULL;
}

static bool expression(Cursor *c, Unit *out);

/* unit-factor : unit-operand [ unit-exponent ] | "(" unit-expression ")"     unit-exponent : [ "+"
 * | "-" ] digits */
static bool factor(Cursor *c, Unit *out) {
  if (*c->at == '(') {
    if (++c->depth > MOST_UNIT_DEPTH)
      return false;
    c->at++;
    if (!expression(c, out) || *c->at != ')')
      return false;
    c->at++;
    c->depth--;
    return true;
  }
  Unit u;
  if (!operand(c, &u))
    return false;
  int sign = *c->at == '-' ? -1 : 1, value = 0;
  bool has_sign = *c->at == '-' || *c->at == '+';
  c->at += has_sign;
  if (!isdigit((unsigned char)*c->at)) {
    *out = u;
    return !has_sign;
  }
  for (; isdigit((unsigned char)*c->at); c->at++)
    if ((value = 10 * value + (*c->at - '0')) > MOST_UNIT_EXPONENT)
      return false;
  return unit_power(&u, sign * value, 1, out);
}

/* unit-expression : ( "1" | unit-factor { "." unit-factor } ) [ "/" unit-factor ] */
static bool expression(Cursor *c, Unit *out) {
  Unit next;
  if (*c->at == '1') {
    c->at++;
    *out = unit_one();
  } else {
    if (!factor(c, out))
      return false;
    while (*c->at == '.') {
      c->at++;
      if (!factor(c, &next))
        return false;
      *out = unit_product(out, &next, 1);
    }
  }
  if (*c->at != '/')
    return true;
  c->at++;
  if (!factor(c, &next))
    return false;
  *out = unit_product(out, &next, -1);
  return true;
}

bool unit_parse(const char *text, Unit *out) {
  Cursor c = {text, 0};
  return expression(&c, out) && *c.at == '\0';
}

/* ---- printing ---- */

static void print_power(Text *out, int i, int power) {
  int a = power, b = UNIT_POWER;
  for (int r; (r = a % b) != 0; a = b, b = r)
    ; /* Euclid: b becomes the common divisor */
  text_add(out, base_names[i]);
  if (power % UNIT_POWER)
    text_printf(out, "^(%d/%d)", power / b, UNIT_POWER / b);
  else if (power != UNIT_POWER)
    text_printf(out, "%d", power / UNIT_POWER);
}

static void print_bases(const Unit *u, Text *out) {
  int above = 0, below = 0, written = 0;
  for (int i = 0; i < UNIT_BASES; i++) {
    above += u->power[i] > 0;
    below += u->power[i] < 0;
  }
  for (int i = 0; i < UNIT_BASES; i++)
    if (u->power[i] > 0) {
      text_add(out, written++ ? "." : "");
      print_power(out, i, u->power[i]);
    }
  if (!above)
    text_char(out, '1');
  if (!below)
    return;
  text_add(out, below > 1 ? "/(" : "/");
  written = 0;
  for (int i = 0; i < UNIT_BASES; i++)
    if (u->power[i] < 0) {
      text_add(out, written++ ? "." : "");
      print_power(out, i, -u->power[i]);
    }
  text_add(out, below > 1 ? ")" : "");
}

void unit_print(const Unit *u, Text *out) {
  for (size_t i = 0; i < N_PRINTED; i++) {
    Unit named = unit_of(&symbols[i], 1);
    if (unit_same_dimension(&named, u) && unit_same_scale(&named, u)) {
      text_add(out, symbols[i].name);
      return;
    }
  }
  static const double rounding = 1e-9; /* as in unit_same_scale */
  if (fabs(u->scale - 1) > rounding) {
    text_real(out, u->scale);
    text_char(out, ' ');
  }
  print_bases(u, out);
}
