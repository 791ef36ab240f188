/* api/compare.c -- two results, signal by signal.
 * How:  names of both files, those to be compared, their values, then result/compare.c for each.
 * Keep: names are equal when only blanks differ; messages and results use the spelling of the first
 *       file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/result_impl.h"
#include "base/map.h"
#include "base/vec.h"
#include "result/compare.h"
#include "result/result.h"

enum { NEAREST = 3 };
/* 1: of the largest value: a smaller range of a signal is not told from rounding of its values */
static const double SHARE = 0.01;

/* A name in a file. */
typedef struct {
  const char *spelling, *key; /* key: interned, without blanks */
  bool listed;                /* compared without being named */
  int discrete;               /* 1 yes, 0 no, -1 not known */
  double nominal;             /* declared; 0: not known */
} Name;

typedef struct {
  const char *path;
  NuResult *result; /* of a store; else NULL */
  VEC(Name) names;
  Map by_key;          /* key -> place in names */
  const char **wanted; /* spellings of the signals, in their order */
  NuTable table;
  uint32_t *columns; /* per signal: in the table */
  double *events;    /* s */
  size_t n_events;
} Side;

typedef struct {
  uint32_t at[2]; /* places in the names of both sides */
} Signal;

typedef struct {
  Side sides[2]; /* result, reference */
  const NuCompareOptions *o;
  Arena *own;
  Interner *keys;
  VEC(Signal) signals;
  VEC(const char *) only[2];
  NuComparison *out;
} Comparison;

/* ---- names ---- */

static const char *key_of(Comparison *c, const char *name) {
  Text t = {.arena = c->own};
  for (const char *p = name; *p; p++)
    if (*p != ' ' && *p != '\t')
      text_char(&t, *p);
  return intern_str(c->keys, text_str(&t));
}

static void add_name(Comparison *c, Side *side, const char *spelling, bool listed, int discrete) {
  const char *key = key_of(c, spelling);
  uint64_t k;
  if (!*key)
    return;
  if (map_get(&side->by_key, (uint64_t)(uintptr_t)key, &k)) {
    side->names.at[k].listed |= listed;
    return;
  }
  map_put(c->own, &side->by_key, (uint64_t)(uintptr_t)key, side->names.n);
  vec_push(c->own, &side->names, (Name){spelling, key, listed, discrete, 0});
}

static bool find_name(const Side *side, const char *key, uint32_t *k) {
  uint64_t found;
  bool has = map_get(&side->by_key, (uint64_t)(uintptr_t)key, &found);
  *k = has ? (uint32_t)found : 0;
  return has;
}

/* What the model declares as a number; 0 if it does not. */
static double nominal_of(const NuResult *r, size_t variable) {
  const FlatModel *m = r->model.flat;
  double nominal = 0;
  return expr_as_real(m->pool, m->vars.at[variable].nominal, &nominal) ? fabs(nominal) : 0;
}

/* All variables of a store but Strings, and derivatives of states; those that the run was asked for
 * come first. */
static void store_names(Comparison *c, Side *side, const char *const *columns, size_t n) {
  NuVariable v;
  size_t i;
  for (size_t k = 0; k < n; k++)
    if (!nu_result_find(side->result, columns[k], &i) ||
        (nu_result_variable(side->result, i, &v) && v.type != NU_STRING))
      add_name(c, side, columns[k], true, -1);
  for (i = 0; nu_result_variable(side->result, i, &v); i++) {
    if (v.type == NU_STRING)
      continue;
    add_name(c, side, v.name, false, -1);
    uint32_t place;
    if (find_name(side, key_of(c, v.name), &place)) {
      side->names.at[place].discrete = v.type != NU_REAL;
      side->names.at[place].nominal = nominal_of(side->result, i);
    }
    if (v.is_state)
      add_name(c, side, arena_printf(c->own, "der(%s)", v.name), false, 0);
  }
}

/* The number of the row in its instant, as --event-rows all writes it, is no signal. */
static bool counts_passes(const NuTable *t, size_t column) {
  const double *time = t->columns[0], *k = t->columns[column];
  bool any = false;
  if (column != 1 || strcmp(t->names[column], "k") != 0)
    return false;
  for (size_t r = 0; r < t->n_rows; r++) {
    if (k[r] != (r && time[r] == time[r - 1] ? k[r - 1] + 1 : 0))
      return false;
    any = any || k[r] > 0;
  }
  return any;
}

typedef struct {
  Comparison *c;
  Side *side;
  const char *const *columns;
  size_t n;
} NamesArgs;

static NuStatus list_names(Call *call, void *args) {
  const NamesArgs *a = args;
  Side *side = a->side;
  if (!a->c->keys)
    a->c->keys = interner_new(a->c->own);
  if (side->result) {
    store_names(a->c, side, a->columns, a->n);
    return NU_OK;
  }
  if (side->table.n_columns) {
    for (size_t k = 1; k < side->table.n_columns; k++)
      if (!counts_passes(&side->table, k))
        add_name(a->c, side, side->table.names[k], true, -1);
    return NU_OK;
  }
  const char *why = NULL;
  size_t length = 0;
  uint32_t n = 0;
  const bool *varying = NULL;
  const char *data = api_read_whole(call->arena, side->path, &length, &why);
  const char **names = data ? mat_trajectory_names(&(MatSource){side->path, data, length},
                                                   a->c->own, call->diags, &n, &varying)
                            : NULL;
  for (uint32_t k = 1; k < n && names; k++)
    add_name(a->c, side, names[k], varying[k], -1);
  return names ? NU_OK : NU_FILE;
}

/* Is it a trajectory in a MATLAB file? */
static bool is_mat(const char *path) {
  char head[64];
  return mat_is_trajectory(head, api_read_head(path, head, sizeof head));
}

/* Opens a file and lists its names. Of CSV everything is read. */
static NuStatus side_open(NuSession *s, Comparison *c, Side *side) {
  NamesArgs args = {c, side, NULL, 0};
  NuExtract all = nu_extract();
  NuStatus status = NU_OK;
  if (api_is_store(side->path)) {
    status = nu_result_open(s, side->path, &side->result);
    if (status == NU_OK)
      status = nu_result_columns(side->result, &all, &args.columns, &args.n);
  } else if (!is_mat(side->path)) {
    status = nu_table_read(s, side->path, &side->table);
  }
  return status == NU_OK ? api_call(s, list_names, &args) : status;
}

/* ---- which signals ---- */

static void add_signal(Comparison *c, uint32_t a, uint32_t b) {
  vec_push(c->own, &c->signals, (Signal){{a, b}});
}

static void unknown_name(Call *call, const Side *side, const char *word) {
  const char **all = NEW_ARRAY(call->arena, const char *, side->names.n + 1), *best[NEAREST];
  for (uint32_t k = 0; k < side->names.n; k++)
    all[k] = side->names.at[k].spelling;
  Diag *d = diag_add(call->diags, D_A002, (Span){0, 0}, "`%s` has no variable `%s`", side->path,
                     word);
  uint32_t n = nearest_names(word, all, side->names.n, best, NEAREST);
  Text t = {.arena = call->arena};
  for (uint32_t k = 0; k < n; k++)
    text_printf(&t, "%s`%s`", k == 0 ? "" : k + 1 < n ? ", " : " or ", best[k]);
  if (n)
    diag_help(call->diags, d, "did you mean %s?", text_str(&t));
}

static NuStatus choose_named(Call *call, Comparison *c) {
  NuStatus status = NU_OK;
  Map taken = {0};
  for (size_t q = 0; q < c->o->n_variables; q++) {
    const char *word = c->o->variables[q], *key = key_of(c, word);
    uint32_t a, b;
    uint64_t seen;
    bool in[] = {find_name(&c->sides[0], key, &a), find_name(&c->sides[1], key, &b)},
         any = in[0] && in[1];
    if (any && !map_get(&taken, a, &seen))
      add_signal(c, a, b);
    if (any)
      map_put(c->own, &taken, a, 1);
    bool pattern = !in[0] && !in[1] && strpbrk(word, "*?");
    for (a = 0; pattern && a < c->sides[0].names.n; a++) {
      const Name *name = &c->sides[0].names.at[a];
      if (!run_name_matches(key, name->key) || !find_name(&c->sides[1], name->key, &b))
        continue;
      any = true;
      if (!map_get(&taken, a, &seen))
        add_signal(c, a, b);
      map_put(c->own, &taken, a, 1);
    }
    if (any)
      continue;
    status = NU_USAGE;
    for (int k = 0; k < 2 && !pattern; k++)
      if (!in[k])
        unknown_name(call, &c->sides[k], word);
    if (pattern)
      diag_add(call->diags, D_A002, (Span){0, 0}, "no variable that both results have matches `%s`",
               word);
  }
  return status;
}

static void choose_all(Comparison *c) {
  for (int k = 0; k < 2; k++) {
    const Side *side = &c->sides[k], *other = &c->sides[1 - k];
    for (uint32_t i = 0; i < side->names.n; i++) {
      const Name *name = &side->names.at[i];
      uint32_t j;
      if (!name->listed)
        continue;
      if (!find_name(other, name->key, &j))
        vec_push(c->own, &c->only[k], arena_strdup(c->own, name->spelling));
      else if (k == 0)
        add_signal(c, i, j);
      else if (!other->names.at[j].listed)
        add_signal(c, j, i);
    }
  }
}

static NuStatus choose(Call *call, void *args) {
  Comparison *c = args;
  NuStatus status = NU_OK;
  if (c->o->n_variables)
    status = choose_named(call, c);
  else
    choose_all(c);
  if (status == NU_OK && !c->signals.n) {
    diag_add(call->diags, D_A002, (Span){0, 0}, "`%s` and `%s` have no signal in common",
             c->sides[0].path, c->sides[1].path);
    status = NU_USAGE;
  }
  for (int k = 0; k < 2 && status == NU_OK; k++) {
    c->sides[k].wanted = NEW_ARRAY(c->own, const char *, c->signals.n);
    for (uint32_t i = 0; i < c->signals.n; i++)
      c->sides[k].wanted[i] = c->sides[k].names.at[c->signals.at[i].at[k]].spelling;
  }
  return status;
}

/* ---- values ---- */

/* Columns of the signals; the time must go on. */
static NuStatus find_columns(Call *call, void *args) {
  const NamesArgs *a = args;
  const NuTable *t = &a->side->table;
  const double *time = t->columns[0];
  Map places = {0};
  for (size_t k = t->n_columns; k-- > 1;)
    map_put(call->arena, &places, (uint64_t)(uintptr_t)key_of(a->c, t->names[k]), k);
  a->side->columns = NEW_ARRAY(a->c->own, uint32_t, a->c->signals.n);
  for (uint32_t i = 0; i < a->c->signals.n; i++) {
    uint64_t k = 0;
    map_get(&places, (uint64_t)(uintptr_t)key_of(a->c, a->side->wanted[i]), &k);
    a->side->columns[i] = (uint32_t)k;
  }
  for (size_t r = 0; r < t->n_rows; r++)
    if (!isfinite(time[r]) || (r && time[r] < time[r - 1])) {
      diag_add(call->diags, D_F002, (Span){0, 0}, "cannot compare `%s`: in point %zu the time %s",
               a->side->path, r + 1, isfinite(time[r]) ? "goes back" : "is no number");
      return NU_FILE;
    }
  if (!t->n_rows) {
    diag_add(call->diags, D_F002, (Span){0, 0}, "cannot compare `%s`: it has no points",
             a->side->path);
    return NU_FILE;
  }
  return NU_OK;
}

static NuStatus side_read(NuSession *s, Comparison *c, Side *side) {
  NuStatus status = NU_OK;
  if (side->result)
    status = api_table_of(s, side->result, side->wanted, c->signals.n, &side->table);
  else if (!side->table.n_columns)
    status = nu_table_read_some(s, side->path, side->wanted, c->signals.n, &side->table);
  return status == NU_OK ? api_call(s, find_columns, &(NamesArgs){c, side, NULL, 0}) : status;
}

/* ---- comparing ---- */

static double start_of(const Side *side) { return side->table.columns[0][0]; }
static double end_of(const Side *side) { return side->table.columns[0][side->table.n_rows - 1]; }

/* What both cover; false after A001. */
static bool set_span(Call *call, Comparison *c) {
  NuComparison *out = c->out;
  const Side *a = &c->sides[0], *b = &c->sides[1];
  out->from = fmax(start_of(a), start_of(b));
  out->to = fmin(end_of(a), end_of(b));
  out->part = (isnan(c->o->from) && start_of(a) != start_of(b)) ||
              (isnan(c->o->to) && end_of(a) != end_of(b));
  out->from = isnan(c->o->from) ? out->from : fmax(out->from, c->o->from);
  out->to = isnan(c->o->to) ? out->to : fmin(out->to, c->o->to);
  out->width = c->o->tolerance * (out->to - out->from);
  if (out->from <= out->to)
    return true;
  Diag *d = diag_add(call->diags, D_A001, (Span){0, 0},
                     "there is no time to compare: from %.9g to %.9g", out->from, out->to);
  for (int k = 0; k < 2; k++)
    diag_note(call->diags, d, "`%s` covers %.9g to %.9g", c->sides[k].path, start_of(&c->sides[k]),
              end_of(&c->sides[k]));
  return false;
}

static void compare_event_times(Comparison *c) {
  NuComparison *out = c->out;
  for (int k = 0; k < 2; k++) {
    Side *side = &c->sides[k];
    side->events = NEW_ARRAY(c->own, double, side->table.n_rows + 1);
    side->n_events = compare_events(side->table.columns[0], side->table.n_rows, out->from, out->to,
                                    side->events);
  }
  const Side *a = &c->sides[0], *b = &c->sides[1];
  out->result_events = a->n_events;
  out->reference_events = b->n_events;
  out->result_events_known = a->result || a->n_events;
  out->reference_events_known = b->result || b->n_events;
  bool known = out->result_events_known && out->reference_events_known;
  out->first_event = known ? compare_first_event(a->events, a->n_events, b->events, b->n_events,
                                                 out->width)
                           : (double)NAN;
}

static CompareCurve curve_of(const Comparison *c, int k, uint32_t i) {
  const Side *side = &c->sides[k];
  const NuTable *t = &side->table;
  bool sampled = !side->result && !side->n_events && c->sides[1 - k].n_events;
  return (CompareCurve){t->columns[0], t->columns[side->columns[i]], t->n_rows, sampled};
}

static bool is_discrete(const Comparison *c, uint32_t i, const CompareCurve curves[2]) {
  for (int k = 0; k < 2; k++) {
    int known = c->sides[k].names.at[c->signals.at[i].at[k]].discrete;
    if (known >= 0)
      return known;
  }
  return compare_is_whole(&curves[0]) && compare_is_whole(&curves[1]);
}

/* The least range of a signal that counts. */
static double least_range(const Comparison *c, uint32_t i) {
  double nominal = 0;
  for (int k = 0; k < 2; k++)
    nominal = fmax(nominal, c->sides[k].names.at[c->signals.at[i].at[k]].nominal);
  return c->o->nominal * (nominal > 0 ? nominal : 1);
}

static bool has_numbers(const CompareCurve *c) {
  for (size_t k = 0; k < c->n; k++)
    if (!isnan(c->value[k]))
      return true;
  return false;
}

/* False: it is a text in both. */
static bool compare_signal(Comparison *c, uint32_t i, Arena *a, NuDifference *d) {
  const NuComparison *out = c->out;
  CompareCurve curves[2] = {curve_of(c, 0, i), curve_of(c, 1, i)};
  if (!has_numbers(&curves[0]) && !has_numbers(&curves[1]))
    return false;
  CompareTube tube = {
      .from = out->from, .to = out->to, .width = out->width, .discrete = is_discrete(c, i, curves)};
  double low = 0, high = 0, range = least_range(c, i);
  if (compare_range(&curves[1], out->from, out->to, &low, &high))
    range = fmax(range, fmax(high - low, SHARE * fmax(fabs(low), fabs(high))));
  tube.height = tube.discrete ? 0 : c->o->tolerance * range;
  CompareOutcome o = compare_curves(&curves[0], &curves[1], &tube, a);
  *d = (NuDifference){.name = arena_strdup(c->own, c->sides[0].wanted[i]),
                      .discrete = tube.discrete,
                      .height = tube.height,
                      .deviation = o.deviation,
                      .time = o.time,
                      .result = o.result,
                      .reference = o.reference,
                      .points = o.points,
                      .outside = o.outside};
  return true;
}

typedef struct {
  NuDifference d;
  uint32_t order;
} Ranked;

static int worst_first(const void *a, const void *b) {
  const Ranked *x = a, *y = b;
  if (x->d.deviation != y->d.deviation)
    return x->d.deviation > y->d.deviation ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

static NuStatus compare(Call *call, void *args) {
  Comparison *c = args;
  NuComparison *out = c->out;
  if (!set_span(call, c))
    return NU_USAGE;
  compare_event_times(c);
  Ranked *ranked = NEW_ARRAY(call->arena, Ranked, c->signals.n);
  for (uint32_t i = 0; i < c->signals.n; i++) {
    Arena *a = arena_new(&call->s->mem);
    ranked[out->n_signals].order = i;
    out->n_signals += compare_signal(c, i, a, &ranked[out->n_signals].d);
    arena_free(a);
  }
  if (!out->n_signals) {
    diag_add(call->diags, D_A002, (Span){0, 0},
             "`%s` and `%s` have no signal with numbers in common", c->sides[0].path,
             c->sides[1].path);
    return NU_USAGE;
  }
  qsort(ranked, out->n_signals, sizeof *ranked, worst_first);
  NuDifference *signals = NEW_ARRAY(c->own, NuDifference, out->n_signals + 1);
  for (size_t i = 0; i < out->n_signals; i++) {
    signals[i] = ranked[i].d;
    out->n_outside += signals[i].deviation > 1;
  }
  out->signals = signals;
  out->only_result = c->only[0].at, out->n_only_result = c->only[0].n;
  out->only_reference = c->only[1].at, out->n_only_reference = c->only[1].n;
  bool known = out->result_events_known && out->reference_events_known;
  bool missing = out->n_only_result || out->n_only_reference ||
                 (known && out->result_events != out->reference_events);
  out->same = !out->n_outside && !(c->o->strict && missing);
  return NU_OK;
}

/* ---- the whole ---- */

NuCompareOptions nu_compare_options(void) {
  return (NuCompareOptions){.tolerance = 2e-3, .nominal = 1e-3, .from = NAN, .to = NAN};
}

static NuStatus begin(Call *call, void *args) {
  Comparison *c = args;
  /* Nothing else takes memory here: if there is none, nothing is to be freed */
  c->own = arena_new(&call->s->mem);
  return NU_OK;
}

static NuStatus check_options(Call *call, void *args) {
  const NuCompareOptions *o = args;
  if (o->tolerance >= 0 && o->tolerance <= 0.5 && o->nominal >= 0 && isfinite(o->nominal))
    return NU_OK;
  diag_add(call->diags, D_A001, (Span){0, 0},
           "the tolerance of a comparison is from 0 to 0.5, the nominal range not negative");
  return NU_USAGE;
}

NuStatus nu_compare(NuSession *s, const char *result, const char *reference,
                    const NuCompareOptions *options, NuComparison *out) {
  *out = (NuComparison){.from = NAN, .to = NAN, .width = NAN, .first_event = NAN};
  NuCompareOptions defaults = nu_compare_options();
  Comparison c = {.sides = {{.path = result}, {.path = reference}},
                  .o = options ? options : &defaults,
                  .out = out};
  NuStatus status = api_call(s, begin, &c);
  if (status == NU_OK)
    status = api_call(s, check_options, (void *)(uintptr_t)c.o);
  for (int k = 0; k < 2 && status == NU_OK; k++)
    status = side_open(s, &c, &c.sides[k]);
  if (status == NU_OK)
    status = api_call(s, choose, &c);
  for (int k = 0; k < 2 && status == NU_OK; k++)
    status = side_read(s, &c, &c.sides[k]);
  if (status == NU_OK)
    status = api_call(s, compare, &c);
  for (int k = 0; k < 2; k++) {
    nu_table_free(&c.sides[k].table);
    nu_result_free(c.sides[k].result);
  }
  out->own = c.own;
  if (status != NU_OK)
    nu_comparison_free(out);
  return status;
}

void nu_comparison_free(NuComparison *c) {
  arena_free(c->own);
  *c = (NuComparison){.from = NAN, .to = NAN, .width = NAN, .first_event = NAN};
}
