/* emit/emit_block.c -- sorted blocks as C functions of about a hundred equations each.
 * Each block has a comment that names its equations (source line) and its unknowns. */
#include "emit/emit_impl.h"

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

static uint32_t enter_block(Emit *em, const SSystem *sys, const SBlock *b) {
  uint32_t cells = 2 * b->n * b->n + 8 * b->n;
  em->n_work = cells > em->n_work ? cells : em->n_work;
  vec_push(em->a, &em->blocks, (BlockEntry){sys, b});
  return em->blocks.n - 1;
}

static void check_status(Emit *em, const char *call) {
  em->uses_mask |= USES_STATUS;
  c_line(em, "if ((status = %s) != DS_OK)", call);
  c_line(em, "  goto done;");
}

static void emit_linear(Emit *em, const SSystem *sys, const SBlock *b) {
  uint32_t n = b->n, number = enter_block(em, sys, b);
  uint32_t mark = c_scope_open(em);
  c_line(em, "{");
  em->indent++;
  c_line(em, "double *const a = d->work, *const b = d->work + %u;", n * n);
  c_line(em, "for (int k = 0; k < %u; k++)", n * n);
  c_line(em, "  a[k] = 0;");
  for (uint32_t k = 0; k < n * n; k++)
    if (b->a[k].i)
      c_line(em, "a[%u] = %s;", k, emit_value(em, b->a[k]));
  for (uint32_t k = 0; k < n; k++)
    c_line(em, "b[%u] = %s;", k, emit_value(em, b->b[k]));
  check_status(em, arena_printf(em->a, "d->host->linear(d, %u, %u, a, b)", number, n));
  for (uint32_t k = 0; k < n; k++)
    c_line(em, "%s = b[%u];", c_var(em, b->unknowns[k]), k);
  em->indent--;
  c_line(em, "}");
  c_scope_close(em, mark);
}

/* The residual function of a nonlinear block; written before the function that solves it. */
static void emit_residual(Emit *em, const SBlock *b, const char *name) {
  uint32_t n = b->n;
  c_function_begin(em);
  for (uint32_t k = 0; k < n; k++)
    c_count(em, b->b[k]);
  for (uint32_t k = 0; k < n * n && b->a; k++)
    c_count(em, b->a[k]);
  for (uint32_t k = 0; k < n; k++)
    c_line(em, "f[%u] = %s;", k, emit_value(em, b->b[k]));
  if (b->a) {
    c_line(em, "if (a) {");
    em->indent++;
    c_line(em, "for (int k = 0; k < %u; k++)", n * n);
    c_line(em, "  a[k] = 0;");
    for (uint32_t k = 0; k < n * n; k++)
      if (b->a[k].i)
        c_line(em, "a[%u] = %s;", k, emit_value(em, b->a[k]));
    em->indent--;
    c_line(em, "}");
  } else
    c_line(em, "(void)a;");
  c_function_end(em, arena_printf(em->a, "static int %s(DsData *d, double *f, double *a)", name));
  text_printf(&em->tables, "static const int %s_places[] = {", name);
  for (uint32_t k = 0; k < n; k++) {
    const SVar *v = &em->s->vars.at[b->unknowns[k]];
    text_printf(&em->tables, "%s%u", k ? ", " : "", v->place);
    if (v->bank != BANK_REAL)
      c_refuse(em, "a previous value that must be found by iteration");
  }
  text_add(&em->tables, "};\n");
}

static const char *residual_name(Emit *em, const char *prefix, const SSystem *sys, const SBlock *b) {
  return arena_printf(em->a, "%s_residual%u", prefix, (uint32_t)(b - sys->blocks.at));
}

/* Targets start from pre (discrete) or start (continuous): MLS 3.6 section 11.1.2. */
static void emit_algorithm(Emit *em, const SAlgorithm *alg, bool initial) {
  for (uint32_t k = 0; k < alg->n_targets; k++) {
    uint32_t v = alg->targets[k];
    const SVar *sv = &em->s->vars.at[v];
    if (sv->known)
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

static void emit_block(Emit *em, const SSystem *sys, const SBlock *b, bool initial, const char *prefix) {
  const SRow *row = &sys->rows.at[b->rows[0]];
  em->span = row->span;
  comment(em, sys, b);
  switch (b->kind) {
  case BLOCK_EXPLICIT: {
    const char *value = emit_value(em, b->value);
    c_line(em, "%s = %s;", c_var(em, b->unknowns[0]), value);
    break;
  }
  case BLOCK_LINEAR: emit_linear(em, sys, b); break;
  case BLOCK_NONLINEAR: {
    const char *name = residual_name(em, prefix, sys, b);
    uint32_t number = enter_block(em, sys, b);
    check_status(em, arena_printf(em->a, "d->host->newton(d, %u, %u, %s_places, %s, %d)", number, b->n, name, name, b->a != NULL));
    break;
  }
  case BLOCK_RELATION: {
    const SRelation *r = &em->s->relations.at[row->number];
    const char *x = r->timed ? "d->time" : emit_value(em, r->a), *y = emit_value(em, r->timed ? r->instant : r->b);
    c_line(em, "d->host->relation(d, %u, %s, %s);", row->number, x, y);
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
}

static void count_block(Emit *em, const SSystem *sys, const SBlock *b, bool initial) {
  const SRow *row = &sys->rows.at[b->rows[0]];
  switch (b->kind) {
  case BLOCK_EXPLICIT: c_count(em, b->value); break;
  case BLOCK_LINEAR:
    for (uint32_t k = 0; k < b->n * b->n; k++)
      c_count(em, b->a[k]);
    for (uint32_t k = 0; k < b->n; k++)
      c_count(em, b->b[k]);
    break;
  case BLOCK_RELATION: {
    const SRelation *r = &em->s->relations.at[row->number];
    c_count(em, r->timed ? r->instant : r->a), c_count(em, r->timed ? r->instant : r->b);
    break;
  }
  case BLOCK_ALGORITHM: {
    const SAlgorithm *alg = &em->s->algorithms.at[row->number];
    c_count_statements(em, initial ? alg->initial : alg->body, alg->n_body);
    break;
  }
  case BLOCK_NONLINEAR: break;
  }
}

/* ---- chunks ---- */

void emit_blocks(Emit *em, const SSystem *sys, bool initial, const char *prefix, Chunks *out) {
  for (uint32_t first = 0, end; first < sys->blocks.n; first = end) {
    SPhase phase = sys->blocks.at[first].phase;
    uint32_t rows = 0;
    for (end = first; end < sys->blocks.n && rows < CHUNK_ROWS && (initial || sys->blocks.at[end].phase == phase); end++)
      rows += sys->blocks.at[end].n;
    for (uint32_t b = first; b < end; b++)
      if (sys->blocks.at[b].kind == BLOCK_NONLINEAR) {
        em->span = sys->rows.at[sys->blocks.at[b].rows[0]].span;
        emit_residual(em, &sys->blocks.at[b], residual_name(em, prefix, sys, &sys->blocks.at[b]));
      }
    c_function_begin(em);
    for (uint32_t b = first; b < end; b++)
      count_block(em, sys, &sys->blocks.at[b], initial);
    for (uint32_t b = first; b < end; b++)
      emit_block(em, sys, &sys->blocks.at[b], initial, prefix);
    const char *name = arena_printf(em->a, "%s%u", prefix, out->n);
    c_function_end(em, arena_printf(em->a, "static int %s(DsData *d)", name));
    vec_push(em->a, out, (Chunk){name, phase});
  }
}

/* ---- lists ---- */

void emit_sequence(Emit *em, const char *name, const char *params, const char *args, const char *const *calls, uint32_t n) {
  text_printf(&em->code, "static int %s(%s) {\n", name, params);
  if (n) {
    text_add(&em->code, "  int status = DS_OK;\n");
    for (uint32_t k = 0; k < n; k++)
      text_printf(&em->code, "  if ((status = %s(%s)) != DS_OK)\n    return status;\n", calls[k], args);
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

void emit_pieces(Emit *em, const Pieces *ps) {
  VEC(const char *) calls = {0};
  for (uint32_t first = 0; first < ps->n; first += CHUNK_ROWS) {
    uint32_t end = first + CHUNK_ROWS < ps->n ? first + CHUNK_ROWS : ps->n;
    c_function_begin(em);
    for (uint32_t k = first; k < end; k++)
      ps->count(em, k);
    for (uint32_t k = first; k < end; k++)
      ps->piece(em, k);
    const char *name = arena_printf(em->a, "%s%u", ps->name, calls.n);
    /* a part may happen to use nothing but d */
    for (const char *c = ps->args, *stop; *c; c = *stop ? stop + 2 : stop) {
      for (stop = c; *stop && *stop != ','; stop++)
        ;
      c_line(em, "(void)%.*s;", (int)(stop - c), c);
    }
    c_function_end(em, arena_printf(em->a, "static int %s(%s)", name, ps->params));
    vec_push(em->a, &calls, name);
  }
  emit_sequence(em, ps->name, ps->params, ps->args, calls.at, calls.n);
}
