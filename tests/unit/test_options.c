/* tests/unit/test_options.c -- walks the table of run options: whatever stands there has a value
 * that means nothing, refuses what is out of range, comes to the run, is kept in its result, and
 * does what its row says when the run is resumed. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "messages_fixture.h"

#include "api/run_impl.h"

static char FIRST[64] = "/tmp/nusim-options-XXXXXX", SECOND[64];
static NuSession *session;
static NuProgram *program;

static const char *const decay = "model M parameter Real k = 1; Real x(start = 1, fixed = true); "
                                 "equation der(x) = -k*x; end M;";

static int open_all(void **state) {
  (void)state;
  char directory[64];
  NuSessionOptions so = nu_session_options();
  so.sink = note;
  if (!mkdtemp(strcpy(directory, FIRST)))
    return 1;
  snprintf(FIRST, sizeof FIRST, "%.40s/first.nus", directory);
  snprintf(SECOND, sizeof SECOND, "%.40s/second.nus", directory);
  return nu_session_new(&so, &session) != NU_OK ||
         nu_load_text(session, "M.mo", decay, strlen(decay)) != NU_OK ||
         nu_compile(session, &(NuTarget){0}, &program) != NU_OK;
}

static int close_all(void **state) {
  (void)state;
  nu_program_free(program);
  nu_session_free(session);
  unlink(FIRST), unlink(SECOND);
  *strrchr(FIRST, '/') = 0;
  return rmdir(FIRST);
}

/* ---- values ---- */

static int count_words(const char *list) {
  int n = 1;
  for (; *list; list++)
    n += *list == '|';
  return n;
}

static void put_number(NuRunOptions *o, const NuOption *row, double x) {
  void *field = (char *)o + row->at;
  switch (row->kind) {
  case NU_OPTION_FLAG: *(bool *)field = x != 0; return;
  case NU_OPTION_REAL: *(double *)field = x; return;
  case NU_OPTION_COUNT: *(uint64_t *)field = (uint64_t)x; return;
  case NU_OPTION_CHOICE: *(int *)field = (int)x; return;
  case NU_OPTION_TEXT:
  case NU_OPTION_TEXTS: fail_msg("`%s` is no number", row->field);
  }
}

static void put_texts(NuRunOptions *o, const NuOption *row, const char *const *texts, size_t n) {
  *(const char *const **)((char *)o + row->at) = texts;
  *(size_t *)((char *)o + row->count_at) = n;
}

/* A value that is not the default, and that the model can run with: 0.5 is a time inside of the
 * run, a step that divides it, and a tolerance. */
static void put_some(NuRunOptions *o, const NuOption *row) {
  static const char *const parameter[] = {"k=2"}, *const start[] = {"x=3"}, *const name[] = {"x"};
  switch (row->kind) {
  case NU_OPTION_FLAG: put_number(o, row, 1); return;
  case NU_OPTION_REAL: put_number(o, row, fmax(row->least, fmin(row->most, 0.5))); return;
  case NU_OPTION_COUNT: put_number(o, row, fmin(row->most, 1000)); return;
  case NU_OPTION_CHOICE: put_number(o, row, count_words(row->value) - 1); return;
  case NU_OPTION_TEXT: *(const char **)((char *)o + row->at) = "rk45"; return;
  case NU_OPTION_TEXTS:
    put_texts(o, row, row->letter == 'p' ? parameter : row->letter == 'x' ? start : name, 1);
    return;
  }
}

static void expect_status(const NuOption *row, const NuRunOptions *o, NuStatus wanted, NuRun **r) {
  messages[0] = 0;
  NuStatus status = nu_run_new(program, o, r);
  if (status != wanted)
    fail_msg("`%s`: %s, not %s: %s", row->field, nu_status_name(status), nu_status_name(wanted),
             messages);
}

/* ---- what is refused ---- */

static void refuse(const NuOption *row, double x) {
  NuRunOptions o = nu_run_options();
  NuRun *r;
  char said[200];
  put_number(&o, row, x);
  expect_status(row, &o, NU_USAGE, &r);
  snprintf(said, sizeof said, "A001: the option `%s` needs %s, not ", row->field,
           row->expects ? row->expects : row->value);
  if (strncmp(messages, said, strlen(said)) != 0)
    fail_msg("no `%s` in: %s", said, messages);
}

static void ranges(void **state) {
  (void)state;
  const NuOption *row;
  for (size_t i = 0; (row = nu_run_option(i)); i++) {
    if (row->kind == NU_OPTION_REAL) {
      refuse(row, INFINITY), refuse(row, -INFINITY);
      if (isfinite(nextafter(row->most, INFINITY)))
        refuse(row, nextafter(row->most, INFINITY));
      if (isfinite(nextafter(row->least, -INFINITY)))
        refuse(row, nextafter(row->least, -INFINITY));
    } else if (row->kind == NU_OPTION_COUNT) {
      refuse(row, 2 * row->most - (row->most > 0x1p62 ? 4096 : 0));
    } else if (row->kind == NU_OPTION_CHOICE) {
      refuse(row, -1), refuse(row, count_words(row->value));
    }
  }
}

/* Two mistakes are two messages. */
static void all_mistakes(void **state) {
  (void)state;
  NuRunOptions o = nu_run_options();
  NuRun *r;
  o.rtol = -1, o.atol = -1;
  messages[0] = 0;
  assert_int_equal(nu_run_new(program, &o, &r), NU_USAGE);
  assert_non_null(strstr(messages, "`rtol`"));
  assert_non_null(strstr(messages, "`atol`"));
}

/* ---- what a row says ---- */

static void rows(void **state) {
  (void)state;
  const NuOption *row, *other;
  for (size_t i = 0; (row = nu_run_option(i)); i++) {
    bool number = row->kind == NU_OPTION_REAL || row->kind == NU_OPTION_COUNT;
    bool words = row->kind == NU_OPTION_CHOICE || (row->kind == NU_OPTION_FLAG && row->value);
    if (!row->help || !*row->help || number != (row->expects != NULL) ||
        (number && !(row->least < row->most)) || words != (row->value && islower(*row->value)) ||
        (row->kind == NU_OPTION_FLAG && row->value && count_words(row->value) != 2))
      fail_msg("the row of `%s` contradicts itself", row->field);
    for (size_t k = 0; k < i; k++) {
      other = nu_run_option(k);
      if (!strcmp(other->name, row->name) || (row->letter && other->letter == row->letter))
        fail_msg("`--%s` is there twice", row->name);
    }
  }
}

/* ---- from the caller to the run, into the result and back ---- */

static bool same_bytes(const void *a, const void *b, size_t n) { return !memcmp(a, b, n); }

static bool same_text(const void *a, const void *b, size_t n) {
  const char *const *s = a, *const *t = b;
  (void)n;
  return *s && *t ? !strcmp(*s, *t) : *s == *t;
}

static bool same_settings(const RunSetting *a, uint32_t n_a, const RunSetting *b, uint32_t n_b) {
  bool same = n_a == n_b;
  for (uint32_t k = 0; same && k < n_a; k++)
    same = !strcmp(a[k].name, b[k].name) && !strcmp(a[k].value, b[k].value);
  return same;
}

/* Everything that decides how a run goes; with `limits`, those too. */
static bool same_run(const RunOptions *a, const RunOptions *b, bool limits) {
  bool same = a->intervals == b->intervals && a->atol_factor == b->atol_factor &&
              a->dae == b->dae &&
              same_settings(a->parameters, a->n_parameters, b->parameters, b->n_parameters) &&
              same_settings(a->starts, a->n_starts, b->starts, b->n_starts);
  const bool resume_FREE = !limits, resume_KEPT = false, resume_FIXED = false;
#define RUN_OPTION(type, field, name, letter, value, range, resume, help)                          \
  same = same &&                                                                                   \
         (resume_##resume || _Generic((type){0}, const char *: same_text, default: same_bytes)(    \
                                 &a->field, &b->field, sizeof(type)));
#include "run/options.def"
  return same;
}

static char *kept_options(const char *path) {
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  Store *s = store_open(path, a, diags_new(a, NULL));
  assert_non_null(s);
  char *text = strdup(s->options);
  store_close(s);
  arena_free(a);
  return text;
}

static NuRun *finished(const NuOption *row, const NuRunOptions *o) {
  NuRun *r;
  expect_status(row, o, NU_OK, &r);
  if (nu_run_simulate(r) != NU_OK)
    fail_msg("`%s`: %s", row->field, messages);
  return r;
}

/* The option decides how a run goes: the run sees it, its result keeps it, and a run that goes on
 * from there has it though nobody says it again. */
static void check_kept(const NuOption *row) {
  NuRunOptions o = nu_run_options(), again = nu_run_options();
  NuRun *plain = finished(row, &o);
  put_some(&o, row);
  o.store = FIRST;
  NuRun *first = finished(row, &o);
  if (same_run(&plain->options, &first->options, false))
    fail_msg("`%s` does not come to the run", row->field);
  again.resume = FIRST, again.resume_at = 0.5, again.store = SECOND;
  NuRun *second = finished(row, &again);
  if (!same_run(&first->options, &second->options, false))
    fail_msg("a resumed run has another `%s`", row->field);
  char *kept = kept_options(FIRST), *kept_again = kept_options(SECOND);
  if (!*kept || strcmp(kept, kept_again))
    fail_msg("`%s`: the result keeps\n%sthen\n%s", row->field, kept, kept_again);
  free(kept), free(kept_again);
  nu_run_free(plain), nu_run_free(first), nu_run_free(second);
}

/* The option does not: the result says nothing of it, and a run that goes on has its own. */
static void check_free(const NuOption *row) {
  NuRunOptions o = nu_run_options(), again = nu_run_options();
  put_some(&o, row);
  o.store = FIRST;
  NuRun *first = finished(row, &o);
  again.resume = FIRST, again.resume_at = 0.5;
  NuRun *bare = finished(row, &again);
  put_some(&again, row);
  NuRun *second = finished(row, &again);
  char *kept = kept_options(FIRST);
  if (*kept)
    fail_msg("`%s` is kept: %s", row->field, kept);
  if (!same_run(&first->options, &second->options, true))
    fail_msg("a resumed run does not have its own `%s`", row->field);
  free(kept);
  nu_run_free(first), nu_run_free(bare), nu_run_free(second);
}

static void stations(void **state) {
  (void)state;
  const NuOption *row;
  for (size_t i = 0; (row = nu_run_option(i)); i++)
    (row->resume == NU_RESUME_FREE ? check_free : check_kept)(row);
}

/* A run that is resumed does not listen to what is fixed. */
static void fixed(void **state) {
  (void)state;
  const NuOption *row;
  NuRunOptions o = nu_run_options();
  o.store = FIRST;
  NuRun *first = finished(nu_run_option(0), &o);
  for (size_t i = 0; (row = nu_run_option(i)); i++) {
    NuRunOptions again = nu_run_options();
    again.resume = FIRST, again.resume_at = 0.5;
    if (row->resume != NU_RESUME_FIXED)
      continue;
    put_some(&again, row);
    NuRun *second = finished(row, &again);
    if (!same_run(&first->options, &second->options, false))
      fail_msg("a resumed run has a `%s` of its own", row->field);
    nu_run_free(second);
  }
  nu_run_free(first);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(ranges),
                                     cmocka_unit_test(all_mistakes), cmocka_unit_test(stations),
                                     cmocka_unit_test(fixed)};
  return cmocka_run_group_tests(tests, open_all, close_all);
}
