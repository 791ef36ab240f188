/* tests/unit/test_mixed.c -- mixed systems and complementarity problems: random ones with an
 * independent check of each solution, the bridge of four ideal diodes, problems without and with
 * several solutions.
 * With NUSIM_TORTURE in the environment 24,000 random problems are solved, else a tenth of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "numeric/mixed.h"
#include "numeric/numeric.h"

enum { MOST = 20 };

static uint64_t random_state = 11;
static double uniform(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(random_state >> 11) / 0x1p52 - 1;
}

static double normal(void) {
  double sum = 0;
  for (int k = 0; k < 6; k++)
    sum += uniform();
  return sum / sqrt(2);
}

/* ---- w = q + M v with one of w[k], v[k] being 0: switch k on means that v[k] is not ---- */

typedef struct {
  int n;
  double m[MOST * MOST], q[MOST], w[MOST], v[MOST];
  double weight[MOST];
} Lcp;

/* s = v - w; on: s = v. The unknowns are s. */
static int solve_lcp(void *user, const unsigned char *on, MixedTrial *t) {
  Lcp *p = user;
  int n = p->n, pivot[MOST], where;
  double a[MOST * MOST] = {0}, copy[MOST * MOST], b[MOST], rows[MOST], work[4 * MOST], weight[MOST],
                  residual;
  for (int i = 0; i < n; i++) {
    b[i] = -p->q[i], weight[i] = 1;
    for (int j = 0; j < n; j++)
      a[i * n + j] = on[j] ? p->m[i * n + j] : i == j;
  }
  memcpy(copy, a, sizeof copy);
  if (lu_factor(a, pivot, rows, n, &where)) {
    lu_solve(a, pivot, n, b);
  } else {
    t->singular = true;
    double size = 0;
    for (int i = 0; i < n; i++)
      size = fmax(size, fabs(b[i]));
    lsq_solve(copy, b, weight, n, work, pivot, &residual);
    t->contradiction = residual > 1e-9 * size;
  }
  for (int k = 0; k < n; k++) {
    p->v[k] = on[k] ? b[k] : 0, p->w[k] = on[k] ? 0 : -b[k];
    t->s[k] = b[k];
    t->near[k] = fabs(b[k]) < 1e-12;
    t->next[k] = t->near[k] ? on[k] : b[k] > 0;
  }
  return NUM_OK;
}

/* Signs, product and equation of what is in p. */
static double error_of(const Lcp *p, const double *w, const double *v) {
  double worst = 0;
  for (int i = 0; i < p->n; i++) {
    double sum = p->q[i] - w[i], size = fabs(p->q[i]) + fabs(w[i]) + 1;
    for (int j = 0; j < p->n; j++)
      sum += p->m[i * p->n + j] * v[j], size += fabs(p->m[i * p->n + j] * v[j]);
    worst = fmax(worst, fabs(sum) / size);
    worst = fmax(worst, fmax(-w[i], -v[i]));
    worst = fmax(worst, fmin(fabs(w[i]), fabs(v[i])));
  }
  return worst;
}

/* A = G G'/n + 0.1 I, to which a skew matrix of this size is added: M is positive definite, hence a
 * P-matrix. */
static void make_passive(Lcp *p, int n, double skew) {
  double g[MOST * MOST];
  p->n = n;
  for (int k = 0; k < n * n; k++)
    g[k] = normal();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j ? 0.1 : 0;
      for (int k = 0; k < n; k++)
        sum += g[i * n + k] * g[j * n + k] / n;
      p->m[i * n + j] = sum;
    }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double x = skew * normal();
      p->m[i * n + j] += x, p->m[j * n + i] -= x;
    }
    p->q[i] = normal();
  }
}

static void random_values(unsigned char *m, int n) {
  for (int k = 0; k < n; k++)
    m[k] = uniform() > 0;
}

static void test_random(void **state) {
  (void)state;
  static const int sizes[] = {2, 3, 5, 8, 10, 12, 16, 20};
  static const double skews[] = {0, 1, 10};
  int each = getenv("NUSIM_TORTURE") ? 1000 : 100, stages[MIXED_STAGES] = {0};
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  MixedSearch *se = mixed_new(a, MOST);
  uint64_t most = 0;
  for (int c = 0; c < 3; c++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      for (int problem = 0; problem < each; problem++) {
        Lcp p;
        unsigned char m[MOST];
        make_passive(&p, sizes[k], skews[c]);
        random_values(m, p.n);
        MixedProblem mp = {.n = p.n, .user = &p, .solve = solve_lcp, .most = 1u << MOST};
        assert_int_equal(mixed_solve(se, &mp, m), MIXED_OK);
        assert_true(error_of(&p, p.w, p.v) < 1e-9);
        stages[mixed_stage(se)]++;
        most = mixed_solves(se) > most ? mixed_solves(se) : most;
      }
  print_message("# settled by last values %d, fixed point %d, least index %d, Lemke %d, all %d; at "
                "most %llu solves\n",
                stages[0], stages[1], stages[2], stages[3], stages[4], (unsigned long long)most);
  assert_int_equal(stages[MIXED_ALL], 0);
  arena_free(a);
}

/* ---- Lemke's method alone ---- */

static LemkeResult lemke(Lcp *p) {
  static double work[MOST * (2 * MOST + 3)];
  unsigned char basic[MOST];
  int names[MOST];
  LemkeResult r = lemke_solve(p->m, p->q, p->n, 0, p->v, basic, work, names);
  for (int i = 0; i < p->n; i++) {
    p->w[i] = p->q[i];
    for (int j = 0; j < p->n; j++)
      p->w[i] += p->m[i * p->n + j] * p->v[j];
    p->w[i] = basic[i] ? 0 : p->w[i];
  }
  return r;
}

static void test_lemke(void **state) {
  (void)state;
  static const double skews[] = {0, 1, 10};
  for (int k = 0; k < 600; k++) {
    Lcp p;
    make_passive(&p, 1 + k % MOST, skews[k % 3]);
    assert_int_equal(lemke(&p), LEMKE_OK);
    assert_true(error_of(&p, p.w, p.v) < 1e-9);
  }
}

/* Ties everywhere: without the lexical order the path goes in circles. */
static void test_degenerate(void **state) {
  (void)state;
  for (int n = 2; n <= MOST; n++) {
    Lcp p = {.n = n};
    for (int i = 0; i < n; i++) {
      p.q[i] = -1;
      for (int j = 0; j < n; j++)
        p.m[i * n + j] = j > i ? 2 : j == i; /* Murty's triangular matrix */
    }
    assert_int_equal(lemke(&p), LEMKE_OK);
    assert_true(error_of(&p, p.w, p.v) < 1e-9);
    for (int i = 0; i < n; i++)
      p.q[i] = 0;
    assert_int_equal(lemke(&p), LEMKE_OK);
    assert_true(error_of(&p, p.w, p.v) < 1e-9);
  }
}

/* ---- any matrices ---- */

/* Number of combinations that agree with themselves. */
static int count_all(Lcp *p) {
  unsigned char m[MOST], next[MOST];
  bool near[MOST];
  double s[MOST];
  int found = 0;
  for (unsigned set = 0; set < 1u << p->n; set++) {
    MixedTrial t = {.next = next, .near = near, .s = s};
    for (int k = 0; k < p->n; k++)
      m[k] = (set >> k) & 1;
    solve_lcp(p, m, &t);
    found += !t.contradiction && !memcmp(m, next, (size_t)p->n);
  }
  return found;
}

/* Matrices without any property: the search finds a solution whenever there is one, and says so
 * when there is none. */
static void test_any(void **state) {
  (void)state;
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  MixedSearch *se = mixed_new(a, MOST);
  int none = 0, several = 0, measured = 0;
  for (int k = 0; k < 1500; k++) {
    Lcp p = {.n = 1 + k % 7};
    unsigned char m[MOST];
    for (int i = 0; i < p.n * p.n; i++)
      p.m[i] = normal();
    for (int i = 0; i < p.n; i++)
      p.q[i] = normal();
    random_values(m, p.n);
    MixedProblem mp = {.n = p.n, .user = &p, .solve = solve_lcp, .most = 1u << MOST};
    int solutions = count_all(&p);
    MixedEnd end = mixed_solve(se, &mp, m);
    assert_int_equal(end, solutions ? MIXED_OK : MIXED_NONE);
    if (end == MIXED_OK)
      assert_true(error_of(&p, p.w, p.v) < 1e-9);
    none += !solutions, several += solutions > 1,
        measured += end == MIXED_OK && mixed_stage(se) == MIXED_LEMKE;
  }
  assert_true(none > 100 && several > 100 && (measured > 10 || (int)MOST_LEMKE < (int)MOST));
  arena_free(a);
}

/* ---- the bridge: u0 behind R1 = 20 feeds a capacitor at u_C; s[k] is voltage (off) or current
 * (on) of diode k ---- */

typedef struct {
  double u_c, u0, s[4];
  int solves;
  double seen[8][4];
} Bridge;

static int solve_bridge(void *user, const unsigned char *on, MixedTrial *t) {
  Bridge *p = user;
  double r1 = 20, a[16] = {0}, b[4] = {0, -p->u_c, -p->u_c, p->u0}, weight[4] = {1, 1, 1, 1},
         work[16], residual;
  int column[4];
  static const double current[4][4] = {{1, 1, -1, -1}, {0}, {0}, {1, 0, -1, 0}};
  static const double voltage[4][4] = {{0}, {1, 0, 1, 0}, {0, 1, 0, 1}, {0, 0, -1, 1}};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++)
      a[4 * i + k] = on[k] ? current[i][k] * (i == 3 ? r1 : 1) : voltage[i][k];
  t->singular = lsq_solve(a, b, weight, 4, work, column, &residual) < 4;
  t->contradiction = residual > 1e-9 * (fabs(p->u0) + fabs(p->u_c));
  for (int k = 0; k < 4; k++) {
    p->s[k] = t->s[k] = b[k];
    t->near[k] = fabs(b[k]) < 1e-9;
    t->next[k] = t->near[k] ? on[k] : b[k] > 0;
  }
  if (p->solves < 8)
    memcpy(p->seen[p->solves], b, sizeof b);
  p->solves++;
  return NUM_OK;
}

static void assert_near(const double *s, double a, double b, double c, double d) {
  assert_true(fabs(s[0] - a) < 1e-9 && fabs(s[1] - b) < 1e-9 && fabs(s[2] - c) < 1e-9 &&
              fabs(s[3] - d) < 1e-9);
}

static MixedEnd bridge(Bridge *p, unsigned char *m, bool ranked) {
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  MixedProblem mp = {.n = 4, .user = p, .solve = solve_bridge, .most = 16, .rank = ranked};
  MixedEnd end = mixed_solve(mixed_new(a, 4), &mp, m);
  arena_free(a);
  return end;
}

static void test_bridge(void **state) {
  (void)state;
  unsigned char off[4] = {0}, on[4] = {1, 1, 1, 1}, blocked[4] = {1, 0, 0, 1};
  Bridge p = {.u_c = 50, .u0 = 100};
  assert_int_equal(bridge(&p, off, false), MIXED_OK);
  assert_int_equal(p.solves, 2);
  assert_near(p.seen[0], 25, -75, -75, 25);
  assert_near(p.seen[1], 2.5, -50, -50, 2.5);
  p = (Bridge){.u_c = 50, .u0 = 100};
  assert_int_equal(bridge(&p, on, false), MIXED_OK);
  assert_int_equal(p.solves, 2);
  assert_near(p.seen[0], 2.5, -2.5, -2.5, 2.5);
  assert_near(p.seen[1], 2.5, -50, -50, 2.5);
  p = (Bridge){.u_c = 150, .u0 = 100};
  assert_int_equal(bridge(&p, blocked, false), MIXED_OK);
  assert_near(p.s, -25, -125, -125, -25);
}

/* Of the three solutions for (150, 100), the two with one diode on at no current are left for the
 * one with a margin. */
static void test_rank(void **state) {
  (void)state;
  for (int ranked = 0; ranked < 2; ranked++)
    for (int k = 0; k < 4; k += 3) {
      unsigned char m[4] = {k == 0, 0, 0, k == 3};
      Bridge p = {.u_c = 150, .u0 = 100};
      assert_int_equal(bridge(&p, m, ranked), MIXED_OK);
      assert_int_equal(m[k], !ranked);
      if (ranked)
        assert_near(p.s, -25, -125, -125, -25);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),     cmocka_unit_test(test_lemke),
      cmocka_unit_test(test_degenerate), cmocka_unit_test(test_any),
      cmocka_unit_test(test_bridge),     cmocka_unit_test(test_rank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
