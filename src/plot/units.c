/* plot/units.c -- changes between units, and what --unit asks for. */
#include "plot/units.h"

#include <ctype.h>
#include <string.h>

#include "flat/unit.h"

bool units_agree(const char *a, const char *b) {
  Unit x, y;
  if (strcmp(a, b) == 0)
    return true;
  return unit_parse(a, &x) && unit_parse(b, &y) && unit_same_dimension(&x, &y);
}

UnitChange units_change(const char *from, const char *to) {
  Unit x, y;
  UnitChange none = {1, 0};
  if (!*from || !*to || strcmp(from, to) == 0 || !unit_parse(from, &x) || !unit_parse(to, &y))
    return none;
  /* value*x.scale + x.offset = shown*y.scale + y.offset */
  return (UnitChange){x.scale / y.scale, (x.offset - y.offset) / y.scale};
}

/* ---- wishes ---- */

/* Matches * and ?; nothing else is special. */
bool units_matches(const char *pattern, const char *name) {
  for (; *pattern; pattern++, name++) {
    if (*pattern == '*') {
      while (*pattern == '*')
        pattern++;
      do {
        if (units_matches(pattern, name))
          return true;
      } while (*name++);
      return false;
    }
    if (!*name || (*pattern != '?' && *pattern != *name))
      return false;
  }
  return !*name;
}

static bool wish_of(const char *word, const char *name, char pattern[256], const char **unit) {
  const char *equal = strrchr(word, '=');
  size_t n = equal ? (size_t)(equal - word) : 0;
  *unit = equal ? equal + 1 : word;
  if (!equal)
    return true; /* all of this dimension */
  memcpy(pattern, word, n < 255 ? n : 255);
  pattern[n < 255 ? n : 255] = 0;
  return units_matches(pattern, name);
}

bool units_wished(const UnitWishes *w, const char *name, const char *unit, const char **wish,
                  Diags *diags) {
  *wish = NULL;
  for (size_t k = 0; k < w->n; k++) {
    char pattern[256];
    const char *asked;
    Unit read;
    bool all = !strchr(w->words[k], '=');
    if (!wish_of(w->words[k], name, pattern, &asked) ||
        (all && (!*unit || !units_agree(unit, asked))))
      continue;
    w->used[k] = true;
    if (!unit_parse(asked, &read)) {
      Diag *d = diag_add(diags, D_G003, (Span){0, 0}, "`%s` in `--unit %s` is no unit", asked,
                         w->words[k]);
      diag_help(diags, d, "units are written as in a model: km/h, deg, rpm, bar, degC, mm2, N.m");
      return false;
    }
    if (*unit && !units_agree(unit, asked)) {
      diag_add(diags, D_G003, (Span){0, 0}, "`%s` is in %s and cannot be shown in %s", name, unit,
               asked);
      return false;
    }
    if (!*unit) {
      diag_add(diags, D_G003, (Span){0, 0}, "`%s` has no unit that could be changed to %s", name,
               asked);
      return false;
    }
    *wish = asked;
  }
  return true;
}

bool chart_units_used(const PlotInput *in, Diags *diags) {
  const NuFigureOptions *o = in->o;
  bool good = true;
  for (size_t k = 0; k < o->n_units; k++)
    if (!in->used[k]) {
      diag_add(diags, D_G003, (Span){0, 0}, "`--unit %s` fits nothing that is drawn", o->units[k]);
      good = false;
    }
  return good;
}

/* ---- letters ---- */

const char *units_pretty(const char *unit, Arena *a) {
  Text out = {.arena = a};
  for (const char *at = unit; *at; at++) {
    bool power = at > unit && (isalpha((unsigned char)at[-1]) || at[-1] == ')') &&
                 (isdigit((unsigned char)*at) || (*at == '-' && isdigit((unsigned char)at[1])));
    if (power) {
      int sign = *at == '-' ? -1 : 1, n = 0;
      for (at += *at == '-'; isdigit((unsigned char)*at) && n < 1000; at++)
        n = 10 * n + (*at - '0');
      text_raised(&out, sign * n);
      at--;
    } else if (*at == '.') {
      text_add(&out, "\xC2\xB7");
    } else if (strncmp(at, "deg", 3) == 0 && (at == unit || !isalpha((unsigned char)at[-1])) &&
               (at[3] == 'C' || at[3] == 'F' || !isalpha((unsigned char)at[3]))) {
      text_add(&out, "\xC2\xB0");
      at += 2;
    } else if (*at == 'u' && isalpha((unsigned char)at[1]) &&
               (at == unit || !isalpha((unsigned char)at[-1]))) {
      text_add(&out, "\xC2\xB5");
    } else if (strncmp(at, "Ohm", 3) == 0) {
      text_add(&out, "\xCE\xA9");
      at += 2;
    } else {
      text_char(&out, *at);
    }
  }
  return text_str(&out);
}
