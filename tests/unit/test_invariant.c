/* tests/unit/test_invariant.c -- the checks of run/invariant.c can fail: models whose functions do
 * what no model may do end with K003 in the hostile build, and run as they are without it. Each
 * model is one that NuSim has translated, with one function replaced. */
#include "api/api_impl.h"
#include "run/core.h" /* before cmocka, whose macro `fail` would hide a member */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "model M\n"
                           "  parameter Real k = 2;\n"
                           "  Real x(start = 1, fixed = true), y = 3*x, w;\n"
                           "  Integer n(start = 0, fixed = true);\n"
                           "  discrete Real u(start = 0, fixed = true);\n"
                           "  Boolean above = x > 0.5;\n"
                           "equation\n"
                           "  der(x) = -k*x + u; w = y*y;\n"
                           "  when sample(0.1, 0.2) then n = pre(n) + 1; u = 0.1*x; end when;\n"
                           "end M;\n";

/* ---- functions that do harm ---- */

static const DsModel *honest; /* the model as it was translated */

static int place_of(const char *name) {
  for (int k = 0; k < honest->n_variables; k++)
    if (!strcmp(honest->variables[k].name, name))
      return honest->variables[k].place;
  fail_msg("there is no %s", name);
  return -1;
}

static bool is_late(const DsData *d) { return d->time > 0.55; }

static int counts(DsData *d) {
  d->i[place_of("n")] += is_late(d);
  return honest->derivatives(d);
}

static int moves_discrete(DsData *d) {
  d->r[place_of("u")] += is_late(d) ? 1e-9 : 0;
  return honest->derivatives(d);
}

static int moves_parameter(DsData *d) {
  d->r[place_of("k")] += is_late(d) ? 1e-9 : 0;
  return honest->derivatives(d);
}

static int moves_pre(DsData *d) {
  d->r_pre[place_of("u")] += is_late(d) ? 1e-9 : 0;
  return honest->derivatives(d);
}

static int turns_relation(DsData *d) {
  d->relation[0] ^= is_late(d);
  return honest->derivatives(d);
}

/* What the row shows depends on how often it was asked for. */
static int remembers(DsData *d) {
  int w = place_of("w");
  static double before;
  int status = honest->outputs(d);
  d->r[w] += before;
  before += is_late(d) ? 1e-9 : 0;
  return status;
}

/* What the equations do not give keeps its old value. */
static int leaves_out(DsData *d) {
  int w = place_of("w");
  double before = d->r[w];
  int status = honest->outputs(d);
  if (is_late(d))
    d->r[w] = before;
  return status;
}

/* ---- runs ---- */

typedef struct {
  NuSession *session;
  NuProgram *program;
  Memory mem;
  Arena *arena;
  Diags *diags;
} Fix;

static jmp_buf here;

/* The memory knows its own address. */
static void translate(Fix *f) {
  *f = (Fix){0};
  NuSessionOptions so = nu_session_options();
  NuTarget target = {.code = NU_CODE_TCC};
  assert_int_equal(nu_session_new(&so, &f->session), NU_OK);
  assert_int_equal(nu_load_text(f->session, "M.mo", text, strlen(text)), NU_OK);
  assert_int_equal(nu_compile(f->session, &target, &f->program), NU_OK);
  honest = f->program->own->model;
  f->mem.recover = &here;
  f->arena = arena_new(&f->mem);
  f->diags = diags_new(f->arena, f->session->sources);
}

static void close_fix(Fix *f) {
  mem_drop_since(&f->mem, NULL);
  nu_program_free(f->program);
  nu_session_free(f->session);
}

static bool any_row(void *user, const RunRow *row) {
  (void)user, (void)row;
  return true;
}

/* says: the message of the hostile build contains this; NULL: it has nothing to say. */
static void expect(int (*derivatives)(DsData *), int (*outputs)(DsData *), const char *says) {
  Fix f;
  translate(&f);
  DsModel bad = *honest;
  bad.derivatives = derivatives ? derivatives : bad.derivatives;
  bad.outputs = outputs ? outputs : bad.outputs;
  Program program = {.model = &bad, .code = CODE_TCC};
  RunOptions o = run_defaults();
  o.together = true; /* functions of the whole are called */
  o.stop = 1;
  Run *run = run_new(&program, &o, f.arena, f.diags);
  assert_non_null(run);
  RunStatus status = run_simulate(run, any_row, NULL, NULL);
  assert_int_equal(status, says ? RUN_FAILED : RUN_OK);
  const Diag *d = says ? diags_at(f.diags, diags_count(f.diags) - 1) : NULL;
  if (d && (d->code != D_K003 || !strstr(d->message, says)))
    fail_msg("%s instead of %s", d->message, says);
  run_free(run);
  close_fix(&f);
}

/* Other builds do not look. */
static void only_hostile(void) {
#ifndef NUSIM_HOSTILE
  skip();
#endif
}

static void discrete_values(void **state) {
  (void)state;
  only_hostile();
  expect(NULL, NULL, NULL);
  expect(counts, NULL, "has changed between two events at time 0.5");
  expect(counts, NULL, "`n`");
  expect(moves_discrete, NULL, ": `u`");
  expect(moves_parameter, NULL, ": `k`");
  expect(moves_pre, NULL, "pre `u`");
  expect(turns_relation, NULL, "relation 0");
}

static void rows(void **state) {
  (void)state;
  only_hostile();
  expect(NULL, remembers, "otherwise when it is computed again at time 0.5");
  expect(NULL, remembers, "`w`");
  expect(NULL, leaves_out, "`w`");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(discrete_values), cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
