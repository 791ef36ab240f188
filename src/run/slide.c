/* run/slide.c -- sliding: both fields of a relation lead to its surface, so the solution stays
 * there (Filippov 1988). A part that slides on k surfaces has 2^k fields, one for each combination
 * of sides. An evaluation of its derivatives evaluates them all, with the relations held at the
 * values that they have on those sides; how fast each field moves each surface; the weights with
 * which nothing leaves a surface; and combines derivatives and all other continuous Reals with them
 * (numeric/slide.h), here and in what reads them (blend.c). The relations and what is discrete keep
 * their values meanwhile. Where it begins: at an event, if a relation that switches a field only
 * would go back as soon as it has changed (instant.c). Where it ends: a weight a leaves [0, 1];
 * a(1 - a) takes the place of the relation's own indicator. A jump off the surface ends it, too.
 * Keep: what an evaluation computes depends on the values in DsData and on slide.a alone, not on
 *       evaluations before. */
#include "run/slide.h"
#include "run/blend.h"
#include "run/contact.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/instant.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/scales.h"
#include "run/singular.h"
#include "run/speed.h"
#include "run/spiral.h"
#include "run/steps.h"
#include "run/trace.h"
#include "run/values.h"
#include "base/limits.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* 1: how fast what has left the place where it has spiralled in is led back, of how fast what has
 * left a surface is; faster is stiff noise */
static const double slow = 0.1;
/* roundings; speeds below what so many make of a - b are not known */
static const double noise = 1e3;
/* 1: error of a weight, and of slopes, by rounding: what a difference over `reach` makes of it */
static const double weight_noise = 1e-10;

struct SlideWork {
  int *first, *next; /* per relation: the first of its part with the same surface; the next; -1 */
  bool refused;      /* the motion would slide where it must not */
  /* Number, + 1, of the part on whose surfaces more met at its last decision than can be decided
   * together: none was; 0: of none */
  int crowded;
  double *search; /* for slide_solve */
  int searched;   /* surfaces that it has room for */
};

/* ---- surfaces ---- */

void run_slide_allocate(Run *run) {
  const DsModel *m = run->m;
  bool any = false;
  for (int k = 0; k < m->n_relations; k++)
    any = any || m->relations[k].field;
  /* with formulation `dae` derivatives are unknowns, not values that weights could combine */
  if (!any || run->options->dae)
    return;
  SlideWork *w = run->own.slide = NEW(run->a, SlideWork);
  w->first = NEW_ARRAY(run->a, int, m->n_relations);
  w->next = NEW_ARRAY(run->a, int, m->n_relations);
  int *last = NEW_ARRAY(run->a, int, m->n_relations);
  for (int k = 0; k < run->n_parts; k++) {
    /* relations of one part that compare the same are chained: they change and slide together */
    const Scope *sc = &run->parts[k].scope;
    for (int q = 0; q < sc->n_relations; q++)
      last[m->relations[sc->relations[q]].surface] = -1;
    for (int q = 0; q < sc->n_relations; q++) {
      int r = sc->relations[q];
      int *before = &last[m->relations[r].surface];
      w->first[r] = *before < 0 ? r : w->first[*before];
      w->next[r] = -1;
      if (*before >= 0)
        w->next[*before] = r;
      *before = r;
    }
  }
  run_blend_allocate(run);
}

#define EACH_MEMBER(run, surface, q) for (int q = (surface); q >= 0; q = (run)->own.slide->next[q])

/* What its equation asks for, else the run. */
static NuChatter chatter_of(const Run *run, int k) {
  switch ((DsChatter)run->m->relations[k].chatter) {
  case DS_ANY: break;
  case DS_SLIDE: return NU_CHATTER_SLIDE;
  case DS_KEEP: return NU_CHATTER_KEEP;
  case DS_ERROR: return NU_CHATTER_ERROR;
  }
  return run->options->chatter;
}

/* Which way z of relation q goes when that of the surface grows. */
static double turned(const Run *run, int surface, int q) {
  return run->m->relations[surface].swapped == run->m->relations[q].swapped ? 1 : -1;
}

/* Its value on the side of the surface. */
static bool value_on(const Run *run, int surface, int q, int side) {
  return run_compare(run->m->relations[q].op, side * turned(run, surface, q));
}

void run_slide_force(Run *run, int surface, int side) {
  EACH_MEMBER (run, surface, q)
    if (run->m->relations[q].field)
      run->d.relation[q] = value_on(run, surface, q, side ? 1 : -1);
}

int run_slide_next(const Run *run, int k) { return run->own.slide->next[k]; }

double run_slide_weight(const Run *run, const Part *p, int surface) {
  const Slide *sl = &p->slide;
  for (int i = 0; i < sl->k; i++)
    if (sl->surface[i] == surface)
      return sl->now[i];
  /* off the surface it is wholly on one side */
  return value_on(run, surface, surface, 1) == (run->d.relation[surface] != 0);
}

/* ---- fields ---- */

/* Steps of a motion that slides or rests may be short because of errors of the differences that it
 * is made of: their lengths do not follow them. */
double run_tempo(const Run *run, const Part *p) {
  return p->tempo > 0 ? p->tempo : run_pace(run, p);
}

/* What it takes for a measure of time, while its steps still show one */
static void note_tempo(const Run *run, Part *p) {
  if (!p->slide.k && !p->contact.k && p->pace > 0)
    p->tempo = run_pace(run, p);
}

static int evaluate_plainly(Run *run, int unit, int what) {
  run_begin_evaluation(run);
  return run->divided ? run->m->part(&run->d, unit, what) : run_whole(run, what);
}

int run_slide_plainly(Run *run, int unit) {
  return evaluate_plainly(run, unit, DS_PART_DERIVATIVES);
}

/* ---- evaluation ---- */

/* A value that is not what one set of relations makes of it cannot be computed again from the
 * states: it has to be recorded. */
void run_record(Run *run, int place) {
  if (run->singular->is[place])
    return;
  run->singular->is[place] = true;
  run->singular->place[run->singular->n++] = place;
}

/* Methods that keep a history cannot be set back onto the surface after a step: there the weights
 * lead back to it. */
static double pull(const Run *run, const Part *p) {
  return p->stepper && !p->stepper->kind->keep ? 1 / run_tempo(run, p) : 0;
}

/* Of k surfaces, those that the part slides on; where it has spiralled in, at second order. */
static void lead_back(const Run *run, const Part *p, int k, const double *z, double *w) {
  const Slide *sl = &p->slide;
  double back = pull(run, p), gently = slow * back;
  for (int i = 0; i < sl->k && back > 0; i++) {
    int mate = sl->mate[i] - 1;
    for (int c = 0; c < 1 << k; c++)
      if (mate >= 0)
        w[c * k + mate] += gently * (2 * z[mate] + gently * z[i] / sl->scale[i]);
      else if (!run_spiral_is_mate(sl, i))
        w[c * k + i] += back * z[i];
  }
}

static int follow(Run *run, Part *p) {
  Slide *sl = &p->slide;
  double z[SLIDE_MOST], unsure[SLIDE_MOST], *w = run_blend_speeds(run, p);
  int status = run_speeds(run, p, sl->k, sl->surface, z, unsure);
  if (status != NUM_OK)
    return status;
  lead_back(run, p, sl->k, z, w);
  memcpy(sl->now, sl->a, sizeof sl->now);
  /* a pair that has spiralled in is two surfaces with one unknown */
  if (run_spiral_unknowns(sl, sl->k).n < sl->k)
    return run_slide_weights(p, w, sl->now) ? NUM_OK : NUM_RETRY;
  /* one surface needs no search: the weight with which its speed is 0 */
  if (sl->k > 1)
    return slide_follow(sl->k, w, sl->now);
  sl->now[0] = w[0] / (w[0] - w[1]);
  return isfinite(sl->now[0]) ? NUM_OK : NUM_RETRY;
}

/* The part on all sides of what it slides on, and of what the parts slide on that it reads. */
static int evaluate_sliding(Run *run, const Scope *sc, Part *p, int what) {
  int status = run_blend_corners(run, sc, p->number, p->slide.k, p->slide.surface, what);
  if (status == NUM_OK && p->slide.k && what == DS_PART_DERIVATIVES)
    status = follow(run, p);
  if (status == NUM_OK)
    run_blend_average(run, p->number, p->slide.now);
  return status;
}

int run_slide_motion(Run *run, const Scope *sc, Part *p, int what) {
  if (p->slide.k || (run->own.blend && run_blend_depends(run, p->number)))
    return evaluate_sliding(run, sc, p, what);
  if (run->own.blend)
    run_blend_plain(run, p->number);
  return evaluate_plainly(run, p->number, what);
}

int run_slide_observe(Run *run, const Scope *sc) {
  int unit = run->n_parts;
  if (!run->n_sliding || !run->own.blend || !run_blend_depends(run, unit))
    return evaluate_plainly(run, unit, DS_PART_OUTPUTS);
  int status = run_blend_corners(run, sc, unit, 0, NULL, DS_PART_OUTPUTS);
  if (status == NUM_OK)
    run_blend_average(run, unit, NULL);
  return status;
}

int run_slide_again(Run *run, const Scope *sc, Part *p, int what) {
  if (!p->slide.k && !(run->own.blend && run_blend_depends(run, p->number)))
    return evaluate_plainly(run, p->number, what);
  int status = run_blend_corners(run, sc, p->number, p->slide.k, p->slide.surface, what);
  if (status == NUM_OK)
    run_blend_average(run, p->number, p->slide.now);
  return status;
}

int run_slide_keep(Run *run, const Scope *sc, Part *p, double *speed) {
  const Slide *sl = &p->slide;
  double z[SLIDE_MOST], unsure[SLIDE_MOST], lambda[1 << SLIDE_MOST];
  int status = run_slide_again(run, sc, p, DS_PART_DERIVATIVES);
  if (status == NUM_OK)
    status = run_speeds(run, p, sl->k, sl->surface, z, unsure);
  slide_weights(sl->k, sl->now, lambda);
  for (int i = 0; i < sl->k && status == NUM_OK; i++) {
    speed[i] = 0;
    for (int c = 0; c < 1 << sl->k; c++)
      speed[i] += lambda[c] * run_blend_speeds(run, p)[c * sl->k + i];
  }
  return status;
}

static int evaluate_part(Run *run, const Scope *sc, Part *p, int what) {
  return p->contact.k && what == DS_PART_DERIVATIVES ? run_contact_evaluate(run, sc, p)
                                                     : run_slide_motion(run, sc, p, what);
}

static int evaluate_scope(Run *run, const Scope *sc, int what) {
  if (!run->divided)
    return evaluate_part(run, sc, run->parts, what);
  int status = NUM_OK;
  for (int k = 0, n = sc->all ? run->n_parts : sc->n_seen; k < n && status == NUM_OK; k++) {
    int part = sc->all ? k : sc->seen[k];
    run_begin_seen(run, sc, part, what);
    status = evaluate_part(run, sc, &run->parts[part], what);
  }
  return status == NUM_OK && sc->all && what == DS_PART_OUTPUTS ? run_slide_observe(run, sc)
                                                                : status;
}

int run_slide_evaluate(Run *run, const Scope *sc, int what) {
  if (what == DS_PART_OUTPUTS)
    run_contact_show(run, sc);
  int status = evaluate_scope(run, sc, what);
  if (status == NUM_OK && what == DS_PART_DERIVATIVES)
    run_contact_finish(run, sc);
  return status;
}

/* How many parts need more than a plain evaluation. Most runs have none, and pay nothing. */
void run_slide_count(Run *run) {
  run->n_sliding = 0;
  for (int k = 0; k < run->n_parts; k++)
    run->n_sliding += run->parts[k].slide.k || run->parts[k].contact.k;
  if (!run->n_sliding)
    run_blend_forget(run);
}

bool run_slide_seen(const Run *run, const Scope *sc) {
  bool all = !run->divided || sc->all, any = false;
  for (int k = 0, n = all ? run->n_parts : sc->n_seen; k < n && run->n_sliding && !any; k++) {
    const Part *p = &run->parts[all ? k : sc->seen[k]];
    any = p->slide.k || p->contact.k;
  }
  return any;
}

double run_slide_noise(const Run *run, const Part *p) {
  return run_slide_seen(run, &p->scope) ? weight_noise : 0;
}

/* ---- indicators ---- */

/* The other side of the surface may be where the relation that names it does not matter. */
static int member_that_matters(const Run *run, int surface) {
  EACH_MEMBER (run, surface, q)
    if (!isnan(run->rel->za[q] - run->rel->zb[q]))
      return q;
  return surface;
}

void run_slide_indicators(Run *run, const Scope *sc) {
  EACH_PART (run, sc, p) {
    Slide *sl = &p->slide;
    for (int i = 0; i < sl->k; i++) {
      int s = sl->surface[i], seen = member_that_matters(run, s);
      sl->z[i] = turned(run, s, seen) * (run->rel->za[seen] - run->rel->zb[seen]);
      sl->band[i] = run_band_of(run, run_size_lately(run, seen, run->rel->size[seen]),
                                run->rel->terms[seen]);
      EACH_MEMBER (run, s, q)
        run->rel->za[q] = run->rel->zb[q] = NAN;
      /* 0 at both ends of the range of the weight, so that leaving it is located like any other
       * event */
      double inside = sl->now[i] * (1 - sl->now[i]);
      run->rel->za[s] = value_on(run, s, s, 1) == (run->d.relation[s] != 0) ? inside : -inside;
      run->rel->zb[s] = 0;
      run->rel->size[s] = run->rel->terms[s] = 1; /* of a weight */
    }
    run_contact_indicators(run, p);
  }
}

/* ---- back onto the surfaces ---- */

/* Value of what is multilinear in the weights, with weight j at 0 or 1. */
double run_slide_at_side(int k, const double *v, size_t stride, const double *a, int j,
                         double side) {
  double b[SLIDE_MOST], lambda[1 << SLIDE_MOST], sum = 0;
  memcpy(b, a, (size_t)k * sizeof *b);
  b[j] = side;
  slide_weights(k, b, lambda);
  for (int c = 0; c < 1 << k; c++)
    sum += lambda[c] * v[(size_t)c * stride];
  return sum;
}

/* x + sum s_j df/da_j with sum s_j dw_i/da_j = -z_i. */
void run_slide_undo(Run *run, const Part *p, const double *z, double *x) {
  const Slide *sl = &p->slide;
  SlideUnknowns u = run_spiral_unknowns(sl, sl->k);
  int k = sl->k, m = u.n, pivot[SLIDE_MOST], where;
  size_t n = run_blend_width(run, p->number);
  const double *speeds = run_blend_speeds(run, p);
  double jacobian[SLIDE_MOST * SLIDE_MOST], rows[SLIDE_MOST], s[SLIDE_MOST];
  for (int i = 0; i < m; i++) {
    s[i] = -z[u.kept[i]];
    for (int j = 0; j < m; j++)
      jacobian[i * m + j] = run_slide_at_side(k, speeds + u.kept[i], (size_t)k, sl->now, u.place[j],
                                              1) -
                            run_slide_at_side(k, speeds + u.kept[i], (size_t)k, sl->now, u.place[j],
                                              0);
  }
  /* no combination of the fields moves it back: it stays where it is */
  if (!lu_factor(jacobian, pivot, rows, m, &where))
    return;
  lu_solve(jacobian, pivot, m, s);
  for (int j = 0; j < m; j++)
    for (int q = 0; q < p->n; q++) {
      const double *field = run_blend_fields(run, p) + q;
      x[q] += s[j] * (run_slide_at_side(k, field, n, sl->now, u.place[j], 1) -
                      run_slide_at_side(k, field, n, sl->now, u.place[j], 0));
    }
}

/* The states go back onto the surfaces, along what the weights change. */
static void go_back(Run *run, Part *p, double *x) {
  run_slide_undo(run, p, p->slide.z, x);
  /* the states have moved: what was computed last belongs to others */
  run->eval.current = NULL;
}

/* ---- decisions ---- */

static void stop_sliding(Run *run, Part *p) {
  for (int i = 0; i < p->slide.k; i++)
    EACH_MEMBER (run, p->slide.surface[i], q)
      side_follow(&run->rel->state[q], PATH_FREE);
  p->slide.k = 0;
  run_slide_count(run);
}

/* All relations of a surface take the values of a side, for this instant; true if one is
 * another. */
static bool set_side(Run *run, int surface, int side) {
  bool any = false;
  EACH_MEMBER (run, surface, q) {
    bool value = value_on(run, surface, q, side);
    any = any || value != (run->d.relation[q] != 0);
    side_turn(run, q, value);
  }
  return any;
}

static void slide_on(Run *run, Part *p, int surface, double a) {
  Slide *sl = &p->slide;
  sl->a[sl->k] = sl->now[sl->k] = a;
  sl->mate[sl->k] = 0;
  sl->limit[sl->k] = NAN;
  sl->surface[sl->k++] = surface;
  run_slide_count(run);
  EACH_MEMBER (run, surface, q)
    side_follow(&run->rel->state[q], PATH_SLIDING);
}

/* It goes on on these of its former surfaces. One whose mate has stayed alone is an ordinary
 * surface from now on. */
static void slide_again(Run *run, Part *p, const Slide *old, const bool *stays) {
  Slide *sl = &p->slide;
  int place[SLIDE_MOST];
  /* places change where surfaces are left out; mates are put together again after that */
  for (int i = 0; i < old->k; i++) {
    place[i] = sl->k;
    if (!stays[i])
      continue;
    slide_on(run, p, old->surface[i], old->now[i]);
    sl->entry[place[i]] = old->entry[i];
  }
  for (int i = 0; i < old->k; i++)
    if (stays[i] && old->mate[i] && stays[old->mate[i] - 1]) {
      sl->mate[place[i]] = place[old->mate[i] - 1] + 1;
      sl->scale[place[i]] = old->scale[i];
      sl->limit[place[i]] = old->limit[i];
    }
}

/* The surfaces that the motion may stay on: those that it slides on, and those on whose band it
 * is. */
static int gather(Run *run, const Part *p, int *surface, double *from) {
  int k = p->slide.k;
  memcpy(surface, p->slide.surface, (size_t)k * sizeof *surface);
  /* a weight may stand a rounding outside of its range */
  for (int i = 0; i < k; i++)
    from[i] = fmin(1, fmax(0, p->slide.now[i]));
  for (int q = 0; q < p->scope.n_relations; q++) {
    int r = p->scope.relations[q], s = run->own.slide->first[r];
    const RelationState *rs = &run->rel->state[r];
    bool known = rs->path != PATH_FREE || !run_slide_may(run, r);
    /* it is there already, by the name of another relation of the same surface */
    for (int i = 0; i < k && !known; i++)
      known = surface[i] == s;
    if (known || !(fabs(run->rel->z_lo[r]) <= run_band(run, r)))
      continue;
    if (k == SLIDE_MOST) {
      run->own.slide->crowded = p->number + 1;
      return 0;
    }
    surface[k] = s;
    from[k++] = value_on(run, s, r, 1) == (run->d.relation[r] != 0);
  }
  /* the crowd of this part has gone; that of another one stays noted */
  if (run->own.slide->crowded == p->number + 1)
    run->own.slide->crowded = 0;
  return k;
}

/* Do the fields move surface i at speeds that can be told from rounding, and from each other? */
bool run_slide_moved(const double *w, int k, int i, const double *unsure) {
  double low = INFINITY, high = -INFINITY;
  for (int c = 0; c < 1 << k; c++) {
    low = fmin(low, w[c * k + i]);
    high = fmax(high, w[c * k + i]);
  }
  return high - low > noise * unsure[i];
}

static bool are_known(const double *w, int k, const double *unsure) {
  bool known = true;
  for (int i = 0; i < k; i++)
    known = known && run_slide_moved(w, k, i, unsure);
  return known;
}

/* A surface on which the motion is, but which no field moves otherwise than another does, keeps its
 * side: it may belong to another mode, or be sign(0) of what stays 0. Those that the part slides on
 * stay. */
static int leave_out(const Run *run, const Part *p, int k, int *surface, double *from,
                     const double *unsure) {
  int n = p->slide.k;
  const double *speeds = run_blend_speeds(run, p);
  for (int i = p->slide.k; i < k; i++)
    if (run_slide_moved(speeds, k, i, unsure)) {
      surface[n] = surface[i];
      from[n++] = from[i];
    }
  return n;
}

static void search_room(Run *run, int k) {
  if (run->own.slide->searched < k) {
    run->own.slide->search = NEW_ARRAY(run->a, double, slide_work(k));
    run->own.slide->searched = k;
  }
}

/* Relations of surfaces that may be left now keep their sides there. */
static void enter(Run *run, const Slide *sl) {
  for (int i = 0; i < sl->k; i++)
    EACH_MEMBER (run, sl->surface[i], q)
      side_set_entry(&run->rel->state[q], turned(run, sl->surface[i], q) * sl->z[i]);
}

static void refuse(Run *run, int surface) {
  run_note(&run->failure, D_R613, &run->m->relations[surface].place,
           "on both sides of this relation the motion leads back to where it changes, so that it "
           "would change again and again");
  run->own.slide->refused = true;
}

bool run_slide_must_not(Run *run, int surface) {
  bool must_not = chatter_of(run, surface) == NU_CHATTER_ERROR;
  if (must_not)
    refuse(run, surface);
  return must_not;
}

int run_slide_crowded(const Run *run) {
  return run->own.slide && run->own.slide->crowded ? SLIDE_MOST : 0;
}

bool run_slide_refused(const Run *run) { return run->own.slide && run->own.slide->refused; }

/* What the part reads, as it is where the part stands. */
static int evaluate_sources(Run *run, const Scope *sc, const Part *p) {
  int status = NUM_OK;
  for (int k = 0; k < p->scope.n_seen && run->divided && run->n_sliding && status == NUM_OK; k++)
    if (p->scope.seen[k] != p->number)
      status = evaluate_part(run, sc, &run->parts[p->scope.seen[k]], DS_PART_DERIVATIVES);
  return status;
}

/* The part does what was decided about these surfaces; NULL: nothing was. */
static void go_on(Run *run, Part *p, const int *surface, const SlideUnknowns *u,
                  const SlideResult *result, bool *changed) {
  Slide old = p->slide;
  bool stays[SLIDE_MOST] = {false};
  enter(run, &old);
  /* it lets go of everything, and only what was decided comes back */
  stop_sliding(run, p);
  for (int q = 0; q < u->n && result; q++) {
    int i = u->place[q];
    if (i >= old.k)
      continue;
    stays[i] = result->side[q] == 0;
    old.now[i] = result->a[q];
    if (old.mate[i])
      stays[old.mate[i] - 1] = true;
  }
  slide_again(run, p, &old, stays);
  for (int q = 0; q < u->n && result; q++) {
    int i = u->place[q];
    if (result->side[q] == 0 && i >= old.k)
      slide_on(run, p, surface[i], result->a[q]);
    else if (result->side[q] != 0 && changed)
      *changed = set_side(run, surface[i], result->side[q]) || *changed;
  }
}

static int find_fields(Run *run, Part *p, int k, const int *surface) {
  return p->contact.k
             ? run_contact_corners(run, p, k, surface)
             : run_blend_corners(run, &p->scope, p->number, k, surface, DS_PART_DERIVATIVES);
}

/* What happens to the part where its surfaces meet; *changed: relations have other values (NULL:
 * only sliding counts). False: nothing was decided. */
static bool decide(Run *run, Part *p, bool *changed) {
  int surface[SLIDE_MOST], k;
  double from[SLIDE_MOST], z[SLIDE_MOST], unsure[SLIDE_MOST];
  /* a circle of decisions at one instant does not end by itself */
  if (p->slide.decisions++ >= MOST_SLIDE_DECISIONS || !(k = gather(run, p, surface, from)))
    return false;
  bool known = evaluate_sources(run, &p->scope, p) == NUM_OK;
  /* without the surfaces that nothing moves there are fewer fields, of which again fewer may move
   * one */
  for (int all = k + 1; known && k && k < all;) {
    known = find_fields(run, p, k, surface) == NUM_OK &&
            run_speeds(run, p, k, surface, z, unsure) == NUM_OK;
    all = k;
    k = known ? leave_out(run, p, k, surface, from, unsure) : k;
  }
  if (!k)
    return false;
  SlideUnknowns u = run_spiral_unknowns(&p->slide, k);
  double speeds[(1 << SLIDE_MOST) * SLIDE_MOST], start[SLIDE_MOST], doubt[SLIDE_MOST];
  if (known) {
    lead_back(run, p, k, z, run_blend_speeds(run, p));
    run_spiral_reduce(&u, k, run_blend_speeds(run, p), speeds);
  }
  /* where the search begins, and what it cannot tell from 0 */
  for (int q = 0; q < u.n; q++) {
    start[q] = from[u.place[q]];
    doubt[q] = fabs(u.scale[q]) * unsure[u.kept[q]];
  }
  SlideProblem problem = {.k = u.n, .w = speeds, .from = start};
  SlideResult result;
  search_room(run, u.n);
  SlideEnd end = known && are_known(problem.w, u.n, doubt)
                     ? slide_solve(&problem, &result, run->own.slide->search)
                     : SLIDE_LOST;
  bool found = end == SLIDE_OK || end == SLIDE_SEVERAL;
  bool slides = found && result.sliding;
  /* where sliding is an error the run ends with that, after this event */
  for (int q = 0; q < u.n && slides; q++)
    if (u.place[q] >= p->slide.k && result.side[q] == 0)
      run_slide_must_not(run, surface[u.place[q]]);
  /* nothing was found; but a motion that slid without weights that keep it leaves its surfaces
   * below */
  if ((!found && !p->slide.k) || (!changed && !slides))
    return false;
  go_on(run, p, surface, &u, found ? &result : NULL, changed);
  return true;
}

bool run_slide_could(const Run *run, int k) {
  return run->own.slide && run->m->relations[k].field && chatter_of(run, k) != NU_CHATTER_KEEP;
}

bool run_slide_may(const Run *run, int k) {
  const RelationState *rs = &run->rel->state[k];
  return run_slide_could(run, k) && !rs->flipped && !side_is_stuck(rs);
}

bool run_slide_decide(Run *run, const Scope *sc, bool *changed) {
  bool any = false;
  EACH_PART (run, sc, p) {
    /* only a relation that would go back at once asks for a decision */
    bool wanted = false;
    for (int q = 0; q < p->scope.n_relations; q++)
      wanted = wanted || run->rel->state[p->scope.relations[q]].returns;
    any = (wanted && decide(run, p, changed)) || any;
  }
  return any;
}

/* A jump has led away from a surface: it is over there, and where the motion had spiralled in, on
 * both of them. */
static bool leave_by_jump(Run *run, Part *p) {
  Slide *sl = &p->slide, old = *sl;
  bool any = false, stays[SLIDE_MOST], left[SLIDE_MOST];
  for (int i = 0; i < old.k; i++) {
    /* by this jump, not by what the distance has been since the event began */
    left[i] = fabs(sl->z[i] - sl->entry[i]) > sl->band[i] && fabs(sl->z[i]) > sl->band[i];
    any = any || left[i];
    stays[i] = !left[i];
  }
  if (!any)
    return false;
  /* of a pair both stay, or neither */
  for (int i = 0; i < old.k; i++)
    if (old.mate[i])
      stays[i] = stays[old.mate[i] - 1] = stays[i] && stays[old.mate[i] - 1];
  stop_sliding(run, p);
  for (int i = 0; i < old.k; i++)
    if (left[i])
      set_side(run, old.surface[i], old.z[i] > 0 ? 1 : -1);
  slide_again(run, p, &old, stays);
  return true;
}

/* The distances are small as they are now. */
static void enter_anew(Run *run, Slide *sl) {
  memcpy(sl->entry, sl->z, sizeof sl->entry);
  for (int i = 0; i < sl->k; i++)
    EACH_MEMBER (run, sl->surface[i], q)
      side_set_surface(&run->rel->state[q], turned(run, sl->surface[i], q) * sl->z[i]);
}

/* The part leaves a surface: first exactly onto it, then as what the fields say there; true if
 * something has changed. */
static bool leave(Run *run, Part *p, bool *changed) {
  Slide *sl = &p->slide;
  if (!sl->placed) {
    sl->placed = sl->leaves = true;
    go_back(run, p, run->d.r + p->x);
    return true;
  }
  enter_anew(run, sl);
  sl->leaves = false;
  return decide(run, p, changed);
}

/* No weights keep the motion on its surfaces any more: the event has made the fields of both sides
 * alike. What follows is decided anew. */
static bool lose_surfaces(Run *run, const Scope *sc, bool *changed) {
  bool any = false;
  EACH_PART (run, sc, p)
    any = (p->slide.k && decide(run, p, changed)) || any;
  return any;
}

int run_slide_refresh(Run *run, const Scope *sc, bool *changed) {
  bool left = false;
  int status = NUM_OK;
  for (bool again = run_slide_seen(run, sc); again;) {
    left = left || *changed;
    again = false;
    status = run_evaluate(run, sc, DS_PART_DERIVATIVES);
    if (status == NUM_RETRY && (again = lose_surfaces(run, sc, changed)))
      continue;
    if (status == NUM_OK)
      status = run_indicators(run, sc, run->rel->z_lo);
    if (status != NUM_OK)
      return status;
    EACH_PART (run, sc, p) {
      Slide *sl = &p->slide;
      bool over = false;
      for (int i = 0; i < sl->k; i++)
        over = over || !(sl->now[i] > 0 && sl->now[i] < 1);
      if (sl->k && !sl->placed && leave_by_jump(run, p))
        again = *changed = true;
      else if (sl->k && (over || sl->leaves))
        again = leave(run, p, changed) || again;
      again = run_contact_review(run, p) || again;
    }
    left = left || again;
  }
  /* the row of this pass shows everything without what has been left */
  return left && run->options->passes ? run_evaluate(run, sc, DS_PART_OUTPUTS) : NUM_OK;
}

/* ---- events ---- */

bool run_slide_open(Run *run, const Scope *sc) {
  bool any = false;
  EACH_PART (run, sc, p) {
    Slide *sl = &p->slide;
    note_tempo(run, p);
    any = run_contact_open(run, p) || any;
    any = run_spiral_open(run, p) || any;
    sl->decisions = 0;
    sl->leaves = sl->placed = false;
    sl->n_before = sl->k;
    memcpy(sl->before, sl->surface, sizeof sl->before);
    memcpy(sl->entry, sl->z, sizeof sl->entry);
    memset(sl->told, 0, sizeof sl->told);
    for (int i = 0; i < sl->k; i++) {
      int s = sl->surface[i];
      EACH_MEMBER (run, s, q)
        side_set_surface(&run->rel->state[q], turned(run, s, q) * sl->z[i]);
      if (!run->rel->fired[s])
        continue;
      run->rel->fired[s] = false;
      sl->leaves = sl->told[i] = true;
      run_cause(run, RUN_CAUSE_EXIT, s, sl->now[i], NAN);
    }
  }
  return any;
}

static int place_among(const int *list, int n, int s) {
  for (int i = 0; i < n; i++)
    if (list[i] == s)
      return i;
  return -1;
}

/* Surfaces that it slides along from now on, and those that it left without a weight at its
 * limit. */
static void tell_surfaces(Run *run, Slide *sl) {
  for (int i = 0; i < sl->k; i++) {
    int at = place_among(sl->before, sl->n_before, sl->surface[i]);
    if (run_spiral_is_pending(sl, i))
      continue;
    sl->changed = sl->changed || at < 0;
    run->stats.slides += at < 0;
    if (at < 0)
      run_trace_rest(run, sl->surface[i], -1);
    if (at < 0 || sl->told[at])
      run_cause(run, RUN_CAUSE_SLIDE, sl->surface[i], sl->now[i], NAN);
  }
  for (int i = 0; i < sl->n_before; i++)
    if (!sl->told[i] && place_among(sl->surface, sl->k, sl->before[i]) < 0)
      run_cause(run, RUN_CAUSE_EXIT, sl->before[i], NAN, NAN);
}

int run_slide_close(Run *run, const Scope *sc) {
  bool any = false;
  EACH_PART (run, sc, p) {
    Slide *sl = &p->slide;
    sl->changed = sl->k != sl->n_before || p->contact.changed;
    tell_surfaces(run, sl);
    any = any || sl->changed;
    memcpy(sl->a, sl->now, sizeof sl->a);
  }
  any = any || run_slide_seen(run, sc);
  int status = any ? run_evaluate(run, sc, DS_PART_DERIVATIVES) : NUM_OK;
  return any && status == NUM_OK ? run_evaluate(run, sc, DS_PART_OUTPUTS) : status;
}

int run_slide_begin(Run *run, const Scope *sc) {
  bool any = false;
  run->instant->n_causes = 0; /* those of the first row: surfaces that the run begins on */
  EACH_RELATION (sc, k)
    any = any || (run_slide_may(run, k) && fabs(run->rel->z_lo[k]) <= run_band(run, k));
  if (!any)
    return NUM_OK;
  run_slide_open(run, sc);
  run_save(run, sc, run->cells.spare);
  RunStatus begun = RUN_OK;
  EACH_PART (run, sc, p) {
    decide(run, p, NULL);
    if (begun == RUN_OK)
      begun = run_spiral_begin(run, p);
  }
  /* the look at both sides may have been one at other modes, too */
  run_unsave(run, sc, run->cells.spare);
  int status = run_slide_close(run, sc);
  EACH_RELATION (sc, k)
    side_unflip(&run->rel->state[k]);
  if (run->own.slide->refused || begun != RUN_OK)
    return NUM_FATAL;
  return run->n_sliding && status == NUM_OK ? run_indicators(run, sc, run->rel->z_lo) : status;
}

/* ---- spirals ---- */

int run_slide_surface(const Run *run, int k) { return run->own.slide->first[k]; }

const double *run_slide_speeds(Run *run, Part *p, int k, const int *surface, double *z,
                               double *unsure) {
  bool known = evaluate_sources(run, &p->scope, p) == NUM_OK &&
               run_blend_corners(run, &p->scope, p->number, k, surface, DS_PART_DERIVATIVES) ==
                   NUM_OK &&
               run_speeds(run, p, k, surface, z, unsure) == NUM_OK;
  memcpy(p->slide.z, z, (size_t)k * sizeof *z);
  return known ? run_blend_speeds(run, p) : NULL;
}

void run_slide_place(Run *run, Part *p, const int pair[2], double weight, double scale) {
  Slide *sl = &p->slide, before = *sl;
  int i = sl->k;
  sl->k += 2;
  for (int q = 0; q < 2; q++) {
    sl->surface[i + q] = pair[q];
    sl->mate[i + q] = q == 0 ? i + 2 : 0;
  }
  sl->scale[i] = scale;
  sl->now[i] = weight;
  sl->now[i + 1] = 0.5;
  go_back(run, p, run->d.r + p->x);
  *sl = before;
}

void run_slide_hold(Run *run, Part *p, const int pair[2], double weight, double scale,
                    double limit) {
  Slide *sl = &p->slide;
  int i = sl->k;
  slide_on(run, p, pair[0], weight);
  slide_on(run, p, pair[1], 0.5);
  sl->mate[i] = i + 2;
  sl->scale[i] = scale;
  sl->limit[i] = limit;
}

/* ---- after a step ---- */

void run_slide_correct(Part *p) {
  Run *run = p->run;
  Slide *sl = &p->slide;
  const Stepper *s = p->stepper;
  if (!sl->k || run_at(p, s->t, s->x) != NUM_OK || run_indicators(run, &p->scope, NULL) != NUM_OK)
    return;
  memcpy(sl->a, sl->now, sizeof sl->a);
  if (sl->k > 1) /* weights are sought from these: values of now are those from here */
    run->eval.current = NULL;
  if (stepper_is_one_step(s)) {
    go_back(run, p, p->stepper->x);
    run_spiral_correct(run, p, p->stepper->x);
  }
}
