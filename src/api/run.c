/* api/run.c -- runs. Each has memory, diagnostics and result of its own, so that runs in several
 * threads do not meet.
 * Keep: nothing of the program or the session changes here (api_impl.h). */
#include "api/run_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/stepper.h"
#include "structure/structure.h"

static const double DEFAULT_RTOL = 1e-6; /* as run/run.h says */
static const double GRID_FIT = 1e-9;     /* how exactly times must fit the output grid, relative */

bool nu_solver(size_t i, const char **name, const char **summary) {
  const StepperKind *kind = i > 0 ? stepper_kind_at(i - 1) : NULL;
  bool past = i > 0 && !kind, last = past && (i == 1 || stepper_kind_at(i - 2));
  *name = kind ? kind->name : past ? "dassl" : "auto";
  *summary = kind   ? kind->summary
             : past ? "another name of ida"
                    : "chosen by the program, may change while it runs";
  return kind || !past || last;
}

/* ---- the frame: as api_call, with the memory of the run ---- */

NuStatus api_run_call(NuRun *r, RunWork *work, void *args) {
  jmp_buf here;
  uint32_t from = r->delivered = r->diags ? diags_count(r->diags) : 0;
  r->mem.recover = &here;
  if (setjmp(here) == 0) {
    NuStatus status = work(r, args);
    r->mem.recover = NULL;
    api_deliver(r->p->s, &r->mem, r->diags, r->delivered);
    if (status != NU_OK)
      diags_rewind(r->diags, from); /* the next call that fails so is told again */
    return status;
  }
  r->mem.recover = NULL;
  r->busy = false;
  r->state = RUN_IS_BROKEN;
  r->status = RUN_FAILED;
  api_deliver_exhausted(r->p->s, r->mem.limit);
  return NU_MEMORY;
}

/* What must not wait for the end of the call. The sink runs outside of the recovery point, as it
 * does there. */
static void deliver_now(void *user) {
  NuRun *r = user;
  jmp_buf *recover = r->mem.recover;
  r->mem.recover = NULL;
  api_deliver(r->p->s, &r->mem, r->diags, r->delivered);
  r->delivered = diags_count(r->diags);
  r->mem.recover = recover;
}

/* ---- for other files ---- */

double api_value(const DsData *d, DsType type, int place) {
  switch (type) {
  case DS_REAL: return d->r[place];
  case DS_INTEGER:
  case DS_BOOLEAN:
  case DS_ENUMERATION: return (double)d->i[place];
  case DS_STRING: return NAN;
  }
  return NAN;
}

NuStatus api_run_status(RunStatus status) {
  static const NuStatus statuses[] = {
      [RUN_OK] = NU_OK,
      [RUN_USAGE] = NU_USAGE,
      [RUN_INIT_FAILED] = NU_INIT_FAILED,
      [RUN_FAILED] = NU_RUN_FAILED,
      [RUN_LIMIT] = NU_LIMIT,
      [RUN_OUTPUT] = NU_INTERRUPTED,
      [RUN_CANCELLED] = NU_INTERRUPTED,
  };
  return statuses[status];
}

/* ---- making ---- */

bool api_setting(NuRun *r, const char *text, RunSetting *out) {
  const char *equal = strchr(text, '=');
  if (equal)
    *out = (RunSetting){arena_strndup(r->arena, text, (size_t)(equal - text)), equal + 1};
  else
    diag_add(r->diags, D_A001, (Span){0, 0}, "`%s` is not of the form name=value", text);
  return equal;
}

/* Texts of the run's own arena as settings. False after A001. */
static bool settings(NuRun *r, const char *const *texts, size_t n, const RunSetting **out,
                     uint32_t *n_out) {
  RunSetting *list = NEW_ARRAY(r->arena, RunSetting, n);
  for (size_t i = 0; i < n; i++)
    if (!api_setting(r, texts[i], &list[i]))
      return false;
  *out = list;
  *n_out = (uint32_t)n;
  return true;
}

static double first_known(double a, double b, double c) {
  return !isnan(a) ? a : !isnan(b) ? b : c;
}

double api_rtol(const NuRun *r, const NuRunOptions *o) {
  return first_known(o->rtol, r->p->info.tolerance, DEFAULT_RTOL);
}

/* An output interval becomes their number. False after A001. */
static bool count_intervals(NuRun *r, NuRunOptions *o) {
  const NuProgramInfo *info = &r->p->info;
  double span = first_known(o->stop, info->stop, 1) - first_known(o->start, info->start, 0);
  double count = round(span / o->step);
  bool fits = count >= 1 && count < UINT32_MAX && fabs(count * o->step - span) <= GRID_FIT * span;
  if (fits)
    o->intervals = (uint64_t)count, o->step = NAN;
  else
    diag_add(r->diags, D_A001, (Span){0, 0},
             "the output interval %g does not divide the time span %g", o->step, span);
  return fits;
}

static void tell_progress(void *user) {
  const NuRun *r = user;
  if (r->store)
    store_tick(r->store);
  if (r->progress)
    r->progress(r->progress_user, r);
}

/* Who is called during the run. */
static void set_calls(NuRun *r, const NuRunOptions *o) {
  RunOptions *ro = &r->options;
  ro->structure = r->structure;
  ro->mode = api_mode;
  ro->mode_user = (void *)(uintptr_t)r->p;
  ro->cancel = &r->cancel;
  ro->progress = o->progress || o->store ? tell_progress : NULL;
  ro->tell = deliver_now;
  ro->progress_user = r;
  ro->due = o->store ? api_checkpoint_due : NULL;
  ro->checkpoint = api_checkpoint;
}

/* The options of the run, out of those of the caller. False after A001. */
static bool translate_options(NuRun *r, const NuRunOptions *o) {
  RunOptions *ro = &r->options;
#define RUN_OPTION(type, field, ...) ro->field = o->field;
#include "run/options.def"
  ro->intervals = (uint32_t)o->intervals;
  ro->dae = o->formulation == NU_FORM_DAE;
  if (!isnan(o->atol))
    ro->atol_factor = o->atol / api_rtol(r, o);
  ro->passes = o->event_rows == NU_ROWS_ALL || o->store || o->events;
  ro->grid_only = o->event_rows == NU_ROWS_NONE && !o->store && !o->events;
  ro->select = o->variables;
  ro->n_select = (uint32_t)o->n_variables;
  return settings(r, o->parameters, o->n_parameters, &ro->parameters, &ro->n_parameters) &&
         settings(r, o->starts, o->n_starts, &ro->starts, &ro->n_starts);
}

/* From the caller's options to those of the run; a run that is resumed has them from its result. */
static NuStatus take_options(NuRun *r, NuRunOptions *o) {
  api_options_keep(o, r->arena);
  if (!api_options_check(o, r->diags))
    return NU_USAGE;
  r->resumes = o->resume;
  NuStatus resumed = r->resumes ? api_resume_options(r, o) : NU_OK;
  if (resumed != NU_OK)
    return resumed;
  set_calls(r, o);
  bool good = isnan(o->step) || count_intervals(r, o);
  return good && translate_options(r, o) ? NU_OK : NU_USAGE;
}

/* A name that outlives the run, until the run itself tells which methods it used. */
static const char *solver_in_use(const char *asked) {
  const StepperKind *kind = asked ? stepper_kind(asked) : NULL;
  return kind ? kind->name : "auto";
}

/* The result files up to their first rows. False after F001. */
static bool open_files(NuRun *r, const NuRunOptions *o) {
  const char *const paths[RESULT_FORMATS] = {[RESULT_CSV] = o->csv, [RESULT_MAT] = o->mat};
  ResultShape shape = {.columns = r->columns,
                       .n = r->n_columns,
                       .all = !r->options.n_select,
                       .steps = r->filter.choice == ROWS_ALL,
                       .model = r->p->own->model,
                       .structure = r->structure,
                       .start = run_start_time(r->run),
                       .stop = run_stop_time(r->run)};
  return results_open(&r->files, paths, &shape, r->arena, r->diags);
}

static bool open_store(NuRun *r, const NuRunOptions *o) {
  StoreSetup setup = {.path = o->store,
                      .structure = r->structure,
                      .model = r->p->own->model,
                      .sources = r->diags,
                      .start = run_start_time(r->run),
                      .stop = run_stop_time(r->run),
                      .rtol = run_rtol(r->run),
                      .intervals = run_intervals(r->run),
                      .version = nu_version(),
                      .solver = r->stats.solver,
                      .options = api_options_text(r, o),
                      .checkpoint = o->checkpoint,
                      .past = r->past ? &r->past : NULL,
                      .at = &r->checkpoint};
  if (r->options.n_select)
    setup.selected = r->names, setup.n_selected = r->n_columns;
  setup.causes = causes_of(r->structure, r->p->sources, r->arena, &setup.n_causes);
  r->store = store_create(&setup, r->arena, r->diags);
  return r->store != NULL;
}

static void keep_events(NuRun *r) {
  EventSetup setup = {.model = r->p->own->model,
                      .structure = r->structure,
                      .class_name = r->p->info.class_name,
                      .start = run_start_time(r->run),
                      .stop = run_stop_time(r->run)};
  setup.causes = causes_of(r->structure, r->p->sources, r->arena, &setup.n_causes);
  r->events = events_new(&setup, r->arena);
}

static NuStatus make_run(NuRun *r, void *args) {
  NuRunOptions *o = args;
  r->arena = arena_new(&r->mem);
  r->diags = diags_new(r->arena, r->p->sources);
  r->structure = structure_view(r->p->structure, r->arena);
  r->row = o->row;
  r->row_user = o->row_user;
  r->progress = o->progress;
  r->progress_user = o->progress_user;
  NuStatus status = take_options(r, o);
  if (status != NU_OK)
    return status;
  r->run = run_new(r->p->own, &r->options, r->arena, r->diags);
  if (!r->run) {
    status = api_status(r->diags, 0);
    return status != NU_OK ? status : NU_USAGE;
  }
  r->time = run_start_time(r->run);
  r->filter = (RowFilter){(RowChoice)o->event_rows, run_start_time(r->run), run_stop_time(r->run),
                          run_intervals(r->run), -INFINITY};
  r->columns = run_columns(r->run, &r->n_columns);
  r->names = NEW_ARRAY(r->arena, const char *, r->n_columns);
  for (uint32_t i = 0; i < r->n_columns; i++)
    r->names[i] = r->columns[i].name;
  r->values = NEW_ARRAY(r->arena, double, r->n_columns);
  r->stats.solver = solver_in_use(o->solver);
  if (o->events)
    keep_events(r);
  if (r->resumes)
    status = api_resume_find(r);
  if (status != NU_OK)
    return status;
  if (o->store && !open_store(r, o))
    return NU_FILE;
  return open_files(r, o) ? NU_OK : NU_FILE;
}

NuStatus nu_run_new(const NuProgram *p, const NuRunOptions *options, NuRun **run) {
  *run = NULL;
  NuRun *r = calloc(1, sizeof *r);
  if (!r)
    return NU_MEMORY;
  r->p = p;
  NuRunOptions o = options ? *options : nu_run_options();
  NuStatus status = api_run_call(r, make_run, &o);
  if (status == NU_OK)
    *run = r;
  else
    nu_run_free(r);
  return status;
}

void nu_run_free(NuRun *r) {
  if (!r)
    return;
  results_close(&r->files);
  store_writer_free(r->store);
  store_close(r->past);
  run_free(r->run);
  mem_drop_since(&r->mem, NULL);
  free(r);
}

/* ---- simulating ---- */

bool api_take_row(void *user, const RunRow *row) {
  NuRun *r = user;
  r->data = row->data;
  r->time = row->time;
  if (r->events)
    events_row(r->events, row);
  if (r->store && !store_row(r->store, row))
    return false;
  if (!filter_takes(&r->filter, row))
    return true;
  r->rows++;
  if (!results_row(&r->files, row))
    return false;
  if (!r->row)
    return true;
  for (uint32_t i = 0; i < r->n_columns; i++)
    r->values[i] = api_value(row->data, r->columns[i].type, r->columns[i].place);
  return r->row(r->row_user, row->time, r->values);
}

bool api_run_allowed(NuRun *r, unsigned states, const char *call) {
  static const char *const is[] = {[RUN_IS_NEW] = "has not begun",
                                   [RUN_IS_ON] = "is under way",
                                   [RUN_IS_BROKEN] = "has failed",
                                   [RUN_IS_OVER] = "has ended"};
  if (states >> r->state & 1)
    return true;
  Diag *d = diag_add(r->diags, D_A004, (Span){0, 0}, "%s is not possible now: the run %s", call,
                     is[r->state]);
  if (r->state == RUN_IS_BROKEN)
    diag_help(r->diags, d, "a snapshot can be restored; else the run can only be ended");
  return false;
}

NuStatus api_run_passed(NuRun *r, RunStatus status, double begun) {
  r->busy = false;
  r->status = status;
  r->state = status == RUN_OK ? RUN_IS_ON : RUN_IS_BROKEN;
  r->time = run_stats(r->run).end_time;
  r->data = run_data(r->run);
  r->run_time += api_cpu_time() - begun;
  return api_run_status(status);
}

static NuStatus start(NuRun *r, void *args) {
  (void)args;
  if (!api_run_allowed(r, 1u << RUN_IS_NEW, "nu_run_start"))
    return NU_USAGE;
  double begun = api_cpu_time();
  r->busy = true;
  r->state = RUN_IS_BROKEN;
  uint32_t from = diags_count(r->diags);
  NuStatus status = api_run_passed(
      r, r->resumes ? api_resume(r) : run_begin(r->run, api_take_row, r), begun);
  if (status == NU_USAGE) /* values outside of their bounds: the model's or the caller's */
    status = api_status(r->diags, from);
  return r->damaged ? NU_FILE : status;
}

NuStatus nu_run_start(NuRun *r) { return r->busy ? NU_USAGE : api_run_call(r, start, NULL); }

static NuStatus advance(NuRun *r, void *args) {
  double until = *(const double *)args;
  if (!api_run_allowed(r, 1u << RUN_IS_ON, "nu_run_advance"))
    return NU_USAGE;
  if (!(until >= r->time)) {
    diag_add(r->diags, D_A001, (Span){0, 0}, "the run is at time %g and cannot go back to %g",
             r->time, until);
    return NU_USAGE;
  }
  double begun = api_cpu_time();
  r->busy = true;
  return api_run_passed(r, run_advance(r->run, until), begun);
}

NuStatus nu_run_advance(NuRun *r, double until, double *reached) {
  NuStatus status = r->busy ? NU_USAGE : api_run_call(r, advance, &until);
  if (reached)
    *reached = r->time;
  return status;
}

/* With the texts of the relations. */
static void tell_rests(NuRun *r) {
  uint32_t n, n_causes;
  const RunRest *rests = run_rests(r->run, &n);
  const StoreCause *causes = n ? causes_of(r->structure, r->p->sources, r->arena, &n_causes) : NULL;
  r->rests = NEW_ARRAY(r->arena, NuRest, n);
  r->n_rests = n;
  for (uint32_t k = 0; k < n; k++) {
    const RunRest *from = &rests[k];
    r->rests[k] = (NuRest){from->contact,
                           from->contact ? run_state_name(r->run, from->state) : NULL,
                           "",
                           "",
                           from->time,
                           from->count};
    for (uint32_t c = 0; c < n_causes; c++)
      if (causes[c].kind == RUN_CAUSE_RELATION && (int)causes[c].number == from->relation)
        r->rests[k].relation = causes[c].text, r->rests[k].place = causes[c].place;
  }
}

bool nu_run_rest(const NuRun *r, size_t i, NuRest *rest) {
  bool known = i < r->n_rests;
  if (known)
    *rest = r->rests[i];
  return known;
}

static NuStatus end(NuRun *r, void *args) {
  (void)args;
  if (!api_run_allowed(r, 1u << RUN_IS_ON | 1u << RUN_IS_BROKEN, "nu_run_end"))
    return NU_USAGE;
  double begun = api_cpu_time();
  RunStatus before = r->status;
  if (r->store && before == RUN_OK && store_has_checkpoint(r->store))
    api_checkpoint(r); /* so that the run can be made longer */
  r->busy = true;
  NuStatus status = api_run_passed(r, run_end(r->run, before, &r->stats), begun);
  r->state = RUN_IS_OVER;
  tell_rests(r);
  bool stored = !r->store || store_end(r->store, r->status, &r->stats, r->diags);
  if (!results_end(&r->files, r->diags) || !stored)
    return NU_FILE;
  return before == RUN_OK ? status : NU_OK;
}

NuStatus nu_run_end(NuRun *r) { return r->busy ? NU_USAGE : api_run_call(r, end, NULL); }

NuStatus nu_run_simulate(NuRun *r) {
  if (r->busy || r->state != RUN_IS_NEW)
    return nu_run_start(r); /* which says why not */
  NuStatus status = nu_run_start(r), ended = NU_OK;
  if (status == NU_OK)
    status = nu_run_advance(r, run_stop_time(r->run), NULL);
  if (status != NU_MEMORY)
    ended = nu_run_end(r);
  return ended == NU_FILE || status == NU_OK ? ended : status;
}

void nu_run_interrupt(NuRun *r) { atomic_store(&r->cancel, 1); }

/* ---- answers ---- */

size_t nu_run_columns(const NuRun *r, const char *const **names) {
  *names = r->names;
  return r->n_columns;
}

NuRunStats nu_run_stats(const NuRun *r) {
  RunStats so_far = run_stats(r->run);
  NuRunStats out = {.start = run_start_time(r->run),
                    .stop = run_stop_time(r->run),
                    .time = r->busy ? so_far.end_time : r->time,
                    .rows = r->rows,
                    .steps = so_far.steps,
                    .rejected_steps = r->stats.rejected_steps,
                    .rhs_evaluations = so_far.rhs_evaluations,
                    .jacobians = r->stats.jacobians,
                    .selections = r->stats.selections,
                    .factorizations = r->stats.factorizations,
                    .state_events = so_far.state_events,
                    .time_events = so_far.time_events,
                    .slides = so_far.slides,
                    .contacts = so_far.contacts,
                    .mode_changes = so_far.mode_changes,
                    .structures = 1 + so_far.structures,
                    .run_time = r->run_time,
                    .solver = r->stats.solver,
                    .code = r->stats.code,
                    .cc_from = r->stats.cc_from,
                    .code_note = r->stats.code_note};
  for (int k = 0; k < RUN_LIMITING && k < NU_LIMITING; k++) {
    out.limiting[k] = r->stats.limiting[k].name;
    out.limiting_share[k] = r->stats.limiting[k].share;
  }
  out.jacobian = r->stats.jacobian;
  out.solver_changes = r->stats.n_changes;
  for (uint64_t k = 0; k < r->stats.n_changes && k < RUN_CHANGES && k < NU_CHANGES; k++) {
    out.change_time[k] = r->stats.changes[k].time;
    out.change_solver[k] = r->stats.changes[k].solver;
  }
  return out;
}

typedef struct {
  bool json;
  char **text;
} EventsArgs;

static NuStatus tell_events(NuRun *r, void *args) {
  const EventsArgs *e = args;
  Arena *a = arena_new(&r->mem);
  Text out = {.arena = a};
  (e->json ? events_json : events_text)(r->events, &out);
  NuStatus status = api_give_text(&out, e->text);
  arena_free(a);
  return status;
}

NuStatus nu_run_events(NuRun *r, bool json, char **text) {
  *text = NULL;
  return r->events ? api_run_call(r, tell_events, &(EventsArgs){json, text}) : NU_USAGE;
}
