/* run/blend.c -- values of what slides, and of everything that reads it: averages over the sides of
 * the surfaces.
 * A part that slides on a surface switches so fast between its two sides that every continuous Real
 * which depends on them is seen as an average, in other parts and in what belongs to no part as
 * well as in the part itself. The average of P*P is not the square of the average of P: so a reader
 * is evaluated on all sides of what it reads, with the values that its sources have there, and
 * averaged with their weights. That is what one evaluation of the whole model would do.
 * How:  each unit (a part, or what belongs to none) keeps its values on all corners of the surfaces
 *       that they depend on. Up to SLIDE_MOST surfaces are combined with each other. Where a unit
 *       reads more (a sum over a thousand relays), each sliding part is varied alone, and the
 *       differences are added up: right if what the parts contribute does not multiply. That is
 *       tried on other combinations, and refused (R629) where it does.
 * Keep: units are evaluated in order, so that sources have their corners, and their averages in
 *       DsData, before their readers.
 * */
#include "run/blend.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/linear.h"
#include "run/mode.h"
#include "run/part.h"
#include "run/slide.h"

#include <math.h>
#include <string.h>

static const double apart = 1e-9; /* 1: sums of differences agree to this part of their terms */

/* Surfaces whose sides are combined with each other, and the values on all of their corners; the
 * others are on side 0. */
typedef struct {
  int k, part;              /* surfaces; the part that slides on them, -1: several */
  int surface[SLIDE_MOST];  /* each named by its first relation */
  bool matters[SLIDE_MOST]; /* values of the unit depend on it */
  double *rows;             /* 2^k rows as wide as the unit */
  size_t room;
} Group;

typedef struct {
  /* The first one has the surfaces that the part itself slides on, before all others */
  Group *groups;
  int n, room;    /* n = 0: no value depends on a surface */
  int own;        /* surfaces of its own */
  double *mean;   /* what stands in DsData while a reader is evaluated on all sides: the averages */
  double *fields; /* 2^own rows: its corners, with what it reads averaged */
  size_t fields_room;
  double *speeds; /* of its surfaces in these, see numeric/slide.h */
  double *begin;  /* its values when its derivatives were asked for: where iterations begin */
} View;

/* Stretches of continuous Reals that a unit determines: derivatives first. */
typedef struct {
  int at, n;
} Stretch;

struct BlendWork {
  View *views;              /* per unit */
  int *part_of;             /* per relation */
  unsigned char *side;      /* per relation that names a surface: the corner at work; 0 but then */
  unsigned char *held;      /* per relation: its value when the evaluation began */
  bool *is_listed;          /* per relation */
  int *listed, n_listed;    /* surfaces that the unit at work depends on */
  double *row, *sum, *size; /* as wide as the widest unit */
  const DsModel *base;      /* the mode with all surfaces on side 0 */
};

/* ---- units ---- */

/* What belongs to no part stands behind all of them. */
static int stretches(const Run *run, int unit, Stretch *out) {
  int nx = run->m->nx;
  if (!run->divided)
    return out[0] = (Stretch){nx, run->n_real - nx}, 1;
  if (unit < run->n_parts) {
    const DsPart *p = &run->m->parts[unit];
    return out[0] = (Stretch){nx + p->x, p->n_x}, out[1] = (Stretch){p->r, p->n_r}, 2;
  }
  const DsPart *last = &run->m->parts[run->n_parts - 1];
  int from = last->r + last->n_r;
  return out[0] = (Stretch){from, run->n_real - from}, 1;
}

size_t run_blend_width(const Run *run, int unit) {
  Stretch s[2];
  size_t n = 0;
  for (int k = stretches(run, unit, s); k-- > 0;)
    n += (size_t)s[k].n;
  return n;
}

/* Values of the unit, from and to DsData */
static void take(const Run *run, int unit, double *row) {
  Stretch s[2];
  for (int k = 0, n = stretches(run, unit, s); k < n; row += s[k++].n)
    memcpy(row, run->d.r + s[k].at, (size_t)s[k].n * sizeof *row);
}

static void give(Run *run, int unit, const double *row) {
  Stretch s[2];
  for (int k = 0, n = stretches(run, unit, s); k < n; row += s[k++].n)
    memcpy(run->d.r + s[k].at, row, (size_t)s[k].n * sizeof *row);
}

/* Parts whose values move while the unit is evaluated; what belongs to none may read any. */
static int n_sources(const Run *run, int unit) {
  return !run->divided ? 0 : unit < run->n_parts ? run->m->parts[unit].n_moving : run->n_parts;
}
static int source(const Run *run, int unit, int k) {
  return unit < run->n_parts ? run->m->parts[unit].reads[k] : k;
}

static double *room(Run *run, double *has, size_t *n, size_t wanted) {
  /* rooms only grow: surfaces come and go with events */
  if (has && wanted <= *n)
    return has;
  *n = wanted;
  return NEW_ARRAY(run->a, double, wanted + 1);
}

/* ---- beginning and end ---- */

void run_blend_allocate(Run *run) {
  int n = run->m->n_relations, units = run->n_parts + 1;
  BlendWork *w = run->own.blend = NEW(run->a, BlendWork);
  size_t widest = 0;
  w->views = NEW_ARRAY(run->a, View, units);
  w->part_of = NEW_ARRAY(run->a, int, n + 1);
  w->listed = NEW_ARRAY(run->a, int, n + 1);
  w->side = NEW_ARRAY(run->a, unsigned char, n + 1);
  w->held = NEW_ARRAY(run->a, unsigned char, n + 1);
  w->is_listed = NEW_ARRAY(run->a, bool, n + 1);
  /* a surface belongs to the part whose relation names it */
  for (int k = 0; k < run->n_parts; k++)
    for (int q = 0; q < run->parts[k].scope.n_relations; q++)
      w->part_of[run->parts[k].scope.relations[q]] = k;
  for (int k = 0; k < (run->divided ? units : 1); k++)
    widest = run_blend_width(run, k) > widest ? run_blend_width(run, k) : widest;
  w->row = NEW_ARRAY(run->a, double, widest + 1);
  w->sum = NEW_ARRAY(run->a, double, widest + 1);
  w->size = NEW_ARRAY(run->a, double, widest + 1);
}

void run_blend_forget(Run *run) {
  for (int k = 0; k < run->n_parts + 1 && run->own.blend; k++)
    run->own.blend->views[k].n = 0;
}

double *run_blend_fields(const Run *run, const Part *p) {
  return run->own.blend->views[p->number].fields;
}
double *run_blend_speeds(const Run *run, const Part *p) {
  return run->own.blend->views[p->number].speeds;
}

/* ---- surfaces that a unit depends on ---- */

/* Each once, in the order in which they are met: the same in each evaluation */
static void list_surface(BlendWork *w, int s) {
  if (!w->is_listed[s])
    w->listed[w->n_listed++] = s;
  w->is_listed[s] = true;
}

static void list_view(BlendWork *w, const View *v) {
  /* what does not depend on a side has no corners for its readers */
  for (int g = 0; g < v->n; g++)
    for (int i = 0; i < v->groups[g].k; i++)
      if (v->groups[g].matters[i])
        list_surface(w, v->groups[g].surface[i]);
}

static void list_surfaces(Run *run, int unit, int k, const int *surface) {
  BlendWork *w = run->own.blend;
  w->n_listed = 0;
  /* its own first: their corners are its fields */
  for (int i = 0; i < k; i++)
    list_surface(w, surface[i]);
  for (int q = 0, n = n_sources(run, unit); q < n; q++)
    if (source(run, unit, q) != unit)
      list_view(w, &w->views[source(run, unit, q)]);
  for (int i = 0; i < w->n_listed; i++)
    w->is_listed[w->listed[i]] = false;
}

static Group *add_group(Run *run, View *v, int part) {
  if (v->n == v->room) {
    Group *more = NEW_ARRAY(run->a, Group, 2 * v->room + 1);
    if (v->n)
      memcpy(more, v->groups, (size_t)v->n * sizeof *more);
    v->groups = more;
    v->room = 2 * v->room + 1;
  }
  Group *g = &v->groups[v->n++];
  g->k = 0;
  g->part = part;
  return g;
}

static void add_surface(Group *g, int surface) { g->surface[g->k++] = surface; }

/* All surfaces in one group if they are few; else one for each part that slides. */
static void make_groups(Run *run, View *v, int own) {
  BlendWork *w = run->own.blend;
  bool few = w->n_listed <= SLIDE_MOST;
  v->n = 0;
  v->own = own;
  Group *g = add_group(run, v, -1);
  for (int i = 0; i < (few ? w->n_listed : own); i++)
    add_surface(g, w->listed[i]);
  /* surfaces of a part follow each other, because its readers list them so */
  for (int i = own; i < w->n_listed && !few; i++) {
    int part = w->part_of[w->listed[i]];
    if (g->part != part || g->k == SLIDE_MOST)
      g = add_group(run, v, part);
    add_surface(g, w->listed[i]);
  }
}

/* ---- corners ---- */

static int corner_of(const BlendWork *w, const Group *g) {
  /* the corner's bits are the sides of the surfaces, the first one lowest */
  int c = 0;
  for (int i = 0; i < g->k; i++)
    c |= w->side[g->surface[i]] << i;
  return c;
}

static void set_sides(BlendWork *w, const Group *g, int corner) {
  for (int i = 0; i < g->k; i++)
    w->side[g->surface[i]] = corner >> i & 1;
}

/* The values of a unit on the sides at work. */
static void give_corner(Run *run, int unit) {
  BlendWork *w = run->own.blend;
  const View *v = &w->views[unit];
  size_t width = run_blend_width(run, unit);
  /* surfaces in several groups: the sum of what each group changes, see the top of the file */
  const double *base = v->groups[0].rows;
  if (v->n == 1) {
    give(run, unit, base + (size_t)corner_of(w, v->groups) * width);
    return;
  }
  memcpy(w->row, base, width * sizeof *w->row);
  for (int g = 0; g < v->n; g++) {
    int c = corner_of(w, &v->groups[g]);
    const double *from = v->groups[g].rows + (size_t)c * width;
    for (size_t j = 0; j < width && c; j++)
      w->row[j] += from[j] - base[j];
  }
  give(run, unit, w->row);
}

static int evaluate_plainly(Run *run, int unit, int what) {
  run_begin_evaluation(run);
  return run->divided ? run->m->part(&run->d, unit, what) : run_whole(run, what);
}

/* The unit on the sides at work, into row. Iterations begin on all corners with the same values:
 * what depends on no side has the same last digits everywhere. */
static int evaluate_corner(Run *run, const Scope *sc, int unit, int what, double *row) {
  BlendWork *w = run->own.blend;
  /* what is read stands on the same sides as the relations */
  for (int i = 0; i < w->n_listed; i++)
    run_slide_force(run, w->listed[i], w->side[w->listed[i]]);
  for (int q = 0, n = n_sources(run, unit); q < n; q++)
    if (source(run, unit, q) != unit && w->views[source(run, unit, q)].n)
      give_corner(run, source(run, unit, q));
  give(run, unit, w->views[unit].begin);
  run_forget_matrices(run, sc);
  /* the mode is what the relations on these sides say */
  int status = run->m->n_conditions ? run_mode_of_relations(run) : NUM_OK;
  if (status == NUM_OK && unit < run->n_parts)
    status = evaluate_plainly(run, unit, DS_PART_DERIVATIVES);
  if (status == NUM_OK && what == DS_PART_OUTPUTS)
    status = evaluate_plainly(run, unit, DS_PART_OUTPUTS);
  take(run, unit, row);
  return status;
}

/* Relations, and what the unit reads, are kept as they are. */
static void hold(Run *run, int unit) {
  BlendWork *w = run->own.blend;
  for (int i = 0; i < w->n_listed; i++)
    for (int q = w->listed[i]; q >= 0; q = run_slide_next(run, q))
      w->held[q] = run->d.relation[q];
  for (int q = 0, n = n_sources(run, unit); q < n; q++) {
    View *v = &w->views[source(run, unit, q)];
    if (source(run, unit, q) == unit || !v->n)
      continue;
    if (!v->mean)
      v->mean = NEW_ARRAY(run->a, double, run_blend_width(run, source(run, unit, q)) + 1);
    take(run, source(run, unit, q), v->mean);
  }
}

static int restore(Run *run, const Scope *sc, int unit) {
  BlendWork *w = run->own.blend;
  for (int i = 0; i < w->n_listed; i++)
    for (int q = w->listed[i]; q >= 0; q = run_slide_next(run, q)) {
      run->d.relation[q] = w->held[q];
      w->side[q] = 0;
    }
  /* readers see averages */
  for (int q = 0, n = n_sources(run, unit); q < n; q++)
    if (source(run, unit, q) != unit && w->views[source(run, unit, q)].n)
      give(run, source(run, unit, q), w->views[source(run, unit, q)].mean);
  /* factors and the mode belong to the corner that was evaluated last */
  run_forget_matrices(run, sc);
  return run->m->n_conditions ? run_mode_of_relations(run) : NUM_OK;
}

/* On which surfaces do values of the unit depend? Relations of its own are read as such. */
static void find_matters(Group *g, size_t width, int own) {
  for (int i = 0; i < g->k; i++) {
    /* its own matter in any case; else some corner must differ from the one across the surface */
    g->matters[i] = i < own;
    for (int c = 0; c < 1 << g->k && !g->matters[i]; c++)
      g->matters[i] = !(c >> i & 1) &&
                      memcmp(g->rows + (size_t)c * width, g->rows + (size_t)(c | 1 << i) * width,
                             width * sizeof(double));
  }
}

/* Where a Real stands in rows of the unit; -1: it is of another one. */
static int column_of(const Run *run, int unit, int place) {
  Stretch s[2];
  for (int k = 0, n = stretches(run, unit, s), before = 0; k < n; before += s[k++].n)
    if (place >= s[k].at && place < s[k].at + s[k].n)
      return before + place - s[k].at;
  return -1;
}

/* Of the corners whose mode has an equation for the variable, that with the fewest other sides than
 * c; -1: none. */
static int nearest_with(const DsModel *const *modes, int corners, int c, int variable) {
  int best = -1;
  for (int q = 0; q < corners; q++)
    if (!(modes[q]->variables[variable].flags & DS_ABSENT) &&
        (best < 0 ||
         __builtin_popcount((unsigned)(q ^ c)) < __builtin_popcount((unsigned)(best ^ c))))
      best = q;
  return best;
}

/* What the mode of a corner has no equation for is there what it is on a side that has one: an
 * average with the value that it had before would depend on how often it was asked for. */
static void fill_absent(const Run *run, int unit, const Group *g, const DsModel *const *modes) {
  int corners = 1 << g->k;
  size_t width = run_blend_width(run, unit);
  for (int c = 0; c < corners; c++)
    for (int k = 0; k < modes[c]->n_variables; k++) {
      const DsVariable *v = &modes[c]->variables[k];
      if (v->type != DS_REAL || !(v->flags & DS_ABSENT))
        continue;
      int j = column_of(run, unit, v->place);
      int from = j >= 0 ? nearest_with(modes, corners, c, k) : -1;
      if (from >= 0)
        g->rows[(size_t)c * width + (size_t)j] = g->rows[(size_t)from * width + (size_t)j];
    }
}

static int evaluate_group(Run *run, const Scope *sc, int unit, int number, int what) {
  BlendWork *w = run->own.blend;
  View *v = &w->views[unit];
  Group *g = &v->groups[number];
  size_t width = run_blend_width(run, unit);
  int status = NUM_OK;
  const DsModel *modes[1 << SLIDE_MOST];
  g->rows = room(run, g->rows, &g->room, width << g->k);
  for (int c = 0; c < 1 << g->k && status == NUM_OK; c++) {
    set_sides(w, g, c);
    /* all others are on side 0 in each group, so that its first corner is known */
    if (number && !c)
      memcpy(g->rows, v->groups[0].rows, width * sizeof *g->rows);
    else
      status = evaluate_corner(run, sc, unit, what, g->rows + (size_t)c * width);
    modes[c] = run->m;
    if (!number && !c)
      w->base = run->m;
  }
  if (number)
    modes[0] = w->base;
  set_sides(w, g, 0);
  /* the mode of corners may have other variables */
  if (status == NUM_OK && run->m->n_conditions)
    fill_absent(run, unit, g, modes);
  if (status == NUM_OK)
    find_matters(g, width, number ? 0 : v->own);
  return status;
}

/* ---- what is varied alone ---- */

static void refuse(Run *run, int surface) {
  run_note(&run->failure, D_R629, &run->m->relations[surface].place,
           "more than six relations are slid upon at once, and what reads them does not just add "
           "them up: its average is not known");
}

/* Groups go to their last corner: all, or those whose number has this bit. What the unit should
 * have there goes to w->sum. */
static void choose_combination(Run *run, int unit, int bit) {
  BlendWork *w = run->own.blend;
  const View *v = &w->views[unit];
  size_t width = run_blend_width(run, unit);
  const double *base = v->groups[0].rows;
  memcpy(w->sum, base, width * sizeof *base);
  /* how exactly the sum can be known: by its terms */
  for (size_t j = 0; j < width; j++)
    w->size[j] = fabs(base[j]);
  for (int g = 0; g < v->n; g++) {
    int last = (1 << v->groups[g].k) - 1;
    const double *from = v->groups[g].rows + (size_t)last * width;
    if (bit >= 0 && !(g >> bit & 1))
      continue;
    set_sides(w, &v->groups[g], last);
    for (size_t j = 0; j < width; j++) {
      w->sum[j] += from[j] - base[j];
      w->size[j] += fabs(from[j] - base[j]);
    }
  }
}

static int try_combination(Run *run, const Scope *sc, int unit, int bit, int what, bool *agrees) {
  BlendWork *w = run->own.blend;
  /* corners that no group has been evaluated on */
  choose_combination(run, unit, bit);
  int status = evaluate_corner(run, sc, unit, what, w->row);
  for (int i = 0; i < w->n_listed; i++)
    w->side[w->listed[i]] = 0;
  for (size_t j = 0, n = run_blend_width(run, unit); j < n && status == NUM_OK; j++)
    *agrees = *agrees && fabs(w->row[j] - w->sum[j]) <= apart * w->size[j];
  return status;
}

/* All together, and those whose number has one bit set: any two groups are told apart by one. */
static int check_sums(Run *run, const Scope *sc, int unit, int what) {
  const View *v = &run->own.blend->views[unit];
  bool agrees = true;
  int status = try_combination(run, sc, unit, -1, what, &agrees);
  for (int bit = 0; 1 << bit < v->n && status == NUM_OK && agrees; bit++)
    status = try_combination(run, sc, unit, bit, what, &agrees);
  /* which of the groups multiply is not known: the last one stands for all */
  if (status == NUM_OK && !agrees)
    return refuse(run, v->groups[v->n - 1].surface[0]), NUM_FATAL;
  return status;
}

/* ---- averages ---- */

/* Weights of the corners of a group, from surface `from` on. */
static void weights(const Run *run, const Group *g, int from, double *lambda) {
  double a[SLIDE_MOST];
  for (int i = from; i < g->k; i++)
    a[i - from] = run_slide_weight(run, &run->parts[run->own.blend->part_of[g->surface[i]]],
                                   g->surface[i]);
  slide_weights(g->k - from, a, lambda);
}

/* Adds what a group that is varied alone contributes to the average. */
static void add_differences(const Run *run, const View *v, int number, size_t width, double *sum) {
  const Group *g = &v->groups[number];
  const double *base = v->groups[0].rows;
  double lambda[1 << SLIDE_MOST];
  weights(run, g, 0, lambda);
  for (int c = 1; c < 1 << g->k; c++) {
    const double *row = g->rows + (size_t)c * width;
    for (size_t j = 0; j < width; j++)
      sum[j] += lambda[c] * (row[j] - base[j]);
  }
}

/* Corners of the unit's own surfaces, everything else averaged. */
static void make_fields(Run *run, int unit) {
  View *v = &run->own.blend->views[unit];
  const Group *g = &v->groups[0];
  size_t width = run_blend_width(run, unit);
  double lambda[1 << SLIDE_MOST];
  v->fields = room(run, v->fields, &v->fields_room, width << v->own);
  if (!v->speeds)
    v->speeds = NEW_ARRAY(run->a, double, (1 << SLIDE_MOST) * SLIDE_MOST);
  weights(run, g, v->own, lambda);
  for (int c = 0; c < 1 << v->own; c++) {
    double *to = v->fields + ((size_t)c * width);
    memcpy(to, g->rows + (size_t)c * width, width * sizeof *to);
    /* over the sides of what it reads */
    for (int e = 1; e < 1 << (g->k - v->own); e++) {
      const double *row = g->rows + (size_t)(c | e << v->own) * width;
      const double *base = g->rows + (size_t)c * width;
      for (size_t j = 0; j < width; j++)
        to[j] += lambda[e] * (row[j] - base[j]);
    }
    /* and of what was varied alone */
    for (int q = 1; q < v->n; q++)
      add_differences(run, v, q, width, to);
  }
}

/* Outputs go with the derivatives: what both compute is the same to the last digit. */
static void begin(Run *run, const Scope *sc, int unit, int what) {
  View *v = &run->own.blend->views[unit];
  if (what == DS_PART_OUTPUTS && unit < run->n_parts && v->begin && run->eval.current == sc)
    return;
  if (!v->begin)
    v->begin = NEW_ARRAY(run->a, double, run_blend_width(run, unit) + 1);
  take(run, unit, v->begin);
}

int run_blend_corners(Run *run, const Scope *sc, int unit, int k, const int *surface, int what) {
  BlendWork *w = run->own.blend;
  View *v = &w->views[unit];
  int status = NUM_OK;
  list_surfaces(run, unit, k, surface);
  make_groups(run, v, k);
  hold(run, unit);
  begin(run, sc, unit, what);
  /* in order: the first group has what the others are compared with */
  for (int g = 0; g < v->n && status == NUM_OK; g++)
    status = evaluate_group(run, sc, unit, g, what);
  if (v->n > 1 && status == NUM_OK)
    status = check_sums(run, sc, unit, what);
  /* also if a corner failed: DsData must not stay on it */
  if (restore(run, sc, unit) != NUM_OK)
    return NUM_FATAL;
  if (status == NUM_OK)
    make_fields(run, unit);
  return status;
}

bool run_blend_depends(Run *run, int unit) {
  list_surfaces(run, unit, 0, NULL);
  return run->own.blend->n_listed > 0;
}

void run_blend_plain(Run *run, int unit) { run->own.blend->views[unit].n = 0; }

/* Is a value the same on all sides? */
static bool is_one(const View *v, size_t width, size_t j) {
  double one = v->groups[0].rows[j];
  for (int g = 0; g < v->n; g++)
    for (int c = 0; c < 1 << v->groups[g].k; c++)
      if (v->groups[g].rows[(size_t)c * width + j] != one)
        return false;
  return true;
}

void run_blend_average(Run *run, int unit, const double *a) {
  View *v = &run->own.blend->views[unit];
  size_t width = run_blend_width(run, unit), j = 0;
  double lambda[1 << SLIDE_MOST];
  Stretch s[2];
  slide_weights(v->own, a, lambda);
  for (int q = 0, count = stretches(run, unit, s); q < count; q++)
    for (int place = s[q].at; place < s[q].at + s[q].n; place++, j++) {
      double sum = 0;
      bool one = is_one(v, width, j);
      /* what is the same everywhere stays so to the last digit */
      for (int c = 0; c < 1 << v->own && !one; c++)
        sum += lambda[c] * v->fields[(size_t)c * width + j];
      run->d.r[place] = one ? v->groups[0].rows[j] : sum;
      /* an average cannot be computed again from the states */
      if (!one)
        run_record(run, place);
    }
}
