/* instance/elab_call.c -- calls of user functions and record constructors: arguments to inputs,
 * defaults, vectorisation. MLS 3.6 section 12.4. Calls of pure functions with literal arguments are
 * computed here. */
#include "instance/inst.h"
#include "base/limits.h"

#include <string.h>

bool elab_is_connections(const AstExp *call) {
  return call->kind == AST_CALL && call->function->n == 2 &&
         strcmp(call->function->parts[0].name, "Connections") == 0;
}

ExprId elab_ask_connections(Elab *el, const AstExp *call) {
  World *w = el->w;
  if (w->ask_connections)
    return w->ask_connections(w->connections, el, call);
  return elab_error(el, D_T305, call->span,
                    "this depends on the connections and cannot be used to build the model");
}

/* A function or record found in the text around; the predefined functions are found when there is
 * none. */
static Element *find_function(Elab *el, const AstRef *ref, uint32_t *builtin) {
  World *w = el->w;
  *builtin = 0;
  const char *name = ref->parts[0].name;
  bool predefined = ref->n == 1 && elab_is_builtin(w, name, builtin);
  if (!predefined && ref->n == 1 && !ref->global && !lookup_simple(w, el->scope, name)) {
    if (!el->quiet)
      lookup_report(w, el->scope, NULL, name, ref->parts[0].span, "function");
    return NULL;
  }
  if (!predefined) {
    uint32_t mark = diags_count(w->diags);
    Element *e = lookup_function(w, el->scope, ref);
    if (!e && el->quiet)
      diags_rewind(w->diags, mark);
    return e;
  }
  for (Class *c = ref->global ? NULL : el->scope; c; c = c->parent) {
    Element *e = lookup_here(w, c, name);
    if (e && e->kind == ELEMENT_CLASS && e->def &&
        (e->def->kind == CLASS_FUNCTION || e->def->kind == CLASS_RECORD))
      return e;
    if (c->ast && c->ast->encapsulated)
      break;
  }
  return NULL;
}

/* ---- arguments ---- */

/* LOCALs of a function become what they are in one call: inputs the arguments, others their
 * bindings. */
typedef struct {
  World *w;
  const Func *f;
  const ExprId *args;
  bool missing;
  uint32_t depth;
} Substitution;

static ExprId substitute(void *user, ExprId e) {
  Substitution *s = user;
  const Expr *x = expr_get(s->w->pool, e);
  if (x->op != OP_LOCAL)
    return NO_EXPR;
  if (x->index < s->f->n_inputs && s->args[x->index].i)
    return s->args[x->index];
  ExprId binding = x->index < s->f->n_vars ? s->f->vars[x->index].binding : NO_EXPR;
  if (!binding.i || s->depth > 20) {
    s->missing = true;
    return NO_EXPR;
  }
  s->depth++;
  ExprId r = expr_rewrite(s->w->pool, binding, substitute, s);
  s->depth--;
  return r;
}

/* Sizes of an output that follow from the arguments. */
static TypeId output_type(Elab *el, const Func *f, uint32_t k, const ExprId *args) {
  World *w = el->w;
  const FuncVar *v = &f->vars[f->n_inputs + k];
  const Type *t = type_get(w->pool, v->type);
  if (t->n_dims > 32)
    return v->type;
  int32_t dims[32];
  for (uint32_t d = 0; d < t->n_dims; d++) {
    dims[d] = t->dims[d];
    if (dims[d] != DIM_UNKNOWN || !v->dims || !v->dims[d].i)
      continue;
    Substitution s = {.w = w, .f = f, .args = args};
    ExprId size = expr_rewrite(w->pool, v->dims[d], substitute, &s);
    Value value;
    Elab quiet = *el;
    quiet.quiet = true;
    int64_t n;
    if (s.missing)
      continue;
    if (expr_as_integer(w->pool, size, &n))
      dims[d] = (int32_t)n;
    else if (!el->function && elab_evaluate(&quiet, size, (Span){0}, &value))
      dims[d] = (int32_t)value.at[0].integer;
  }
  return type_array(w->pool, type_element(w->pool, v->type, t->n_dims), t->n_dims, dims);
}

static TypeId result_type(Elab *el, const Func *f, const ExprId *args) {
  if (f->n_outputs == 0)
    return f->result;
  if (f->n_outputs == 1)
    return output_type(el, f, 0, args);
  TypeId *types = NEW_ARRAY(el->w->arena, TypeId, f->n_outputs);
  for (uint32_t k = 0; k < f->n_outputs; k++)
    types[k] = output_type(el, f, k, args);
  return type_tuple(el->w->pool, f->n_outputs, types);
}

/* ---- functions that are one expression ---- */

typedef struct {
  const World *w;
  const Func *f;
  uint32_t nodes;
  bool events, opaque, initial;
} BodyFacts;

static void look(void *user, ExprId e) {
  BodyFacts *facts = user;
  const Expr *x = expr_get(facts->w->pool, e);
  facts->nodes++;
  bool event_function = x->op == OP_DIVT || x->op == OP_MOD || x->op == OP_REM ||
                        x->op == OP_CEIL || x->op == OP_FLOOR || x->op == OP_TO_INTEGER;
  facts->initial |= x->op == OP_INITIAL;
  facts->events |= (x->op >= OP_LT && x->op <= OP_NE) || event_function;
  /* a loop of its own, a call of itself, or a variable that is no input: the body must stay a
   * body */
  facts->opaque |= x->op == OP_COMPREHEND || x->op == OP_REDUCE || x->op == OP_FUNCTION ||
                   (x->op == OP_CALL && (x->ref == facts->f || !x->ref)) ||
                   (x->op == OP_LOCAL && x->index >= facts->f->n_inputs);
}

/* y := expression of the inputs: the expression with the arguments in it. A body with relations
 * stays a body: they make no events, while those in the arguments do. */
static ExprId put_in_place(World *w, const Func *f, const ExprId *args);

static ExprId inner_call(void *user, ExprId rebuilt) {
  World *w = user;
  const Expr *x = expr_get(w->pool, rebuilt);
  return x->op == OP_CALL && x->ref ? put_in_place(w, x->ref, x->args) : NO_EXPR;
}

/* The value of the output: of the only assignment, or of its declaration if there is none. */
static ExprId whole_value(const World *w, const Func *f) {
  if (!f->n_body)
    return f->vars[f->n_inputs].binding;
  const Stmt *s = f->body[0];
  const Expr *target = f->n_body == 1 && s->kind == STMT_ASSIGN ? expr_get(w->pool, s->targets[0])
                                                                : NULL;
  return target && target->op == OP_LOCAL && target->index == f->n_inputs ? s->value : NO_EXPR;
}

/* Its derivative is another one than that of its body: what the annotation says must be there when
 * equations are differentiated. */
static bool derives_otherwise(const World *w, const Func *f) {
  for (uint32_t q = 0; q < f->n_derivatives; q++)
    for (uint32_t k = 0; k < f->n_inputs; k++)
      if (f->derivatives[q].no_derivative[k] && type_get(w->pool, f->vars[k].type)->base == TY_REAL)
        return true;
  return false;
}

static ExprId one_expression(World *w, const Func *f) {
  uint64_t known = 0;
  if (map_get(&w->bodies, (uint64_t)(uintptr_t)f, &known))
    return (ExprId){(uint32_t)known};
  if (!f->complete)
    return NO_EXPR;
  /* Functions that call each other stay calls */
  map_put(w->arena, &w->bodies, (uint64_t)(uintptr_t)f, 0);
  if (f->impure || f->n_outputs != 1 || f->external || f->generate_events ||
      derives_otherwise(w, f))
    return NO_EXPR;
  ExprId body = whole_value(w, f);
  if (!body.i)
    return NO_EXPR;
  body = expr_rewrite(w->pool, body, inner_call, w);
  BodyFacts facts = {.w = w, .f = f};
  expr_walk(w->pool, body, look, &facts);
  if (facts.opaque || facts.events || facts.nodes > MOST_INLINED_NODES)
    return NO_EXPR;
  map_put(w->arena, &w->bodies, (uint64_t)(uintptr_t)f, body.i);
  return body;
}

static ExprId put_in_place(World *w, const Func *f, const ExprId *args) {
  ExprId body = one_expression(w, f);
  if (!body.i)
    return NO_EXPR;
  BodyFacts outside = {.w = w, .f = f};
  for (uint32_t i = 0; i < f->n_inputs; i++)
    if (args[i].i)
      expr_walk(w->pool, args[i], look, &outside);
  if (outside.initial)
    return NO_EXPR; /* `when f(initial())` is not `when initial()` (MLS 8.6) */
  Substitution sub = {.w = w, .f = f, .args = args};
  ExprId e = expr_rewrite(w->pool, body, substitute, &sub);
  return sub.missing || type_count(w->pool, expr_get(w->pool, e)->type) < 0 ? NO_EXPR : e;
}

/* loadResource is what each tool does for itself: it knows where its libraries are (MLS 3.6 section
 * 13.5). */
static ExprId resource_path(World *w, const Func *f, uint32_t n, const ExprId *args) {
  bool loads = !strcmp(f->name, "Modelica.Utilities.Files.loadResource") ||
               !strcmp(f->name, "ModelicaServices.ExternalReferences.loadResource");
  const Expr *uri = loads && n == 1 ? expr_get(w->pool, args[0]) : NULL;
  const char *path = uri && uri->op == OP_STRING ? library_resource(w->lib, uri->string) : NULL;
  return path ? expr_string(w->pool, path) : NO_EXPR;
}

typedef struct {
  World *w;
  bool calls;
} ArgumentFacts;

static void find_call(void *user, ExprId e) {
  ArgumentFacts *facts = user;
  Op op = expr_get(facts->w->pool, e)->op;
  facts->calls |= op == OP_CALL || op == OP_FUNCTION;
}

/* An argument of literals only, such as max({1, 2}): arrays are expanded later, and it is a literal
 * when the flat text is read again. A call that stayed a call has a reason for it. */
static bool known_argument(Elab *el, ExprId e) {
  if (expr_is_literal(el->w->pool, e))
    return true;
  if (el->function || elab_variability(el->w, e) != VAR_CONSTANT)
    return false;
  ArgumentFacts facts = {.w = el->w};
  expr_walk(el->w->pool, e, find_call, &facts);
  return !facts.calls;
}

/* One call with arguments of exactly the inputs' dimensions. */
static ExprId call_once(Elab *el, const void *user, uint32_t n, const ExprId *args, Span span) {
  Func *f = (Func *)(uintptr_t)user;
  World *w = el->w;
  ExprId *converted = NEW_ARRAY(w->arena, ExprId, n);
  bool literal = !f->impure;
  for (uint32_t i = 0; i < n; i++) {
    const char *what = arena_printf(w->arena, "input `%s` of `%s`", f->vars[i].name, f->name);
    converted[i] = elab_convert(el, args[i], f->vars[i].type, span, what);
    if (!converted[i].i)
      return NO_EXPR;
    literal = literal && known_argument(el, converted[i]);
  }
  if (f->is_record_constructor)
    return expr_make(w->pool, OP_RECORD, f->result, n, converted);
  ExprId path = resource_path(w, f, n, converted);
  if (path.i)
    return path;
  ExprId body = literal || el->function ? NO_EXPR : put_in_place(w, f, converted);
  if (body.i)
    return body;
  TypeId result = result_type(el, f, converted);
  ExprId call = expr_make_ref(w->pool, OP_CALL, result, f, n, converted);
  bool open = f->n_outputs == 1 && type_count(w->pool, result) < 0 && !el->function;
  if ((!literal && !open) || !f->complete || f->n_outputs != 1)
    return call;
  Value v;
  Elab quiet = *el;
  quiet.quiet = true;
  if (!elab_evaluate(&quiet, call, span, &v))
    return call;
  /* literal arguments: the value itself; otherwise parameters gave the size */
  return literal ? expr_of_value(w->pool, &v)
                 : expr_make_ref(w->pool, OP_CALL, v.type, f, n, converted);
}

ExprId elab_apply(Elab *el, Func *f, uint32_t n, const ExprId *args, Span span) {
  if (f->no_body) {
    elab_error(el, D_M006, span, "function `%s` has no body and cannot be called", f->name);
    elab_help(el, "give it an `algorithm` section or an `external` clause");
    return NO_EXPR;
  }
  uint32_t *own = NEW_ARRAY(el->w->arena, uint32_t, n);
  uint32_t extra = 0;
  for (uint32_t i = 0; i < n; i++) {
    own[i] = type_get(el->w->pool, f->vars[i].type)->n_dims;
    uint32_t has = elab_type_get(el, args[i])->n_dims;
    if (has > own[i] && has - own[i] > extra)
      extra = has - own[i];
  }
  return elab_vectorize(el, call_once, f, extra, n, args, own, span);
}

/* "`u`, `factor`" */
static const char *input_names(Elab *el, const Func *f) {
  Text t = {.arena = el->w->arena};
  for (uint32_t i = 0; i < f->n_inputs; i++)
    text_printf(&t, "%s`%s`", i ? ", " : "", f->vars[i].name);
  return f->n_inputs ? text_str(&t) : "none";
}

static bool fill_defaults(Elab *el, Func *f, ExprId *args, Span span) {
  for (uint32_t i = 0; i < f->n_inputs; i++) {
    if (args[i].i)
      continue;
    if (!f->vars[i].binding.i) {
      elab_error(el, D_T304, span, "input `%s` of `%s` gets no value", f->vars[i].name, f->name);
      elab_help(el, "the inputs are %s", input_names(el, f));
      return false;
    }
    Substitution s = {.w = el->w, .f = f, .args = args};
    args[i] = expr_rewrite(el->w->pool, f->vars[i].binding, substitute, &s);
    if (s.missing) {
      elab_error(el, D_T304, span,
                 "the default of input `%s` of `%s` needs an input that has no value",
                 f->vars[i].name, f->name);
      return false;
    }
  }
  return true;
}

static void no_such_input(Elab *el, const Func *f, const AstArg *arg, uint32_t i) {
  if (!arg->name) {
    elab_error(el, D_T304, arg->span, "`%s` takes %u argument%s, this is number %u", f->name,
               f->n_inputs, f->n_inputs == 1 ? "" : "s", i + 1);
    elab_help(el, "the inputs are %s", input_names(el, f));
    return;
  }
  elab_error(el, D_T304, arg->span, "`%s` has no input `%s`", f->name, arg->name);
  const char **names = NEW_ARRAY(el->w->arena, const char *, f->n_inputs + 1), *best[1];
  for (uint32_t k = 0; k < f->n_inputs; k++)
    names[k] = f->vars[k].name;
  if (nearest_names(arg->name, names, f->n_inputs, best, 1))
    elab_help(el, "did you mean `%s`?", best[0]);
  else
    elab_help(el, "the inputs are %s", input_names(el, f));
}

/* Sizes aside: they decide about vectorisation. */
static bool fits_input(Elab *el, const Func *f, uint32_t k, ExprId arg, Span span) {
  ExprPool *p = el->w->pool;
  const Type *has = elab_type_get(el, arg), *wants = type_get(p, f->vars[k].type);
  TypeId element = type_element(p, elab_type(el, arg), has->n_dims),
         wanted = type_element(p, f->vars[k].type, wants->n_dims);
  if (has->base == wants->base || elab_convertible(el, element, wanted))
    return true;
  elab_error(el, D_T304, span, "input `%s` of `%s` needs %s, %s is %s", f->vars[k].name, f->name,
             elab_type_text(el, wanted), elab_written(el, span),
             elab_type_text(el, elab_type(el, arg)));
  return false;
}

static bool collect_args(Elab *el, Func *f, const AstExp *e, ExprId *args) {
  bool ok = true;
  for (uint32_t i = 0; i < e->n; i++) {
    const AstArg *arg = &e->args[i];
    uint32_t k = i;
    if (arg->name)
      for (k = 0; k < f->n_inputs && f->vars[k].name != arg->name; k++)
        ;
    if (k >= f->n_inputs) {
      no_such_input(el, f, arg, i);
      ok = false;
      continue;
    }
    if (args[k].i) {
      elab_error(el, D_T304, arg->span, "input `%s` of `%s` is given twice", f->vars[k].name,
                 f->name);
      ok = false;
    }
    args[k] = elab_exp(el, arg->value);
    ok = ok && args[k].i && fits_input(el, f, k, args[k], arg->value->span);
  }
  return ok;
}

/* function f(x = 1): a function as an argument, some inputs bound (MLS 12.4.2.1) */
static ExprId partial_application(Elab *el, Func *f, const AstExp *e) {
  World *w = el->w;
  ExprId *args = NEW_ARRAY(w->arena, ExprId, f->n_inputs);
  if (!collect_args(el, f, e, args))
    return NO_EXPR;
  for (uint32_t i = 0; i < f->n_inputs; i++)
    if (args[i].i)
      args[i] = elab_convert(el, args[i], f->vars[i].type, e->span, "a bound input");
  return expr_make_ref(w->pool, OP_FUNCTION, type_scalar(w->pool, TY_FUNCTION), f, f->n_inputs,
                       args);
}

/* A call through an input that is a function; `function g(x = 1)` binds some of its inputs. */
static ExprId call_local(Elab *el, Element *local, const AstExp *e) {
  World *w = el->w;
  Class *shape = element_item(w, local);
  Func *f = shape ? function_get(w, shape) : NULL;
  if (!f)
    return NO_EXPR;
  ExprId *args = NEW_ARRAY(w->arena, ExprId, f->n_inputs + 1);
  args[0] = expr_local(w->pool, local->type, local->local - 1);
  bool partial = e->kind == AST_PARTIAL;
  if (!collect_args(el, f, e, args + 1) || (!partial && !fill_defaults(el, f, args + 1, e->span)))
    return NO_EXPR;
  for (uint32_t i = 0; i < f->n_inputs; i++) {
    if (partial && !args[i + 1].i)
      continue;
    args[i + 1] = elab_convert(el, args[i + 1], f->vars[i].type, e->span, "an argument");
    if (!args[i + 1].i)
      return NO_EXPR;
  }
  if (partial)
    return expr_make_ref(w->pool, OP_FUNCTION, local->type, NULL, f->n_inputs + 1, args);
  return expr_make_ref(w->pool, OP_CALL, f->result, NULL, f->n_inputs + 1, args);
}

ExprId elab_call_function(Elab *el, Func *f, const AstExp *e) {
  ExprId *args = NEW_ARRAY(el->w->arena, ExprId, f->n_inputs + 1);
  if (!collect_args(el, f, e, args) || !fill_defaults(el, f, args, e->span))
    return NO_EXPR;
  return elab_apply(el, f, f->n_inputs, args, e->span);
}

ExprId elab_apply_first(Elab *el, Func *f, uint32_t n, const ExprId *given, Span span) {
  ExprId *args = NEW_ARRAY(el->w->arena, ExprId, f->n_inputs + 1);
  for (uint32_t i = 0; i < n; i++)
    args[i] = given[i];
  return fill_defaults(el, f, args, span) ? elab_apply(el, f, f->n_inputs, args, span) : NO_EXPR;
}

ExprId elab_call(Elab *el, const AstExp *e) {
  World *w = el->w;
  if (e->function->n == 1 && el->function) {
    Element *local = lookup_in(w, el->scope, e->function->parts[0].name);
    bool variable = local && local->kind == ELEMENT_COMPONENT && local->local;
    if (variable && type_get(w->pool, local->type)->base == TY_FUNCTION)
      return call_local(el, local, e);
    uint32_t predefined; /* a variable `sum` does not hide the function of that name */
    if (variable && !elab_is_builtin(w, local->name, &predefined))
      return elab_error(el, D_N004, e->function->span, "`%s` is a variable, not a function",
                        local->name);
  }
  if (elab_is_connections(e))
    return elab_ask_connections(el, e);
  uint32_t row;
  Element *found = find_function(el, e->function, &row);
  if (!found)
    return row ? elab_builtin(el, row, e) : NO_EXPR;
  TypeBase base = class_primitive(w, found);
  if (base == TY_ENUM && e->n == 1) {
    ExprId x = elab_as(el, e->args[0].value, type_scalar(w->pool, TY_INTEGER),
                       "an enumeration made from a number");
    return x.i ? expr_make(w->pool, OP_TO_ENUM, type_of_decl(w->pool, TY_ENUM, found->prim_decl), 1,
                           &x)
               : x;
  }
  if (base != TY_NONE) {
    if (elab_is_builtin(w, found->name, &row))
      return elab_builtin(el, row, e);
    return elab_error(el, D_N004, e->function->span, "`%s` is a type, not a function", found->name);
  }
  ExprId made;
  if (elab_overload_constructor(el, class_view(w, found), e, &made))
    return made;
  Func *f = function_get(w, class_view(w, found));
  if (!f)
    return NO_EXPR;
  if (e->kind == AST_PARTIAL)
    return partial_application(el, f, e);
  if (class_is_partial(class_view(w, found)) && !el->quiet) {
    Diag *d = diag_add(w->diags, D_M006, e->function->span,
                       "function `%s` is partial and cannot be called", found->name);
    diag_label(w->diags, d, found->def->name_span, "declared here");
    return NO_EXPR;
  }
  return elab_call_function(el, f, e);
}
