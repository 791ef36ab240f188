/* syntax/dump.c -- views for people and tests: the tokens, and the tree as S-expressions.
 *   (model M (component Real x (mod (start 1))) (equation (= (call der x) (neg x))))
 * Each declaration, equation and statement has a line of its own; names of nodes are those of
 * ast.h. */
#include "syntax/print_impl.h"
#include "syntax/token.h"

/* ---- tokens ---- */

void syntax_dump_tokens(const Source *source, Interner *names, Arena *a, Diags *diags, Text *out) {
  static const char *const kinds[] = {[TOK_EOF] = "end",
                                      [TOK_IDENT] = "name",
                                      [TOK_STRING] = "string",
                                      [TOK_INTEGER] = "integer",
                                      [TOK_REAL] = "real"};
  Lexer lx;
  Token t;
  lex_init(&lx, source, names, a, diags);
  do {
    lex_next(&lx, &t);
    Place at = source_place(diags_sources(diags), t.span.lo);
    text_printf(out, "%u:%u %s", at.line, at.column, t.kind <= TOK_REAL ? kinds[t.kind] : "");
    if (t.kind > TOK_REAL) {
      text_add(out, token_text(t.kind));
    } else if (t.kind == TOK_STRING) {
      text_char(out, ' ');
      print_string(&(Printer){.out = out}, t.text);
    } else if (t.kind != TOK_EOF) {
      text_char(out, ' ');
      text_addn(out, source->text + (t.span.lo - source->base), t.span.hi - t.span.lo);
    }
    text_char(out, '\n');
  } while (t.kind != TOK_EOF);
}

/* ---- expressions ---- */

/* Opens a node: "(name", preceded by a blank. Every node is closed with close(). */
static void open(Printer *pr, const char *name) { text_printf(pr->out, " (%s", name); }

static void open_line(Printer *pr, const char *name) {
  print_line(pr);
  text_printf(pr->out, "(%s", name);
}

static void close(Printer *pr) { text_char(pr->out, ')'); }

/* " name" if there is one */
static void atom(Printer *pr, const char *name) {
  if (name)
    text_printf(pr->out, " %s", name);
}

static void flag(Printer *pr, bool set, const char *name) { atom(pr, set ? name : NULL); }

static void string(Printer *pr, const char *value) {
  if (value) {
    text_char(pr->out, ' ');
    print_string(pr, value);
  }
}

static void exp_node(Printer *pr, const AstExp *e);

static void exps(Printer *pr, AstExp *const *list, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    exp_node(pr, list[i]);
}

static void ref(Printer *pr, const AstRef *r) {
  if (r) {
    text_char(pr->out, ' ');
    print_ref(pr, r);
  }
}

static void args(Printer *pr, const AstArg *list, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (list[i].name)
      open(pr, list[i].name);
    exp_node(pr, list[i].value);
    if (list[i].name)
      close(pr);
  }
}

static void iterators(Printer *pr, const AstIterator *list, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    open(pr, "in");
    atom(pr, list[i].name);
    if (list[i].range)
      exp_node(pr, list[i].range);
    close(pr);
  }
}

static const char *unary_name(AstOp op) {
  return op == AST_NOT      ? "not"
         : op == AST_NEG    ? "neg"
         : op == AST_PLUS   ? "plus"
         : op == AST_NEG_EL ? "neg."
                            : "plus.";
}

/* A node with a name and expressions. */
static void node(Printer *pr, const AstExp *e) {
  switch (e->kind) {
  case AST_UNARY:
    open(pr, unary_name(e->op));
    exp_node(pr, e->a);
    break;
  case AST_BINARY:
    open(pr, print_op(e->op));
    exp_node(pr, e->a);
    exp_node(pr, e->b);
    break;
  case AST_IF:
  case AST_RANGE:
    open(pr, e->kind == AST_IF ? "if" : "range");
    exp_node(pr, e->a);
    if (e->b)
      exp_node(pr, e->b);
    exp_node(pr, e->c);
    break;
  case AST_CALL:
  case AST_PARTIAL:
    open(pr, e->kind == AST_CALL ? "call" : "function");
    ref(pr, e->function);
    args(pr, e->args, e->n);
    break;
  case AST_REDUCE:
    open(pr, "reduce");
    ref(pr, e->function);
    exp_node(pr, e->body);
    iterators(pr, e->iterators, e->n);
    break;
  case AST_ARRAY:
  case AST_MATRIX:
  case AST_TUPLE:
    open(pr, e->kind == AST_ARRAY ? "array" : e->kind == AST_MATRIX ? "matrix" : "tuple");
    exps(pr, e->items, e->n);
    break;
  case AST_INTEGER:
  case AST_REAL:
  case AST_STRING:
  case AST_BOOLEAN:
  case AST_REF:
  case AST_END:
  case AST_COLON: return;
  }
  close(pr);
}

static void exp_node(Printer *pr, const AstExp *e) {
  if (!e) {
    atom(pr, "_");
    return;
  }
  if (e->kind >= AST_UNARY) {
    node(pr, e);
    return;
  }
  AstExp plain = *e;
  plain.parenthesised = false;
  text_char(pr->out, ' ');
  print_exp(pr, &plain);
}

/* (name e) if there is an expression */
static void exp_part(Printer *pr, const char *name, const AstExp *e) {
  if (e) {
    open(pr, name);
    exp_node(pr, e);
    close(pr);
  }
}

/* ---- modifications and elements ---- */

static void element(Printer *pr, const AstElement *e);
static void class_node(Printer *pr, const AstClass *c);
static void equations(Printer *pr, AstEquation *const *list, uint32_t n);

static void mod_inside(Printer *pr, const AstMod *m) {
  flag(pr, m->each, "each");
  flag(pr, m->final, "final");
  if (m->element)
    element(pr, m->element);
  if (m->removed_connect)
    equations(pr, &m->removed_connect, 1);
  for (uint32_t i = 0; i < m->n_subs; i++) {
    const AstMod *sub = m->subs[i];
    open(pr, sub->removes ? "break" : sub->element ? "element" : "mod");
    ref(pr, sub->ref);
    mod_inside(pr, sub);
    close(pr);
  }
  flag(pr, m->break_value, "break");
  exp_part(pr, "value", m->value);
  string(pr, m->comment);
}

static void mod_part(Printer *pr, const char *name, const AstMod *m) {
  if (m) {
    open(pr, name);
    mod_inside(pr, m);
    close(pr);
  }
}

static void prefixes(Printer *pr, const AstElement *e) {
  flag(pr, e->visibility == VIS_PROTECTED, "protected");
  flag(pr, e->redeclare, "redeclare");
  flag(pr, e->final, "final");
  flag(pr, e->inner, "inner");
  flag(pr, e->outer, "outer");
  flag(pr, e->replaceable, "replaceable");
  flag(pr, e->dynamic, "dynamic");
  flag(pr, e->flow == FLOW_FLOW, "flow");
  flag(pr, e->flow == FLOW_STREAM, "stream");
  flag(pr, e->variability == VAR_DISCRETE, "discrete");
  flag(pr, e->variability == VAR_PARAMETER, "parameter");
  flag(pr, e->variability == VAR_CONSTANT, "constant");
  flag(pr, e->direction == DIR_INPUT, "input");
  flag(pr, e->direction == DIR_OUTPUT, "output");
  flag(pr, e->event, "event");
}

static void dims(Printer *pr, AstExp *const *list, uint32_t n) {
  if (n) {
    open(pr, "dims");
    exps(pr, list, n);
    close(pr);
  }
}

static void element(Printer *pr, const AstElement *e) {
  static const char *const kinds[] = {[AST_IMPORT] = "import",
                                      [AST_EXTENDS] = "extends",
                                      [AST_COMPONENT] = "component",
                                      [AST_CLASS_DEF] = "class-def"};
  open_line(pr, kinds[e->kind]);
  prefixes(pr, e);
  ref(pr, e->path);
  flag(pr, e->import_all, "*");
  for (uint32_t i = 0; i < e->n_imports; i++)
    atom(pr, e->imports[i].name);
  atom(pr, e->kind == AST_CLASS_DEF ? NULL : e->name);
  dims(pr, e->dims, e->n_dims);
  mod_part(pr, "mod", e->mod);
  exp_part(pr, "condition", e->condition);
  pr->indent++;
  if (e->class_def)
    class_node(pr, e->class_def);
  pr->indent--;
  if (e->constraint) {
    open(pr, "constrainedby");
    ref(pr, e->constraint);
    mod_part(pr, "mod", e->constraint_mod);
    string(pr, e->constraint_comment);
    mod_part(pr, "annotation", e->constraint_annotation);
    close(pr);
  }
  string(pr, e->comment);
  mod_part(pr, "annotation", e->annotation);
  close(pr);
}

/* ---- equations and statements ---- */

static void statements(Printer *pr, AstStatement *const *list, uint32_t n);

static void branch(Printer *pr, const AstExp *condition) {
  open_line(pr, condition ? "branch" : "else");
  if (condition)
    exp_node(pr, condition);
}

static void equation(Printer *pr, const AstEquation *e) {
  static const char *const names[] = {
      [EQN_EQUAL] = "=",   [EQN_CONNECT] = "connect", [EQN_IF] = "if",    [EQN_FOR] = "for",
      [EQN_WHEN] = "when", [EQN_CALL] = "call",       [EQN_HFSS] = "hfss"};
  open_line(pr, names[e->kind]);
  pr->indent++;
  switch (e->kind) {
  case EQN_EQUAL:
    exp_node(pr, e->lhs);
    exp_node(pr, e->rhs);
    break;
  case EQN_CONNECT:
    ref(pr, e->from);
    ref(pr, e->to);
    break;
  case EQN_CALL:
    ref(pr, e->call->function);
    args(pr, e->call->args, e->call->n);
    break;
  case EQN_IF:
  case EQN_WHEN:
    for (uint32_t i = 0; i < e->n_branches; i++) {
      branch(pr, e->branches[i].condition);
      equations(pr, e->branches[i].body, e->branches[i].n);
      close(pr);
    }
    break;
  case EQN_FOR:
    iterators(pr, e->iterators, e->n_iterators);
    equations(pr, e->body, e->n_body);
    break;
  case EQN_HFSS:
    if (e->hfss == HFSS_INITIAL) {
      atom(pr, "initial");
      exp_node(pr, e->hfss_lhs);
      exp_node(pr, e->hfss_rhs);
    } else {
      atom(pr, "transition");
      statements(pr, e->hfss_body, e->n_hfss_body);
    }
    break;
  }
  pr->indent--;
  string(pr, e->comment);
  mod_part(pr, "annotation", e->annotation);
  close(pr);
}

static void equations(Printer *pr, AstEquation *const *list, uint32_t n) {
  pr->indent++;
  for (uint32_t i = 0; i < n; i++)
    equation(pr, list[i]);
  pr->indent--;
}

static void statement(Printer *pr, const AstStatement *s) {
  static const char *const names[] = {
      [STM_ASSIGN] = ":=",   [STM_CALL] = "call", [STM_IF] = "if",       [STM_FOR] = "for",
      [STM_WHILE] = "while", [STM_WHEN] = "when", [STM_BREAK] = "break", [STM_RETURN] = "return"};
  open_line(pr, names[s->kind]);
  pr->indent++;
  switch (s->kind) {
  case STM_ASSIGN:
    exp_node(pr, s->lhs);
    exp_node(pr, s->rhs);
    break;
  case STM_CALL:
    ref(pr, s->call->function);
    args(pr, s->call->args, s->call->n);
    break;
  case STM_IF:
  case STM_WHEN:
  case STM_WHILE:
    for (uint32_t i = 0; i < s->n_branches; i++) {
      branch(pr, s->branches[i].condition);
      statements(pr, s->branches[i].body, s->branches[i].n);
      close(pr);
    }
    break;
  case STM_FOR:
    iterators(pr, s->iterators, s->n_iterators);
    statements(pr, s->body, s->n_body);
    break;
  case STM_BREAK:
  case STM_RETURN: break;
  }
  pr->indent--;
  string(pr, s->comment);
  mod_part(pr, "annotation", s->annotation);
  close(pr);
}

static void statements(Printer *pr, AstStatement *const *list, uint32_t n) {
  pr->indent++;
  for (uint32_t i = 0; i < n; i++)
    statement(pr, list[i]);
  pr->indent--;
}

/* ---- charts ---- */

static void reaction(Printer *pr, const AstReaction *r) {
  static const char *const names[] = {[TRIGGER_EVENT] = "on",
                                      [TRIGGER_AFTER] = "after",
                                      [TRIGGER_ENTERED] = "entered",
                                      [TRIGGER_EXITED] = "exited"};
  for (uint32_t i = 0; i < r->n_triggers; i++) {
    open(pr, names[r->triggers[i].kind]);
    flag(pr, r->triggers[i].negated, "not");
    ref(pr, r->triggers[i].ref);
    if (r->triggers[i].delay)
      exp_node(pr, r->triggers[i].delay);
    close(pr);
  }
  exp_part(pr, "when", r->guard);
  statements(pr, r->body, r->n_body);
}

static void transition(Printer *pr, const AstTransition *t) {
  open_line(pr, "transition");
  open(pr, "from");
  for (uint32_t i = 0; i < t->n_from; i++)
    ref(pr, t->from[i]);
  close(pr);
  open(pr, "to");
  for (uint32_t i = 0; i < t->n_to; i++)
    ref(pr, t->to[i]);
  close(pr);
  if (t->has_priority)
    text_printf(pr->out, " (priority %lld)", (long long)t->priority);
  reaction(pr, &t->reaction);
  close(pr);
}

/* (name item...) on a line of its own, if there are items */
#define DUMP_PART(pr, name, list, n, items)                                                        \
  do {                                                                                             \
    if (n) {                                                                                       \
      open_line(pr, name);                                                                         \
      items(pr, list, n);                                                                          \
      close(pr);                                                                                   \
    }                                                                                              \
  } while (0)

static void state(Printer *pr, const AstState *s, const char *kind) {
  open_line(pr, kind);
  flag(pr, s->initial, "initial");
  flag(pr, s->parallel, "parallel");
  atom(pr, s->name);
  pr->indent++;
  for (uint32_t i = 0; i < s->n_events; i++) {
    open(pr, "event");
    atom(pr, s->events[i]);
    close(pr);
  }
  for (uint32_t i = 0; i < s->n_elements; i++)
    element(pr, s->elements[i]);
  for (uint32_t i = 0; i < s->n_actions; i++) {
    open_line(pr, "action");
    ref(pr, s->actions[i].name);
    atom(pr, s->actions[i].qualifier);
    exp_part(pr, "duration", s->actions[i].duration);
    close(pr);
  }
  for (uint32_t i = 0; i < s->n_states; i++)
    state(pr, s->states[i], "state");
  for (uint32_t i = 0; i < s->n_histories; i++) {
    open_line(pr, s->histories[i].deep ? "deep-history" : "history");
    atom(pr, s->histories[i].name);
    atom(pr, s->histories[i].otherwise);
    close(pr);
  }
  for (uint32_t i = 0; i < s->n_transitions; i++)
    transition(pr, &s->transitions[i]);
  DUMP_PART(pr, "entry", s->entry, s->n_entry, statements);
  DUMP_PART(pr, "exit", s->exit, s->n_exit, statements);
  for (uint32_t i = 0; i < s->n_during; i++) {
    open_line(pr, "during");
    reaction(pr, &s->during[i]);
    close(pr);
  }
  DUMP_PART(pr, "equation", s->equations, s->n_equations, equations);
  pr->indent--;
  close(pr);
}

/* ---- classes and files ---- */

static void section(Printer *pr, const AstSection *s) {
  static const char *const names[] = {
      [SECTION_EQUATION] = "equation", [SECTION_ALGORITHM] = "algorithm", [SECTION_HFSS] = "hfss"};
  switch (s->kind) {
  case SECTION_CHART:
    state(pr, &s->chart->root, s->chart->is_sfc ? "sfc" : "statechart");
    if (s->chart->n_args) {
      open_line(pr, "chart-arguments");
      args(pr, s->chart->args, s->chart->n_args);
      close(pr);
    }
    return;
  case SECTION_EQUATION:
  case SECTION_HFSS:
  case SECTION_ALGORITHM:
    open_line(pr, names[s->kind]);
    flag(pr, s->initial, "initial");
    if (s->kind == SECTION_ALGORITHM)
      statements(pr, s->statements, s->n);
    else
      equations(pr, s->equations, s->n);
    close(pr);
    return;
  }
}

static void short_class(Printer *pr, const AstClass *c) {
  flag(pr, c->flow == FLOW_FLOW, "flow");
  flag(pr, c->flow == FLOW_STREAM, "stream");
  flag(pr, c->direction == DIR_INPUT, "input");
  flag(pr, c->direction == DIR_OUTPUT, "output");
  ref(pr, c->base);
  dims(pr, c->dims, c->n_dims);
  mod_part(pr, "mod", c->mod);
  for (uint32_t i = 0; i < c->n_literals; i++) {
    open(pr, "literal");
    atom(pr, c->literals[i].name);
    string(pr, c->literals[i].comment);
    mod_part(pr, "annotation", c->literals[i].annotation);
    close(pr);
  }
  flag(pr, c->enum_open, ":");
  for (uint32_t i = 0; i < c->n_der_names; i++)
    atom(pr, c->der_names[i]);
}

static void external(Printer *pr, const AstExternal *x) {
  open_line(pr, "external");
  string(pr, x->language);
  ref(pr, x->result);
  atom(pr, x->name);
  if (x->has_call) {
    open(pr, "args");
    exps(pr, x->args, x->n_args);
    close(pr);
  }
  mod_part(pr, "annotation", x->annotation);
  close(pr);
}

static void class_node(Printer *pr, const AstClass *c) {
  static const char *const kinds[] = {[CLASS_CLASS] = "class",
                                      [CLASS_MODEL] = "model",
                                      [CLASS_RECORD] = "record",
                                      [CLASS_BLOCK] = "block",
                                      [CLASS_CONNECTOR] = "connector",
                                      [CLASS_OPERATOR_RECORD] = "operator-record",
                                      [CLASS_TYPE] = "type",
                                      [CLASS_EXPANDABLE] = "expandable",
                                      [CLASS_OPERATOR_FUNCTION] = "operator-function",
                                      [CLASS_PACKAGE] = "package",
                                      [CLASS_FUNCTION] = "function",
                                      [CLASS_OPERATOR] = "operator",
                                      [CLASS_ATOMIC] = "atomic"};
  static const char *const forms[] = {[FORM_LONG] = NULL,
                                      [FORM_EXTENDS] = "extends",
                                      [FORM_SHORT] = "=",
                                      [FORM_ENUM] = "enumeration",
                                      [FORM_DER] = "der"};
  open_line(pr, kinds[c->kind]);
  flag(pr, c->encapsulated, "encapsulated");
  flag(pr, c->partial, "partial");
  flag(pr, c->purity == PURITY_PURE, "pure");
  flag(pr, c->purity == PURITY_IMPURE, "impure");
  atom(pr, c->name);
  atom(pr, forms[c->form]);
  short_class(pr, c);
  string(pr, c->comment);
  pr->indent++;
  for (uint32_t i = 0; i < c->n_elements; i++)
    element(pr, c->elements[i]);
  for (uint32_t i = 0; i < c->n_sections; i++)
    section(pr, &c->sections[i]);
  if (c->external)
    external(pr, c->external);
  if (c->annotation) {
    open_line(pr, "annotation");
    mod_inside(pr, c->annotation);
    close(pr);
  }
  pr->indent--;
  close(pr);
}

void syntax_dump(const AstFile *file, Text *out) {
  Printer pr = {.out = out, .indent = 1};
  text_add(out, "(file");
  if (file->has_within) {
    open(&pr, "within");
    ref(&pr, file->within);
    close(&pr);
  }
  for (uint32_t i = 0; i < file->n_classes; i++) {
    flag(&pr, file->finals[i], "final");
    class_node(&pr, file->classes[i]);
  }
  text_add(out, ")\n");
}
