/* tests/unit/test_column.c -- columns come back bit for bit, smooth ones in few bytes; damaged
 * bytes are refused or give other numbers, never more than that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "result/column.h"

typedef struct {
  Memory mem;
  Arena *a;
  ColumnCoder *c;
} Fixture;

static Fixture *begin(Fixture *f) {
  *f = (Fixture){0};
  f->a = arena_new(&f->mem);
  f->c = column_coder_new(f->a);
  assert_non_null(f->c);
  return f;
}

static void end(Fixture *f) {
  column_coder_free(f->c);
  mem_drop_since(&f->mem, NULL);
}

/* Bytes per value. */
static double there_and_back(Fixture *f, const uint64_t *values, uint32_t n) {
  Text out = {.arena = f->a};
  column_encode(f->c, values, n, &out);
  uint64_t *back = NEW_ARRAY(f->a, uint64_t, n + 1);
  const unsigned char *at = (const unsigned char *)out.at, *stop = at + out.n;
  assert_true(column_decode(f->c, &at, stop, back, n));
  assert_ptr_equal(at, stop);
  assert_memory_equal(back, values, n * sizeof *values);
  return n ? (double)out.n / n : 0;
}

static uint64_t random_word(uint64_t *seed) {
  *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
  return *seed;
}

static void reals_keep_their_order_and_their_bits(void **state) {
  (void)state;
  const double v[] = {-INFINITY, -1e300, -1, -5e-324, -0.0, 0.0, 5e-324, 1, 1e300, INFINITY};
  for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
    double back = column_to_real(column_of_real(v[k]));
    assert_memory_equal(&back, &v[k], sizeof back);
    assert_true(k == 0 || (int64_t)column_of_real(v[k - 1]) < (int64_t)column_of_real(v[k]));
  }
  const uint64_t nan_bits = 0x7ff8dead0000beefu;
  double nan_value, back;
  memcpy(&nan_value, &nan_bits, 8);
  back = column_to_real(column_of_real(nan_value));
  assert_memory_equal(&back, &nan_value, 8);
}

static void every_length_and_kind(void **state) {
  (void)state;
  Fixture f;
  begin(&f);
  uint64_t seed = 88172645463325252u;
  for (uint32_t n = 0; n < 70; n++)
    for (int kind = 0; kind < 5; kind++) {
      uint64_t v[70];
      for (uint32_t k = 0; k < n; k++)
        v[k] = kind == 0   ? random_word(&seed)
               : kind == 1 ? k * k * k
               : kind == 2 ? 7
               : kind == 3 ? k % 3 - 1u
                           : UINT64_MAX - k;
      there_and_back(&f, v, n);
    }
  end(&f);
}

static void smooth_columns_are_small(void **state) {
  (void)state;
  Fixture f;
  begin(&f);
  enum { N = 4096 };
  uint64_t *v = NEW_ARRAY(f.a, uint64_t, N), seed = 1;
  for (uint32_t k = 0; k < N; k++)
    v[k] = column_of_real(sin(6.283 * k / 1000));
  assert_true(there_and_back(&f, v, N) < 5);
  for (uint32_t k = 0; k < N; k++)
    v[k] = column_of_real(3 + 10.0 * k / 1e6);
  assert_true(there_and_back(&f, v, N) < 1);
  for (uint32_t k = 0; k < N; k++)
    v[k] = column_of_real(k < 1000 ? 1.25 : -3.5e7);
  assert_true(there_and_back(&f, v, N) < 0.2);
  for (uint32_t k = 0; k < N; k++)
    v[k] = random_word(&seed);
  assert_true(there_and_back(&f, v, N) < 8.01);
  end(&f);
}

static void packed_bytes(void **state) {
  (void)state;
  Fixture f;
  begin(&f);
  for (size_t n = 0; n < 3000; n += 1 + n / 3) {
    Text in = {.arena = f.a}, out = {.arena = f.a};
    for (size_t k = 0; k < n; k++)
      text_char(&in, (char)(k / 50));
    column_pack(f.c, text_str(&in), n, &out);
    const unsigned char *at = (const unsigned char *)out.at, *stop = at + out.n;
    size_t back = 0;
    const unsigned char *bytes = column_unpack(f.c, &at, stop, 3000, &back);
    assert_non_null(bytes);
    assert_int_equal(back, n);
    assert_memory_equal(bytes, text_str(&in), n);
    at = (const unsigned char *)out.at;
    assert_true(n == 0 || !column_unpack(f.c, &at, stop, n - 1, &back));
  }
  end(&f);
}

static void damage_is_survived(void **state) {
  (void)state;
  Fixture f;
  begin(&f);
  enum { N = 300 };
  uint64_t v[N], back[N], seed = 7;
  for (uint32_t k = 0; k < N; k++)
    v[k] = column_of_real(exp(-0.01 * k) * cos(0.1 * k));
  Text out = {.arena = f.a};
  column_encode(f.c, v, N, &out);
  uint32_t refused = 0;
  for (int trial = 0; trial < 3000; trial++) {
    unsigned char *copy = (unsigned char *)arena_strndup(f.a, out.at, out.n);
    size_t n = trial % 2 ? out.n : random_word(&seed) % out.n;
    copy[random_word(&seed) % out.n] ^= (unsigned char)(1 + random_word(&seed) % 255);
    const unsigned char *at = copy;
    refused += !column_decode(f.c, &at, copy + n, back, N);
    assert_true(at <= copy + n);
  }
  assert_true(refused > 1000);
  end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reals_keep_their_order_and_their_bits),
      cmocka_unit_test(every_length_and_kind), cmocka_unit_test(smooth_columns_are_small),
      cmocka_unit_test(packed_bytes), cmocka_unit_test(damage_is_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
