/* flat/print.c -- a flat model as Modelica text that the front end reads back.
 * Names with dots or subscripts become quoted identifiers; types and functions are nested in the
 * model, in front of its variables. Names of nested classes lose the name of the model in front, so
 * that text read back prints as the same text. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "flat/print_impl.h"

/* ---- names ---- */

static bool is_identifier(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_')
    return false;
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '_')
      return false;
  return true;
}

/* One quoted identifier and nothing behind it. */
static bool is_quoted(const char *name) {
  if (*name++ != '\'')
    return false;
  for (; *name && *name != '\''; name++)
    if (*name == '\\' && name[1])
      name++;
  return *name == '\'' && name[1] == '\0';
}

/* Characters that have an escape in quoted identifiers and strings (MLS 3.6 section 2.3.1). */
static char escape_of(char c) {
  static const char plain[] = "\a\b\f\n\r\t\v\\", letter[] = "abfnrtv\\";
  const char *at = c ? strchr(plain, c) : NULL;
  return at ? letter[at - plain] : '\0';
}

static void print_escaped(Text *out, const char *text, char quote) {
  text_char(out, quote);
  for (; *text; text++) {
    char escape = *text == quote ? quote : escape_of(*text);
    if (escape)
      text_char(out, '\\');
    text_char(out, escape ? escape : *text);
  }
  text_char(out, quote);
}

void flat_print_identifier(Text *out, const char *name) {
  if (is_identifier(name) || is_quoted(name))
    text_add(out, name);
  else
    print_escaped(out, name, '\'');
}

bool flat_keep_quoted(const char *name) { return is_quoted(name) && strpbrk(name, ".["); }

/* What print_escaped made an identifier of. */
static const char *unescaped(const char *quoted, Arena *a) {
  static const char plain[] = "\a\b\f\n\r\t\v\\", letter[] = "abfnrtv\\";
  Text out = {.arena = a};
  for (const char *c = quoted + 1; c[1]; c++) {
    const char *at = *c == '\\' && c[2] ? strchr(letter, *++c) : NULL;
    text_char(&out, at ? plain[at - letter] : *c);
  }
  return text_str(&out);
}

void flat_restore_names(FlatModel *m, const char *const *keep, uint32_t n_keep, Arena *a) {
  for (uint32_t k = 0; k < m->vars.n; k++) {
    const char *name = m->vars.at[k].name;
    bool path = flat_keep_quoted(name);
    for (uint32_t q = 0; path && q < n_keep; q++)
      path = strcmp(keep[q], name) != 0;
    if (path)
      m->vars.at[k].name = unescaped(name, a);
  }
}

void flat_print_string(Text *out, const char *value) { print_escaped(out, value, '"'); }

static uint64_t key_of(const char *name) { return hash_bytes(name, strlen(name)) >> 1; }

/* Names of variables hide those of classes: of the model's everywhere, of a function's in it and in
 * the helpers that are made from it. */
static void note_var_names(Printer *p) {
  for (uint32_t i = 0; i < p->m->vars.n; i++)
    map_put(p->a, &p->hiding, key_of(p->m->vars.at[i].name), 1);
  for (uint32_t i = 0; i < p->m->functions.n; i++)
    for (uint32_t k = 0; k < p->m->functions.at[i]->n_vars; k++)
      map_put(p->a, &p->hiding, key_of(p->m->functions.at[i]->vars[k].name), 1);
}

/* i1, i2_, part and the like: names that the printer gives to iterators and results of helpers. */
static bool is_printers_own(const char *name) {
  size_t n = name[0] == 'i' ? 1 + strspn(name + 1, "0123456789") : 1;
  if (n == 1)
    n = strncmp(name, "part", 4) == 0 ? 4 : 0;
  return n && name[n + strspn(name + n, "_")] == '\0';
}

static bool is_hidden(const Printer *p, const char *name) {
  uint64_t unused = 0;
  return map_get(&p->hiding, key_of(name), &unused) || is_printers_own(name);
}

/* The full name without that of the model in front, unless a variable has that name; numbered when
 * another class has it, or a variable again. */
const char *flat_print_local_name(Printer *p, const void *owner, const char *full) {
  const char *known = map_get_ptr(&p->names, owner);
  if (known)
    return known;
  size_t n = strlen(p->m->name);
  const char *local = strncmp(full, p->m->name, n) == 0 && full[n] == '.' ? full + n + 1 : full;
  const char *base = local = is_hidden(p, local) ? full : local;
  uint64_t unused = 0;
  for (uint32_t k = 2; map_get(&p->classes, key_of(local), &unused) || is_hidden(p, local); k++)
    local = arena_printf(p->a, "%s#%u", base, k);
  map_put(p->a, &p->classes, key_of(local), 1);
  Text text = {.arena = p->a};
  flat_print_identifier(&text, local);
  map_put_ptr(p->a, &p->names, owner, (void *)(uintptr_t)text_str(&text));
  return text_str(&text);
}

/* ---- expressions ---- */

/* The constructor of an external object is called by the name of its class. */
static const TypeDecl *constructed(Printer *p, const Func *f) {
  size_t n = strlen(f->name), tail = strlen(".constructor");
  for (uint32_t i = 0; i < p->externals.n; i++) {
    size_t own = strlen(p->externals.at[i]->name);
    if (own + tail == n && strncmp(f->name, p->externals.at[i]->name, own) == 0 &&
        strcmp(f->name + own, ".constructor") == 0)
      return p->externals.at[i];
  }
  return NULL;
}

static void name_of(void *user, const Expr *e, Text *out) {
  Printer *p = user;
  if (e->op == OP_VAR) {
    flat_print_identifier(out, p->m->vars.at[e->index].name);
  } else if (e->op == OP_LOCAL) {
    flat_print_iterator(p, e->index, out);
  } else if ((e->op == OP_CALL || e->op == OP_FUNCTION) && e->ref) {
    const Func *f = e->ref;
    const TypeDecl *d = f->is_record_constructor ? type_get(p->m->pool, f->result)->decl
                                                 : constructed(p, f);
    text_add(out, d ? flat_print_local_name(p, d, d->name) : flat_print_local_name(p, f, f->name));
  }
}

static bool is_predefined(const TypeDecl *d) {
  return strcmp(d->name, "StateSelect") == 0 || strcmp(d->name, "AssertionLevel") == 0;
}

static void type_name_of(void *user, const TypeDecl *d, Text *out) {
  text_add(out, is_predefined(d) ? d->name : flat_print_local_name(user, d, d->name));
}

void flat_print_expr(Printer *p, ExprId e) {
  ExprPrinter printer = {.pool = p->m->pool, .name = name_of, .user = p, .type_name = type_name_of};
  expr_print(&printer, flat_print_plain(p, e), p->out);
}

void flat_print_line(Printer *p) { text_printf(p->out, "\n%*s", 2 * p->indent, ""); }

void flat_print_comment(Printer *p, const char *comment) {
  if (!comment || !*comment)
    return;
  text_char(p->out, ' ');
  flat_print_string(p->out, comment);
}

/* ---- variables ---- */

void flat_print_type(Printer *p, TypeId type) {
  const Type *t = type_get(p->m->pool, type);
  switch (t->base) {
  case TY_REAL: text_add(p->out, "Real"); return;
  case TY_INTEGER: text_add(p->out, "Integer"); return;
  case TY_BOOLEAN: text_add(p->out, "Boolean"); return;
  case TY_STRING: text_add(p->out, "String"); return;
  case TY_CLOCK: text_add(p->out, "Clock"); return;
  case TY_ENUM:
  case TY_RECORD:
  case TY_EXTERNAL: type_name_of(p, t->decl, p->out); return;
  case TY_NONE:
  case TY_FUNCTION:
  case TY_TUPLE: type_print(p->m->pool, type, p->out); return;
  }
}

typedef struct {
  Printer *p;
  uint32_t n;
} Attributes;

static void attribute(Attributes *at, const char *name) {
  text_printf(at->p->out, "%s%s = ", at->n++ ? ", " : "(", name);
}

static void expr_attribute(Attributes *at, const char *name, ExprId value) {
  if (!value.i)
    return;
  attribute(at, name);
  flat_print_expr(at->p, value);
}

static void string_attribute(Attributes *at, const char *name, const char *value) {
  if (!value)
    return;
  attribute(at, name);
  flat_print_string(at->p->out, value);
}

static void print_attributes(Printer *p, const FlatVar *v) {
  static const char *const select[] = {[SELECT_NEVER] = "never",
                                       [SELECT_AVOID] = "avoid",
                                       [SELECT_DEFAULT] = "default",
                                       [SELECT_PREFER] = "prefer",
                                       [SELECT_ALWAYS] = "always"};
  Attributes at = {p, 0};
  string_attribute(&at, "quantity", v->quantity);
  string_attribute(&at, "unit", v->unit);
  string_attribute(&at, "displayUnit", v->display_unit);
  expr_attribute(&at, "min", v->min);
  expr_attribute(&at, "max", v->max);
  expr_attribute(&at, "start", v->start);
  expr_attribute(&at, "fixed", v->fixed);
  expr_attribute(&at, "nominal", v->nominal);
  if (v->select >= SELECT_NEVER && v->select != SELECT_DEFAULT) {
    attribute(&at, "stateSelect");
    text_printf(p->out, "StateSelect.%s", select[v->select]);
  }
  text_add(p->out, at.n ? ")" : "");
}

static void print_variable(Printer *p, const FlatVar *v) {
  static const char *const prefixes[] = {[FLAT_CONTINUOUS] = "",
                                         [FLAT_DISCRETE] = "discrete ",
                                         [FLAT_PARAMETER] = "parameter ",
                                         [FLAT_CONSTANT] = "constant "};
  static const char *const directions[] = {
      [CAUSE_NONE] = "", [CAUSE_INPUT] = "input ", [CAUSE_OUTPUT] = "output "};
  TypeBase base = type_get(p->m->pool, v->type)->base;
  bool plain = v->variability == FLAT_DISCRETE && base != TY_REAL; /* discrete by its type */
  flat_print_line(p);
  text_printf(p->out, "%s%s%s", v->is_final ? "final " : "", plain ? "" : prefixes[v->variability],
              directions[v->causality]);
  flat_print_type(p, v->type);
  text_char(p->out, ' ');
  flat_print_identifier(p->out, v->name);
  print_attributes(p, v);
  if (v->binding.i) {
    text_add(p->out, " = ");
    flat_print_expr(p, v->binding);
  }
  flat_print_comment(p, v->comment);
  text_add(p->out, v->structural ? " annotation(__NuSim_structural = true);" : ";");
}

static void print_variables(Printer *p) {
  bool hidden = false;
  for (uint32_t i = 0; i < p->m->vars.n; i++) {
    const FlatVar *v = &p->m->vars.at[i];
    if (v->is_protected != hidden) {
      hidden = v->is_protected;
      text_add(p->out, hidden ? "\nprotected" : "\npublic");
    }
    print_variable(p, v);
  }
}

/* ---- equations ---- */

/* "// r1: Resistor.mo:12" */
static void print_origin(Printer *p, const FlatEquation *eq) {
  const char *path = eq->origin < p->m->origins.n ? p->m->origins.at[eq->origin].path : "";
  Place place = source_place(diags_sources(p->diags), eq->span.lo);
  if (!*path && !place.source)
    return;
  text_printf(p->out, " // %s", path);
  if (!place.source)
    return;
  const char *slash = strrchr(place.source->name, '/');
  text_printf(p->out, "%s%s:%u", *path ? ": " : "", slash ? slash + 1 : place.source->name,
              place.line);
}

/* {{a, b}, {c, d}} and R(a, b): targets in the shape of a type. Returns how many were used. */
static uint32_t print_shaped(Printer *p, TypeId type, const ExprId *targets) {
  const Type *t = type_get(p->m->pool, type);
  uint32_t used = 0;
  if (t->n_dims) {
    TypeId item = type_element(p->m->pool, type, 1);
    int32_t length = t->dims[0];
    for (int32_t i = 0; i < length; i++) {
      text_add(p->out, i ? ", " : "{");
      used += print_shaped(p, item, targets + used);
    }
    text_char(p->out, '}');
  } else if (t->base == TY_RECORD) {
    flat_print_type(p, type);
    const TypeDecl *d = t->decl;
    for (uint32_t i = 0; i < d->n; i++) {
      text_add(p->out, i ? ", " : "(");
      used += print_shaped(p, d->types[i], targets + used);
    }
    text_add(p->out, d->n ? ")" : "()");
  } else {
    flat_print_expr(p, targets[0]);
    used = 1;
  }
  return used;
}

static bool is_var(const Printer *p, ExprId e) {
  return e.i && expr_get(p->m->pool, e)->op == OP_VAR;
}

/* (a, , b) = call; empty places at the end are left out. */
static void print_targets(Printer *p, const ExprId *targets, uint32_t n) {
  while (n && !targets[n - 1].i)
    n--;
  if (n == 1) {
    flat_print_expr(p, targets[0]);
    text_add(p->out, " = ");
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    text_add(p->out, i ? ", " : "(");
    if (targets[i].i)
      flat_print_expr(p, targets[i]);
  }
  text_add(p->out, n ? ") = " : "");
}

/* No target may be other than a name in (a, b) = f(x): then one equation for each result. */
static void print_parts(Printer *p, const FlatEquation *eq, const Expr *call) {
  uint32_t written = 0;
  for (uint32_t k = 0; k < eq->n_targets; k++) {
    if (!eq->targets[k].i)
      continue;
    if (written++) {
      text_char(p->out, ';');
      flat_print_line(p);
    }
    TypeId type = expr_get(p->m->pool, eq->targets[k])->type;
    flat_print_expr(p, eq->targets[k]);
    text_add(p->out, " = ");
    flat_print_expr(p, call->op == OP_CALL
                           ? expr_make_index(p->m->pool, OP_PART, type, k, 0, 1, &eq->rhs)
                           : eq->rhs);
  }
}

/* Every result of a call of this type is a scalar. */
static bool scalar_results(const Printer *p, TypeId type) {
  const Type *t = type_get(p->m->pool, type);
  if (t->base != TY_TUPLE)
    return !t->n_dims && t->base != TY_RECORD;
  for (uint32_t i = 0; i < t->decl->n; i++)
    if (!scalar_results(p, t->decl->types[i]))
      return false;
  return true;
}

ExprId flat_print_scalar_call(Printer *p, const Expr *call) {
  const Func *f = call->ref;
  if (!scalar_results(p, call->type))
    f = flat_print_scalars_of(p, f, call->type);
  return expr_make_ref(p->m->pool, OP_CALL, call->type, f, call->n, call->args);
}

static void print_tuple(Printer *p, const FlatEquation *eq) {
  const Expr *call = expr_get(p->m->pool, eq->rhs);
  const Func *f = call->op == OP_CALL ? call->ref : NULL;
  bool names = true, all = true;
  for (uint32_t k = 0; k < eq->n_targets; k++) {
    names &= !eq->targets[k].i || is_var(p, eq->targets[k]);
    all &= eq->targets[k].i != 0;
  }
  ExprId rhs = eq->rhs;
  const Type *t = type_get(p->m->pool, call->type);
  if (f && all && f->n_outputs == 1 && t->base != TY_TUPLE &&
      type_count(p->m->pool, call->type) == eq->n_targets) {
    print_shaped(p, call->type, eq->targets);
    text_add(p->out, " = ");
  } else if (f && names) {
    rhs = flat_print_scalar_call(p, call);
    print_targets(p, eq->targets, eq->n_targets);
  } else {
    print_parts(p, eq, call);
    return;
  }
  flat_print_expr(p, rhs);
}

static void print_equation(Printer *p, const FlatEquation *eq, bool origin);

static void print_branches(Printer *p, const FlatEquation *eq, const char *word, bool origin) {
  for (uint32_t k = 0; k < eq->n_branches; k++) {
    const FlatBranch *b = &eq->branches[k];
    if (k)
      flat_print_line(p);
    if (b->condition.i) {
      text_printf(p->out, "%s%s ", k ? "else" : "", word);
      flat_print_expr(p, b->condition);
      text_add(p->out, " then");
    } else {
      text_add(p->out, "else");
    }
    p->indent++;
    for (uint32_t i = 0; i < b->n; i++) {
      flat_print_line(p);
      print_equation(p, b->body[i], origin);
    }
    p->indent--;
  }
  flat_print_line(p);
  text_printf(p->out, "end %s", word);
}

static void print_equal(Printer *p, const FlatEquation *eq) {
  bool wrap = expr_get(p->m->pool, eq->lhs)->op == OP_IF; /* the grammar has no `if` on the left */
  const Expr *rhs = expr_get(p->m->pool, eq->rhs);
  /* The second of its two results */
  if (rhs->op == OP_SPATIAL && !expr_is_zero(p->m->pool, rhs->args[0])) {
    text_add(p->out, "(, ");
    flat_print_expr(p, eq->lhs);
    text_add(p->out, ") = ");
    flat_print_expr(p, eq->rhs);
    return;
  }
  text_add(p->out, wrap ? "(" : "");
  flat_print_expr(p, eq->lhs);
  text_add(p->out, wrap ? ") = " : " = ");
  flat_print_expr(p, eq->rhs);
}

static void print_equation(Printer *p, const FlatEquation *eq, bool origin) {
  switch (eq->kind) {
  case FEQ_EQUAL: print_equal(p, eq); break;
  case FEQ_TUPLE: print_tuple(p, eq); break;
  case FEQ_IF: print_branches(p, eq, "if", origin); break;
  case FEQ_WHEN: print_branches(p, eq, "when", origin); break;
  case FEQ_ASSERT: flat_print_assert(p, eq->lhs, eq->rhs, eq->level); break;
  case FEQ_TERMINATE:
    text_add(p->out, "terminate(");
    flat_print_expr(p, eq->rhs);
    text_char(p->out, ')');
    break;
  case FEQ_REINIT:
    text_add(p->out, "reinit(");
    flat_print_expr(p, eq->lhs);
    text_add(p->out, ", ");
    flat_print_expr(p, eq->rhs);
    text_char(p->out, ')');
    break;
  case FEQ_CALL: flat_print_expr(p, eq->rhs); break;
  case FEQ_ALGORITHM: break;
  }
  static const char *const chatter[] = {"", "slide", "keep", "error"};
  if (eq->chatter)
    text_printf(p->out, " annotation(__NuSim_chatter = \"%s\")", chatter[eq->chatter]);
  text_char(p->out, ';');
  if (origin)
    print_origin(p, eq);
}

/* Sections change where an algorithm stands between equations; each algorithm has its own. */
static void print_section(Printer *p, FlatEquation *const *equations, uint32_t n,
                          const char *prefix, bool origin) {
  bool open = false;
  for (uint32_t i = 0; i < n; i++) {
    const FlatEquation *eq = equations[i];
    if (eq->kind == FEQ_ALGORITHM) {
      text_printf(p->out, "\n%salgorithm", prefix);
      if (origin)
        print_origin(p, eq);
      flat_print_statements(p, eq->body, eq->n_body);
      open = false;
      continue;
    }
    if (!open)
      text_printf(p->out, "\n%sequation", prefix);
    open = true;
    flat_print_line(p);
    print_equation(p, eq, origin);
  }
}

/* ---- the model ---- */

static void print_experiment(Printer *p) {
  const FlatExperiment *e = &p->m->experiment;
  const struct {
    const char *name;
    double value;
  } items[] = {{"StartTime", e->start},
               {"StopTime", e->stop},
               {"Tolerance", e->tolerance},
               {"Interval", e->interval}};
  text_add(p->out, "experiment(");
  const char *before = "";
  for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
    if (isnan(items[i].value))
      continue;
    text_printf(p->out, "%s%s = ", before, items[i].name);
    text_real(p->out, items[i].value);
    before = ", ";
  }
  if (e->all_modes)
    text_printf(p->out, "%s__NuSim_modes = \"all\"", before);
  text_add(p->out, ")");
}

static void print_annotation(Printer *p) {
  bool given = p->m->experiment.given, figures = p->m->figures.n > 0;
  if (!given && !figures)
    return;
  flat_print_line(p);
  text_add(p->out, "annotation(");
  if (given)
    print_experiment(p);
  text_add(p->out, given && figures ? ", " : "");
  if (figures)
    flat_print_figures(p);
  text_add(p->out, ");");
}

static void note_external(Printer *p, TypeId type) {
  const Type *t = type_get(p->m->pool, type);
  if (t->base != TY_EXTERNAL || !t->decl)
    return;
  for (uint32_t i = 0; i < p->externals.n; i++)
    if (p->externals.at[i] == t->decl)
      return;
  vec_push(p->a, &p->externals, t->decl);
}

static void note_externals(Printer *p) {
  for (uint32_t i = 0; i < p->m->vars.n; i++)
    note_external(p, p->m->vars.at[i].type);
  for (uint32_t i = 0; i < p->m->functions.n; i++)
    for (uint32_t k = 0; k < p->m->functions.at[i]->n_vars; k++)
      note_external(p, p->m->functions.at[i]->vars[k].type);
}

void flat_print(const FlatModel *m, const Diags *diags, bool origin, Text *out) {
  Arena *scratch = arena_new(arena_memory(pool_arena(m->pool)));
  Text body = {.arena = scratch}, classes = {.arena = scratch}, name = {.arena = scratch};
  Printer p = {.m = m, .diags = diags, .a = scratch, .out = &body, .indent = 1};
  note_externals(&p);
  note_var_names(&p);
  for (uint32_t i = 0; i < m->types.n; i++) /* names do not depend on the order of use */
    flat_print_local_name(&p, m->types.at[i], m->types.at[i]->name);
  for (uint32_t i = 0; i < m->functions.n; i++)
    if (!m->functions.at[i]->is_record_constructor)
      flat_print_local_name(&p, m->functions.at[i], m->functions.at[i]->name);

  /* Variables and equations first: they tell which helper functions are needed. */
  flat_print_scope(&p, NULL);
  print_variables(&p);
  print_section(&p, m->initial.at, m->initial.n, "initial ", origin);
  print_section(&p, m->equations.at, m->equations.n, "", origin);
  print_annotation(&p);
  p.out = &classes;
  flat_print_types(&p);
  flat_print_functions(&p);

  flat_print_identifier(&name, m->name);
  p.out = out;
  text_printf(out, "model %s", text_str(&name));
  flat_print_comment(&p, m->comment);
  text_add(out, text_str(&classes));
  text_add(out, text_str(&body));
  text_printf(out, "\nend %s;\n", text_str(&name));
  arena_free(scratch);
}
