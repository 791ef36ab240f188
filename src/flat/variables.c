/* flat/variables.c -- components -> scalar variables with attributes and bindings.
 * Two passes: first every scalar gets its number, so that expressions can refer to any of them;
 * then values are filled in. */
#include "flat/flatten_impl.h"
#include "base/limits.h"

#include <string.h>

/* ---- expansion of expressions ---- */

/* Scalars of a component: its own variables, those of its parts, or the value of a package
 * constant. */
static bool element_scalars(Flattener *fl, Element *e, uint32_t n, ExprId *out, uint32_t *at) {
  World *w = fl->w;
  e = element_actual(w, e);
  if (e->first_var) {
    int64_t count = type_count(w->pool, e->type);
    TypeId scalar = type_element(w->pool, e->type, e->n_dims);
    for (int64_t k = 0; k < count && *at < n; k++)
      out[(*at)++] = expr_var(w->pool, scalar, e->first_var - 1 + (uint32_t)k);
    return true;
  }
  /* a record in the model: its parts have variables */
  if (e->items && e->n_items && e->items[0]->origin) {
    for (uint32_t k = 0; k < e->n_items; k++)
      for (uint32_t i = 0; i < e->items[k]->elements.n; i++) {
        Element *part = e->items[k]->elements.at[i];
        if (part->kind == ELEMENT_COMPONENT && !part->absent &&
            !element_scalars(fl, part, n, out, at))
          return false;
      }
    return true;
  }
  if (type_count(w->pool, e->type) == 0)
    return true;
  Value v;
  if (!element_value(w, e, &v, NULL))
    return false;
  ExprId literal = expr_of_value(w->pool, &v);
  Scalarizer s = {.pool = w->pool};
  if (*at + v.n > n || !expr_scalars(&s, literal, out + *at))
    return false;
  *at += v.n;
  return true;
}

static bool leaf(void *user, ExprId e, uint32_t n, ExprId *out) {
  Flattener *fl = user;
  const Expr *x = expr_get(fl->w->pool, e);
  uint32_t at = 0;
  return x->op == OP_REF && element_scalars(fl, (Element *)(uintptr_t)x->ref, n, out, &at) &&
         at == n;
}

/* Some scalars of an array in the model, without expanding the others. */
static bool leaf_part(void *user, ExprId e, uint32_t first, uint32_t n, ExprId *out) {
  Flattener *fl = user;
  const Expr *x = expr_get(fl->w->pool, e);
  Element *r = x->op == OP_REF ? element_actual(fl->w, (Element *)(uintptr_t)x->ref) : NULL;
  if (r && r->first_var) {
    TypeId scalar = type_element(fl->w->pool, r->type, r->n_dims);
    for (uint32_t k = 0; k < n; k++)
      out[k] = expr_var(fl->w->pool, scalar, r->first_var - 1 + first + k);
    return true;
  }
  uint32_t all = (uint32_t)type_count(fl->w->pool, x->type);
  ExprId *scalars = NEW_ARRAY(fl->arena, ExprId, all);
  if (!leaf(user, e, all, scalars))
    return false;
  for (uint32_t k = 0; k < n; k++)
    out[k] = scalars[first + k];
  return true;
}

bool flatten_scalars(Flattener *fl, ExprId e, Span span, uint32_t *n, ExprId **out) {
  int64_t count = type_count(fl->w->pool, expr_get(fl->w->pool, e)->type);
  if (count < 0) {
    if (!fl->failed)
      diag_add(fl->diags, D_T307, span, "the size of this array is not known at translation");
    return false;
  }
  *n = (uint32_t)count;
  *out = NEW_ARRAY(fl->arena, ExprId, count ? count : 1);
  Scalarizer s = {.pool = fl->w->pool, .leaf = leaf, .part = leaf_part, .user = fl};
  if (expr_scalars(&s, e, *out))
    return true;
  if (!fl->failed)
    diag_add(fl->diags, s.why && strstr(s.why, "too large") ? D_K001 : D_T307, span,
             "this expression cannot be expanded: %s", s.why ? s.why : "a part of it has no value");
  return false;
}

ExprId flatten_call(Flattener *fl, ExprId call, Span span) {
  ExprPool *p = fl->w->pool;
  const Expr *x = expr_get(p, call);
  bool no_result = type_get(p, x->type)->base == TY_NONE;
  /* a call of scalar type stays a call, its arguments expanded */
  ExprId typed = no_result
                     ? expr_make_ref(p, OP_CALL, type_scalar(p, TY_REAL), x->ref, x->n, x->args)
                     : call;
  uint32_t n;
  ExprId *parts;
  if (!flatten_scalars(fl, typed, span, &n, &parts) || !n)
    return NO_EXPR;
  const Expr *out = expr_get(p, parts[0]);
  if (out->op == OP_PART)
    return out->args[0];
  return no_result && out->op == OP_CALL
             ? expr_make_ref(p, OP_CALL, x->type, out->ref, out->n, out->args)
             : parts[0];
}

/* ---- first pass: numbers ---- */

static const char *scalar_name(Flattener *fl, const char *path, const Element *e, uint32_t k) {
  if (!e->n_dims)
    return path;
  Text t = {.arena = fl->arena};
  text_add(&t, path);
  uint32_t rest = k, size = 1;
  for (uint32_t d = 0; d < e->n_dims; d++)
    size *= (uint32_t)e->dims[d];
  for (uint32_t d = 0; d < e->n_dims; d++) {
    size /= (uint32_t)e->dims[d];
    text_printf(&t, "%s%u", d ? "," : "[", rest / size + 1);
    rest %= size;
  }
  text_char(&t, ']');
  return text_str(&t);
}

static FlatVariability variability_of(const Element *e, TypeBase base) {
  switch (e->variability) {
  case VAR_CONSTANT: return FLAT_CONSTANT;
  case VAR_PARAMETER: return FLAT_PARAMETER;
  case VAR_DISCRETE: return FLAT_DISCRETE;
  case VAR_CONTINUOUS: break;
  }
  return base == TY_EXTERNAL ? FLAT_PARAMETER : base == TY_REAL ? FLAT_CONTINUOUS : FLAT_DISCRETE;
}

static bool protected_inside(const Element *e) {
  for (; e; e = class_self(e->owner)->component)
    if (e->is_protected)
      return true;
  return false;
}

/* `flow` means something in a connector only. */
static bool in_connector(const Element *e) {
  for (; e; e = class_self(e->owner)->component)
    if (e->is_connector)
      return true;
  return false;
}

/* Final itself, or a field of a record that is. */
static bool is_final(const Element *e) {
  for (bool field = true; e && field; e = class_self(e->owner)->component) {
    if (e->is_final || (e->mod && e->mod->final))
      return true;
    const Element *outer = class_self(e->owner)->component;
    field = outer &&
            (outer->class_kind == CLASS_RECORD || outer->class_kind == CLASS_OPERATOR_RECORD);
  }
  return false;
}

static void number_scalars(Flattener *fl, Element *e) {
  World *w = fl->w;
  TypeId scalar = type_element(w->pool, e->type, e->n_dims);
  TypeBase base = type_get(w->pool, scalar)->base;
  int64_t n = type_count(w->pool,
                         type_array(w->pool, type_scalar(w->pool, TY_REAL), e->n_dims, e->dims));
  const char *path = element_path(w, e);
  bool top = class_self(e->owner) == w->model && !e->is_protected;
  e->first_var = fl->m->vars.n + 1;
  for (int64_t k = 0; k < n; k++) {
    uint32_t i = flat_add_var(fl->m, fl->arena, scalar_name(fl, path, e, (uint32_t)k), scalar);
    FlatVar *v = &fl->m->vars.at[i];
    v->variability = variability_of(e, base);
    v->causality = !top || e->direction == DIR_NONE ? CAUSE_NONE
                   : e->direction == DIR_INPUT      ? CAUSE_INPUT
                                                    : CAUSE_OUTPUT;
    v->is_flow = e->flow == FLOW_FLOW && in_connector(e);
    v->is_input = e->direction == DIR_INPUT;
    v->is_protected = protected_inside(e);
    v->is_final = is_final(e);
    v->comment = e->ast->comment;
    v->origin = fl->origin;
    v->span = e->ast->span;
  }
}

static bool is_leaf(World *w, const Element *e) {
  return !e->items || (e->type.i && type_get(w->pool, e->type)->base == TY_EXTERNAL);
}

static void refuse(Flattener *fl, Element *e, const char *what) {
  Diag *d = diag_add(fl->diags, D_X001, e->ast->span, "%s are not supported yet", what);
  if (class_self(e->owner)->component)
    diag_origin(fl->diags, d, class_self(e->owner)->path);
  e->state = STATE_FAILED; /* nobody asks for it any more */
}

static void number_component(Flattener *fl, Element *e) {
  World *w = fl->w;
  if (e->flow == FLOW_STREAM)
    refuse(fl, e, "stream connectors");
  if (e->type.i && type_get(w->pool, e->type)->base == TY_CLOCK)
    refuse(fl, e, "clocks");
  if (is_leaf(w, e)) {
    number_scalars(fl, e);
    return;
  }
  for (uint32_t k = 0; k < e->n_items; k++) {
    Class *item = e->items[k];
    if (!class_expand(w, item)) {
      fl->failed = true;
      return;
    }
    if (class_is_partial(item)) {
      Diag *d = diag_add(fl->diags, D_M006, e->ast->span, "`%s` is of the partial class `%s`",
                         e->name, class_full_name(item));
      diag_origin(fl->diags, d, element_path(w, e));
      diag_help(fl->diags, d, "redeclare it with a complete class");
      return;
    }
    if (item->kind == CLASS_EXPANDABLE)
      vec_push(fl->arena, &fl->buses, item);
    uint32_t before = fl->origin;
    vec_push(fl->arena, &fl->m->origins, (FlatOrigin){item->path, class_full_name(item), before});
    fl->origin = fl->m->origins.n - 1;
    item->origin = fl->m->origins.n;
    flatten_variables(fl, item);
    fl->origin = before;
  }
}

static void number_elements(Flattener *fl, Class *c) {
  for (uint32_t i = 0; i < c->elements.n; i++) {
    Element *e = c->elements.at[i];
    if (e->kind != ELEMENT_COMPONENT)
      continue;
    if (!element_resolve(fl->w, e))
      fl->failed = true;
    else if (!e->absent && !e->inner)
      number_component(fl, e);
  }
}

void flatten_variables(Flattener *fl, Class *c) {
  number_elements(fl, c);
  restrict_instance(fl->w, c);
}

/* ---- second pass: attributes and bindings ---- */

/* An attribute whose value is needed now, for all elements or one by one; nothing in it if it is
 * not given. */
static Value known_attribute(Flattener *fl, Element *e, const char *name, TypeBase base) {
  ExprId x = element_attribute(fl->w, e, name, base);
  Elab el = {.w = fl->w, .scope = e->scope, .quiet = base == TY_STRING};
  Value v;
  return x.i && elab_evaluate(&el, x, e->ast->span, &v) ? v : (Value){0};
}

/* An attribute given once for all elements, or element by element. */
static void spread(Flattener *fl, Element *e, const char *name, TypeBase base, size_t offset) {
  ExprId x = element_attribute(fl->w, e, name, base);
  if (!x.i)
    return;
  uint32_t n;
  ExprId *values;
  if (!flatten_scalars(fl, x, e->ast->span, &n, &values))
    return;
  int64_t count = type_count(fl->w->pool, e->type);
  for (int64_t k = 0; k < count && n; k++) {
    FlatVar *v = &fl->m->vars.at[e->first_var - 1 + (uint32_t)k];
    *(ExprId *)((char *)v + offset) = values[n == 1 ? 0 : (uint32_t)k < n ? k : 0];
  }
}

/* Which start values are fixed shapes the initial system: it must be known now. */
static void decide_fixed(Flattener *fl, Element *e) {
  World *w = fl->w;
  ExprId x = element_attribute(w, e, "fixed", TY_BOOLEAN);
  Value v;
  Elab el = {.w = w, .scope = e->scope};
  if (!x.i || !elab_evaluate(&el, x, e->ast->span, &v))
    return;
  int64_t count = type_count(w->pool, e->type);
  for (int64_t k = 0; k < count && v.n; k++)
    fl->m->vars.at[e->first_var - 1 + (uint32_t)k].fixed = expr_boolean(
        w->pool, v.at[v.n == 1 ? 0 : k].integer != 0);
}

static const char *const attribute_names[] = {"value",   "quantity",    "unit",     "displayUnit",
                                              "min",     "max",         "start",    "fixed",
                                              "nominal", "stateSelect", "unbounded"};

static void check_attribute_names(Flattener *fl, const Element *e) {
  for (uint32_t i = 0; e->attributes && i < e->attributes->n_subs; i++) {
    const Mod *m = e->attributes->subs[i];
    bool known = false;
    for (uint32_t k = 0; k < sizeof attribute_names / sizeof *attribute_names; k++)
      known |= strcmp(m->name, attribute_names[k]) == 0;
    if (known)
      continue;
    Diag *d = diag_add(fl->diags, D_M001, m->name_span, "`%s` has no attribute `%s` to modify",
                       e->name, m->name);
    const char *best[1];
    if (nearest_names(m->name, attribute_names, sizeof attribute_names / sizeof *attribute_names,
                      best, 1))
      diag_help(fl->diags, d, "did you mean `%s`?", best[0]);
  }
}

static void fill_attributes(Flattener *fl, Element *e, TypeBase base) {
  World *w = fl->w;
  check_attribute_names(fl, e);
  if (!e->attributes || !e->attributes->n_subs)
    return;
  spread(fl, e, "start", TY_NONE, offsetof(FlatVar, start));
  spread(fl, e, "min", TY_NONE, offsetof(FlatVar, min));
  spread(fl, e, "max", TY_NONE, offsetof(FlatVar, max));
  decide_fixed(fl, e);
  Value quantity = known_attribute(fl, e, "quantity", TY_STRING), unit = {0}, display = {0},
        select = {0};
  if (base == TY_REAL) {
    spread(fl, e, "nominal", TY_REAL, offsetof(FlatVar, nominal));
    unit = known_attribute(fl, e, "unit", TY_STRING);
    display = known_attribute(fl, e, "displayUnit", TY_STRING);
    select = known_attribute(fl, e, "stateSelect", TY_ENUM);
  }
  int64_t n = type_count(w->pool, e->type);
  for (int64_t k = 0; k < n; k++) {
    FlatVar *v = &fl->m->vars.at[e->first_var - 1 + (uint32_t)k];
    v->quantity = quantity.n ? quantity.at[(uint32_t)k % quantity.n].string : NULL;
    v->unit = unit.n ? unit.at[(uint32_t)k % unit.n].string : NULL;
    v->display_unit = display.n ? display.at[(uint32_t)k % display.n].string : NULL;
    v->select = select.n ? (FlatStateSelect)select.at[(uint32_t)k % select.n].integer
                         : SELECT_DEFAULT;
  }
}

/* The first element in an expression that varies as much. */
typedef struct {
  World *w;
  AstVariability variability;
  const Element *found;
} Culprit;

static void find_culprit(void *user, ExprId e) {
  Culprit *c = user;
  const Expr *x = expr_get(c->w->pool, e);
  const Element *r = x->op == OP_REF ? x->ref : NULL;
  if (!c->found && r &&
      (c->variability == VAR_PARAMETER ? r->variability == VAR_PARAMETER
                                       : r->variability < VAR_PARAMETER))
    c->found = r;
}

static void check_variability(Flattener *fl, Element *e, ExprId value, Span span) {
  AstVariability has = elab_variability(fl->w, value);
  if (e->variability < VAR_PARAMETER || has >= e->variability)
    return;
  if (e->variability == VAR_CONSTANT && has == VAR_PARAMETER && e->is_final)
    return;
  Culprit c = {fl->w, has, NULL};
  expr_walk(fl->w->pool, value, find_culprit, &c);
  const char *name = c.found ? arena_printf(fl->arena, "`%s`", c.found->name) : "`time`";
  Diag *d = diag_add(fl->diags, D_V001, span, "the %s `%s` cannot depend on %s%s%s",
                     e->variability == VAR_CONSTANT ? "constant" : "parameter", e->name,
                     has == VAR_PARAMETER ? "the parameter " : "", name,
                     has == VAR_PARAMETER || !c.found ? "" : ", which varies in time");
  if (has == VAR_PARAMETER)
    diag_help(fl->diags, d, "declare `%s` as `parameter`, or %s as `constant`", e->name, name);
  else
    diag_help(fl->diags, d, "declare `%s` without `%s`, or give the value in an initial equation",
              e->name, e->variability == VAR_CONSTANT ? "constant" : "parameter");
  if (class_self(e->owner)->component)
    diag_origin(fl->diags, d, class_self(e->owner)->path);
}

static bool is_fixed_false(Flattener *fl, const FlatVar *v) {
  int64_t fixed = 1;
  return v->fixed.i && expr_as_integer(fl->w->pool, v->fixed, &fixed) && !fixed;
}

static void no_value(Flattener *fl, Element *e) {
  const FlatVar *v = &fl->m->vars.at[e->first_var - 1];
  bool failed = e->fault == FAULT_TOLD;
  for (const Element *whole = e; whole; whole = class_self(whole->owner)->component)
    failed |= whole->mod_failed;
  if (is_fixed_false(fl, v) || failed)
    return;
  if (e->variability == VAR_CONSTANT) {
    diag_add(fl->diags, D_V002, e->ast->span, "the constant `%s` has no value", v->name);
  } else if (e->variability == VAR_PARAMETER) {
    Diag *d = diag_add(fl->diags, D_V004, e->ast->span,
                       "the parameter `%s` has no value; its start value is used", v->name);
    diag_help(fl->diags, d, "give it one: `%s = ...`", v->name);
  }
}

/* Calls that depend on nothing but structural parameters, and final ones that follow from them, are
 * computed now: these values cannot change without a new translation anyway. */
typedef struct {
  World *w;
  bool calls, free;
  uint32_t depth;
} Dependence;

static void depend(void *user, ExprId e);

/* May the value change between translation and run? */
static bool is_free(World *w, Element *e, uint32_t depth) {
  if (e->structural || e->variability == VAR_CONSTANT)
    return false;
  if (e->variability != VAR_PARAMETER || !is_final(e) || depth >= MOST_FINAL_STEPS)
    return true;
  ExprId value = element_binding(w, e);
  Dependence d = {.w = w, .depth = depth + 1};
  if (value.i)
    expr_walk(w->pool, value, depend, &d);
  return !value.i || d.free;
}

static void depend(void *user, ExprId e) {
  Dependence *d = user;
  const Expr *x = expr_get(d->w->pool, e);
  d->calls |= x->op == OP_CALL;
  if (x->op == OP_REF)
    d->free = d->free || is_free(d->w, (Element *)(uintptr_t)x->ref, d->depth);
}

static ExprId computed(Flattener *fl, Element *e, ExprId value) {
  Dependence d = {.w = fl->w};
  expr_walk(fl->w->pool, value, depend, &d);
  if (e->variability < VAR_PARAMETER || !d.calls || d.free ||
      type_get(fl->w->pool, e->type)->base == TY_EXTERNAL)
    return value;
  Elab el = {.w = fl->w, .scope = e->scope, .quiet = true};
  Value v;
  return elab_evaluate(&el, value, e->ast->span, &v) ? expr_of_value(fl->w->pool, &v) : value;
}

/* A constant whose expression has no value is wrong, whether it is used or not. */
static void check_constant(Flattener *fl, Element *e, ExprId value, Span span) {
  Elab el = {.w = fl->w, .scope = e->scope, .quiet = true};
  Value v;
  if (expr_is_literal(fl->w->pool, value) || elab_evaluate(&el, value, span, &v) ||
      (!el.wrong && !el.endless))
    return;
  el.quiet = false;
  elab_error(&el, el.endless ? D_K002 : D_T305, span, "constant `%s` has no value: %s", e->name,
             el.why ? el.why : "it cannot be computed");
}

static void fill_binding(Flattener *fl, Element *e) {
  World *w = fl->w;
  ExprId value = element_binding(w, e);
  int64_t count = type_count(w->pool, e->type);
  if (!value.i) {
    if (count > 0)
      no_value(fl, e);
    return;
  }
  Span span = mod_has_value(e->mod) ? e->mod->span : e->ast->span;
  check_variability(fl, e, value, span);
  if (e->variability == VAR_CONSTANT)
    check_constant(fl, e, value, span);
  value = computed(fl, e, value);
  uint32_t n;
  ExprId *values;
  if (!flatten_scalars(fl, value, span, &n, &values))
    return;
  for (uint32_t k = 0; k < n && k < count; k++) {
    uint32_t var = e->first_var - 1 + k;
    if (fl->m->vars.at[var].variability >= FLAT_PARAMETER) {
      fl->m->vars.at[var].binding = values[k];
      continue;
    }
    FlatEquation *eq = flat_equation(fl->arena, FEQ_EQUAL, span);
    eq->from = FROM_BINDING;
    eq->lhs = flat_var_expr(fl->m, var);
    eq->rhs = values[k];
    eq->origin = fl->m->vars.at[var].origin;
    fl->m->vars.at[var].causality = fl->m->vars.at[var].causality == CAUSE_INPUT
                                        ? CAUSE_NONE
                                        : fl->m->vars.at[var].causality;
    vec_push(fl->arena, &fl->m->equations, eq);
  }
}

void flatten_bindings(Flattener *fl, Class *c) {
  for (uint32_t i = 0; i < c->elements.n; i++) {
    Element *e = c->elements.at[i];
    if (e->kind != ELEMENT_COMPONENT || e->state != STATE_DONE || e->absent || e->inner)
      continue;
    if (!is_leaf(fl->w, e)) {
      if (e->mod && mod_has_value(e->mod) && e->class_kind != CLASS_RECORD &&
          e->class_kind != CLASS_OPERATOR_RECORD && !e->type.i)
        diag_add(fl->diags, D_T301, e->mod->span, "`%s` of class `%s` cannot have a value", e->name,
                 e->n_items ? class_full_name(e->items[0]) : "");
      for (uint32_t k = 0; k < e->n_items; k++)
        flatten_bindings(fl, e->items[k]);
      continue;
    }
    if (!type_count(fl->w->pool, e->type) || !e->first_var)
      continue; /* empty, or part of a component that has errors */
    TypeBase base = type_get(fl->w->pool, e->type)->base;
    if (base != TY_EXTERNAL)
      fill_attributes(fl, e, base);
    fill_binding(fl, e);
  }
}

/* A call whose last parameter became structural after its binding was made. */
static void compute_late(Flattener *fl, Element *e) {
  int64_t count = type_count(fl->w->pool, e->type);
  ExprId now = count > 0 ? fl->m->vars.at[e->first_var - 1].binding : NO_EXPR;
  ExprId value = now.i && !expr_is_literal(fl->w->pool, now) ? element_binding(fl->w, e) : NO_EXPR;
  ExprId late = value.i ? computed(fl, e, value) : NO_EXPR;
  uint32_t n;
  ExprId *values;
  if (late.i == value.i || !flatten_scalars(fl, late, e->ast->span, &n, &values))
    return;
  for (uint32_t k = 0; k < n && k < count; k++)
    fl->m->vars.at[e->first_var - 1 + k].binding = values[k];
}

void flatten_structural(Flattener *fl, Class *c) {
  for (uint32_t i = 0; i < c->elements.n; i++) {
    Element *e = c->elements.at[i];
    if (e->kind != ELEMENT_COMPONENT || e->state != STATE_DONE || e->absent || e->inner)
      continue;
    bool structural = e->variability == VAR_PARAMETER && (e->structural || e->evaluate);
    if (is_leaf(fl->w, e) && e->first_var && e->variability >= VAR_PARAMETER)
      compute_late(fl, e);
    for (int64_t k = is_leaf(fl->w, e) && e->first_var ? type_count(fl->w->pool, e->type) : 0;
         k-- > 0;)
      fl->m->vars.at[e->first_var - 1 + (uint32_t)k].structural = structural;
    for (uint32_t k = 0; !is_leaf(fl->w, e) && k < e->n_items; k++)
      flatten_structural(fl, e->items[k]);
  }
}
