/* structure/name.c -- what people call the things in a Structure.
 * In:   an SVar, an expression, a mode, an equation.   Out: text in the words of the model, or the
 *       number of a variable of the flat model.
 * Keep: no index of ours ever shows: what lowering added is called by what it stands for. */
#include "structure/name.h"
#include "base/limits.h"
#include "structure/sorted.h"

/* ---- texts ---- */

static const char *op_sign(Op op) {
  static const char *const signs[] = {
      [OP_LT] = "<", [OP_LE] = "<=", [OP_GT] = ">", [OP_GE] = ">=", [OP_EQ] = "==", [OP_NE] = "<>"};
  return op >= OP_LT && op <= OP_NE ? signs[op] : "?";
}

/* state(x, y): one of these */
static void name_selection(const Structure *s, const SVar *v, const char *what, Text *out) {
  const SSelection *se = &s->selections.at[v->of];
  text_printf(out, "%s(", what);
  for (uint32_t k = 0; k < se->n && k < MOST_CANDIDATES_SHOWN; k++) {
    text_add(out, k ? ", " : "");
    structure_name(s, se->candidates[k], out);
  }
  text_add(out, se->n > MOST_CANDIDATES_SHOWN ? ", ...)" : ")");
}

void structure_name(const Structure *s, uint32_t var, Text *out) {
  const SVar *v = &s->vars.at[var];
  switch (v->kind) {
  case SV_VAR: text_add(out, s->model->vars.at[v->of].name); break;
  case SV_DER:
  case SV_PRE:
    text_add(out, v->kind == SV_DER ? "der(" : "pre(");
    structure_name(s, v->of, out);
    text_add(out, ")");
    break;
  case SV_RELATION: {
    const SRelation *r = &s->relations.at[v->of];
    const Expr *b = expr_get(s->model->pool, r->right);
    int64_t number;
    if (b->op == OP_DELAY && expr_as_integer(s->model->pool, b->args[0], &number)) {
      text_add(out, "a jump comes out of delay(");
      structure_name(s, s->delays.at[number].in, out);
      text_add(out, ", ");
      structure_print(s, s->delays.at[number].delay, out);
      text_add(out, ")");
      break;
    }
    if (b->op == OP_SPATIAL) {
      text_add(out, "a jump of spatialDistribution comes out as ");
      structure_print(s, r->left, out);
      text_add(out, r->op == OP_GE ? " grows" : " falls");
      break;
    }
    structure_print(s, r->left, out);
    text_printf(out, " %s ", op_sign(r->op));
    structure_print(s, r->right, out);
    break;
  }
  case SV_CONDITION:
  case SV_BUFFER: structure_print(s, v->meaning, out); break;
  case SV_LAMBDA: text_add(out, "lambda"); break;
  case SV_CHOSEN: name_selection(s, v, "state", out); break;
  case SV_CHOICE: name_selection(s, v, "choice", out); break;
  case SV_IMPULSE:
    text_add(out, "impulse(");
    structure_name(s, v->of, out);
    text_add(out, ")");
    break;
  case SV_SAMPLE:
    text_add(out, "sample(");
    structure_print(s, s->samples.at[v->of].start, out);
    text_add(out, ", ");
    structure_print(s, s->samples.at[v->of].interval, out);
    text_add(out, ")");
    break;
  }
}

static void print_leaf(void *user, const Expr *e, Text *out) {
  const Structure *s = user;
  if (e->op == OP_VAR && e->index < s->vars.n) {
    ExprId meaning = s->vars.at[e->index].meaning;
    Op op = meaning.i ? expr_get(s->model->pool, meaning)->op : OP_VAR;
    bool several = op == OP_AND || op == OP_OR || op == OP_ADD || op == OP_SUB || op == OP_IF;
    text_add(out, several ? "(" : "");
    structure_name(s, e->index, out);
    text_add(out, several ? ")" : "");
  } else if (e->op == OP_CALL || e->op == OP_FUNCTION)
    text_add(out, ((const Func *)e->ref)->name);
  else
    text_printf(out, "local%u", e->index);
}

void structure_print(const Structure *s, ExprId e, Text *out) {
  ExprPrinter pr = {.pool = s->model->pool, .name = print_leaf, .user = (void *)(uintptr_t)s};
  expr_print(&pr, e, out);
}

void structure_mode_text(const Structure *s, const bool *values, Text *out) {
  for (uint32_t k = 0; k < s->conditions.n && k < MOST_CONDITIONS_SHOWN; k++) {
    text_add(out, k ? ", " : "");
    text_add(out, (values ? values[k] : s->conditions.at[k].value) ? "" : "not ");
    bool plain = s->vars.at[s->conditions.at[k].var].kind == SV_VAR;
    text_add(out, plain ? "`" : "(`");
    structure_name(s, s->conditions.at[k].var, out);
    text_add(out, plain ? "`" : "`)");
  }
  text_add(out, s->conditions.n > MOST_CONDITIONS_SHOWN ? ", ..." : "");
}

/* ---- where in the model ---- */

int structure_variable(const Structure *s, uint32_t var) {
  const SVar *v = &s->vars.at[var];
  switch (v->kind) {
  case SV_VAR: return (int)var;
  case SV_PRE:
  case SV_IMPULSE: return structure_variable(s, v->of);
  case SV_CHOSEN: return structure_variable(s, s->selections.at[v->of].candidates[0]);
  case SV_DER: {
    int of = structure_variable(s, v->of);
    return of < 0 ? of : -1 - of; /* whatever the order */
  }
  case SV_RELATION:
  case SV_CONDITION:
  case SV_BUFFER:
  case SV_SAMPLE:
  case SV_LAMBDA:
  case SV_CHOICE: break;
  }
  return 0;
}

const char *structure_origin(const FlatModel *m, uint32_t origin) {
  const char *path = origin < m->origins.n ? m->origins.at[origin].path : "";
  return path ? path : "";
}
