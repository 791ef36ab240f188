/* api/resume.c -- runs that go on from a stored result: where they were interrupted, or from a time
 * before that with other values. The options that decide how a run goes stand in its store as text,
 * a line `name=value` each, so that they need not be given again. Where no checkpoint can be used
 * (the run was too short for one, or another version of the program has written it) the run begins
 * at its start: it comes to the same values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/run_impl.h"
#include "run/snapshot.h"

/* ---- options as text ---- */

/* A text in one line. */
static void add_escaped(Text *out, const char *text) {
  for (const char *c = text; *c; c++)
    if (*c == '\n' || *c == '\\')
      text_add(out, *c == '\n' ? "\\n" : "\\\\");
    else
      text_char(out, *c);
  text_char(out, '\n');
}

static const char *unescaped(const char *from, const char *end, Arena *a) {
  Text out = {.arena = a};
  for (const char *c = from; c < end; c++)
    if (*c == '\\' && c + 1 < end)
      text_char(&out, *++c == 'n' ? '\n' : *c);
    else
      text_char(&out, *c);
  return text_str(&out);
}

static void add_text(Text *out, const char *name, const char *text) {
  text_printf(out, "%s=", name);
  add_escaped(out, text);
}

static void add_option(Text *out, const NuOption *row, const NuRunOptions *o) {
  const void *field = (const char *)o + row->at;
  double x = api_option_number(row, o);
  switch (row->kind) {
  case NU_OPTION_TEXT: add_text(out, row->field, *(const char *const *)field); return;
  case NU_OPTION_TEXTS:
    for (size_t k = 0; k < (size_t)x; k++)
      add_text(out, row->field, (*(const char *const *const *)field)[k]);
    return;
  case NU_OPTION_REAL:
    text_printf(out, "%s=", row->field);
    text_real(out, x);
    text_char(out, '\n');
    return;
  case NU_OPTION_FLAG:
  case NU_OPTION_COUNT:
  case NU_OPTION_CHOICE: text_printf(out, "%s=%.0f\n", row->field, x); return;
  }
}

const char *api_options_text(const NuRun *r, const NuRunOptions *o) {
  Text out = {.arena = r->arena};
  const NuOption *row;
  for (size_t i = 0; (row = nu_run_option(i)); i++)
    if (row->resume != NU_RESUME_FREE && api_option_given(row, o))
      add_option(&out, row, o);
  for (uint32_t k = 0; k < r->changes.n; k++) {
    text_add(&out, "change=");
    text_real(&out, r->changes.at[k].time);
    text_printf(&out, " %s=", r->changes.at[k].setting.name);
    add_escaped(&out, r->changes.at[k].setting.value);
  }
  return text_str(&out);
}

/* "1.5 k=3": that the run had, if it comes before the time from which it goes on now. */
static bool read_change(NuRun *r, const char *value) {
  char *at;
  double time = strtod(value, &at);
  const char *equal = strchr(at, '=');
  if (at == value || *at != ' ' || !equal || !isfinite(time))
    return false;
  if (isnan(r->resume_at) || time <= r->resume_at)
    vec_push(r->arena, &r->changes,
             ((ApiChange){time,
                          {arena_strndup(r->arena, at + 1, (size_t)(equal - at - 1)), equal + 1}}));
  return true;
}

/* One more text behind those that a list has; its room doubles. */
static void append(Arena *a, const NuOption *row, NuRunOptions *o, const char *text) {
  const char *const **list = (const char *const **)((char *)o + row->at);
  size_t *n = (size_t *)((char *)o + row->count_at);
  const char **room = (const char **)(uintptr_t)*list;
  if ((*n & (*n - 1)) == 0) {
    room = NEW_ARRAY(a, const char *, *n ? 2 * *n : 1);
    for (size_t k = 0; k < *n; k++)
      room[k] = (*list)[k];
    *list = room;
  }
  room[(*n)++] = text;
}

/* Results of earlier versions call some options by other names, and have atol/rtol for atol. */
static const char *present_name(const char *name) {
  static const char *const names[][2] = {
      {"dae", "formulation"}, {"parameter", "parameters"}, {"initial", "starts"}};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (!strcmp(name, names[k][0]))
      return names[k][1];
  return name;
}

static bool read_option(NuRun *r, NuRunOptions *o, const char *name, const char *value) {
  const NuOption *row = api_option_find(present_name(name));
  char *end;
  double x = strtod(value, &end);
  bool number = end != value && !*end;
  if (!strcmp(name, "atol_factor")) {
    o->atol = x > 0 ? x * api_rtol(r, o) : NAN;
    return number;
  }
  if (!row || row->resume == NU_RESUME_FREE)
    return false;
  if (row->kind == NU_OPTION_TEXTS)
    append(r->arena, row, o, value);
  else if (row->kind == NU_OPTION_TEXT)
    *(const char **)((char *)o + row->at) = value;
  else
    return number && api_option_set(row, o, x);
  return true;
}

static bool read_line(NuRun *r, NuRunOptions *o, const char *name, const char *value) {
  return !strcmp(name, "change") ? read_change(r, value) : read_option(r, o, name, value);
}

/* The options of the run that wrote the store, in the place of ours. */
static bool read_options(NuRun *r, NuRunOptions *o) {
  const NuOption *row;
  for (size_t i = 0; (row = nu_run_option(i)); i++)
    if (row->resume != NU_RESUME_FREE)
      api_option_forget(row, o);
  const char *text = r->past->options;
  bool ok = text;
  for (const char *end; ok && *text; text = end + 1) {
    const char *equal = strchr(text, '=');
    end = strchr(text, '\n');
    ok = end && equal && equal < end &&
         read_line(r, o, arena_strndup(r->arena, text, (size_t)(equal - text)),
                   unescaped(equal + 1, end, r->arena));
    if (!end)
      break;
  }
  if (!ok)
    diag_add(r->diags, D_F002, (Span){0, 0}, "cannot go on from `%s`: %s", r->past->path,
             r->past->options ? "its options are not as they were written"
                              : "it was written by an older NuSim, which kept no options");
  return ok;
}

/* ---- making ---- */

/* Is it a result of this program? */
static bool same_model(NuRun *r) {
  Text model = {.arena = r->arena};
  flat_print(r->structure->model, r->diags, false, &model);
  if (!strcmp(text_str(&model), r->past->model))
    return true;
  Diag *d = diag_add(r->diags, D_F002, (Span){0, 0},
                     "cannot go on from `%s`: it is a result of another model than this",
                     r->past->path);
  diag_help(r->diags, d, "the model of a result is in it: nu_compile_result");
  return false;
}

/* A later or earlier end, in steps of the same length. */
static bool other_stop(NuRun *r, NuRunOptions *o, double stop) {
  const Store *s = r->past;
  double step = (s->stop - s->start) / s->intervals, n = round((stop - s->start) / step);
  /* the end from which the length of the steps follows is rounded, too */
  double slack = api_grid_slack(s->start, stop) +
                 n / s->intervals * api_grid_slack(s->stop, s->stop);
  if (!(n >= 1 && n < UINT32_MAX && fabs(s->start + n * step - stop) <= slack)) {
    diag_add(r->diags, D_A001, (Span){0, 0},
             "the stop time %.9g is no point of the output grid of `%s`, which has steps of %.9g",
             stop, s->path, step);
    return false;
  }
  o->start = s->start, o->stop = stop;
  o->intervals = (uint64_t)n;
  r->resume_anew = stop != s->stop;
  return true;
}

static bool check_time(NuRun *r) {
  uint32_t n;
  const StorePiece *pieces = store_pieces(r->past, &n);
  double end = n ? pieces[n - 1].stop : NAN, t = r->resume_at;
  if (isnan(t) || (t >= r->past->start && t <= end))
    return true;
  if (n)
    diag_add(r->diags, D_A001, (Span){0, 0}, "`%s` has values from time %.9g to %.9g, not at %.9g",
             r->past->path, r->past->start, end, t);
  else
    diag_add(r->diags, D_A001, (Span){0, 0}, "`%s` has no values: its run was stopped at once",
             r->past->path);
  return false;
}

/* Parameters that are given take effect where the run goes on. False after A001. */
static bool add_changes(NuRun *r, const char *const *given, size_t n) {
  for (size_t k = 0; k < n && !isnan(r->resume_at); k++) {
    RunSetting setting;
    if (!api_setting(r, given[k], &setting))
      return false;
    vec_push(r->arena, &r->changes, ((ApiChange){r->resume_at, setting}));
  }
  return true;
}

/* Is there something left to run? */
static bool goes_on(NuRun *r, double stop) {
  bool over = r->past->ended && r->past->status == RUN_OK && !(stop > r->past->stop);
  if (!isnan(r->resume_at) || !over)
    return true;
  Diag *d = diag_add(r->diags, D_A001, (Span){0, 0},
                     "the run of `%s` has come to its end at time %.9g", r->past->path,
                     r->past->stop);
  diag_help(
      r->diags, d,
      "a later stop time makes it longer; another beginning, with other parameters: from a time");
  return false;
}

NuStatus api_resume_options(NuRun *r, NuRunOptions *o) {
  const NuRunOptions given = *o;
  r->resume_at = o->resume_at;
  r->past = store_open(o->resume, r->arena, r->diags);
  if (!r->past || !same_model(r) || !read_options(r, o))
    return NU_FILE;
  if (!add_changes(r, given.parameters, given.n_parameters) || !goes_on(r, given.stop))
    return NU_USAGE;
  if (!o->n_variables) /* columns, too, are those that were asked for */
    o->variables = r->past->selected, o->n_variables = r->past->n_selected;
  if (!check_time(r) || (!isnan(given.stop) && !other_stop(r, o, given.stop)))
    return NU_USAGE;
  return NU_OK;
}

/* What comes before the bytes of the run in a checkpoint. */
typedef struct {
  uint32_t n_changed;
} Head;

static bool take_head(NuRun *r) {
  StoreCheckpoint *c = &r->checkpoint;
  Head head;
  if (c->n_run < sizeof head)
    return false;
  memcpy(&head, c->run, sizeof head);
  c->run += sizeof head, c->n_run -= sizeof head;
  r->n_changed = head.n_changed;
  return r->n_changed <= r->changes.n;
}

NuStatus api_resume_find(NuRun *r) {
  double until = isnan(r->resume_at) ? INFINITY : r->resume_at;
  uint32_t from = diags_count(r->diags);
  if (store_checkpoint_before(r->past, until, r->arena, &r->checkpoint, r->diags) && take_head(r) &&
      run_checkpoint_fits(r->run, r->checkpoint.run, r->checkpoint.n_run))
    return NU_OK;
  if (diags_count(r->diags) > from)
    return NU_FILE;
  if (r->past->set) {
    diag_add(r->diags, D_F002, (Span){0, 0},
             "cannot go on from `%s`: values were set from outside while it ran, and it has no "
             "checkpoint that this program can use",
             r->past->path);
    return NU_FILE;
  }
  r->checkpoint = (StoreCheckpoint){0};
  r->n_changed = 0;
  store_close(r->past);
  r->past = NULL;
  return NU_OK;
}

/* ---- going on ---- */

/* Changes that lie ahead happen at their time. */
static RunStatus change(NuRun *r) {
  RunStatus status = RUN_OK;
  while (r->n_changed < r->changes.n && status == RUN_OK && !run_terminated(r->run)) {
    double t = r->changes.at[r->n_changed].time;
    status = run_advance(r->run, t);
    for (; status == RUN_OK && r->n_changed < r->changes.n && r->changes.at[r->n_changed].time == t;
         r->n_changed++)
      status = run_set(r->run, r->changes.at[r->n_changed].setting.name, RUN_VALUE,
                       r->changes.at[r->n_changed].setting.value, NAN);
    if (status == RUN_OK)
      status = run_settle(r->run);
  }
  return status;
}

RunStatus api_resume(NuRun *r) {
  RunStatus status;
  if (r->checkpoint.n)
    status = run_resume(r->run, r->checkpoint.run, r->checkpoint.n_run, r->resume_anew,
                        api_take_row, r);
  else
    status = run_begin(r->run, api_take_row, r);
  r->damaged = r->checkpoint.n && status == RUN_USAGE;
  if (r->damaged)
    diag_add(r->diags, D_F002, (Span){0, 0},
             "the checkpoint that the run was to go on from is damaged");
  return status == RUN_OK ? change(r) : status;
}

/* ---- checkpoints ---- */

bool api_checkpoint_due(void *user) {
  const NuRun *r = user;
  return store_wants_checkpoint(r->store);
}

void api_checkpoint(void *user) {
  NuRun *r = user;
  Arena *a = arena_new(&r->mem);
  Text bytes = {.arena = a};
  text_addn(&bytes, (const char *)&(Head){.n_changed = r->n_changed}, sizeof(Head));
  if (run_checkpoint(r->run, &bytes))
    store_checkpoint(r->store, bytes.at, bytes.n);
  arena_free(a);
}
