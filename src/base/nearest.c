/* base/nearest.c -- which known name was meant by an unknown one.
 * How:  edit distance with swaps of neighbours (Damerau, CACM 7(3), 1964, in the restricted form),
 *       counted in half edits: a letter in the wrong case costs one half, and a name that differs
 *       in case only costs one half in all.
 * Keep: equal distances stay in the order of the candidates. */
#include "base/diag.h"
#include "base/limits.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { EDIT = 2, CASE = 1 };

static int least(int a, int b) { return a < b ? a : b; }

static int lower(char c) { return tolower((unsigned char)c); }

static int substitution(char a, char b) { return a == b ? 0 : lower(a) == lower(b) ? CASE : EDIT; }

/* Half edits between a[0..n) and b[0..m), both at most MOST_NEAR_LENGTH; the three newest rows of
 * the table are kept. */
static int distance(const char *a, size_t n, const char *b, size_t m) {
  int rows[3][MOST_NEAR_LENGTH + 1];
  int *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= m; j++)
    last[j] = (int)j * EDIT;
  for (size_t i = 1; i <= n; i++) {
    row[0] = (int)i * EDIT;
    for (size_t j = 1; j <= m; j++) {
      row[j] = least(least(last[j], row[j - 1]) + EDIT,
                     last[j - 1] + substitution(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = least(row[j], before[j - 2] + EDIT);
    }
    int *old = before;
    before = last;
    last = row;
    row = old;
  }
  return last[m];
}

uint32_t nearest_names(const char *name, const char *const *candidates, uint32_t n,
                       const char **best, uint32_t most) {
  int scores[MOST_NEAR_NAMES];
  uint32_t found = 0;
  size_t length = strlen(name);
  int limit = length < 2 ? CASE : (int)least((int)length, MOST_NEAR_LENGTH) * EDIT / 3;
  if (most > MOST_NEAR_NAMES)
    most = MOST_NEAR_NAMES;
  for (uint32_t i = 0; i < n && most; i++) {
    const char *candidate = candidates[i];
    size_t m = strlen(candidate);
    size_t apart = m > length ? m - length : length - m;
    int score = limit + 1;
    if (strcasecmp(name, candidate) == 0)
      score = CASE;
    else if (length <= MOST_NEAR_LENGTH && m <= MOST_NEAR_LENGTH && apart * EDIT <= (size_t)limit)
      score = distance(name, length, candidate, m);
    bool listed = score > limit;
    for (uint32_t k = 0; k < found && !listed; k++)
      listed = strcmp(best[k], candidate) == 0;
    if (listed)
      continue;
    /* Insert behind all that are at least as near; the worst falls off. */
    uint32_t at = found;
    while (at > 0 && scores[at - 1] > score)
      at--;
    if (at == most)
      continue;
    if (found < most)
      found++;
    for (uint32_t k = found - 1; k > at; k--) {
      scores[k] = scores[k - 1];
      best[k] = best[k - 1];
    }
    scores[at] = score;
    best[at] = candidate;
  }
  return found;
}
