/* structure/structure.c -- the stage as a list of steps.
 * In:   a flat model, and a mode if it is known.   Out: a Structure.
 * How:  a structure is built in attempts. What one of them finds out (factors that are 0,
 *       constraints that repeat each other, algorithm sections in loops, if-equations whose
 *       branches must be kept apart) is how the next one reads the model, so that no step has to
 *       take anything back. When an attempt finds nothing new its result stands.
 * Keep: each attempt begins from the flat model, and what the one before it said is dropped. */
#include "structure/structure.h"
#include "base/limits.h"
#include "structure/build.h"
#include "structure/graph.h"
#include "structure/index.h"
#include "structure/jump.h"
#include "structure/lower.h"
#include "structure/modes.h"
#include "structure/partition.h"
#include "structure/select.h"
#include "structure/simplify.h"
#include "structure/switching.h"
#include "structure/system.h"
#include "structure/zeros.h"

/* Everything after lowering, in an order that matters: zeros and constants take equations away,
 * then what is equal becomes one, then the index. False after a diagnostic. */
static bool build(Lower *lo, const Zeros *zs) {
  zeros_write(lo, zs);
  constants_eliminate(lo);
  alias_eliminate(lo);
  if (lo->s->conditions.n)
    modes_drop_repeated(lo);
  repeats_drop(lo);
  homotopy_actual(lo);
  /* sections in loops, as equations, before anything is matched */
  for (uint32_t k = 0; k < lo->s->algorithms.n; k++)
    if (map_get(lo->s->looped, k, &(uint64_t){0}))
      section_as_equations(lo, k);
  if (!index_reduce(lo) || !lower_fixed(lo))
    return false;
  bool ok = order_parameters(lo);
  if (!system_simulation(lo) || !ok)
    return false;
  moved_tell(lo);
  return system_initial(lo) && pulses_find(lo);
}

/* How a model is read, and in which mode. */
typedef struct {
  SReading as;      /* literal_signs NULL: to be found */
  const bool *mode; /* NULL: a likely one */
  bool later;       /* without initial equations */
} Reading;

static Lower begin(const FlatModel *m, const Reading *how, Arena *a, Diags *diags) {
  Structure *s = NEW(a, Structure);
  s->model = m;
  s->lambda = NO_SVAR;
  s->how = how->as;
  s->later = how->later;
  return (Lower){.m = m,
                 .s = s,
                 .p = m->pool,
                 .a = a,
                 .diags = diags,
                 .how = how->as,
                 .mode = how->mode,
                 .later = how->later};
}

/* Relations of sign() that are in a loop with what they switch make a mixed system of what was
 * none: there sign() is a function like others. True if there are more of them. */
static bool signs_in_loops(const Lower *lo, Map *literal) {
  bool more = false;
  for (uint32_t k = 0; k < lo->s->relations.n; k++) {
    const SRelation *r = &lo->s->relations.at[k];
    if (!r->mixed || !r->sign.i)
      continue;
    map_put(lo->a, literal, r->sign.i, 1);
    more = true;
  }
  return more;
}

/* Steps under noEvent that the run might monitor must change nothing else: no mixed system of what
 * was none, and no modes. */
static bool quiet_ones_matter(const Lower *lo) {
  bool any = false;
  for (uint32_t k = 0; k < lo->s->relations.n && !any; k++)
    any = lo->s->relations.at[k].watch && (lo->s->relations.at[k].mixed || lo->s->conditions.n);
  return any;
}

/* The systems, sorted. False after a diagnostic, which names the mode. */
static bool try_builds(Lower *out, const FlatModel *m, const Reading *how, Arena *a, Diags *diags) {
  Zeros zs = {0};
  Repeats repeats = {0};
  uint32_t mark = diags_count(diags);
  /* literal and looped are learnt from one attempt for the next */
  Map *literal = how->as.literal_signs ? NULL : NEW(a, Map);
  Map *looped = NEW(a, Map);
  bool quiet = how->as.literal_signs || how->as.n_splits || how->as.divides;
  /* each round is a whole attempt, with more known than the one before */
  for (bool plain = false;;) {
    Lower *lo = out;
    *lo = begin(m, how, a, diags);
    lo->quiet = quiet;
    if (literal)
      lo->s->how.literal_signs = lo->how.literal_signs = literal;
    lo->s->looped = looped;
    lo->repeats = &repeats;
    uint32_t known = repeats.list.n, loops = looped->n;
    if (!lower_model(lo))
      return false;
    steady_instants(lo);
    modes_choose(lo);
    bool ok = build(lo, plain ? &(Zeros){0} : &zs);
    /* constraints that repeat others were found: without them */
    if (repeats.list.n > known) {
      diags_rewind(diags, mark);
      continue;
    }
    /* a loop goes through algorithm sections: with these as equations */
    if (!ok && looped->n > loops) {
      repeats.list.n = 0; /* rows have other numbers now */
      diags_rewind(diags, mark);
      continue;
    }
    /* sign() would be in a loop with itself: there as a function without events */
    if (ok && literal && signs_in_loops(lo, literal)) {
      repeats.list.n = 0; /* rows may have other numbers now */
      diags_rewind(diags, mark);
      continue;
    }
    /* what noEvent hides must change nothing: without any of it */
    if (!quiet && (!ok || quiet_ones_matter(lo)) && lower_watches(lo)) {
      quiet = true;
      repeats.list.n = 0; /* rows may have other numbers now */
      diags_rewind(diags, mark);
      continue;
    }
    /* a model that is singular as it stands may be right with its factors 0 out of it */
    bool more = !plain && (ok ? zeros_needed(lo, &zs) : zeros_all(lo, &zs));
    if (ok && !more) {
      zeros_guard(lo);
      guards_find(lo);
      return true;
    }
    if (!more && (plain || !zs.list.n)) {
      modes_say(lo, mark);
      return false;
    }
    repeats.list.n = 0; /* rows may have other numbers now */
    plain = !more;      /* nothing helped: what is said is about the model as written */
    diags_rewind(diags, mark);
  }
}

/* Branches of if-equations and of if-expressions are kept apart where that is needed: because one
 * of them alone leaves nothing to determine, or, all if-equations, because nothing can be built
 * otherwise. */
static Structure *try_readings(const FlatModel *m, Arena *a, Diags *diags) {
  uint32_t mark = diags_count(diags);
  Lower lo;
  /* as the user wrote it: most models need nothing else */
  bool first = try_builds(&lo, m, &(Reading){0}, a, diags);
  uint32_t n = lo.ifs.n;
  if (!first && !n)
    return NULL;
  bool *divides = NEW_ARRAY(a, bool, n + 1);
  Splits splits = {0};
  /* nothing can be built: all if-equations are tried apart */
  for (uint32_t k = 0; k < n; k++)
    divides[k] = !first;
  for (bool ok = first;;) {
    /* splits are expressions of one lowering: where other if-equations are kept apart the variables
     * in them have other numbers */
    bool needed = ok && modes_needed(&lo, divides);
    splits.n = needed ? 0 : splits.n;
    if (ok && !needed && !modes_split(&lo, &splits))
      return lo.s;
    if (!ok && first)
      return NULL;
    if (!ok && lo.how.n_divides) /* what is said is about the model as written */
      break;
    diags_rewind(diags, mark);
    SReading as = {.divides = divides, .splits = splits.at, .n_divides = n, .n_splits = splits.n};
    ok = try_builds(&lo, m, &(Reading){.as = as}, a, diags);
  }
  /* once more as written, for the messages */
  diags_rewind(diags, mark);
  try_builds(&lo, m, &(Reading){0}, a, diags);
  return NULL;
}

static Structure *arranged(Structure *s, Arena *a) {
  if (!s)
    return NULL;
  Arena *scratch = arena_new(arena_memory(a));
  if (s->relations.n)
    switched_write_out(s, scratch);
  /* now that blocks are known: what acts on what, and where it belongs */
  pushes_find(s, scratch);
  BlockGraph *g = graph_build(s, scratch);
  /* modes share one layout, and no parts */
  if (s->conditions.n) {
    fields_find(s, g, scratch);
    fields_of_modes(s, g);
    surfaces_find(s, scratch);
    sizes_find(s, scratch);
    arena_free(scratch);
    layout_common(s, a);
    return s;
  }
  surfaces_find(s, scratch);
  /* relations along which the motion may slide move, too; those that do not act on themselves,
   * after all, do not */
  if (fields_find(s, g, scratch) && fields_drop(s, g = graph_build(s, scratch), scratch))
    g = graph_build(s, scratch);
  islands_find(s, g, a);
  parts_find(s, g, a);
  sizes_find(s, scratch);
  arena_free(scratch);
  layout_places(s, a);
  return s;
}

Structure *structure_build(const FlatModel *m, Arena *a, Diags *diags) {
  return arranged(try_readings(m, a, diags), a);
}

const Structure *structure_view(const Structure *s, Arena *a) {
  FlatModel *model = NEW(a, FlatModel);
  Structure *view = NEW(a, Structure);
  /* writing to the view leaves the structure alone: threads share it */
  *model = *s->model;
  model->pool = pool_on(s->model->pool, a);
  *view = *s;
  view->model = model;
  return view;
}

Structure *structure_in_mode(const Structure *s, const bool *values, bool initial, Arena *a,
                             Diags *diags) {
  Lower lo;
  Reading how = {.as = s->how, .mode = values, .later = !initial};
  return try_builds(&lo, s->model, &how, a, diags) ? arranged(lo.s, a) : NULL;
}
