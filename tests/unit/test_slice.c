/* tests/unit/test_slice.c -- values computed again from what a store records are those of the run, to the last bit; a slice holds
 * nothing that is not needed.
 * Each row of a run is recomputed when it comes, from its columns and changes alone: everything else is NaN. With arguments (files
 * or names of classes) the same is done for these models, one line each. */
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
#include "structure/structure.h"

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

static const char *const kinds[] = {[RUN_ROW_GRID] = "grid", [RUN_ROW_BEFORE] = "before", [RUN_ROW_STEP] = "step", [RUN_ROW_AFTER] = "after"};

static bool same(Check *c, Part *p, const RunRow *row) {
  const DsData *d = replay_data(p->replay);
  for (uint32_t k = 0; k < p->n_wanted; k++) {
    const SVar *v = svar_of(c, p->wanted[k]);
    if (memcmp(&d->r[v->place], &row->data->r[v->place], sizeof(double))) {
      note(c, arena_printf(c->a, "%s is %a, was %a, at %g (%s row, %u wanted)", name_of(c, p->wanted[k]), d->r[v->place], row->data->r[v->place],
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
  if (!replay_evaluate(p->replay, row->kind, row->kind != RUN_ROW_GRID || !p->seen))
    note(c, diags_at(c->diags, diags_count(c->diags) - 1)->message);
  else
    same(c, p, row);
  p->seen = true;
}

static bool check_row(void *user, const RunRow *row) {
  Check *c = user;
  bool fresh = c->rows == 0 || row->n_singular != c->n_singular;
  for (uint32_t k = 0; k < row->n_singular; k++)
    c->recorded[row->singular[k]] = true;
  c->n_singular = row->n_singular;
  if (fresh) {
    make_part(c, &c->whole, false);
    make_part(c, &c->evaluated, true);
    for (int k = 0; k < SINGLES; k++)
      make_part(c, &c->single[k], false);
  }
  look(c, &c->whole, row);
  if (c->rows % EVERY == 0 || row->kind != RUN_ROW_GRID)
    for (int k = 0; k < SINGLES; k++)
      look(c, &c->single[k], row);
  if (c->rows % (20 * EVERY) == 0 || (row->kind != RUN_ROW_GRID && c->rows < 20 * EVERY))
    look(c, &c->evaluated, row);
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

/* False: the model cannot be run at all. */
static bool check_program(const NuProgram *p, Check *c, double stop, double rtol) {
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
  RunOptions options = run_defaults();
  options.time_limit = 60;
  options.structure = c->s;
  options.stop = stop, options.rtol = rtol;
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

static bool check_model(const char *target, Check *c, double stop, double rtol) {
  NuSession *s = NULL;
  NuSessionOptions so = nu_session_options();
  so.path = getenv("MODELICAPATH");
  NuTarget t = {.code = NU_CODE_TCC};
  NuProgram *p = NULL;
  bool done = nu_session_new(&so, &s) == NU_OK && nu_load_target(s, target, &t.class_name) == NU_OK && nu_compile(s, &t, &p) == NU_OK &&
              check_program(p, c, stop, rtol);
  nu_program_free(p);
  nu_session_free(s);
  return done;
}

/* ---- tests ---- */

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }
static int is_model(const struct dirent *d) { return strlen(d->d_name) > 3 && !strcmp(d->d_name + strlen(d->d_name) - 3, ".mo"); }

static void check_folder(const char *folder, uint64_t least_rows) {
  struct dirent **found;
  uint64_t rows = 0;
  int n = scandir(folder, &found, is_model, by_name);
  assert_true(n > 0);
  for (int k = 0; k < n; k++) {
    char path[600];
    Check *c = calloc(1, sizeof *c);
    snprintf(path, sizeof path, "%s/%s", folder, found[k]->d_name);
    check_model(path, c, NAN, NAN);
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

static int measure(int n, char **targets) {
  int wrong = 0;
  for (int k = 0; k < n; k++) {
    Check *c = calloc(1, sizeof *c);
    char name[400];
    double stop = NAN, rtol = NAN;
    sscanf(targets[k], "%399[^@]@%lf@%lf", name, &stop, &rtol);
    bool done = check_model(name, c, stop, rtol);
    printf("%s %s %llu rows, %u values, %u columns, %u changes, %u singular %s\n", name, !done ? "no-run" : c->wrong ? "WRONG" : "equal", (unsigned long long)c->rows,
           c->n_all, c->record.n_columns, c->record.n_changes, c->n_singular, c->where);
    wrong += c->wrong != 0;
    fflush(stdout);
    free(c);
  }
  return wrong != 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recomputed_as_in_tests),
      cmocka_unit_test(recomputed_as_in_examples),
  };
  return argc > 1 ? measure(argc - 1, argv + 1) : cmocka_run_group_tests(tests, NULL, NULL);
}
