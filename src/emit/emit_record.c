/* emit/emit_record.c -- records inside functions: a record is its fields, each a C variable of its own.
 * Field k of `v3` is `v3_f<k>`, of that `v3_f<k>_f<m>`; an array field has its sizes beside it like any array. */
#include "emit/emit_impl.h"

static bool is_plain(TypeBase b) { return b == TY_REAL || b == TY_INTEGER || b == TY_BOOLEAN || b == TY_ENUM || b == TY_STRING; }

bool c_leaves(Emit *em, const char *name, TypeId type, LeafFunction *f, void *user) {
  const Type *t = type_get(em->p, type);
  if (is_plain(t->base) && t->n_dims <= MAX_DIMS) {
    if (f)
      f(em, name, type, user);
    return true;
  }
  if (t->base != TY_RECORD || t->n_dims) {
    c_refuse(em, t->base == TY_RECORD ? "an array of records in a function" : "a value of this type in a function");
    return false;
  }
  bool ok = true;
  for (uint32_t k = 0; k < t->decl->n; k++)
    ok = c_leaves(em, arena_printf(em->a, "%s_f%u", name, k), t->decl->types[k], f, user) && ok;
  return ok;
}

ArrayVal c_named_array(Emit *em, const char *name, const Type *t) {
  ArrayVal v = {.at = name, .n_dims = t->n_dims <= MAX_DIMS ? t->n_dims : 0, .base = t->base};
  for (uint32_t k = 0; k < v.n_dims; k++)
    v.dims[k] = arena_printf(em->a, "%s_d%u", name, k);
  return v;
}

/* ---- values ---- */

static const char *field_name(Emit *em, const char *record, uint32_t k) { return arena_printf(em->a, "%s_f%u", record, k); }

/* Declares C variables for one leaf, without a value yet. */
static void declare_leaf(Emit *em, const char *name, TypeId type, void *user) {
  const Type *t = type_get(em->p, type);
  (void)user;
  const char *space = t->base == TY_STRING ? "" : " ";
  c_line(em, "%s%s%s%s = 0;", c_type(t->base), space, t->n_dims ? "*" : "", name);
  for (uint32_t d = 0; d < t->n_dims; d++)
    c_line(em, "long long %s_d%u = 0;", name, d);
}

/* name := e, both of the same type; arrays are not copied, only referred to. */
static bool bind(Emit *em, const char *name, ExprId e) {
  const Type *t = type_get(em->p, expr_get(em->p, e)->type);
  ArrayVal v;
  if (t->base == TY_RECORD && !t->n_dims) {
    const char *from;
    if (!emit_record(em, e, &from))
      return false;
    return c_rebind(em, name, from, expr_get(em->p, e)->type);
  }
  if (!t->n_dims) {
    c_line(em, "%s = %s;", name, emit_value(em, e));
    return true;
  }
  if (!emit_array(em, e, &v))
    return false;
  c_line(em, "%s = (void *)%s;", name, v.at);
  for (uint32_t d = 0; d < v.n_dims; d++)
    c_line(em, "%s_d%u = %s;", name, d, v.dims[d]);
  return true;
}

typedef struct {
  const char *from;
  size_t skip; /* length of the name of the whole */
} Rebind;

static void rebind_leaf(Emit *em, const char *name, TypeId type, void *user) {
  const Rebind *rb = user;
  const Type *t = type_get(em->p, type);
  const char *tail = name + rb->skip;
  c_line(em, "%s = %s%s%s;", name, t->n_dims ? "(void *)" : "", rb->from, tail);
  for (uint32_t d = 0; d < t->n_dims; d++)
    c_line(em, "%s_d%u = %s%s_d%u;", name, d, rb->from, tail, d);
}

bool c_rebind(Emit *em, const char *name, const char *from, TypeId type) {
  size_t n = 0;
  while (name[n])
    n++;
  return c_leaves(em, name, type, rebind_leaf, &(Rebind){from, n});
}

/* A record that has no variables yet: a constructor, or one of two. */
static bool emit_new_record(Emit *em, const Expr *x, const char **name) {
  *name = c_temp(em);
  if (!c_leaves(em, *name, x->type, declare_leaf, NULL))
    return false;
  bool ok = true;
  if (x->op == OP_RECORD) {
    for (uint32_t k = 0; k < x->n; k++)
      ok = bind(em, field_name(em, *name, k), x->args[k]) && ok;
    return ok;
  }
  c_line(em, "if (%s) {", emit_value(em, x->args[0]));
  for (uint32_t k = 1; k <= 2; k++) {
    uint32_t mark = c_scope_open(em);
    em->indent++;
    const char *from;
    ok = emit_record(em, x->args[k], &from) && c_rebind(em, *name, from, x->type) && ok;
    em->indent--;
    c_scope_close(em, mark);
    c_line(em, k == 1 ? "} else {" : "}");
  }
  return ok;
}

bool emit_record(Emit *em, ExprId e, const char **name) {
  const Expr *x = expr_get(em->p, e);
  const char *kept = x->op == OP_CALL ? NULL : c_recall(em, e);
  if (kept) {
    *name = kept;
    return true;
  }
  if (x->op == OP_LOCAL) {
    *name = arena_printf(em->a, "v%u", x->index);
    return true;
  }
  if (x->op == OP_CALL) {
    *name = arena_printf(em->a, "%s_0", emit_call(em, e));
    return true;
  }
  if (x->op == OP_FIELD) {
    *name = c_field(em, x);
    return *name != NULL;
  }
  if (x->op == OP_RECORD || x->op == OP_IF) {
    bool ok = emit_new_record(em, x, name);
    c_remember(em, e, *name);
    return ok;
  }
  c_refuse(em, "this record expression");
  return false;
}

const char *c_field(Emit *em, const Expr *x) {
  const Type *t = type_get(em->p, expr_get(em->p, x->args[0])->type);
  const char *record;
  if (t->base != TY_RECORD || t->n_dims) {
    c_refuse(em, "a field of an array of records");
    return NULL;
  }
  return emit_record(em, x->args[0], &record) ? field_name(em, record, x->index) : NULL;
}
