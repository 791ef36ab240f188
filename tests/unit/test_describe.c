/* tests/unit/test_describe.c -- a model that was printed as C and compiled has the tables that
 * evaluation without machine code uses, field by field as describe/model.def lists them; and each
 * table occurs in some model. Both fail with the same messages.
 * With arguments (files or names of classes) the same is done for these models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <dirent.h>

/* before cmocka.h, which makes a macro of `fail` */
#include "api/api_impl.h"
#include "describe/describe.h"
#include "emit/emit.h"
#include "interpret/interpret.h"
#include "run/replay.h"
#include "structure/keep.h"
#include "structure/slice.h"

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables side by side ---- */

/* The model at work: of both, where they are equal so far. */
static const DsModel *m;
static bool whole;
static const char *target;

static void must(bool equal, const char *type, const char *field) {
  if (!equal)
    fail_msg("%s: %s.%s", target, type, field);
}

static bool same_real(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static bool same_reals(const double *a, const double *b, int n) {
  bool same = !a == !b;
  for (int k = 0; same && a && k < n; k++)
    same = same_real(a[k], b[k]);
  return same;
}

static bool same_texts(const char *const *a, const char *const *b, int n) {
  bool same = !a == !b;
  for (int k = 0; same && a && k < n; k++)
    same = !strcmp(a[k], b[k]);
  return same;
}

static bool same_bytes(const void *a, const void *b, size_t n) {
  return !a == !b && (!a || !n || !memcmp(a, b, n));
}

/* Which tables had rows in some model */
static struct {
#define ROWS(Type, f, n) bool f;
#define ONE(Type, f) bool f;
#include "describe/model.def"
} occurs;

/* same_DsPlace ... same_DsModel */
#define ROW_OF(Type)                                                                               \
  static void same_##Type(const Type *row, const Type *other) {                                    \
    static const char type[] = #Type;
#define END(Type) }
#define NUMBER(f) must(row->f == other->f, type, #f);
#define REAL(f) must(same_real(row->f, other->f), type, #f);
#define TEXT(f) must(!strcmp(row->f, other->f), type, #f);
#define PLACE(f) same_DsPlace(&row->f, &other->f);
#define NUMBERS(f, n) must(same_bytes(row->f, other->f, (size_t)(n) * sizeof(int)), type, #f);
#define BYTES(f, n) must(same_bytes(row->f, other->f, (size_t)(n)), type, #f);
#define REALS(f, n) must(same_reals(row->f, other->f, n), type, #f);
#define TEXTS(f, n) must(same_texts(row->f, other->f, n), type, #f);
#define ROWS(Type, f, n)                                                                           \
  must(!row->f == !other->f, type, #f);                                                            \
  for (int k = 0; row->f && k < (n); k++)                                                          \
    same_##Type(&row->f[k], &other->f[k]);                                                         \
  occurs.f = occurs.f || (row->f && (n) > 0);
#define ONE(Type, f)                                                                               \
  must(!row->f == !other->f, type, #f);                                                            \
  if (row->f)                                                                                      \
    same_##Type(row->f, other->f);                                                                 \
  occurs.f = occurs.f || row->f;
#define ENTRY(f, when) must(!row->f == !(when) && !other->f == !(when), type, #f);
#define FUNCTION(f) must(row->f && other->f, type, #f);
#define OWN(f)
#include "describe/model.def"

/* Machine code knows more places, which its functions name, and the external functions that it
 * calls, in that order; evaluation those of the model. */
static void compare(const DsModel *compiled, const DsModel *evaluated, bool is_whole) {
  DsModel a = *compiled, b = *evaluated;
  must(a.n_places >= b.n_places && a.n_externals <= b.n_externals, "DsModel", "n_places");
  a.n_places = b.n_places;
  for (int k = 0; k < a.n_externals; k++) {
    int q = 0;
    while (q < b.n_externals && strcmp(a.externals[k].name, b.externals[q].name))
      q++;
    must(q < b.n_externals, "DsModel", "externals");
    same_DsExternal(&a.externals[k], &b.externals[q]);
    occurs.externals = true;
  }
  a.n_externals = b.n_externals = 0, a.externals = b.externals = NULL;
  a.places = b.places ? a.places : NULL;
  m = &a, whole = is_whole;
  same_DsModel(&a, &b);
}

/* ---- models ---- */

static char messages[4000];

static void note(void *user, const NuDiagnostic *d) {
  (void)user;
  size_t n = strlen(messages);
  char *text = nu_diagnostic_text(d, false);
  snprintf(messages + n, sizeof messages - n, "%s", text);
  free(text);
}

/* A file, a class or, if it begins with "model", a text. */
static NuProgram *compile(NuCode code) {
  NuSession *s = NULL;
  NuSessionOptions so = nu_session_options();
  so.path = getenv("MODELICAPATH");
  so.own = "library";
  so.sink = note;
  NuTarget t = {.code = code};
  NuProgram *p = NULL;
  if (nu_session_new(&so, &s) != NU_OK)
    return NULL;
  NuStatus loaded = strncmp(target, "model ", 6) ? nu_load_target(s, target, &t.class_name)
                                                 : nu_load_text(s, "M.mo", target, strlen(target));
  if (loaded != NU_OK || nu_compile(s, &t, &p) != NU_OK)
    nu_session_free(s);
  return p;
}

static void drop(NuProgram *p) {
  NuSession *s = p->s;
  nu_program_free(p);
  nu_session_free(s);
}

/* All variables, from states, discrete values and what blocks iterate. */
static void compare_slices(const Structure *s, Arena *a, Diags *diags) {
  bool *recorded = NEW_ARRAY(a, bool, s->n_real + 1);
  SRecord record = structure_recorded(s, a);
  for (uint32_t k = 0; k < record.n_columns; k++)
    recorded[record.columns[k].place] = true;
  for (uint32_t k = 0; k < record.n_changes; k++)
    recorded[record.changes[k]] = true;
  int *wanted = NEW_ARRAY(a, int, s->model->vars.n + 1);
  for (uint32_t k = 0; k < s->model->vars.n; k++)
    wanted[k] = (int)k;
  SSlice slice;
  Text code = {.arena = a};
  if (!structure_slice(s, wanted, s->model->vars.n, recorded, a, &slice))
    return;
  assert_true(emit_slice(s->model, s, &slice, diags, &code));
  Program *program = load_program(text_str(&code), CODE_TCC, diags);
  const DsModel *evaluated = interpret_slice(s->model, s, &slice, a, diags);
  assert_true(program && evaluated);
  compare(program->model, evaluated, false);
  interpret_end(evaluated);
  program_free(program);
}

/* Returns false if the model is not one that both can run. */
static bool check(const char *what) {
  target = what;
  NuProgram *p = compile(NU_CODE_TCC);
  if (!p)
    return false;
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  Diags *diags = diags_new(a, p->s->sources);
  const Structure *s = p->structure;
  const DsModel *evaluated = interpret_model(s->model, s, a, diags);
  if (evaluated) {
    compare(p->own->model, evaluated, true);
    compare_slices(s, a, diags);
  }
  interpret_end(evaluated);
  mem_drop_since(&mem, NULL);
  drop(p);
  return evaluated;
}

static int is_model(const struct dirent *d) {
  return strlen(d->d_name) > 3 && !strcmp(d->d_name + strlen(d->d_name) - 3, ".mo");
}

static int check_folder(const char *folder) {
  struct dirent **found;
  int done = 0, n = scandir(folder, &found, is_model, alphasort);
  assert_true(n > 0);
  for (int k = 0; k < n; k++) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, found[k]->d_name);
    done += check(path);
    free(found[k]);
  }
  free(found);
  return done;
}

/* ---- tests ---- */

static void tables_agree(void **state) {
  (void)state;
  static const char *const more[] = {"tests/sim/select_height.mo", "tests/sim/transport_rows.mo",
                                     "tests/sim/initial_redundant.mo", "tests/sim/jump_in_mode.mo",
                                     "tests/sim/zeno_push.mo"};
  assert_true(check_folder("tests/structure") > 15);
  assert_true(check_folder("tests/modes") > 2);
  for (size_t k = 0; k < sizeof more / sizeof *more; k++)
    assert_true(check(more[k]));
}

/* Names are escaped, numbers keep their bits, lists may be empty. */
static void odd_values(void **state) {
  (void)state;
  assert_true(check("model M \"a \\\"comment\\\" %s\\n\\t\\\\ \xc3\xa9\" "
                    "type E = enumeration(one, 'two \\\"2\\\"'); "
                    "E e = if time < 1e-310 then E.one else E.'two \\\"2\\\"'; E f = E.one; "
                    "Real 'x \\\" ?\?/'(start = 0.1, fixed = true, unit = \"m\") \"100 %\"; "
                    "equation der('x \\\" ?\?/') = -'x \\\" ?\?/'; "
                    "annotation(experiment(StopTime = 0.3)); end M;"));
  assert_true(check("model M end M;"));
}

static void external_functions(void **state) {
  (void)state;
  assert_true(check("model M function f input String s; output Integer y; "
                    "external \"C\" y = ModelicaStrings_length(s); end f; "
                    "Integer n = f(if time < 1 then \"a\" else \"ab\"); end M;"));
}

/* Only Reals can be iterated: evaluation must not write elsewhere. */
static void refused_alike(void **state) {
  (void)state;
  static const NuCode codes[] = {NU_CODE_TCC, NU_CODE_EVAL};
  target = "model M discrete Real d; Real x(start = 1, fixed = true); "
           "initial equation pre(d)^3 + pre(d) = 2; equation der(x) = -x; "
           "when x < 0.5 then d = pre(d) + 1; end when; end M;";
  for (size_t k = 0; k < sizeof codes / sizeof *codes; k++) {
    messages[0] = 0;
    assert_null(compile(codes[k]));
    assert_non_null(
        strstr(messages, "error[X001]: a previous value that must be found by iteration"));
  }
}

/* What simultaneous equations cannot compute is told at their place. */
static void failures_alike(void **state) {
  (void)state;
  static const NuCode codes[] = {NU_CODE_TCC, NU_CODE_EVAL};
  char first[sizeof messages] = "";
  target = "model M Real x(start = 1, fixed = true), p, q; parameter Real a[3] = {1, 2, 3};\n"
           "equation der(x) = 1; p + q^3 = x;\np*p + a[integer(x + 1)]*q = 2*x; end M;";
  for (size_t k = 0; k < sizeof codes / sizeof *codes; k++) {
    NuRunOptions o = nu_run_options();
    o.stop = 4;
    NuProgram *p = compile(codes[k]);
    NuRun *r = NULL;
    messages[0] = 0;
    assert_true(p && nu_run_new(p, &o, &r) == NU_OK && nu_run_start(r) == NU_OK);
    assert_int_not_equal(nu_run_advance(r, 4, NULL), NU_OK);
    nu_run_free(r);
    drop(p);
    if (!k)
      memcpy(first, messages, sizeof first);
  }
  assert_non_null(strstr(first, "M.mo:"));
  assert_string_equal(first, messages);
}

static void every_table_occurs(void **state) {
  (void)state;
  target = "no model";
#define ROWS(Type, f, n) must(occurs.f, "DsModel", #f);
#define ONE(Type, f) must(occurs.f, "DsModel", #f);
#include "describe/model.def"
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_agree),       cmocka_unit_test(odd_values),
      cmocka_unit_test(external_functions), cmocka_unit_test(refused_alike),
      cmocka_unit_test(failures_alike),     cmocka_unit_test(every_table_occurs)};
  for (int k = 1; k < argc; k++)
    printf("%s %s\n", argv[k], check(argv[k]) ? "agrees" : "does not run");
  return argc > 1 ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
