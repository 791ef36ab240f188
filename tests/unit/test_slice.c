/* tests/unit/test_slice.c -- values computed again from what a store records are those of the run,
 * to the last bit; a slice holds nothing that is not needed.
 * Each row of a run is recomputed when it comes, from its columns and changes alone: everything
 * else is NaN. With arguments (files or names of classes) the same is done for these models, one
 * line each. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <dirent.h>

/* before cmocka.h, which makes a macro of `fail` */
#include "api/api_impl.h"
#include "emit/emit.h"
#include "interpret/interpret.h"
#include "run/replay.h"
#include "run/run.h"
#include "structure/keep.h"
#include "structure/name.h"
#include "structure/slice.h"
#include "structure/sorted.h"

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one slice at work ---- */

typedef struct {
  SSlice slice;
  const int *wanted;
  uint32_t n_wanted;
  Program *program;
  const DsModel *interpreted;
  Replay *replay;
  bool seen; /* a row was evaluated: constants are there */
} Part;

enum { SINGLES = 5, EVERY = 7 }; /* variables alone; rows that they are looked at */

typedef struct {
  const Structure *s;
  const DsModel *m;
  Arena *a;
  Diags *diags;
  SRecord record;
  bool *recorded;
  uint32_t n_singular;
  bool forget; /* solutions of singular systems are not recorded */
  Part whole, evaluated, single[SINGLES];
  int *all;
  uint32_t n_all;
  uint64_t rows, wrong;
  char where[300]; /* the first wrong value */
} Check;

static const char *name_of(Check *c, int wanted) {
  const char *name = c->s->model->vars.at[wanted < 0 ? -1 - wanted : wanted].name;
  return wanted < 0 ? arena_printf(c->a, "der(%s)", name) : name;
}

static const SVar *svar_of(const Check *c, int wanted) {
  const SVar *v = &c->s->vars.at[wanted < 0 ? -1 - wanted : wanted];
  return wanted < 0 ? &c->s->vars.at[v->der] : v;
}

static void note(Check *c, const char *text) {
  if (!c->wrong++)
    snprintf(c->where, sizeof c->where, "%s", text);
}

static void end_part(Part *p) {
  replay_free(p->replay);
  program_free(p->program);
  interpret_end(p->interpreted);
  *p = (Part){.wanted = p->wanted, .n_wanted = p->n_wanted};
}

static bool make_part(Check *c, Part *p, bool evaluated) {
  end_part(p);
  if (!structure_slice(c->s, p->wanted, p->n_wanted, c->recorded, c->a, &p->slice)) {
    Text t = {.arena = c->a};
    text_add(&t, "not in the record: ");
    structure_name(c->s, p->slice.missing, &t);
    note(c, text_str(&t));
    return false;
  }
  Text code = {.arena = c->a};
  if (evaluated) {
    p->interpreted = interpret_slice(c->s->model, c->s, &p->slice, c->a, c->diags);
    p->program = p->interpreted ? program_of_model(p->interpreted, NULL) : NULL;
  } else if (emit_slice(c->s->model, c->s, &p->slice, c->diags, &code))
    p->program = load_program(text_str(&code), CODE_TCC, c->diags);
  p->replay = p->program ? replay_new(p->program, c->a, c->diags) : NULL;
  if (!p->replay)
    note(c, "the slice cannot be loaded");
  return p->replay;
}

/* Everything but the record of this row is NaN; what the slice does not read, too. */
static void fill(const Check *c, Part *p, const RunRow *row) {
  DsData *d = replay_data(p->replay);
  const DsData *from = row->data;
  if (!p->seen)
    memcpy(d->r, from->r, (size_t)c->m->n_real * sizeof *d->r);
  for (uint32_t k = 0; k < c->s->simulation.blocks.n; k++)
    for (uint32_t q = 0; q < c->s->simulation.blocks.at[k].n; q++)
      if (c->s->vars.at[c->s->simulation.blocks.at[k].unknowns[q]].bank == BANK_REAL)
        d->r[c->s->vars.at[c->s->simulation.blocks.at[k].unknowns[q]].place] = NAN;
  for (uint32_t k = 0; k < c->s->states.n; k++)
    d->r[k] = NAN;
  for (uint32_t k = 0; k < p->slice.n_reads; k++)
    d->r[p->slice.reads[k]] = from->r[p->slice.reads[k]];
  for (uint32_t k = 0; k < c->record.n_changes; k++)
    d->r[c->record.changes[k]] = from->r[c->record.changes[k]];
  memcpy(d->i, from->i, (size_t)c->m->n_integer * sizeof *d->i);
  memcpy(d->s, from->s, (size_t)c->m->n_string * sizeof *d->s);
  memcpy(d->relation, from->relation, (size_t)c->m->n_relations);
  d->time = row->time;
}

static const char *const kinds[] = {[RUN_ROW_GRID] = "grid",
                                    [RUN_ROW_BEFORE] = "before",
                                    [RUN_ROW_STEP] = "step",
                                    [RUN_ROW_AFTER] = "after"};

static bool same(Check *c, Part *p, const RunRow *row) {
  const DsData *d = replay_data(p->replay);
  for (uint32_t k = 0; k < p->n_wanted; k++) {
    const SVar *v = svar_of(c, p->wanted[k]);
    if (memcmp(&d->r[v->place], &row->data->r[v->place], sizeof(double))) {
      note(c, arena_printf(c->a, "%s is %a, was %a, at %g (%s row, %u wanted)",
                           name_of(c, p->wanted[k]), d->r[v->place], row->data->r[v->place],
                           row->time, kinds[row->kind], p->n_wanted));
      return false;
    }
  }
  return true;
}

static void look(Check *c, Part *p, const RunRow *row) {
  if (!p->replay)
    return;
  fill(c, p, row);
  if (!replay_evaluate(p->replay, row->kind, !p->seen))
    note(c, diags_at(c->diags, diags_count(c->diags) - 1)->message);
  else
    same(c, p, row);
  p->seen = true;
}

/* A row is left out: its values may be the pre values of the next one. */
static void pass(Check *c, Part *p, const RunRow *row) {
  if (!p->replay)
    return;
  fill(c, p, row);
  replay_pass(p->replay, row->kind);
}

static bool check_row(void *user, const RunRow *row) {
  Check *c = user;
  bool fresh = c->rows == 0 || row->n_singular != c->n_singular;
  for (uint32_t k = 0; k < row->n_singular && !c->forget; k++)
    c->recorded[row->singular[k]] = true;
  c->n_singular = row->n_singular;
  if (fresh) {
    make_part(c, &c->whole, false);
    make_part(c, &c->evaluated, true);
    for (int k = 0; k < SINGLES; k++)
      make_part(c, &c->single[k], false);
  }
  look(c, &c->whole, row);
  for (int k = 0; k < SINGLES; k++)
    (fresh || c->rows % EVERY == 0 || row->kind != RUN_ROW_GRID ? look : pass)(c, &c->single[k],
                                                                               row);
  (fresh || c->rows < 20 * EVERY || c->rows % (20 * EVERY) == 0 ? look : pass)(c, &c->evaluated,
                                                                               row);
  c->rows++;
  return c->wrong < 3;
}

/* All Real variables that vary, and derivatives of states. */
static void list_wanted(Check *c) {
  const FlatModel *m = c->s->model;
  c->all = NEW_ARRAY(c->a, int, 2 * m->vars.n + 1);
  for (uint32_t k = 0; k < m->vars.n; k++) {
    const SVar *v = &c->s->vars.at[k];
    if (v->bank != BANK_REAL)
      continue;
    c->all[c->n_all++] = (int)k;
    if (v->state)
      c->all[c->n_all++] = -1 - (int)k;
  }
  c->whole.wanted = c->evaluated.wanted = c->all;
  c->whole.n_wanted = c->evaluated.n_wanted = c->n_all;
  for (uint32_t k = 0; k < SINGLES; k++) {
    c->single[k].wanted = c->n_all ? &c->all[(uint64_t)k * (c->n_all - 1) / (SINGLES - 1)] : NULL;
    c->single[k].n_wanted = c->n_all ? 1 : 0;
  }
}

/* What the line `// run:` of a test says. */
typedef struct {
  RunOptions o;
  RunSetting parameters[8];
  char text[400];
} Options;

static void read_words(Options *op) {
  for (char *word = strtok(op->text, " \n"), *value; word && (value = strtok(NULL, " \n"));
       word = strtok(NULL, " \n")) {
    double number = strtod(value, NULL);
    char *equal = strchr(value, '=');
    if (!strcmp(word, "--start"))
      op->o.start = number;
    else if (!strcmp(word, "--stop"))
      op->o.stop = number;
    else if (!strcmp(word, "--rtol"))
      op->o.rtol = number;
    else if (!strcmp(word, "--intervals"))
      op->o.intervals = (uint32_t)number;
    else if (!strcmp(word, "--solver"))
      op->o.solver = value;
    else if (!strcmp(word, "--time-limit"))
      op->o.time_limit = number;
    else if (!strcmp(word, "--solver-step"))
      op->o.solver_step = number;
    else if (!strcmp(word, "--formulation"))
      op->o.dae = !strcmp(value, "dae");
    else if (!strcmp(word, "-p") && equal && op->o.n_parameters < 8) {
      *equal = 0;
      op->parameters[op->o.n_parameters++] = (RunSetting){value, equal + 1};
    }
  }
  op->o.parameters = op->parameters;
}

static void read_options(const char *path, Options *op) {
  static const char mark[] = "// run: ";
  FILE *f = fopen(path, "r");
  char line[400];
  op->o = run_defaults();
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, mark, sizeof mark - 1)) {
      memcpy(op->text, line + sizeof mark - 1, sizeof line - sizeof mark);
      read_words(op);
      break;
    }
  if (f)
    fclose(f);
}

/* False: the model cannot be run at all. */
static bool check_program(const NuProgram *p, Check *c, const RunOptions *from) {
  Memory mem = {0};
  jmp_buf recover;
  mem.recover = &recover;
  if (setjmp(recover))
    return false;
  c->s = p->structure;
  c->m = p->own->model;
  c->a = arena_new(&mem);
  c->diags = diags_new(c->a, p->s->sources);
  c->record = structure_recorded(c->s, c->a);
  c->recorded = NEW_ARRAY(c->a, bool, c->s->n_real + 1);
  for (uint32_t k = 0; k < c->record.n_columns; k++)
    c->recorded[c->record.columns[k].place] = true;
  list_wanted(c);
  RunOptions options = *from;
  options.time_limit = from->time_limit > 0 ? from->time_limit : 60;
  options.structure = c->s;
  Arena *own = arena_new(&mem);
  Run *run = run_new(p->own, &options, own, c->diags);
  RunStats stats;
  if (run)
    run_simulate(run, check_row, c, &stats);
  run_free(run);
  end_part(&c->whole), end_part(&c->evaluated);
  for (int k = 0; k < SINGLES; k++)
    end_part(&c->single[k]);
  mem_drop_since(&mem, NULL);
  return run;
}

/* A file, a class or, if it begins with "model", a text. */
static NuProgram *compile(const char *target) {
  NuSession *s = NULL;
  NuSessionOptions so = nu_session_options();
  so.path = getenv("MODELICAPATH");
  so.own = "library";
  NuTarget t = {.code = NU_CODE_TCC};
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

static bool check_model(const char *target, Check *c, const RunOptions *options) {
  NuProgram *p = compile(target);
  bool done = p && check_program(p, c, options);
  if (p)
    drop(p);
  return done;
}

/* ---- tests ---- */

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}
static int is_model(const struct dirent *d) {
  return strlen(d->d_name) > 3 && !strcmp(d->d_name + strlen(d->d_name) - 3, ".mo");
}

static void check_folder(const char *folder, uint64_t least_rows) {
  struct dirent **found;
  uint64_t rows = 0;
  int n = scandir(folder, &found, is_model, by_name);
  assert_true(n > 0);
  for (int k = 0; k < n; k++) {
    char path[600];
    Check *c = calloc(1, sizeof *c);
    snprintf(path, sizeof path, "%s/%s", folder, found[k]->d_name);
    Options options = {0};
    read_options(path, &options);
    check_model(path, c, &options.o);
    if (c->wrong)
      fail_msg("%s: %s", path, c->where);
    rows += c->rows;
    free(c);
    free(found[k]);
  }
  free(found);
  assert_true(rows > least_rows);
}

static void recomputed_as_in_tests(void **state) {
  (void)state;
  check_folder("tests/sim", 20000);
}

static void recomputed_as_in_examples(void **state) {
  (void)state;
  check_folder("examples", 500);
}

/* ---- what is recorded ---- */

static const char special
    [] = "model M\n"
         "  impure function f input Real u; output Real y; algorithm y := u + 1; end f;\n"
         "  function g input Real u; output Real y; algorithm y := u*u; end g;\n"
         "  function h input Real u; output Real y; algorithm y := f(g(u)); end h;\n"
         "  function length input String s; output Integer n; external \"C\" n = "
         "ModelicaStrings_length(s); end length;\n"
         "  function pid output Integer n; external \"C\" n = ModelicaInternal_getpid(); end pid;\n"
         "  Real x(start = 1, fixed = true), impure_ = h(x), pure_ = g(x), texts = "
         "length(String(x)), process = x + pid() - pid();\n"
         "  Real past = delay(x, 0.1), found, seen = if sample(0.05, 0.1) then x else -x, last = "
         "if terminal() then 3 else x;\n"
         "  Real both, held(start = 0, fixed = true), from_both = both + 1;\n"
         "algorithm\n"
         "  when x < 0.7 then held := 2*x; end when;\n"
         "  both := held + x;\n"
         "equation\n"
         "  der(x) = -x;\n"
         "  found + exp(found) = x;\n"
         "  annotation(experiment(StopTime = 1));\n"
         "end M;\n";

static void what_is_recorded(void **state) {
  (void)state;
  NuProgram *p = compile(special);
  assert_non_null(p);
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  SRecord record = structure_recorded(p->structure, a);
  static const char *const columns[] = {"x",     "impure_", "process", "delay(x, 0.1)",
                                        "found", "seen",    "last",    "both"};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  for (uint32_t k = 0; k < record.n_columns; k++) {
    bool expected = false;
    for (size_t q = 0; q < COLUMNS; q++)
      expected = expected || !strcmp(columns[q], record.columns[k].name);
    if (!expected)
      fail_msg("`%s` is recorded", record.columns[k].name);
  }
  assert_int_equal(record.n_columns, COLUMNS);
  assert_string_equal(record.columns[0].name, "x");
  assert_int_equal(record.n_changes, 1);
  assert_string_equal(
      p->structure->model->vars.at[structure_at_place(p->structure, record.changes[0])].name,
      "held");
  mem_drop_since(&mem, NULL);
  Check *c = calloc(1, sizeof *c);
  RunOptions options = run_defaults();
  assert_true(check_program(p, c, &options));
  if (c->wrong)
    fail_msg("%s", c->where);
  assert_true(c->rows > 505);
  free(c);
  drop(p);
}

static void linear_by_entries(void **state) {
  (void)state;
  Check *c = calloc(1, sizeof *c);
  RunOptions options = run_defaults();
  assert_true(check_model("tests/sim/linear_entries.mo", c, &options));
  if (c->wrong)
    fail_msg("%s", c->where);
  assert_true(c->record.n_columns > 50 && c->record.n_columns < c->n_all);
  free(c);
}

static void singular_systems(void **state) {
  (void)state;
  Check *c = calloc(1, sizeof *c);
  RunOptions options = run_defaults();
  assert_true(check_model("tests/sim/zero_branch.mo", c, &options));
  assert_true(!c->wrong && c->n_singular == 1);
  *c = (Check){.forget = true};
  assert_true(check_model("tests/sim/zero_branch.mo", c, &options));
  assert_true(c->wrong);
  assert_non_null(strstr(c->where, "the record does not hold the solution"));
  free(c);
}

/* ---- the least that is needed ---- */

static uint32_t number_of(const Structure *s, const char *name) {
  uint32_t k = 0;
  while (k < s->model->vars.n && strcmp(s->model->vars.at[k].name, name))
    k++;
  assert_true(k < s->model->vars.n);
  return k;
}

static SSlice slice_of(const Structure *s, const char *name, bool derivative, Arena *a) {
  SRecord record = structure_recorded(s, a);
  bool *recorded = NEW_ARRAY(a, bool, s->n_real + 1);
  for (uint32_t k = 0; k < record.n_columns; k++)
    recorded[record.columns[k].place] = true;
  int wanted = (int)number_of(s, name);
  wanted = derivative ? -1 - wanted : wanted;
  SSlice out;
  assert_true(structure_slice(s, &wanted, 1, recorded, a, &out));
  return out;
}

static bool computes(const Structure *s, const SSlice *sl, const char *name) {
  uint32_t v = number_of(s, name);
  for (uint32_t k = 0; k < sl->n_steps; k++) {
    const SBlock *b = &s->simulation.blocks.at[sl->steps[k].block];
    for (uint32_t q = 0; q < b->n; q++)
      if (b->unknowns[q] == v && (sl->steps[k].part == WHOLE_BLOCK || sl->steps[k].part == q))
        return true;
  }
  return false;
}

static bool reads(const Structure *s, const SSlice *sl, const char *name) {
  for (uint32_t k = 0; k < sl->n_reads; k++)
    if (sl->reads[k] == s->vars.at[number_of(s, name)].place)
      return true;
  return false;
}

static void nothing_else(void **state) {
  (void)state;
  NuProgram *p = compile("model M Real a(start = 1, fixed = true), y1, y2; Real b(start = 1, fixed "
                         "= true), z1, z2, z3, w; Boolean up = b > 0.5; equation "
                         "der(a) = -a; y1 = sin(a); y2 = 2*y1; "
                         "z1 = cos(b); z2 + exp(z3) = z1; z3 + z2*z2*z2 = b; der(b) = -z2; w = if "
                         "up then z1 else a; end M;");
  assert_non_null(p);
  const Structure *s = p->structure;
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  SSlice sl = slice_of(s, "y2", false, a);
  assert_true(sl.n_steps == 2 && computes(s, &sl, "y1") && computes(s, &sl, "y2"));
  assert_true(sl.n_reads == 1 && reads(s, &sl, "a") && !sl.discrete);
  /* Follows from an unknown of the loop alone, which is recorded or follows from the other one */
  sl = slice_of(s, "b", true, a);
  assert_true(sl.n_steps <= 2 && sl.n_reads <= 2 && !computes(s, &sl, "z1") && !sl.discrete);
  sl = slice_of(s, "b", false, a); /* a state needs nothing */
  assert_true(sl.n_steps == 0 && sl.n_reads == 1 && reads(s, &sl, "b"));
  sl = slice_of(s, "w", false, a);
  assert_true(sl.discrete && sl.n_steps == 2 && sl.n_reads == 2 && !computes(s, &sl, "z2") &&
              !computes(s, &sl, "z3"));
  int wanted = (int)number_of(s, "z2");
  bool *none = NEW_ARRAY(a, bool, s->n_real + 1);
  assert_false(structure_slice(s, &wanted, 1, none, a, &sl));
  assert_true(sl.missing != NO_SVAR);
  mem_drop_since(&mem, NULL);
  drop(p);
}

/* ---- what is not called again ---- */

/* A slice that a run would never lead to: the block of `name`, which calls a function from
 * outside. */
static void refused(const char *text, const char *name) {
  NuProgram *p = compile(text);
  assert_non_null(p);
  const Structure *s = p->structure;
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  Diags *diags = diags_new(a, p->s->sources);
  SStep step = {UINT32_MAX, WHOLE_BLOCK};
  for (uint32_t k = 0; k < s->simulation.blocks.n; k++)
    if (s->simulation.blocks.at[k].unknowns[0] == number_of(s, name))
      step.block = k;
  assert_true(step.block != UINT32_MAX);
  SSlice sl = {.n_steps = 1, .steps = &step};
  Text code = {.arena = a};
  assert_true(emit_slice(s->model, s, &sl, diags, &code));
  Program *slice = load_program(text_str(&code), CODE_TCC, diags);
  assert_non_null(slice);
  Replay *re = replay_new(slice, a, diags);
  assert_false(replay_evaluate(re, RUN_ROW_GRID, true));
  const Diag *d = diags_at(diags, diags_count(diags) - 1);
  assert_int_equal(d->code, D_R612);
  assert_non_null(strstr(d->message, "a function that is not called again"));
  replay_free(re);
  program_free(slice);
  mem_drop_since(&mem, NULL);
  drop(p);
}

static void outside_is_refused(void **state) {
  (void)state;
  refused(special, "process");
  refused("model M function f input Real u; output Real y; external \"C\" y = f(u) "
          "annotation(Library = \"nosuch\"); end f; "
          "Real x(start = 1, fixed = true), y = f(x); equation der(x) = -x; end M;",
          "y");
}

static int measure(int n, char **targets) {
  int wrong = 0;
  for (int k = 0; k < n; k++) {
    Check *c = calloc(1, sizeof *c);
    char name[400];
    double stop = NAN, rtol = NAN;
    sscanf(targets[k], "%399[^@]@%lf@%lf", name, &stop, &rtol);
    RunOptions options = run_defaults();
    options.stop = stop, options.rtol = rtol;
    bool done = check_model(name, c, &options);
    printf("%s %s %llu rows, %u values, %u columns, %u changes, %u singular %s\n", name,
           !done      ? "no-run"
           : c->wrong ? "WRONG"
                      : "equal",
           (unsigned long long)c->rows, c->n_all, c->record.n_columns, c->record.n_changes,
           c->n_singular, c->where);
    wrong += c->wrong != 0;
    fflush(stdout);
    free(c);
  }
  return wrong != 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recomputed_as_in_tests), cmocka_unit_test(recomputed_as_in_examples),
      cmocka_unit_test(what_is_recorded),       cmocka_unit_test(linear_by_entries),
      cmocka_unit_test(singular_systems),       cmocka_unit_test(nothing_else),
      cmocka_unit_test(outside_is_refused),
  };
  return argc > 1 ? measure(argc - 1, argv + 1) : cmocka_run_group_tests(tests, NULL, NULL);
}
