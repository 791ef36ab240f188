#pragma once
/* tests/unit/descriptor_fixture.h -- linear descriptor systems whose structure and solution are
 * known by construction, and an independent way to their jumps: implicit Euler steps that become
 * ever shorter, in higher precision. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "numeric/numeric.h"

enum { SIZE = 16, ORDERS = 5 };

static uint64_t random_state = 1;
static double uniform(void) { /* -1 .. 1 */
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(random_state >> 11) / 0x1p52 - 1;
}
static int below(int n) { return (int)((uniform() + 1) / 2 * n) % n; }

/* E = S diag(I, N) T, A = S diag(J, I) T, b = S beta(t); beta is a polynomial with these
 * derivatives at t = 0. */
typedef struct {
  int n, n2, index;
  /* Row by row; j: n2 by n2, nil: n1 by n1 */
  double s[SIZE * SIZE], t[SIZE * SIZE], j[SIZE * SIZE], nil[SIZE * SIZE];
  double e[SIZE * SIZE], a[SIZE * SIZE], beta[ORDERS][SIZE], b[ORDERS * SIZE];
} System;

static void times(const double *x, const double *y, int n, double *out) { /* n by n, row by row */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      out[i * n + k] = 0;
      for (int l = 0; l < n; l++)
        out[i * n + k] += x[i * n + l] * y[l * n + k];
    }
}

/* Products of reflections and factors between 1/spread and spread. */
static void random_regular(double *m, int n, double spread) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      m[i * n + k] = i == k ? pow(spread, uniform()) : 0;
  for (int side = 0; side < 6; side++) {
    double u[SIZE], square = 0;
    for (int i = 0; i < n; i++)
      u[i] = uniform(), square += u[i] * u[i];
    for (int k = 0; k < n; k++) {
      double sum = 0;
      for (int i = 0; i < n; i++)
        sum += u[i] * (side % 2 ? m[i * n + k] : m[k * n + i]);
      for (int i = 0; i < n; i++)
        *(side % 2 ? &m[i * n + k] : &m[k * n + i]) -= 2 * sum / square * u[i];
    }
  }
}

/* Chains of lengths up to the index, one of exactly that length. */
static int random_chains(System *y, int room) {
  memset(y->nil, 0, sizeof y->nil);
  int lengths[SIZE], chains = 0, n1 = 0;
  for (int length = y->index; length > 0 && n1 + length <= room; length = 1 + below(y->index)) {
    lengths[chains++] = length, n1 += length;
    if (below(3) == 0)
      break;
  }
  for (int c = 0, first = 0; c < chains; first += lengths[c++])
    for (int k = 0; k + 1 < lengths[c]; k++)
      y->nil[(first + k) * n1 + first + k + 1] = 1;
  return n1;
}

static void random_system(System *y, int index, double spread) {
  double middle_e[SIZE * SIZE] = {0}, middle_a[SIZE * SIZE] = {0}, cells[SIZE * SIZE];
  y->index = index;
  y->n2 = below(6);
  int n1 = random_chains(y, SIZE - 6), n = y->n = n1 + y->n2;
  random_regular(y->s, n, spread);
  random_regular(y->t, n, spread);
  for (int i = 0; i < y->n2 * y->n2; i++)
    y->j[i] = uniform();
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      bool dynamic = i < y->n2 && k < y->n2, infinite = i >= y->n2 && k >= y->n2;
      middle_e[i * n + k] = infinite ? y->nil[(i - y->n2) * n1 + k - y->n2] : i == k;
      middle_a[i * n + k] = dynamic ? y->j[i * y->n2 + k] : i == k;
    }
  times(y->s, middle_e, n, cells), times(cells, y->t, n, y->e);
  times(y->s, middle_a, n, cells), times(cells, y->t, n, y->a);
  memset(y->b, 0, sizeof y->b);
  for (int order = 0; order < ORDERS; order++)
    for (int k = 0; k < n; k++) {
      y->beta[order][k] = uniform();
      for (int i = 0; i < n; i++)
        y->b[order * n + i] += y->s[i * n + k] * y->beta[order][k];
    }
}

/* x = T^-1 xi */
static void from_normal(const System *y, const double *xi, double *x) {
  double m[SIZE * SIZE], rows[SIZE];
  int pivot[SIZE], where;
  memcpy(m, y->t, sizeof m);
  memcpy(x, xi, (size_t)y->n * sizeof *x);
  lu_factor(m, pivot, rows, y->n, &where);
  lu_solve(m, pivot, y->n, x);
}

/* out = -N in */
static void minus_nil(const System *y, const double *in, double *out) {
  int n1 = y->n - y->n2;
  for (int i = 0; i < n1; i++) {
    out[i] = 0;
    for (int k = 0; k < n1; k++)
      out[i] -= y->nil[i * n1 + k] * in[k];
  }
}

/* After, rate and areas (ORDERS * n) from the normal form. */
static void known_jump(const System *y, const double *before, double *after, double *rate,
                       double *area) {
  int n = y->n, n2 = y->n2, n1 = n - n2;
  double xi[SIZE] = {0}, plus[SIZE] = {0}, dot[SIZE] = {0}, term[SIZE], next[SIZE],
         pulse[SIZE] = {0};
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      xi[i] += y->t[i * n + k] * before[k];
  for (int i = 0; i < n2; i++) {
    plus[i] = xi[i], dot[i] = -y->beta[0][i];
    for (int k = 0; k < n2; k++)
      dot[i] -= y->j[i * n2 + k] * xi[k];
  }
  for (int order = 0; order < y->index; order++) /* w = -sum (-N)^k beta^(k) */
    for (int ahead = 0; ahead < 2; ahead++) {
      for (int i = 0; i < n1; i++)
        term[i] = order + ahead < ORDERS ? -y->beta[order + ahead][n2 + i] : 0;
      for (int k = 0; k < order; k++) {
        minus_nil(y, term, next);
        memcpy(term, next, sizeof term);
      }
      for (int i = 0; i < n1; i++)
        (ahead ? dot : plus)[n2 + i] += term[i];
    }
  from_normal(y, plus, after);
  from_normal(y, dot, rate);
  for (int i = 0; i < n1; i++)
    pulse[n2 + i] = plus[n2 + i] - xi[n2 + i];
  for (int k = 0; k < ORDERS; k++) {
    minus_nil(y, pulse + n2, next);
    memcpy(pulse + n2, next, (size_t)n1 * sizeof *next);
    from_normal(y, pulse, area + k * n);
  }
}

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Quad;
#else
typedef long double Quad;
#endif

/* a x = b by elimination with column pivoting. */
static void quad_solve(Quad *a, Quad *b, int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++)
      if ((a[i * n + k] < 0 ? -a[i * n + k] : a[i * n + k]) >
          (a[best * n + k] < 0 ? -a[best * n + k] : a[best * n + k]))
        best = i;
    for (int j = 0; j < n; j++) {
      Quad t = a[k * n + j];
      a[k * n + j] = a[best * n + j], a[best * n + j] = t;
    }
    Quad t = b[k];
    b[k] = b[best], b[best] = t;
    for (int i = k + 1; i < n; i++) {
      Quad m = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; j++)
        a[i * n + j] -= m * a[k * n + j];
      b[i] -= m * b[k];
    }
  }
  for (int i = n; i-- > 0;) {
    for (int j = i + 1; j < n; j++)
      b[i] -= a[i * n + j] * b[j];
    b[i] /= a[i * n + i];
  }
}

/* E, A (row by row) and the derivatives of b in higher precision: rounding them would change the
 * index. */
typedef struct {
  int n;
  Quad e[SIZE * SIZE], a[SIZE * SIZE], b[ORDERS * SIZE];
} Exact;

static void exact_system(const System *y, Exact *out) {
  int n = out->n = y->n, n1 = n - y->n2;
  memset(out->b, 0, sizeof out->b);
  for (int i = 0; i < n; i++) {
    Quad left_e[SIZE], left_a[SIZE]; /* row i of S diag(I, N) and of S diag(J, I) */
    for (int k = 0; k < n; k++) {
      left_e[k] = k < y->n2 ? y->s[i * n + k] : 0;
      left_a[k] = k < y->n2 ? 0 : y->s[i * n + k];
      for (int l = 0; l < n1 && k >= y->n2; l++)
        left_e[k] += (Quad)y->s[i * n + y->n2 + l] * y->nil[l * n1 + k - y->n2];
      for (int l = 0; l < y->n2 && k < y->n2; l++)
        left_a[k] += (Quad)y->s[i * n + l] * y->j[l * y->n2 + k];
      for (int order = 0; order < ORDERS; order++)
        out->b[order * n + i] += (Quad)y->s[i * n + k] * y->beta[order][k];
    }
    for (int k = 0; k < n; k++) {
      out->e[i * n + k] = out->a[i * n + k] = 0;
      for (int l = 0; l < n; l++) {
        out->e[i * n + k] += left_e[l] * y->t[l * n + k];
        out->a[i * n + k] += left_a[l] * y->t[l * n + k];
      }
    }
  }
}

/* `steps` implicit Euler steps of length h of E x' + A x + b(t) = 0; area: sum of h x. */
static void euler_jump(const Exact *y, int steps, double h, const double *before, Quad *x,
                       Quad *area) {
  int n = y->n;
  Quad m[SIZE * SIZE], right[SIZE];
  for (int i = 0; i < n; i++)
    x[i] = before[i], area[i] = 0;
  for (int step = 1; step <= steps; step++) {
    for (int i = 0; i < n; i++) {
      Quad power = 1;
      right[i] = 0;
      for (int order = 0; order < ORDERS; order++) {
        right[i] -= y->b[order * n + i] * power;
        power = power * step * h / (order + 1);
      }
      for (int k = 0; k < n; k++) {
        m[i * n + k] = y->e[i * n + k] / h + y->a[i * n + k];
        right[i] += y->e[i * n + k] / h * x[k];
      }
    }
    quad_solve(m, right, n);
    for (int i = 0; i < n; i++)
      x[i] = right[i], area[i] += h * right[i];
  }
}

/* Values and areas after the jump as the limit of `index` steps for h -> 0 (Richardson's
 * extrapolation). */
static void euler_limit(const Exact *y, int index, const double *before, double *after,
                        double *area) {
  enum { LEVELS = 6 };
  Quad x[LEVELS][SIZE], sum[LEVELS][SIZE];
  for (int l = 0; l < LEVELS; l++)
    euler_jump(y, index > 0 ? index : 1, ldexp(1, index - 8 - l), before, x[l], sum[l]);
  for (int order = 1; order < LEVELS; order++)
    for (int l = LEVELS; l-- > order;)
      for (int i = 0; i < y->n; i++) {
        x[l][i] += (x[l][i] - x[l - 1][i]) / ((1 << order) - 1);
        sum[l][i] += (sum[l][i] - sum[l - 1][i]) / ((1 << order) - 1);
      }
  for (int i = 0; i < y->n; i++)
    after[i] = (double)x[LEVELS - 1][i], area[i] = (double)sum[LEVELS - 1][i];
}
