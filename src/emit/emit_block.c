/* emit/emit_block.c -- sorted blocks as C functions of about a hundred equations each.
 * Each block has a comment that names its equations (source line) and its unknowns. */
#include "emit/emit_impl.h"
#include "structure/name.h"
#include "structure/slice.h"
#include "structure/slopes.h"

enum { CHUNK_ROWS = 100 };

/* ---- comments ---- */

static void comment(Emit *em, const SSystem *sys, const SBlock *b) {
  Text t = {.arena = em->a};
  for (uint32_t k = 0; k < b->n && k < 8; k++) {
    const char *at = c_place_text(em, sys->rows.at[b->rows[k]].span);
    if (*at)
      text_printf(&t, "%s%s", k ? ", " : "", at);
  }
  text_add(&t, "  ");
  for (uint32_t k = 0; k < b->n && k < 8; k++) {
    text_add(&t, k ? ", " : "");
    structure_name(em->s, b->unknowns[k], &t);
  }
  if (b->n > 8)
    text_printf(&t, " and %u more", b->n - 8);
  c_line(em, "/* %s */", c_comment(em, text_str(&t)));
}

/* ---- kinds of block ---- */

static void check_status(Emit *em, const char *call) {
  em->uses_mask |= USES_STATUS;
  c_line(em, "if ((status = %s) != DS_OK)", call);
  c_line(em, "  goto done;");
}

/* ---- simultaneous equations ---- */

/* Does it depend on discrete values and parameters only? What functions give is not looked at. */
static bool stays(const Emit *em, ExprId e) {
  const Expr *x = expr_get(em->s->model->pool, e);
  if (x->op == OP_VAR) {
    const SVar *v = &em->s->vars.at[x->index];
    bool input = v->kind == SV_VAR && em->s->model->vars.at[x->index].causality == CAUSE_INPUT;
    return v->kind != SV_LAMBDA && !input && (v->known || v->discrete || v->kind == SV_RELATION);
  }
  bool literal = x->op == OP_REAL || x->op == OP_INTEGER || x->op == OP_BOOLEAN || x->op == OP_ENUM;
  bool scalar = (x->op >= OP_NEG && x->op <= OP_POW) || (x->op >= OP_LT && x->op <= OP_OR) ||
                x->op == OP_IF || x->op == OP_CAST || (x->op >= OP_ABS && x->op <= OP_MAX2);
  bool all = literal || scalar;
  for (uint32_t k = 0; k < x->n && all; k++)
    all = stays(em, x->args[k]);
  return all;
}

/* The matrix of a linear block does not change between events. */
static bool matrix_stays(const Emit *em, const SBlock *b) {
  bool all = b->partials != NULL;
  for (uint32_t k = 0; k < b->n && all; k++)
    for (uint32_t q = 0; q < b->partials[k].n && all; q++)
      all = stays(em, b->partials[k].at[q].d);
  return all;
}

/* Solutions by known factors, operation by operation as run/linear.c has them. */

static void emit_substitution(Emit *em, const SBlock *b) {
  uint32_t n = b->n_tear;
  for (uint32_t i = 0; i < n; i++) {
    Text sum = {.arena = em->a};
    text_printf(&sum, "b[kept->order[%u]]", i);
    for (uint32_t j = 0; j < i; j++)
      text_printf(&sum, " - lu[%u] * y%u", i * n + j, j);
    c_line(em, "const double y%u = %s;", i, text_str(&sum));
  }
  for (uint32_t i = n; i-- > 0;) {
    Text sum = {.arena = em->a};
    text_printf(&sum, "y%u", i);
    for (uint32_t j = i + 1; j < n; j++)
      text_printf(&sum, " - lu[%u] * z%u", i * n + j, j);
    c_line(em, "const double z%u = (%s) / lu[%u];", i, text_str(&sum), i * n + i);
  }
  for (uint32_t i = 0; i < n; i++)
    c_line(em, "%s = z%u;", c_var(em, b->unknowns[i]), i);
}

/* A row of a matrix times the differences y. */
static const char *row_product(Emit *em, const char *row, uint32_t first, uint32_t n) {
  Text sum = {.arena = em->a};
  for (uint32_t j = 0; j < n; j++)
    text_printf(&sum, "%s%s[%u] * y%u", j ? " + " : "", row, first + j, j);
  return text_str(&sum);
}

static void emit_nearest(Emit *em, const SBlock *b) {
  uint32_t n = b->n_tear;
  for (uint32_t i = 0; i < n; i++)
    c_line(em, "const double y%u = b[%u] - kept->image[%u];", i, i, i);
  c_line(em, "const double *rest = kept->rest;");
  c_line(em, "int fits = 1;");
  c_line(em, "for (int k = 0; k < kept->n_rest; k++, rest += %u) {", n);
  c_line(em, "  const double left = %s;", row_product(em, "rest", 0, n));
  c_line(em, "  fits = fits && left <= kept->most && -left <= kept->most;");
  c_line(em, "}");
  c_line(em, "solved = fits;");
  c_line(em, "if (fits) {");
  for (uint32_t i = 0; i < n; i++)
    c_line(em, "  %s = kept->before[%u] + (%s);", c_var(em, b->unknowns[i]), i,
           row_product(em, "inverse", i * n, n));
  c_line(em, "}");
}

enum { WRITTEN_OUT = 8 }; /* unknowns of a block whose solution is written out */

static void emit_written_out(Emit *em, const SBlock *b) {
  c_line(em, "const double *const lu = kept->lu, *const inverse = kept->inverse;");
  c_line(em, "int solved = lu != 0;");
  c_line(em, "if (lu) {");
  em->indent++;
  emit_substitution(em, b);
  em->indent--;
  c_line(em, "} else if (inverse) {");
  em->indent++;
  emit_nearest(em, b);
  em->indent--;
  c_line(em, "}");
  c_line(em, "if (!solved) {");
  em->indent++;
}

/* The matrix of a linear block stays between events: it is made only where it is not known. */
static void emit_known_linear(Emit *em, const SSystem *sys, const SBlock *b, const char *name) {
  uint32_t n = b->n_tear, number = describe_number(em->about, sys, b);
  c_line(em, "{");
  em->indent++;
  c_line(em, "const DsFactors *const kept = &d->factors[%u];", number);
  c_line(em, "double *const a = kept->known ? 0 : d->work, *const b = d->work + %u;", n * n);
  c_line(em, "if (a) {");
  em->indent++;
  c_line(em, "for (int k = 0; k < %u; k++)", n);
  c_line(em, "  d->r[%s_places[k]] = 0;", name);
  check_status(em, arena_printf(em->a, "%s(d, b, a)", name));
  em->indent--;
  c_line(em, "}");
  check_status(em, arena_printf(em->a, "%s_right(d, b)", name));
  if (n <= WRITTEN_OUT)
    emit_written_out(em, b);
  check_status(em,
               arena_printf(em->a, "d->host->linear(d, %u, %u, %s_places, a, b)", number, n, name));
  c_line(em, "for (int k = 0; k < %u; k++)", n);
  c_line(em, "  d->r[%s_places[k]] = b[k];", name);
  if (n <= WRITTEN_OUT) {
    em->indent--;
    c_line(em, "}");
  }
  check_status(em, arena_printf(em->a, "%s_inner(d)", name));
  em->indent--;
  c_line(em, "}");
}

static bool matrix_is_known(const Emit *em, const SSystem *sys, const SBlock *b) {
  return sys == &em->s->simulation && b->kind == BLOCK_LINEAR && !structure_by_entries(b) &&
         matrix_stays(em, b);
}

/* Residuals at z = 0 give the right side; after the solution the inner unknowns follow by one more
 * evaluation. */
static void emit_linear(Emit *em, const SSystem *sys, const SBlock *b, const char *name) {
  if (matrix_is_known(em, sys, b)) {
    emit_known_linear(em, sys, b, name);
    return;
  }
  uint32_t n = b->n_tear, number = describe_number(em->about, sys, b);
  const SSlopes *sl = em->about->solved.at[number].slopes;
  c_line(em, "{");
  em->indent++;
  c_line(em, "double *const a = d->work, *const b = d->work + %u;",
         sl->by_entries ? slopes_entries(b, sl) : n * n);
  c_line(em, "for (int k = 0; k < %u; k++)", n);
  c_line(em, "  d->r[%s_places[k]] = 0;", name);
  check_status(em, arena_printf(em->a, "%s(d, b, a)", name));
  c_line(em, "for (int k = 0; k < %u; k++)", n);
  c_line(em, "  b[k] = 0 - b[k]; /* never -0 */");
  check_status(em,
               arena_printf(em->a, "d->host->linear(d, %u, %u, %s_places, a, b)", number, n, name));
  c_line(em, "for (int k = 0; k < %u; k++)", n);
  c_line(em, "  d->r[%s_places[k]] = b[k];", name);
  check_status(em, arena_printf(em->a, "%s(d, b, 0)", name));
  em->indent--;
  c_line(em, "}");
}

static const char *residual_name(Emit *em, const char *prefix, const SSystem *sys,
                                 const SBlock *b) {
  return arena_printf(em->a, "%s_residual%u", prefix, (uint32_t)(b - sys->blocks.at));
}

/* Targets start from pre (discrete) or start (continuous): MLS 3.6 section 11.1.2. */
static void emit_algorithm(Emit *em, const SAlgorithm *alg, bool initial) {
  for (uint32_t k = 0; k < alg->n_targets; k++) {
    uint32_t v = alg->targets[k];
    const SVar *sv = &em->s->vars.at[v];
    if (sv->known || !(initial ? alg->carried_initially : alg->carried)[k])
      continue;
    if (sv->discrete && sv->pre != NO_SVAR)
      c_line(em, "%s = %s;", c_var(em, v), c_var(em, sv->pre));
    else if (em->s->starts[v].i)
      c_line(em, "%s = %s;", c_var(em, v), emit_value(em, em->s->starts[v]));
    else
      c_line(em, "%s = 0;", c_var(em, v));
  }
  emit_statements(em, initial ? alg->initial : alg->body, alg->n_body);
}

/* One unknown of simultaneous equations whose iterated unknowns have their values already. */
static void emit_unknown(Emit *em, const SSystem *sys, const SBlock *b, uint32_t part) {
  Text name = {.arena = em->a};
  em->span = sys->rows.at[b->rows[part]].span;
  structure_name(em->s, b->unknowns[part], &name);
  c_line(em, "/* %s */", c_comment(em, text_str(&name)));
  const char *value = emit_value(em, b->parts[part]);
  c_line(em, "%s = %s;", c_var(em, b->unknowns[part]), value);
}

/* Contact forces act on derivatives of states that reinit acts on. */
static void emit_pushes(Emit *em, const SSystem *sys, const SBlock *b) {
  for (uint32_t k = 0; k < b->n && sys == &em->s->simulation; k++) {
    const SVar *v = &em->s->vars.at[b->unknowns[k]];
    if (v->push_of)
      c_line(em, "ds_push(d, %u, %u, %d);", v->place, em->s->vars.at[v->push_of - 1].place,
             v->push_negated ? -1 : 1);
  }
}

static void emit_step(Emit *em, const SSystem *sys, SStep step, bool initial, const char *prefix) {
  const SBlock *b = &sys->blocks.at[step.block];
  const SRow *row = &sys->rows.at[b->rows[0]];
  if (step.part != WHOLE_BLOCK) {
    emit_unknown(em, sys, b, step.part);
    return;
  }
  em->span = row->span;
  comment(em, sys, b);
  switch (b->kind) {
  case BLOCK_EXPLICIT: {
    const char *value = emit_value(em, b->value);
    c_line(em, "%s = %s;", c_var(em, b->unknowns[0]), value);
    break;
  }
  case BLOCK_LINEAR: emit_linear(em, sys, b, residual_name(em, prefix, sys, b)); break;
  case BLOCK_NONLINEAR: {
    const char *name = residual_name(em, prefix, sys, b);
    uint32_t number = describe_number(em->about, sys, b);
    check_status(em, arena_printf(em->a, "d->host->newton(d, %u, %u, %s_places, %s, %d)", number,
                                  b->n_tear, name, name, b->partials != NULL));
    break;
  }
  case BLOCK_RELATION: {
    const SRelation *r = &em->s->relations.at[row->number];
    const char *x = r->timed ? "d->time" : emit_value(em, r->a),
               *y = emit_value(em, r->timed ? r->instant : r->b);
    ExprId of = initial ? r->size_initially : r->size, by = initial ? r->terms_initially : r->terms;
    const char *size = of.i ? emit_value(em, of) : "-1", *terms = of.i ? emit_value(em, by) : "-1";
    c_line(em, "d->host->%s(d, %u, %s, %s, %s, %s);", b->cut ? "propose" : "relation", row->number,
           x, y, size, terms);
    break;
  }
  case BLOCK_ALGORITHM: {
    uint32_t mark = c_scope_open(em);
    c_line(em, "{");
    em->indent++;
    emit_algorithm(em, &em->s->algorithms.at[row->number], initial);
    em->indent--;
    c_line(em, "}");
    c_scope_close(em, mark);
    break;
  }
  }
  emit_pushes(em, sys, b);
}

static void count_step(Emit *em, const SSystem *sys, SStep step, bool initial) {
  const SBlock *b = &sys->blocks.at[step.block];
  const SRow *row = &sys->rows.at[b->rows[0]];
  if (step.part != WHOLE_BLOCK) {
    c_count(em, b->parts[step.part]);
    return;
  }
  switch (b->kind) {
  case BLOCK_EXPLICIT: c_count(em, b->value); break;
  case BLOCK_RELATION: {
    const SRelation *r = &em->s->relations.at[row->number];
    c_count(em, r->timed ? r->instant : r->a), c_count(em, r->timed ? r->instant : r->b);
    c_count(em, initial ? r->size_initially : r->size);
    c_count(em, initial ? r->terms_initially : r->terms);
    break;
  }
  case BLOCK_ALGORITHM: {
    const SAlgorithm *alg = &em->s->algorithms.at[row->number];
    c_count_statements(em, initial ? alg->initial : alg->body, alg->n_body);
    break;
  }
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR: break;
  }
}

/* ---- chunks ---- */

static uint32_t part_at(const Emit *em, const SStep *step) {
  return em->by_parts ? em->s->part_of_block[step->block] : NO_PART;
}

/* Steps first .. end - 1 are one C function. */
static void emit_chunk(Emit *em, const SSystem *sys, const SStep *first, const SStep *end,
                       bool initial, const char *prefix, Chunks *out) {
  const SBlock *blocks = sys->blocks.at;
  for (const SStep *k = first; k < end; k++) {
    const SBlock *b = &blocks[k->block];
    if (k->part == WHOLE_BLOCK && (b->kind == BLOCK_NONLINEAR || b->kind == BLOCK_LINEAR)) {
      em->span = sys->rows.at[b->rows[0]].span;
      emit_residual(em, describe_number(em->about, sys, b), residual_name(em, prefix, sys, b));
      if (matrix_is_known(em, sys, b)) {
        emit_right_side(em, b, residual_name(em, prefix, sys, b));
        emit_inner(em, b, residual_name(em, prefix, sys, b));
      }
    }
  }
  c_function_begin(em);
  for (const SStep *k = first; k < end; k++)
    count_step(em, sys, *k, initial);
  for (const SStep *k = first; k < end; k++)
    emit_step(em, sys, *k, initial, prefix);
  const char *name = arena_printf(em->a, "%s%u", prefix, out->n);
  c_function_end(em, arena_printf(em->a, "static int %s(DsData *d)", name));
  vec_push(
      em->a, out,
      (Chunk){name, blocks[first->block].phase, blocks[first->block].mixed, part_at(em, first)});
}

void emit_steps(Emit *em, const SSystem *sys, const SStep *steps, uint32_t n, bool initial,
                const char *prefix, Chunks *out) {
  const SBlock *blocks = sys->blocks.at;
  for (uint32_t first = 0, end; first < n; first = end) {
    const SBlock *b = &blocks[steps[first].block];
    uint32_t rows = 0;
    for (end = first; end < n && rows < CHUNK_ROWS; end++) {
      const SBlock *next = &blocks[steps[end].block];
      if ((!initial && next->phase != b->phase) || next->mixed != b->mixed ||
          part_at(em, &steps[end]) != part_at(em, &steps[first]))
        break;
      rows += steps[end].part == WHOLE_BLOCK ? next->n : 1;
    }
    emit_chunk(em, sys, steps + first, steps + end, initial, prefix, out);
  }
}

void emit_blocks(Emit *em, const SSystem *sys, bool initial, const char *prefix, Chunks *out) {
  SStep *steps = NEW_ARRAY(em->a, SStep, sys->blocks.n + 1);
  for (uint32_t b = 0; b < sys->blocks.n; b++)
    steps[b] = (SStep){b, WHOLE_BLOCK};
  emit_steps(em, sys, steps, sys->blocks.n, initial, prefix, out);
}

/* ---- lists ---- */

void emit_sequence(Emit *em, const char *name, const char *params, const char *args,
                   const char *const *calls, uint32_t n) {
  text_printf(&em->code, "static int %s(%s) {\n", name, params);
  if (n) {
    text_add(&em->code, "  int status = DS_OK;\n");
    for (uint32_t k = 0; k < n; k++)
      text_printf(&em->code, "  if ((status = %s(%s)) != DS_OK)\n    return status;\n", calls[k],
                  args);
    text_add(&em->code, "  return status;\n}\n\n");
    return;
  }
  /* nothing to do: the parameters are not used */
  for (const char *c = args, *end; *c; c = *end ? end + 2 : end) {
    for (end = c; *end && *end != ','; end++)
      ;
    text_printf(&em->code, "  (void)%.*s;\n", (int)(end - c), c);
  }
  text_add(&em->code, "  return DS_OK;\n}\n\n");
}

/* Pieces first .. end - 1. */
static void emit_pieces_from(Emit *em, const Pieces *ps, uint32_t first, uint32_t end,
                             const char *name) {
  c_function_begin(em);
  for (uint32_t k = first; k < end; k++)
    ps->count(em, k);
  for (uint32_t k = first; k < end; k++)
    ps->piece(em, k);
  /* a part may happen to use nothing but d */
  for (const char *c = ps->args, *stop; *c; c = *stop ? stop + 2 : stop) {
    for (stop = c; *stop && *stop != ','; stop++)
      ;
    c_line(em, "(void)%.*s;", (int)(stop - c), c);
  }
  c_function_end(em, arena_printf(em->a, "static int %s(%s)", name, ps->params));
}

const char *emit_some_pieces(Emit *em, const Pieces *ps, uint32_t first, const char *suffix) {
  Names calls = {0};
  for (uint32_t k = first; k < first + ps->n; k += CHUNK_ROWS) {
    const char *name = arena_printf(em->a, "%s%s_%u", ps->name, suffix, calls.n);
    emit_pieces_from(em, ps, k, k + CHUNK_ROWS < first + ps->n ? k + CHUNK_ROWS : first + ps->n,
                     name);
    vec_push(em->a, &calls, name);
  }
  if (calls.n < 2)
    return calls.n ? calls.at[0] : "0";
  const char *name = arena_printf(em->a, "%s%s", ps->name, suffix);
  emit_sequence(em, name, ps->params, ps->args, calls.at, calls.n);
  return name;
}

void emit_pieces(Emit *em, const Pieces *ps) {
  Names calls = {0};
  for (uint32_t first = 0; first < ps->n; first += CHUNK_ROWS) {
    const char *name = arena_printf(em->a, "%s%u", ps->name, calls.n);
    emit_pieces_from(em, ps, first, first + CHUNK_ROWS < ps->n ? first + CHUNK_ROWS : ps->n, name);
    vec_push(em->a, &calls, name);
  }
  emit_sequence(em, ps->name, ps->params, ps->args, calls.at, calls.n);
}
