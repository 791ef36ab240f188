/* structure/sort.c -- matched rows -> blocks in order of evaluation.
 * How:  strongly connected components of "row uses what row determines" (Tarjan, SIAM J. Comput.
 *       1(2), 1972, without recursion). A component that holds relations is a mixed system: its
 *       relations are taken out (their held values are data while the rest is solved) and evaluated
 *       after it; the same is done with Boolean and Integer equations that still are in a loop with
 *       Reals. The run iterates the group of blocks until both agree. Discrete Reals in a loop with
 *       continuous ones are solved for together with them at events; between events the continuous
 *       ones alone.
 * Keep: ties are broken by row number. The blocks of a mixed system follow each other. */
#include "structure/sort.h"
#include "structure/incidence.h"
#include "structure/match.h"
#include "structure/name.h"
#include "structure/solve.h"
#include "structure/sorted.h"

#include <stdlib.h>

typedef struct {
  Structure *s;
  SSystem *sys;
  const IncidenceTable *t;
  const Matching *m;
  bool initial;
  Arena *a;
  Diags *diags;
  uint32_t *low, *index;   /* Tarjan; index 0 = not visited */
  bool *marked;            /* scratch of solve_block */
  bool *on_stack, *member; /* member: row takes part in the search at work */
  uint32_t *unit_next;     /* next row of the same algorithm, in a circle; itself for others */
  uint32_t counter;
  VEC(uint32_t) stack;
  uint32_t mixed; /* number of the mixed system at work + 1; 0 outside */
  bool ok;
} Sorter;

typedef VEC(uint32_t) Rows;
typedef void Emit(Sorter *so, const Rows *component);

/* ---- components ---- */

typedef struct {
  uint32_t row, next;
} Frame;

/* k-th neighbour of row r, or NO_ROW; *end when there are no more. */
static uint32_t neighbour(const Sorter *so, uint32_t r, uint32_t k, bool *end) {
  const IncidenceRow *in = &so->t->rows[r];
  *end = k > in->n;
  /* rows of one algorithm belong together: each leads to the next */
  if (k == in->n)
    return so->unit_next[r];
  return k < in->n ? so->m->row_of[in->at[k].var] : NO_ROW;
}

static void open_row(Sorter *so, uint32_t r) {
  so->low[r] = so->index[r] = ++so->counter;
  so->on_stack[r] = true;
  vec_push(so->a, &so->stack, r);
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void close_row(Sorter *so, uint32_t r, Emit *emit) {
  if (so->low[r] != so->index[r])
    return;
  Rows component = {0};
  uint32_t q;
  do {
    q = so->stack.at[--so->stack.n];
    so->on_stack[q] = false;
    vec_push(so->a, &component, q);
  } while (q != r);
  /* ascending, so that equal models have equal blocks */
  if (component.n > 1)
    qsort(component.at, component.n, sizeof *component.at, ascending);
  emit(so, &component);
}

static void visit(Sorter *so, uint32_t start, Emit *emit) {
  VEC(Frame) frames = {0};
  open_row(so, start);
  /* by hand: a chain of equations may be as long as the model */
  vec_push(so->a, &frames, (Frame){start, 0});
  while (frames.n) {
    Frame *f = &vec_last(&frames);
    bool end;
    uint32_t r = f->row, q = neighbour(so, r, f->next++, &end);
    if (end) {
      frames.n--;
      if (frames.n && so->low[r] < so->low[vec_last(&frames).row])
        so->low[vec_last(&frames).row] = so->low[r];
      close_row(so, r, emit);
    } else if (q == NO_ROW || !so->member[q]) {
      continue;
    } else if (!so->index[q]) {
      open_row(so, q);
      vec_push(so->a, &frames, (Frame){q, 0});
    } else if (so->on_stack[q] && so->index[q] < so->low[r])
      so->low[r] = so->index[q];
  }
}

static void components(Sorter *so, const Rows *rows, Emit *emit) {
  /* an inner search goes through rows that an outer one has indexed */
  for (uint32_t k = 0; k < rows->n; k++) {
    so->index[rows->at[k]] = 0;
    so->member[rows->at[k]] = true;
  }
  for (uint32_t k = 0; k < rows->n; k++)
    if (!so->index[rows->at[k]])
      visit(so, rows->at[k], emit);
  /* rows stay indexed, but take part in no search until the next */
  for (uint32_t k = 0; k < rows->n; k++)
    so->member[rows->at[k]] = false;
}

/* ---- blocks ---- */

static const SRow *row_at(const Sorter *so, uint32_t r) { return &so->sys->rows.at[r]; }

static void complain(Sorter *so, const Rows *rows, DiagCode code, const char *what) {
  Text names = {.arena = so->a};
  bool condition = false;
  for (uint32_t k = 0; k < rows->n; k++) {
    uint32_t v = so->m->var_of[rows->at[k]];
    /* a loop of conditions is told in other words */
    condition = condition || so->s->vars.at[v].kind == SV_CONDITION;
    if (k < 6) {
      text_add(&names, k ? ", `" : "`");
      structure_name(so->s, v, &names);
      text_add(&names, "`");
    }
  }
  const SRow *first = row_at(so, rows->at[0]);
  Diag *d = diag_add(so->diags, condition && code == D_D402 ? D_D401 : code, first->span, "%s: %s",
                     what, text_str(&names));
  for (uint32_t k = 1; k < rows->n && k < 6; k++)
    diag_label(so->diags, d, row_at(so, rows->at[k])->span, "part of the loop");
  diag_origin(so->diags, d, structure_origin(so->s->model, first->origin));
  if (code == D_D402)
    diag_help(so->diags, d, "use the value from before the event: pre(...)");
  so->ok = false;
}

/* The rows with what they determine; *discrete: how many of these are discrete. */
static SBlock block_of_rows(Sorter *so, const Rows *rows, uint32_t *discrete) {
  SBlock b = {.n = rows->n, .mixed = so->mixed};
  b.rows = NEW_ARRAY(so->a, uint32_t, rows->n);
  b.unknowns = NEW_ARRAY(so->a, uint32_t, rows->n);
  *discrete = 0;
  /* rows ascend, and with them the unknowns of the block */
  for (uint32_t k = 0; k < rows->n; k++) {
    b.rows[k] = rows->at[k];
    b.unknowns[k] = so->m->var_of[rows->at[k]];
    *discrete += so->s->vars.at[b.unknowns[k]].discrete;
  }
  return b;
}

/* Another search among some rows of a component. It shares the arrays of the one at work: the
 * component is closed there, what it reaches outside is closed, too, and its rows stay indexed. */
static void inner_components(Sorter *so, const Rows *rows, Emit *emit) {
  /* a stack of its own: that of the outer search is at work */
  Sorter inner = *so;
  inner.stack.at = NULL;
  inner.stack.n = inner.stack.room = 0;
  components(&inner, rows, emit);
  so->ok = inner.ok;
}

static void add_block(Sorter *so, const Rows *rows) {
  uint32_t discrete;
  SBlock b = block_of_rows(so, rows, &discrete);
  /* an algorithm that assigns both kinds runs in both phases: between events its discrete targets
   * keep their values */
  bool unit = row_at(so, rows->at[0])->kind == ROW_ALGORITHM;
  b.phase = discrete && (!unit || discrete == rows->n) ? PHASE_DISCRETE : PHASE_OUTPUT;
  b.joint = discrete && discrete < rows->n && !so->initial && !unit;
  if (!solve_block(so->s, so->sys, &b, so->marked, so->a, so->diags))
    so->ok = false;
  vec_push(so->a, &so->sys->blocks, b);
  if (!b.joint)
    return;
  /* the same without its discrete unknowns, for the time between events */
  Rows continuous = {0};
  for (uint32_t k = 0; k < b.n; k++)
    if (!so->s->vars.at[b.unknowns[k]].discrete)
      vec_push(so->a, &continuous, b.rows[k]);
  inner_components(so, &continuous, add_block);
}

static TypeBase base_of(const Sorter *so, uint32_t row) {
  return type_get(so->s->model->pool, so->s->vars.at[so->m->var_of[row]].type)->base;
}

/* Takes some rows of a component out of it, to be evaluated after the rest: a mixed system. */
static void emit_cut(Sorter *so, const Rows *cut, const Rows *others, Emit *emit) {
  Structure *s = so->s;
  /* a cut within a mixed system belongs to the same one */
  bool outermost = !so->mixed;
  if (outermost) {
    vec_push(so->a, &s->mixed, (SMixed){.span = row_at(so, cut->at[0])->span});
    so->mixed = s->mixed.n;
  }
  SMixed *group = &s->mixed.at[so->mixed - 1];
  /* what is held while the rest is solved: relations, whole numbers, texts */
  for (uint32_t k = 0; k < cut->n; k++) {
    const SRow *row = row_at(so, cut->at[k]);
    if (row->kind != ROW_RELATION && base_of(so, cut->at[k]) == TY_STRING)
      vec_push(so->a, &group->strings, so->m->var_of[cut->at[k]]);
    else if (row->kind != ROW_RELATION)
      vec_push(so->a, &group->discrete, so->m->var_of[cut->at[k]]);
    else {
      vec_push(so->a, &group->relations, row->number);
      s->relations.at[row->number].mixed = true;
    }
  }
  /* the rest, which has fewer loops without what was cut */
  inner_components(so, others, emit);
  /* what was cut comes last, each by itself */
  for (uint32_t k = 0; k < cut->n; k++) {
    Rows one = {&cut->at[k], 1, 1};
    uint32_t n = so->sys->blocks.n;
    add_block(so, &one);
    so->sys->blocks.at[n].cut = true;
  }
  if (outermost)
    so->mixed = 0;
}

/* A loop through algorithm sections: they become equations, and the structure is built again
 * (structure.c). What is told counts only if they cannot. */
static void complain_of_sections(Sorter *so, const Rows *rows) {
  for (uint32_t k = 0; k < rows->n; k++)
    if (row_at(so, rows->at[k])->kind == ROW_ALGORITHM)
      map_put(so->a, so->s->looped, row_at(so, rows->at[k])->number, 1);
  complain(so, rows, D_X001, "a loop through an algorithm section is not supported yet");
}

/* A component without relations. */
static void emit_plain(Sorter *so, const Rows *rows) {
  bool unit = row_at(so, rows->at[0])->kind == ROW_ALGORITHM;
  bool algorithms = false;
  /* whole numbers cannot be solved for, Reals can */
  Rows wholes = {0}, reals = {0};
  for (uint32_t k = 0; k < rows->n; k++) {
    const SRow *row = row_at(so, rows->at[k]);
    unit = unit && row->kind == ROW_ALGORITHM && row->number == row_at(so, rows->at[0])->number;
    algorithms = algorithms || row->kind == ROW_ALGORITHM;
    if (base_of(so, rows->at[k]) == TY_REAL)
      vec_push(so->a, &reals, rows->at[k]);
    else
      vec_push(so->a, &wholes, rows->at[k]);
  }
  /* nothing but discrete variables: no event would settle them */
  if (rows->n > 1 && !unit && wholes.n == rows->n)
    complain(so, rows, D_D402, "discrete variables determine each other in a circle");
  else if (rows->n > 1 && algorithms && !unit)
    complain_of_sections(so, rows);
  else if (rows->n > 1 && !unit && wholes.n)
    emit_cut(so, &wholes, &reals, emit_plain);
  else
    add_block(so, rows);
}

static void emit_component(Sorter *so, const Rows *rows) {
  Rows relations = {0}, others = {0};
  bool object = false;
  for (uint32_t k = 0; k < rows->n; k++) {
    object = object || base_of(so, rows->at[k]) == TY_EXTERNAL;
    if (row_at(so, rows->at[k])->kind == ROW_RELATION)
      vec_push(so->a, &relations, rows->at[k]);
    else
      vec_push(so->a, &others, rows->at[k]);
  }
  /* an object is made before anything runs */
  if (rows->n > 1 && object)
    complain(so, rows, D_I504, "an external object is needed before it can be made");
  else if (rows->n == 1 || !relations.n)
    emit_plain(so, rows);
  else
    emit_cut(so, &relations, &others, emit_plain);
}

/* The rows of an algorithm were added in turn, perhaps with rows of others between them: each leads
 * to the next, the last one to the first. */
static void link_units(Sorter *so) {
  uint32_t n = so->sys->rows.n;
  uint32_t *first = NEW_ARRAY(so->a, uint32_t, so->s->algorithms.n + 1);
  /* Last row + 1; 0 before there is one */
  uint32_t *last = NEW_ARRAY(so->a, uint32_t, so->s->algorithms.n + 1);
  for (uint32_t r = 0; r < n; r++) {
    so->unit_next[r] = r;
    if (row_at(so, r)->kind != ROW_ALGORITHM)
      continue;
    uint32_t k = row_at(so, r)->number;
    if (!last[k])
      first[k] = r;
    else
      so->unit_next[last[k] - 1] = r;
    so->unit_next[r] = first[k];
    last[k] = r + 1;
  }
}

bool sort_system(Structure *s, SSystem *sys, const IncidenceTable *t, const Matching *m,
                 bool initial, Arena *a, Diags *diags) {
  uint32_t n = sys->rows.n;
  Sorter so = {
      .s = s, .sys = sys, .t = t, .m = m, .initial = initial, .a = a, .diags = diags, .ok = true};
  so.low = NEW_ARRAY(a, uint32_t, n + 1);
  so.index = NEW_ARRAY(a, uint32_t, n + 1);
  so.on_stack = NEW_ARRAY(a, bool, n + 1);
  so.member = NEW_ARRAY(a, bool, n + 1);
  so.unit_next = NEW_ARRAY(a, uint32_t, n + 1);
  so.marked = NEW_ARRAY(a, bool, s->vars.n);
  link_units(&so);
  /* strong components come out in an order in which each needs only those before it */
  Rows all = {0};
  for (uint32_t r = 0; r < n; r++)
    vec_push(a, &all, r);
  components(&so, &all, emit_component);
  /* initialisation evaluates all of its blocks: it has no phases */
  if (so.ok && !initial)
    schedule_blocks(s, sys, t, m, a);
  /* only now is it known which blocks stay simultaneous, and in which order */
  BlockScratch scratch = {so.marked, NEW_ARRAY(a, uint32_t, s->vars.n)};
  for (uint32_t k = 0; so.ok && k < sys->blocks.n; k++) {
    SBlock *b = &sys->blocks.at[k];
    if (b->kind == BLOCK_LINEAR || b->kind == BLOCK_NONLINEAR) {
      tear_block(s, sys, t, b, &scratch, a, diags);
      block_partials(s, b, &scratch, a);
      if (!b->partials)
        b->kind = BLOCK_NONLINEAR;
    }
  }
  return so.ok;
}
