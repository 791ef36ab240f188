/* tests/unit/test_pattern.c -- which derivatives depend on which states, through the sorted blocks;
 * and what the pattern leaves out really is 0: compared with differences of the compiled model. */
#include "base/limits.h"
#include "emit/emit.h"
#include "load/load.h"
#include "run/core.h" /* before cmocka, whose macro `fail` would hide a member */
#include "run/initial.h"
#include "run/steps.h"
#include "structure/pattern.h"
#include "structure/structure.h"

#include "flat_fixture.h"

static SPattern pattern_of(FlatFix *f, const char *text, Structure **structure) {
  read_model(f, text);
  Structure *s = structure_build(f->m, f->arena, f->diags);
  assert_non_null(s);
  SPattern p;
  if (MOST_PATTERN_ENTRIES < 100)
    skip(); /* hostile: all patterns are full */
  assert_true(structure_pattern(s, f->arena, &p));
  assert_int_equal(p.n, s->states.n);
  if (structure)
    *structure = s;
  return p;
}

/* "ab c": state 0 acts on the derivatives a and b of states 0 and 1 ...; columns by blanks, rows by
 * letters. */
static void expect(const SPattern *p, const char *columns) {
  char found[200] = "";
  for (uint32_t j = 0; j < p->n; j++) {
    size_t n = strlen(found);
    if (j)
      found[n++] = ' ';
    for (uint32_t q = p->start[j]; q < p->start[j + 1]; q++)
      found[n++] = (char)('a' + p->rows[q]);
    found[n] = 0;
  }
  assert_string_equal(found, columns);
}

static void test_direct(void **state) {
  (void)state;
  FlatFix *f = flat_fix_new();
  SPattern p = pattern_of(f, "Real x\nReal y\nReal z\nder(x) = y\nder(y) = -x - z\nder(z) = -z\n",
                          NULL);
  expect(&p, "ac c b"); /* z acts on the island of x and y and comes first */
  assert_true(p.autonomous);
  flat_fix_free(f);
}

/* Through assignments, an alias and a system of two equations. */
static void test_through_blocks(void **state) {
  (void)state;
  FlatFix *f = flat_fix_new();
  SPattern p = pattern_of(f,
                          "Real x\nReal y\nReal z\nReal w\nReal a\nReal b\nReal c\nReal d\nder(x) "
                          "= a\na = 2*y\nb + c = z\nb - c*c*c = x\n"
                          "der(y) = d\nd = c\nder(z) = -z + time\nder(w) = 1\n",
                          NULL);
  expect(&p, "ac c b "); /* z, x, y, w */
  assert_false(p.autonomous);
  flat_fix_free(f);
}

/* Relations and discrete variables are held between events. */
static void test_discrete(void **state) {
  (void)state;
  FlatFix *f = flat_fix_new();
  SPattern p = pattern_of(f,
                          "Real x\nReal y\ndiscrete Real u\nder(x) = u - y\nif x > 0.5\nder(y) = "
                          "-y\nelse\nder(y) = 1\nend\nwhen x > 0.2\nu = x + time\nend\n",
                          NULL);
  expect(&p, " ab");
  assert_true(p.autonomous);
  flat_fix_free(f);
}

/* A compiled model, moved state by state. */
static void test_differences(void **state) {
  (void)state;
  FlatFix *f = flat_fix_new();
  Structure *s;
  SPattern p = pattern_of(f,
                          "Real x\nReal y\nReal z\nReal w\nReal a\nReal b\nReal c\nder(x) = a + "
                          "w\na = 2*y\nb + c = z\nb - 3*c = x\nder(y) = c*y\nder(z) = -z\n"
                          "der(w) = b*b - w\n",
                          &s);
  Text text = {.arena = f->arena};
  assert_true(emit_c(f->m, s, f->diags, &text));
  Program *program = load_program(text_str(&text), CODE_TCC, f->diags);
  assert_non_null(program);
  const DsModel *m = program->model;
  assert_int_equal(m->nx, p.n);
  for (uint32_t j = 0; j <= p.n; j++)
    assert_int_equal(m->jacobian_start[j], p.start[j]);
  assert_true(m->autonomous);
  RunOptions o = run_defaults();
  Run *run = run_new(program, &o, f->arena, f->diags);
  assert_non_null(run);
  assert_int_equal(run_initialise(run), RUN_OK);
  double x[4] = {0.3, 0.7, -0.4, 1.1}, dx[4], moved[4];
  assert_int_equal(run_at(run->parts, 0, x), NUM_OK);
  memcpy(dx, run->d.r + 4, sizeof dx);
  for (uint32_t j = 0; j < 4; j++) {
    memcpy(moved, x, sizeof x);
    moved[j] += 0.01;
    assert_int_equal(run_at(run->parts, 0, moved), NUM_OK);
    for (uint32_t i = 0; i < 4; i++) {
      bool listed = false;
      for (uint32_t q = p.start[j]; q < p.start[j + 1]; q++)
        listed = listed || p.rows[q] == i;
      assert_true(listed == (run->d.r[4 + i] != dx[i]));
    }
  }
  run_free(run);
  program_free(program);
  flat_fix_free(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_direct), cmocka_unit_test(test_through_blocks),
      cmocka_unit_test(test_discrete), cmocka_unit_test(test_differences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
