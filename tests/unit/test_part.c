/* tests/unit/test_part.c -- parts of models: which they are, that what they own and read is
 * complete, that same-instant order holds, and that evaluating part by part gives the bits of the
 * whole; for machine code and for evaluation. Then the same, but for the partition, for all models
 * of tests/sim and examples. */
#include "api/api_impl.h"
#include "run/evaluate.h" /* before cmocka, whose macro `fail` would hide a member */
#include "run/initial.h"
#include "run/part.h"
#include "structure/lowered.h"
#include "structure/name.h"
#include "structure/sorted.h"

#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
  NuSession *session;
  NuProgram *program;
  Memory mem;
  Arena *arena;
  Run *run;
  const Structure *s;
  const DsModel *m;
} Fix;

static jmp_buf here;

/* From a text or, if that is NULL, a file. False: it cannot be run. */
static bool open_model(Fix *f, const char *file, const char *text, NuCode code) {
  *f = (Fix){0};
  NuSessionOptions so = nu_session_options();
  assert_int_equal(nu_session_new(&so, &f->session), NU_OK);
  bool ok = (text ? nu_load_text(f->session, file, text, strlen(text))
                  : nu_load_file(f->session, file)) == NU_OK;
  NuTarget target = {.code = code};
  if (!ok || nu_compile(f->session, &target, &f->program) != NU_OK)
    return false;
  f->s = f->program->structure;
  f->m = f->program->own->model;
  f->mem.recover = &here;
  f->arena = arena_new(&f->mem);
  RunOptions o = run_defaults();
  f->run = run_new(f->program->own, &o, f->arena, diags_new(f->arena, f->session->sources));
  return f->run && run_initialise(f->run) == RUN_OK;
}

static void close_model(Fix *f) {
  run_free(f->run);
  mem_drop_since(&f->mem, NULL);
  nu_program_free(f->program);
  nu_session_free(f->session);
}

/* ---- which parts ---- */

/* "x, y <1 @2; -": states of each part, what it reads between events, what at events. */
static const char *partition(const Fix *f) {
  Text t = {.arena = f->arena};
  for (uint32_t k = 0; k < f->s->parts.n; k++) {
    const SPart *p = &f->s->parts.at[k];
    text_add(&t, k ? "; " : "");
    text_add(&t, p->n_x ? "" : "-");
    for (uint32_t q = 0; q < p->n_x; q++) {
      text_add(&t, q ? "," : "");
      structure_name(f->s, f->s->states.at[p->x + q], &t);
    }
    for (uint32_t q = 0; q < p->n_reads; q++)
      text_printf(&t, "%s%u", q == p->n_moving ? " @" : q ? "," : " <", p->reads[q] + 1);
  }
  return text_str(&t);
}

/* ---- what belongs to them ---- */

#define FOLLOWS(field, count)                                                                      \
  do {                                                                                             \
    assert_int_equal(p->field, next.field);                                                        \
    next.field += p->count;                                                                        \
  } while (0)

/* Each begins where the one before it ends; nothing is left but what belongs to none. */
static void check_ranges(const Fix *f) {
  const DsModel *m = f->m;
  DsPart next = {.r = 2 * m->nx};
  int reads_of_blocks = 0;
  for (int k = 0; k < m->n_parts; k++) {
    const DsPart *p = &m->parts[k];
    FOLLOWS(x, n_x);
    FOLLOWS(r, n_r);
    FOLLOWS(i, n_i);
    FOLLOWS(s, n_s);
    FOLLOWS(relation, n_relations);
    FOLLOWS(sample, n_samples);
    FOLLOWS(discrete, n_discrete);
    for (int q = 0; q < p->n_discrete; q++) {
      int place = m->discrete_reals[p->discrete + q];
      assert_true(place >= p->r && place < p->r + p->n_r);
    }
    for (int q = 0; q < p->n_blocks; q++, reads_of_blocks++)
      assert_int_equal(p->blocks[q], reads_of_blocks);
    for (int q = 0; q < p->n_reads; q++) {
      assert_true(p->reads[q] >= 0 && p->reads[q] < m->n_parts && p->reads[q] != k);
      assert_true(q == 0 || q == p->n_moving || p->reads[q - 1] < p->reads[q]);
    }
  }
  assert_int_equal(next.x, m->nx);
  assert_int_equal(next.relation, m->n_relations);
  assert_int_equal(next.sample, m->n_samples);
  assert_int_equal(next.discrete, m->n_discrete_reals);
}

/* ---- what they read ---- */

typedef struct {
  const Fix *f;
  uint32_t *owner;  /* per SVar: part of the block that determines it; NO_PART */
  bool *determined; /* per SVar: by some block */
  uint32_t part;
  bool instant;
} Reading;

static bool reads(const SPart *p, uint32_t other) {
  for (uint32_t k = 0; k < p->n_reads; k++)
    if (p->reads[k] == other)
      return true;
  return false;
}

static void check_var(void *user, ExprId e) {
  Reading *rd = user;
  const Structure *s = rd->f->s;
  uint32_t var;
  if (!lowered_var(s->model->pool, e, &var))
    return;
  const SVar *v = &s->vars.at[var];
  uint32_t base = v->kind == SV_PRE ? v->of : var, owner = rd->owner[base];
  if (v->kind == SV_SAMPLE) {
    for (owner = 0;
         owner < s->parts.n && v->of >= s->parts.at[owner].sample + s->parts.at[owner].n_samples;
         owner++)
      ;
  } else if (!rd->determined[base])
    return;
  if (owner == NO_PART || owner >= s->parts.n)
    fail_msg("part %u reads what belongs to none", rd->part);
  if (owner != rd->part && !reads(&s->parts.at[rd->part], owner))
    fail_msg("part %u reads part %u, which is not in its list", rd->part, owner);
  if (rd->instant && v->kind != SV_PRE && !v->state && owner > rd->part)
    fail_msg("part %u needs part %u in the same instant", rd->part, owner);
}

static void check_expr(Reading *rd, ExprId e, bool instant) {
  rd->instant = instant;
  if (e.i)
    expr_walk(rd->f->s->model->pool, e, check_var, rd);
}

static void check_block(Reading *rd, const SBlock *b) {
  const Structure *s = rd->f->s;
  const SRow *row = &s->simulation.rows.at[b->rows[0]];
  check_expr(rd, b->value, true);
  for (uint32_t k = 0; k < b->n && b->parts; k++) {
    check_expr(rd, b->parts[k], true);
    for (uint32_t q = 0; b->partials && q < b->partials[k].n; q++)
      check_expr(rd, b->partials[k].at[q].d, true);
  }
  if (b->kind == BLOCK_RELATION) {
    const SRelation *r = &s->relations.at[row->number];
    const SPart *p = &s->parts.at[rd->part];
    assert_true(row->number >= p->relation && row->number < p->relation + p->n_relations);
    check_expr(rd, r->timed ? r->instant : r->a, true);
    check_expr(rd, r->timed ? r->instant : r->b, true);
    check_expr(rd, r->guard, false);
  }
  if (b->kind == BLOCK_ALGORITHM) {
    rd->instant = true;
    stmts_vars(s->model->pool, s->algorithms.at[row->number].body,
               s->algorithms.at[row->number].n_body, check_var, rd);
  }
}

static void check_reads(const Fix *f) {
  const Structure *s = f->s;
  Reading rd = {.f = f,
                .owner = NEW_ARRAY(f->arena, uint32_t, s->vars.n + 1),
                .determined = NEW_ARRAY(f->arena, bool, s->vars.n + 1)};
  for (uint32_t b = 0; b < s->simulation.blocks.n; b++)
    for (uint32_t k = 0; k < s->simulation.blocks.at[b].n; k++) {
      rd.owner[s->simulation.blocks.at[b].unknowns[k]] = s->part_of_block[b];
      rd.determined[s->simulation.blocks.at[b].unknowns[k]] = true;
    }
  for (uint32_t k = 0; k < s->states.n; k++) {
    rd.owner[s->states.at[k]] = rd.owner[s->vars.at[s->states.at[k]].der];
    rd.determined[s->states.at[k]] = true;
  }
  for (rd.part = 0; rd.part < s->parts.n; rd.part++) {
    const SPart *p = &s->parts.at[rd.part];
    for (uint32_t k = 0; k < p->n_x; k++)
      assert_int_equal(rd.owner[s->states.at[p->x + k]], rd.part);
    for (uint32_t b = p->block; b < p->block + p->n_blocks; b++)
      check_block(&rd, &s->simulation.blocks.at[b]);
    for (uint32_t k = 0; k < p->n_actions + p->n_checks; k++) {
      const SAction *act = k < p->n_actions ? &s->actions.at[p->action + k]
                                            : &s->checks.at[p->check + k - p->n_actions];
      check_expr(&rd, act->guard, false), check_expr(&rd, act->value, false),
          check_expr(&rd, act->message, false), check_expr(&rd, act->level, false);
    }
  }
}

/* ---- the same bits ---- */

typedef int Whole(DsData *d);

static int evaluate(Run *run, Whole *whole, int phase) {
  int status = DS_OK;
  run_begin_evaluation(run);
  if (whole)
    status = whole(&run->d);
  else
    for (int k = 0; k <= run->m->n_parts && status == DS_OK; k++)
      status = run->m->part(&run->d, k, phase);
  run_end_evaluation(run);
  return status;
}

static void same(const char *what, const void *a, const void *b, size_t n) {
  if (memcmp(a, b, n))
    fail_msg("%s: parts give other bits than the whole", what);
}

/* One phase by the whole, and from the same values by parts. */
static void compare_phase(const Fix *f, const char *what, Whole *whole, int phase) {
  Run *run = f->run;
  const DsModel *m = f->m;
  unsigned char *before = NEW_ARRAY(f->arena, unsigned char, run->block_size + 8),
                *after = NEW_ARRAY(f->arena, unsigned char, run->block_size + 8);
  memcpy(before, run->block, run->block_size);
  int status = evaluate(run, whole, phase);
  memcpy(after, run->block, run->block_size);
  memcpy(run->block, before, run->block_size);
  assert_int_equal(evaluate(run, NULL, phase), status);
  const unsigned char *r = after + ((unsigned char *)run->d.r - run->block),
                      *i = after + ((unsigned char *)run->d.i - run->block);
  const unsigned char *relation = after + (run->d.relation - run->block);
  same(what, r, run->d.r, (size_t)m->n_real * sizeof(double));
  same(what, i, run->d.i, (size_t)m->n_integer * sizeof(long long));
  same(what, relation, run->d.relation, 2 * (size_t)m->n_relations);
  memcpy(run->block, after, run->block_size);
}

static void compare_lists(const Fix *f) {
  Run *run = f->run;
  size_t n = (size_t)f->m->n_relations + 1;
  double *lists[6];
  for (int k = 0; k < 6; k++)
    lists[k] = NEW_ARRAY(f->arena, double, n);
  run->d.whole = 1;
  run_begin_evaluation(run);
  f->m->crossings(&run->d, lists[0], lists[1]);
  f->m->instants(&run->d, lists[2]);
  for (int k = 0; k < f->m->n_parts; k++) {
    f->m->part_crossings(&run->d, k, lists[3], lists[4]);
    f->m->part_instants(&run->d, k, lists[5]);
  }
  run_end_evaluation(run);
  run->d.whole = 0;
  for (int k = 0; k < 3; k++)
    same("relations", lists[k], lists[k + 3], n * sizeof **lists);
}

static void compare_all(const Fix *f) {
  Run *run = f->run;
  const DsModel *m = f->m;
  compare_phase(f, "events", m->events, DS_PART_EVENTS);
  for (int round = 0; round < 2; round++) {
    compare_phase(f, "derivatives", m->derivatives, DS_PART_DERIVATIVES);
    compare_phase(f, "outputs", m->outputs, DS_PART_OUTPUTS);
    compare_lists(f);
    run->d.time += 0.015625;
    for (int k = 0; k < m->nx; k++)
      run->d.r[k] = run->d.r[k] * 1.0009765625 + 0.0009765625;
  }
}

static void check_all(const Fix *f) {
  assert_int_equal(f->m->n_parts, f->s->parts.n);
  if (!f->m->n_parts) {
    assert_null(f->m->part);
    return;
  }
  check_ranges(f);
  check_reads(f);
  compare_all(f);
}

/* ---- models ---- */

static void expect(const char *text, const char *parts) {
  const NuCode codes[] = {NU_CODE_TCC, NU_CODE_EVAL};
  for (int k = 0; k < 2; k++) {
    Fix f;
    assert_true(open_model(&f, "Test.mo", text, codes[k]));
    assert_string_equal(partition(&f), parts);
    check_all(&f);
    close_model(&f);
  }
}

#define THERMOSTAT                                                                                 \
  "model Thermostat parameter Real k = 0.1; input Real ambient; Real T(start = 18, fixed = "       \
  "true); Boolean on(start = false, fixed = true); "                                               \
  "equation der(T) = -k*(T - ambient) + (if on then 5 else 0); "                                   \
  "when T < 18 then on = true; elsewhen T > 22 then on = false; end when; end Thermostat; "
#define BALL                                                                                       \
  "model Ball Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; "  \
  "der(v) = -9.81; "                                                                               \
  "when h < 0 then reinit(v, -0.8*pre(v)); end when; end Ball; "

static void test_independent(void **state) {
  (void)state;
  expect(
      BALL
      "model M Ball a, b, c; Real energy = a.h + b.h; equation assert(a.h > -1, \"deep\"); end M;",
      "a.h,a.v; b.h,b.v; c.h,c.v");
  expect(BALL "model M extends Ball; Real e = 9.81*h + v*v/2; end M;", "");
}

static void test_common(void **state) {
  (void)state;
  expect(THERMOSTAT "model M Thermostat a, b; Real air = 10 + sin(time); equation a.ambient = air; "
                    "b.ambient = 2*air; end M;",
         "-; a.T <1; b.T <1");
  expect(THERMOSTAT
         "model M Thermostat a; Real air = 10 + sin(time); equation a.ambient = air; end M;",
         "");
  /* a time event is not common: it is a part without states */
  expect(THERMOSTAT "model M Thermostat a, b; Boolean cold = time > 1; equation a.ambient = if "
                    "cold then 0 else 10; b.ambient = a.ambient; end M;",
         "-; a.T @1; b.T @1");
}

static void test_supervisor(void **state) {
  (void)state;
  expect("model M Real x[3](start = {1, 2, 3}, each fixed = true), y[3]; discrete Real u(start = "
         "0, fixed = true); equation "
         "for i in 1:3 loop der(x[i]) = -x[i] + i*u; y[i] = 2*x[i]; end for; when sample(0, 0.1) "
         "then u = sum(y)/10; end when; end M;",
         "- <3,4,5; - @1; x[1] @2; x[2] @2; x[3] @2");
  /* its commands follow in the same instant from what it is told: one part */
  expect(
      "model M Real x[2](start = {1, 2}, each fixed = true); Boolean full[2]; Integer n; equation "
      "for i in 1:2 loop der(x[i]) = if n > 0 then -1 else 1; full[i] = x[i] > 3; end for; n = (if "
      "full[1] then 1 else 0) + (if full[2] then 1 else 0); end M;",
      "");
  expect(
      "model M Real x[2](start = {1, 2}, each fixed = true); Boolean full[2]; Integer n; equation "
      "for i in 1:2 loop der(x[i]) = if n > 0 then -1 else 1; full[i] = x[i] > 3; end for; n = (if "
      "pre(full[1]) then 1 else 0) + (if full[2] then 1 else 0); end M;",
      "x[2] @2; x[1] @1");
}

static void test_one_way(void **state) {
  (void)state;
  expect("model M Real a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed "
         "= true); Boolean on(start = false, fixed = true); equation "
         "der(a) = 1 - a; der(c) = a - c; der(b) = a - b - (if on then 1 else 0); "
         "when b > 0.3 then on = true; elsewhen b < 0.1 then on = false; end when; end M;",
         "a,c; b <1");
  /* what a relation compares is one part */
  expect("model M Real a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 1, fixed "
         "= true); Boolean more; equation "
         "der(a) = -a; der(b) = 1; more = a > b; der(c) = if c > 2 then -1 else 1; end M;",
         "a,b; c");
  /* an integral of all, and a count */
  expect(THERMOSTAT
         "model M Thermostat a(ambient = 10), b(ambient = 9); Real e(start = 0, fixed = true); "
         "Integer n; equation "
         "der(e) = a.T + b.T; n = (if a.on then 1 else 0) + (if b.on then 1 else 0); end M;",
         "a.T; b.T; e <1,2; - @1,2");
}

static void test_units(void **state) {
  (void)state;
  /* an algorithm, a mixed system, an action lie in one part */
  expect("model M Real a(start = 1, fixed = true), b(start = 2, fixed = true), p, q; algorithm p "
         ":= -a; q := -2*b; equation der(a) = p; der(b) = q; end M;",
         "");
  expect("model M Real x(start = 1, fixed = true), y(start = 0, fixed = true), i, u; Boolean off; "
         "Real z(start = 0, fixed = true); equation "
         "der(x) = -i; off = u < 0; u = if off then x - i else 0; i = if off then 0 else x - u; "
         "der(y) = 1; when y > 1 then reinit(y, 0); end when; "
         "der(z) = if z > 1 then -1 else 1; end M;",
         "x; y; z");
  /* the event of one sets a state of another */
  expect(BALL
         "model M Ball a; Real x(start = 0, fixed = true), y(start = 0, fixed = true); equation "
         "der(x) = 1 - x; der(y) = 1; when a.h < 0 then reinit(x, y + 1); end when; end M;",
         "a.h,a.v; x @1,3; y");
}

static void test_past(void **state) {
  (void)state;
  expect("model M Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 0, fixed "
         "= true); Boolean on; equation "
         "der(x) = -delay(x, 0.1); der(y) = -delay(y, 0.2); on = z > 1; der(z) = if on then -1 "
         "else 1; end M;",
         "x,y; z");
}

static void test_calls(void **state) {
  (void)state;
  expect("impure function tell input Real u; output Real y; external \"C\" y = "
         "ModelicaRandom_impureRandom_xorshift1024star(u); end tell; "
         "model M Real x(start = 1, fixed = true), y(start = 1, fixed = true); Boolean a(start = "
         "false), b(start = false); equation "
         "der(x) = -1; der(y) = -2; when x < 0 then a = not pre(a); end when; when y < 0 then b = "
         "not pre(b); end when; end M;",
         "x; y");
}

/* ---- all models ---- */

static void check_file(const char *file, unsigned *n, unsigned *n_divided) {
  const NuCode codes[] = {NU_CODE_TCC, NU_CODE_EVAL};
  for (int k = 0; k < 2; k++) {
    Fix f;
    if (open_model(&f, file, NULL, codes[k])) {
      check_all(&f);
      *n += k == 0;
      *n_divided += k == 0 && f.m->n_parts > 1;
    }
    close_model(&f);
  }
}

static void test_files(void **state) {
  (void)state;
  unsigned n = 0, n_divided = 0;
  static const char *const patterns[] = {"tests/sim/*.mo", "examples/*.mo"};
  for (int k = 0; k < 2; k++) {
    glob_t found;
    assert_int_equal(glob(patterns[k], 0, NULL, &found), 0);
    for (size_t q = 0; q < found.gl_pathc; q++)
      check_file(found.gl_pathv[q], &n, &n_divided);
    globfree(&found);
  }
  print_message("# %u models, %u of several parts\n", n, n_divided);
  assert_true(n > 50 && n_divided > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_independent), cmocka_unit_test(test_common),
      cmocka_unit_test(test_supervisor),  cmocka_unit_test(test_one_way),
      cmocka_unit_test(test_units),       cmocka_unit_test(test_past),
      cmocka_unit_test(test_calls),       cmocka_unit_test(test_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
