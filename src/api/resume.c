/* api/resume.c -- runs that go on from a stored result: where they were interrupted, or from a time before that with other values.
 * The options that decide how a run goes stand in its store as text, a line `name=value` each, so that they need not be given again.
 * Where no checkpoint can be used (the run was too short for one, or another version of the program has written it) the run begins at its
 * start: it comes to the same values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/run_impl.h"
#include "structure/structure.h"

/* ---- options as text ---- */

/* Options of a run that are numbers, and their names. */
static const struct {
  const char *name;
  size_t at;
  enum { REAL, COUNT, FLAG, CHOICE } kind;
} numbers[] = {
    {"rtol", offsetof(RunOptions, rtol), REAL},
    {"atol_factor", offsetof(RunOptions, atol_factor), REAL},
    {"solver_step", offsetof(RunOptions, solver_step), REAL},
    {"start", offsetof(RunOptions, start), REAL},
    {"stop", offsetof(RunOptions, stop), REAL},
    {"intervals", offsetof(RunOptions, intervals), COUNT},
    {"dae", offsetof(RunOptions, dae), FLAG},
    {"jump_path", offsetof(RunOptions, jump_path), FLAG},
    {"any_pulses", offsetof(RunOptions, any_pulses), FLAG},
    {"together", offsetof(RunOptions, together), FLAG},
    {"chatter", offsetof(RunOptions, chatter), CHOICE},
    {"zeno", offsetof(RunOptions, zeno), CHOICE},
    {"bounds", offsetof(RunOptions, bounds), CHOICE},
};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers, MOST_CHOICES = 3 };

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

static void add_settings(Text *out, const char *name, const RunSetting *list, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    text_printf(out, "%s=%s=", name, list[k].name);
    add_escaped(out, list[k].value);
  }
}

const char *api_options_text(const NuRun *r) {
  const RunOptions *o = &r->options;
  Text out = {.arena = r->arena};
  for (size_t k = 0; k < N_NUMBERS; k++) {
    const char *at = (const char *)o + numbers[k].at;
    text_printf(&out, "%s=", numbers[k].name);
    switch (numbers[k].kind) {
    case REAL: text_real(&out, *(const double *)at); break;
    case COUNT: text_printf(&out, "%lu", (unsigned long)*(const uint32_t *)at); break;
    case FLAG: text_printf(&out, "%d", *(const bool *)at); break;
    case CHOICE: text_printf(&out, "%d", *(const int *)at); break;
    }
    text_char(&out, '\n');
  }
  text_add(&out, "solver=");
  add_escaped(&out, o->solver ? o->solver : "auto");
  add_settings(&out, "parameter", o->parameters, o->n_parameters);
  add_settings(&out, "initial", o->starts, o->n_starts);
  for (uint32_t k = 0; k < r->changes.n; k++) {
    text_add(&out, "change=");
    text_real(&out, r->changes.at[k].time);
    text_printf(&out, " %s=", r->changes.at[k].setting.name);
    add_escaped(&out, r->changes.at[k].setting.value);
  }
  return text_str(&out);
}

static bool read_number(RunOptions *o, size_t k, const char *value) {
  char *at = (char *)o + numbers[k].at, *end;
  double x = strtod(value, &end);
  if (end == value || *end)
    return false;
  switch (numbers[k].kind) {
  case REAL: *(double *)at = x; return true;
  case COUNT: *(uint32_t *)at = x >= 0 && x <= UINT32_MAX ? (uint32_t)x : 0; return x >= 0 && x <= UINT32_MAX;
  case FLAG: *(bool *)at = x != 0; return true;
  case CHOICE: *(int *)at = x >= 0 && x < MOST_CHOICES ? (int)x : 0; return x >= 0 && x < MOST_CHOICES;
  }
  return false;
}

typedef VEC(RunSetting) Settings;

/* "1.5 k=3": that the run had, if it comes before the time from which it goes on now. */
static bool read_change(NuRun *r, const char *value) {
  char *at;
  double time = strtod(value, &at);
  const char *equal = strchr(at, '=');
  if (at == value || *at != ' ' || !equal || !isfinite(time))
    return false;
  if (isnan(r->resume_at) || time <= r->resume_at)
    vec_push(r->arena, &r->changes, ((ApiChange){time, {arena_strndup(r->arena, at + 1, (size_t)(equal - at - 1)), equal + 1}}));
  return true;
}

static bool read_line(NuRun *r, const char *name, const char *value, Settings *parameters, Settings *starts) {
  for (size_t k = 0; k < N_NUMBERS; k++)
    if (!strcmp(name, numbers[k].name))
      return read_number(&r->options, k, value);
  const char *equal = strchr(value, '=');
  if (!strcmp(name, "change"))
    return read_change(r, value);
  if (!strcmp(name, "solver"))
    r->options.solver = strcmp(value, "auto") ? value : NULL;
  else if (equal && !strcmp(name, "parameter"))
    vec_push(r->arena, parameters, ((RunSetting){arena_strndup(r->arena, value, (size_t)(equal - value)), equal + 1}));
  else if (equal && !strcmp(name, "initial"))
    vec_push(r->arena, starts, ((RunSetting){arena_strndup(r->arena, value, (size_t)(equal - value)), equal + 1}));
  else
    return false;
  return true;
}

/* The options of the run that wrote the store, in the place of ours. */
static bool read_options(NuRun *r) {
  Settings parameters = {0}, starts = {0};
  const char *text = r->past->options;
  bool ok = text && *text;
  for (const char *end; ok && *text; text = end + 1) {
    const char *equal = strchr(text, '=');
    end = strchr(text, '\n');
    ok = end && equal && equal < end &&
         read_line(r, arena_strndup(r->arena, text, (size_t)(equal - text)), unescaped(equal + 1, end, r->arena), &parameters, &starts);
    if (!end)
      break;
  }
  r->options.parameters = parameters.at, r->options.n_parameters = parameters.n;
  r->options.starts = starts.at, r->options.n_starts = starts.n;
  if (!ok)
    diag_add(r->diags, D_F002, (Span){0, 0}, "cannot go on from `%s`: %s", r->past->path,
             r->past->options ? "its options are not as they were written" : "it was written by an older NuSim, which kept no options");
  return ok;
}

/* ---- making ---- */

/* Is it a result of this program? */
static bool same_model(NuRun *r) {
  Text model = {.arena = r->arena};
  flat_print(r->p->structure->model, r->diags, false, &model);
  if (!strcmp(text_str(&model), r->past->model))
    return true;
  Diag *d = diag_add(r->diags, D_F002, (Span){0, 0}, "cannot go on from `%s`: it is a result of another model than this", r->past->path);
  diag_help(r->diags, d, "the model of a result is in it: nu_compile_result");
  return false;
}

/* A later or earlier end, in steps of the same length. */
static bool other_stop(NuRun *r, double stop) {
  RunOptions *o = &r->options;
  const Store *s = r->past;
  double step = (s->stop - s->start) / s->intervals, n = round((stop - s->start) / step);
  if (!(n >= 1 && n < UINT32_MAX && fabs(s->start + n * step - stop) <= 1e-9 * fabs(stop - s->start))) {
    diag_add(r->diags, D_A001, (Span){0, 0}, "the stop time %.9g is no point of the output grid of `%s`, which has steps of %.9g", stop, s->path, step);
    return false;
  }
  o->start = s->start, o->stop = stop;
  o->intervals = (uint32_t)n;
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
    diag_add(r->diags, D_A001, (Span){0, 0}, "`%s` has values from time %.9g to %.9g, not at %.9g", r->past->path, r->past->start, end, t);
  else
    diag_add(r->diags, D_A001, (Span){0, 0}, "`%s` has no values: its run was stopped at once", r->past->path);
  return false;
}

NuStatus api_resume_options(NuRun *r, const NuRunOptions *o) {
  r->resume_at = o->resume_at;
  r->past = store_open(o->resume, r->arena, r->diags);
  if (!r->past || !same_model(r))
    return NU_FILE;
  const RunSetting *given = r->options.parameters;
  uint32_t n_given = r->options.n_parameters;
  if (!read_options(r))
    return NU_FILE;
  for (uint32_t k = 0; k < n_given && !isnan(r->resume_at); k++)
    vec_push(r->arena, &r->changes, ((ApiChange){r->resume_at, given[k]}));
  bool over = r->past->ended && r->past->status == RUN_OK && !(o->stop > r->past->stop);
  if (isnan(r->resume_at) && over) {
    Diag *d = diag_add(r->diags, D_A001, (Span){0, 0}, "the run of `%s` has come to its end at time %.9g", r->past->path, r->past->stop);
    diag_help(r->diags, d, "a later stop time makes it longer; another beginning, with other parameters: from a time");
    return NU_USAGE;
  }
  if (!r->options.n_select) /* columns, too, are those that were asked for */
    r->options.select = r->past->selected, r->options.n_select = r->past->n_selected;
  if (!check_time(r) || (!isnan(o->stop) && !other_stop(r, o->stop)))
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
  if (store_checkpoint_before(r->past, until, r->arena, &r->checkpoint, r->diags) && take_head(r) && run_checkpoint_fits(r->run, r->checkpoint.run, r->checkpoint.n_run))
    return NU_OK;
  if (diags_count(r->diags) > from)
    return NU_FILE;
  if (r->past->set) {
    diag_add(r->diags, D_F002, (Span){0, 0}, "cannot go on from `%s`: values were set from outside while it ran, and it has no checkpoint that this program can use", r->past->path);
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
    for (; status == RUN_OK && r->n_changed < r->changes.n && r->changes.at[r->n_changed].time == t; r->n_changed++)
      status = run_set(r->run, r->changes.at[r->n_changed].setting.name, RUN_VALUE, r->changes.at[r->n_changed].setting.value, NAN);
    if (status == RUN_OK)
      status = run_settle(r->run);
  }
  return status;
}

RunStatus api_resume(NuRun *r) {
  RunStatus status;
  if (r->checkpoint.n)
    status = run_resume(r->run, r->checkpoint.run, r->checkpoint.n_run, r->resume_anew, api_take_row, r);
  else
    status = run_begin(r->run, api_take_row, r);
  r->damaged = r->checkpoint.n && status == RUN_USAGE;
  if (r->damaged)
    diag_add(r->diags, D_F002, (Span){0, 0}, "the checkpoint that the run was to go on from is damaged");
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
