/* flat/flatten.c -- class name -> flat model: the order of the passes, and the marks that need the
 * whole model. */
#include "flat/flatten.h"

#include <math.h>
#include <string.h>

#include "flat/flatten_impl.h"
#include "syntax/syntax.h"

/* ---- the class ---- */

static Element *find_class(World *w, const char *name) {
  Element *e = lookup_full_name(w, name);
  if (e)
    return e;
  Diag *d = diag_add(w->diags, D_L002, (Span){0}, "class `%s` is not found", name);
  /* the nearest name in the longest part of the path that exists */
  Class *c = w->root;
  const char *rest = name;
  for (;;) {
    size_t n = lookup_first_name(rest);
    Element *next = lookup_in(w, c, intern(w->names, rest, n));
    if (!next || next->kind != ELEMENT_CLASS || !rest[n])
      break;
    c = class_view(w, next);
    rest += n + 1;
  }
  VEC(const char *) names = {0};
  for (uint32_t i = 0; i < c->elements.n; i++)
    vec_push(w->arena, &names, c->elements.at[i]->name);
  const char *const *files = NULL;
  uint32_t n = c->lib ? library_children(w->lib, c->lib, &files) : 0;
  for (uint32_t i = 0; i < n; i++)
    vec_push(w->arena, &names, files[i]);
  LibClass *const *loaded;
  n = c == w->root ? library_loaded(w->lib, &loaded) : 0;
  for (uint32_t i = 0; i < n; i++)
    vec_push(w->arena, &names, loaded[i]->name);
  const char *best[3];
  n = nearest_names(rest, names.at, names.n, best, 3);
  if (n)
    diag_help(w->diags, d, "did you mean `%.*s%s`?", (int)(rest - name), name, best[0]);
  else
    diag_help(w->diags, d, "load its file, or add the directory of its library to MODELICAPATH");
  return NULL;
}

/* "a.b=expression" -> a(b = expression) */
static Mod *override_mod(World *w, const char *text, Mod *all) {
  const char *equal = text;
  while (*equal && *equal != '=')
    equal += *equal == '\'' ? lookup_first_name(equal) : 1;
  if (!*equal)
    return all;
  SourceMap *sources = (SourceMap *)(uintptr_t)diags_sources(w->diags);
  const char *value = arena_strdup(sources_arena(sources), equal + 1);
  const Source *src = sources_add(sources, arena_printf(sources_arena(sources), "-p %s", text),
                                  value, strlen(value));
  AstExp *exp = src ? syntax_parse_expression(src, w->names, w->arena, w->diags) : NULL;
  if (!exp)
    return all;
  AstMod *leaf = NEW(w->arena, AstMod);
  AstMod *root = NEW(w->arena, AstMod);
  AstRef *ref = NEW(w->arena, AstRef);
  VEC(AstRefPart) parts = {0};
  for (const char *p = text; p < equal;) {
    size_t n = lookup_first_name(p);
    n = p + n > equal ? (size_t)(equal - p) : n;
    vec_push(w->arena, &parts, (AstRefPart){.name = intern(w->names, p, n), .span = exp->span});
    p += n + (p + n < equal);
  }
  ref->parts = parts.at;
  ref->n = parts.n;
  leaf->ref = ref;
  leaf->value = exp;
  leaf->span = root->span = exp->span;
  root->subs = NEW(w->arena, AstMod *);
  root->subs[0] = leaf;
  root->n_subs = 1;
  return parts.n ? mod_merge(w, mod_of_ast(w, root, w->root), all) : all;
}

static Class *instantiate(World *w, const char *name, const FlattenOptions *options) {
  Element *e = find_class(w, name);
  if (!e)
    return NULL;
  if (e->def && (e->def->kind == CLASS_PACKAGE || e->def->kind == CLASS_FUNCTION ||
                 e->def->kind == CLASS_TYPE || e->def->kind == CLASS_RECORD)) {
    Diag *d = diag_add(w->diags, D_L005, e->def->name_span, "`%s` is a %s, not a model", name,
                       e->def->kind == CLASS_PACKAGE    ? "package"
                       : e->def->kind == CLASS_FUNCTION ? "function"
                                                        : "type");
    diag_help(w->diags, d, "name a model: `-m CLASS`");
    return NULL;
  }
  if (e->def && e->def->partial) {
    diag_add(w->diags, D_M006, e->def->name_span, "`%s` is partial: it can only be extended", name);
    return NULL;
  }
  Mod *mod = NULL;
  for (uint32_t i = 0; options && i < options->n_overrides; i++)
    mod = override_mod(w, options->overrides[i], mod);
  Class *c = class_new(w, e, mod, NULL, NULL, 0);
  c->path = "";
  w->model = c;
  class_expand(w, c); /* after an error, too: what is sound is looked at */
  return c;
}

/* ---- marks ---- */

typedef struct {
  FlatModel *m;
} Marks;

static void mark_der(void *user, ExprId e) {
  Marks *k = user;
  const Expr *x = expr_get(k->m->pool, e);
  if (x->op != OP_DER)
    return;
  const Expr *v = expr_get(k->m->pool, x->args[0]);
  if (v->op == OP_VAR)
    k->m->vars.at[v->index].has_der = true;
}

static void mark_assigned(FlatModel *m, ExprId e) {
  const Expr *x = e.i ? expr_get(m->pool, e) : NULL;
  if (!x || x->op != OP_VAR)
    return;
  FlatVar *v = &m->vars.at[x->index];
  v->in_when = true;
  if (v->variability == FLAT_CONTINUOUS)
    v->variability = FLAT_DISCRETE;
}

static void mark_statements(FlatModel *m, Stmt *const *body, uint32_t n, bool in_when) {
  Marks k = {m};
  for (uint32_t i = 0; i < n; i++) {
    const Stmt *s = body[i];
    if (s->value.i)
      expr_walk(m->pool, s->value, mark_der, &k);
    for (uint32_t t = 0; in_when && t < s->n_targets; t++)
      mark_assigned(m, s->targets[t]);
    for (uint32_t b = 0; b < s->n_branches; b++)
      mark_statements(m, s->branches[b].body, s->branches[b].n, in_when || s->kind == STMT_WHEN);
  }
}

/* The left side of an equation in a when-clause is what it determines: a variable (MLS 8.3.5.2). */
static void mark_equations(FlatModel *m, FlatEquation *const *list, uint32_t n, bool in_when) {
  Marks k = {m};
  for (uint32_t i = 0; i < n; i++) {
    const FlatEquation *eq = list[i];
    if (eq->lhs.i)
      expr_walk(m->pool, eq->lhs, mark_der, &k);
    if (eq->rhs.i)
      expr_walk(m->pool, eq->rhs, mark_der, &k);
    if (in_when && eq->kind == FEQ_EQUAL)
      mark_assigned(m, eq->lhs);
    for (uint32_t t = 0; in_when && eq->kind == FEQ_TUPLE && t < eq->n_targets; t++)
      mark_assigned(m, eq->targets[t]);
    mark_statements(m, eq->body, eq->n_body, false);
    for (uint32_t b = 0; b < eq->n_branches; b++) {
      if (eq->branches[b].condition.i)
        expr_walk(m->pool, eq->branches[b].condition, mark_der, &k);
      mark_equations(m, eq->branches[b].body, eq->branches[b].n, in_when || eq->kind == FEQ_WHEN);
    }
  }
}

/* ---- experiment ---- */

static double annotation_number(const AstMod *m) {
  const AstExp *e = m->value;
  double sign = 1;
  if (e && e->kind == AST_UNARY && e->op == AST_NEG) {
    sign = -1;
    e = e->a;
  }
  return !e                       ? NAN
         : e->kind == AST_REAL    ? sign * e->real
         : e->kind == AST_INTEGER ? sign * (double)e->integer
                                  : NAN;
}

static const AstMod *find_experiment(const AstClass *def) {
  for (uint32_t i = 0; def->annotation && i < def->annotation->n_subs; i++) {
    const AstMod *m = def->annotation->subs[i];
    if (m->ref && m->ref->n == 1 && strcmp(m->ref->parts[0].name, "experiment") == 0)
      return m;
  }
  return NULL;
}

/* One member of the annotation; what it cannot mean is told. Members of other tools begin with two
 * underscores. */
static void take_member(Diags *diags, const AstMod *m, FlatExperiment *out) {
  const struct {
    const char *name;
    double *to;
  } numbers[] = {{"StartTime", &out->start},
                 {"StopTime", &out->stop},
                 {"Tolerance", &out->tolerance},
                 {"Interval", &out->interval}};
  const char *name = m->ref ? m->ref->parts[0].name : "";
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    if (strcmp(name, numbers[k].name) != 0)
      continue;
    double value = *numbers[k].to = annotation_number(m);
    if (isnan(value) || (numbers[k].to == &out->interval && value <= 0))
      diag_add(diags, D_V006, m->span, "`%s` of the experiment has no effect: it must be a %s",
               name, isnan(value) ? "number" : "positive number");
    return;
  }
  if (strcmp(name, "__NuSim_modes") == 0) {
    out->all_modes = m->value && m->value->kind == AST_STRING &&
                     strcmp(m->value->string, "all") == 0;
    if (!out->all_modes)
      diag_add(diags, D_V006, m->span,
               "`__NuSim_modes` has no effect: the only value that it can have is \"all\"");
  } else if (strncmp(name, "__", 2) != 0 || strncmp(name, "__NuSim", 7) == 0) {
    Diag *d = diag_add(diags, D_V006, m->span, "an experiment has no `%s`: it has no effect", name);
    diag_help(diags, d, "there are StartTime, StopTime, Interval, Tolerance and __NuSim_modes");
  }
}

/* The annotation of the class or of the class it is a short form of. */
static void take_experiment(Class *c, FlatExperiment *out, Diags *diags) {
  const AstMod *e = c->ast ? find_experiment(c->ast) : NULL;
  for (uint32_t i = 0; !e && c->ast && c->ast->form == FORM_SHORT && i < c->bases.n; i++)
    e = c->bases.at[i].cls->ast ? find_experiment(c->bases.at[i].cls->ast) : NULL;
  for (uint32_t i = 0; e && i < e->n_subs; i++)
    take_member(diags, e->subs[i], out);
  out->given = e != NULL;
}

/* ---- all of it ---- */

FlatModel *flatten_class(Library *lib, const char *class_name, const FlattenOptions *options,
                         Arena *a, Diags *diags) {
  uint32_t errors = diags_errors(diags);
  Interner *names = library_names(lib);
  World *w = world_new(lib, names, a, diags);
  w->strict = options && options->strict;
  w->frugal = options && options->frugal ? options->frugal : 1;
  Class *c = instantiate(w, class_name, options);
  if (!c)
    return NULL;
  Flattener fl = {.w = w, .arena = a, .diags = diags};
  fl.m = flat_new(a, w->pool, class_full_name(c));
  fl.m->comment = c->ast ? c->ast->comment : NULL;
  fl.connects = connect_new(&fl);
  fl.roots = roots_new(&fl);
  fl.switches = switch_new(&fl);
  c->origin = 1;
  flatten_variables(&fl, c);
  if (fl.buses.n && !fl.failed) {
    expand_connectors(&fl, c);
    fl.m->vars.n = 0; /* number anew, with what the buses have got */
    fl.m->origins.n = 1;
    flatten_variables(&fl, c);
  }
  fl.failed |= diags_errors(diags) > errors; /* go on: the mistakes of equations are told, too */
  flatten_equations(&fl, c, PASS_CONNECT);
  roots_solve(&fl);
  w->connections = &fl;
  w->ask_connections = connect_answer;
  flatten_bindings(&fl, c);
  flatten_equations(&fl, c, PASS_EQUATIONS);
  if (fl.failed || diags_errors(diags) > errors)
    return NULL;
  connect_equations(&fl);
  flatten_whole_arrays(&fl);
  flatten_structural(&fl, c);
  mark_equations(fl.m, fl.m->equations.at, fl.m->equations.n, false);
  mark_equations(fl.m, fl.m->initial.at, fl.m->initial.n, false);
  take_experiment(c, &fl.m->experiment, diags);
  flatten_figures(&fl, c);
  flatten_collect(&fl);
  return diags_errors(diags) > errors ? NULL : fl.m;
}

/* ---- the default class ---- */

static void best_class(Arena *a, const AstClass *def, const char *name,
                       const char **with_experiment, const char **any) {
  bool runs = !def->partial && (def->kind == CLASS_MODEL || def->kind == CLASS_BLOCK ||
                                def->kind == CLASS_CLASS || def->kind == CLASS_ATOMIC);
  if (runs) {
    *any = name;
    if (find_experiment(def))
      *with_experiment = name;
  }
  if (def->kind == CLASS_PACKAGE)
    for (uint32_t i = 0; i < def->n_elements; i++)
      if (def->elements[i]->kind == AST_CLASS_DEF)
        best_class(a, def->elements[i]->class_def,
                   arena_printf(a, "%s.%s", name, def->elements[i]->class_def->name),
                   with_experiment, any);
}

const char *flatten_default_class(Library *lib, Arena *a) {
  LibClass *const *classes;
  uint32_t n = library_loaded(lib, &classes);
  const char *with_experiment = NULL, *any = NULL;
  for (uint32_t i = 0; i < n; i++) {
    const char *name = classes[i]->name;
    for (LibClass *p = classes[i]->parent; p; p = p->parent)
      name = arena_printf(a, "%s.%s", p->name, name);
    best_class(a, classes[i]->ast, name, &with_experiment, &any);
  }
  return with_experiment ? with_experiment : any;
}

/* ---- the instance tree as text ---- */

static void dump_class(World *w, Class *c, uint32_t indent, Text *out) {
  for (uint32_t i = 0; i < c->elements.n; i++) {
    Element *e = c->elements.at[i];
    if (e->kind != ELEMENT_COMPONENT || !element_resolve(w, e))
      continue;
    text_printf(out, "%*s%s", (int)indent * 2, "", e->name);
    for (uint32_t d = 0; d < e->n_dims; d++)
      text_printf(out, "%s%d%s", d ? ", " : "[", e->dims[d], d + 1 == e->n_dims ? "]" : "");
    if (e->absent)
      text_add(out, ": absent");
    else if (e->inner)
      text_printf(out, ": outer, is %s", element_path(w, e->inner));
    else if (e->items)
      text_printf(out, ": %s", class_full_name(e->n_items ? e->items[0] : e->sample));
    else {
      text_add(out, ": ");
      type_print(w->pool, type_element(w->pool, e->type, e->n_dims), out);
    }
    text_add(out, "\n");
    for (uint32_t k = 0; !e->absent && !e->inner && k < e->n_items; k++) {
      if (e->n_dims)
        text_printf(out, "%*s[%u]\n", (int)indent * 2 + 2, "", k + 1);
      if (class_expand(w, e->items[k]))
        dump_class(w, e->items[k], indent + (e->n_dims ? 2 : 1), out);
    }
  }
}

bool flatten_dump_instance(Library *lib, const char *class_name, Arena *a, Diags *diags,
                           Text *out) {
  World *w = world_new(lib, library_names(lib), a, diags);
  Class *c = instantiate(w, class_name, NULL);
  if (!c)
    return false;
  text_printf(out, "%s\n", class_full_name(c));
  dump_class(w, c, 1, out);
  return true;
}
