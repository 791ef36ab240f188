/* syntax/equal.c -- are two syntax trees the same, apart from spans?
 * The trees may come from different interners, so texts are compared when their addresses
 * differ. */
#include <string.h>

#include "syntax/syntax.h"

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_exp(const AstExp *a, const AstExp *b);
static bool same_mod(const AstMod *a, const AstMod *b);
static bool same_class(const AstClass *a, const AstClass *b);
static bool same_element(const AstElement *a, const AstElement *b);
static bool same_equation(const AstEquation *a, const AstEquation *b);
static bool same_statement(const AstStatement *a, const AstStatement *b);

/* Lists of pointers, compared item by item. */
#define SAME_LIST(name, Type, same)                                                                \
  static bool name(Type *const *a, uint32_t n_a, Type *const *b, uint32_t n_b) {                   \
    if (n_a != n_b)                                                                                \
      return false;                                                                                \
    for (uint32_t i = 0; i < n_a; i++)                                                             \
      if (!same(a[i], b[i]))                                                                       \
        return false;                                                                              \
    return true;                                                                                   \
  }
SAME_LIST(same_exps, AstExp, same_exp)
SAME_LIST(same_mods, AstMod, same_mod)
SAME_LIST(same_elements, AstElement, same_element)
SAME_LIST(same_equations, AstEquation, same_equation)
SAME_LIST(same_statements, AstStatement, same_statement)
SAME_LIST(same_texts, const char, same_text)

/* ---- expressions ---- */

static bool same_ref(const AstRef *a, const AstRef *b) {
  if (!a || !b)
    return a == b;
  if (a->n != b->n || a->global != b->global)
    return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (!same_text(a->parts[i].name, b->parts[i].name) ||
        !same_exps(a->parts[i].subs, a->parts[i].n_subs, b->parts[i].subs, b->parts[i].n_subs))
      return false;
  return true;
}
SAME_LIST(same_refs, AstRef, same_ref)

static bool same_args(const AstArg *a, uint32_t n_a, const AstArg *b, uint32_t n_b) {
  if (n_a != n_b)
    return false;
  for (uint32_t i = 0; i < n_a; i++)
    if (!same_text(a[i].name, b[i].name) || !same_exp(a[i].value, b[i].value))
      return false;
  return true;
}

static bool same_iterators(const AstIterator *a, uint32_t n_a, const AstIterator *b, uint32_t n_b) {
  if (n_a != n_b)
    return false;
  for (uint32_t i = 0; i < n_a; i++)
    if (!same_text(a[i].name, b[i].name) || !same_exp(a[i].range, b[i].range))
      return false;
  return true;
}

static bool same_exp(const AstExp *a, const AstExp *b) {
  if (!a || !b)
    return a == b;
  if (a->kind != b->kind || a->parenthesised != b->parenthesised)
    return false;
  switch (a->kind) {
  case AST_INTEGER:
  case AST_BOOLEAN: return a->integer == b->integer;
  case AST_REAL: return memcmp(&a->real, &b->real, sizeof a->real) == 0;
  case AST_STRING: return same_text(a->string, b->string);
  case AST_REF: return same_ref(a->ref, b->ref);
  case AST_END:
  case AST_COLON: return true;
  case AST_UNARY: return a->op == b->op && same_exp(a->a, b->a);
  case AST_BINARY: return a->op == b->op && same_exp(a->a, b->a) && same_exp(a->b, b->b);
  case AST_IF:
  case AST_RANGE: return same_exp(a->a, b->a) && same_exp(a->b, b->b) && same_exp(a->c, b->c);
  case AST_CALL:
  case AST_PARTIAL:
    return same_ref(a->function, b->function) && same_args(a->args, a->n, b->args, b->n);
  case AST_REDUCE:
    return same_ref(a->function, b->function) && same_exp(a->body, b->body) &&
           same_iterators(a->iterators, a->n, b->iterators, b->n);
  case AST_ARRAY:
  case AST_MATRIX:
  case AST_TUPLE: return same_exps(a->items, a->n, b->items, b->n);
  }
  return false;
}

/* ---- modifications and elements ---- */

static bool same_mod(const AstMod *a, const AstMod *b) {
  if (!a || !b)
    return a == b;
  return a->each == b->each && a->final == b->final && a->has_parens == b->has_parens &&
         a->break_value == b->break_value && a->removes == b->removes && same_ref(a->ref, b->ref) &&
         same_element(a->element, b->element) &&
         same_mods(a->subs, a->n_subs, b->subs, b->n_subs) && same_exp(a->value, b->value) &&
         same_equation(a->removed_connect, b->removed_connect) && same_text(a->comment, b->comment);
}

static bool same_prefixes(const AstElement *a, const AstElement *b) {
  return a->visibility == b->visibility && a->redeclare == b->redeclare && a->final == b->final &&
         a->inner == b->inner && a->outer == b->outer && a->replaceable == b->replaceable &&
         a->dynamic == b->dynamic && a->event == b->event &&
         a->first_of_clause == b->first_of_clause && a->variability == b->variability &&
         a->has_variability == b->has_variability && a->direction == b->direction &&
         a->flow == b->flow;
}

static bool same_element(const AstElement *a, const AstElement *b) {
  if (!a || !b)
    return a == b;
  if (a->kind != b->kind || !same_prefixes(a, b) || a->import_all != b->import_all ||
      a->n_imports != b->n_imports)
    return false;
  for (uint32_t i = 0; i < a->n_imports; i++)
    if (!same_text(a->imports[i].name, b->imports[i].name))
      return false;
  return same_ref(a->path, b->path) && same_text(a->name, b->name) &&
         same_exps(a->dims, a->n_dims, b->dims, b->n_dims) && a->n_type_dims == b->n_type_dims &&
         same_exp(a->condition, b->condition) && same_mod(a->mod, b->mod) &&
         same_class(a->class_def, b->class_def) && same_ref(a->constraint, b->constraint) &&
         same_mod(a->constraint_mod, b->constraint_mod) &&
         same_text(a->constraint_comment, b->constraint_comment) &&
         same_mod(a->constraint_annotation, b->constraint_annotation) &&
         same_text(a->comment, b->comment) && same_mod(a->annotation, b->annotation);
}

/* ---- equations and statements ---- */

static bool same_equation_branches(const AstEquation *a, const AstEquation *b) {
  if (a->n_branches != b->n_branches)
    return false;
  for (uint32_t i = 0; i < a->n_branches; i++) {
    const AstEquationBranch *x = &a->branches[i], *y = &b->branches[i];
    if (!same_exp(x->condition, y->condition) || !same_equations(x->body, x->n, y->body, y->n))
      return false;
  }
  return true;
}

static bool same_hfss(const AstEquation *a, const AstEquation *b) {
  if (a->hfss != b->hfss)
    return false;
  switch (a->hfss) {
  case HFSS_INITIAL:
    return same_exp(a->hfss_lhs, b->hfss_lhs) && same_exp(a->hfss_rhs, b->hfss_rhs);
  case HFSS_TRANSITION:
    return same_statements(a->hfss_body, a->n_hfss_body, b->hfss_body, b->n_hfss_body);
  }
  return false;
}

static bool same_equation(const AstEquation *a, const AstEquation *b) {
  if (!a || !b)
    return a == b;
  if (a->kind != b->kind || !same_text(a->comment, b->comment) ||
      !same_mod(a->annotation, b->annotation))
    return false;
  switch (a->kind) {
  case EQN_EQUAL: return same_exp(a->lhs, b->lhs) && same_exp(a->rhs, b->rhs);
  case EQN_CONNECT: return same_ref(a->from, b->from) && same_ref(a->to, b->to);
  case EQN_CALL: return same_exp(a->call, b->call);
  case EQN_IF:
  case EQN_WHEN: return same_equation_branches(a, b);
  case EQN_FOR:
    return same_iterators(a->iterators, a->n_iterators, b->iterators, b->n_iterators) &&
           same_equations(a->body, a->n_body, b->body, b->n_body);
  case EQN_HFSS: return same_hfss(a, b);
  }
  return false;
}

static bool same_statement_branches(const AstStatement *a, const AstStatement *b) {
  if (a->n_branches != b->n_branches)
    return false;
  for (uint32_t i = 0; i < a->n_branches; i++) {
    const AstStatementBranch *x = &a->branches[i], *y = &b->branches[i];
    if (!same_exp(x->condition, y->condition) || !same_statements(x->body, x->n, y->body, y->n))
      return false;
  }
  return true;
}

static bool same_statement(const AstStatement *a, const AstStatement *b) {
  if (a->kind != b->kind || !same_text(a->comment, b->comment) ||
      !same_mod(a->annotation, b->annotation))
    return false;
  switch (a->kind) {
  case STM_ASSIGN: return same_exp(a->lhs, b->lhs) && same_exp(a->rhs, b->rhs);
  case STM_CALL: return same_exp(a->call, b->call);
  case STM_IF:
  case STM_WHEN:
  case STM_WHILE: return same_statement_branches(a, b);
  case STM_FOR:
    return same_iterators(a->iterators, a->n_iterators, b->iterators, b->n_iterators) &&
           same_statements(a->body, a->n_body, b->body, b->n_body);
  case STM_BREAK:
  case STM_RETURN: return true;
  }
  return false;
}

/* ---- charts ---- */

static bool same_reaction(const AstReaction *a, const AstReaction *b) {
  if (a->n_triggers != b->n_triggers)
    return false;
  for (uint32_t i = 0; i < a->n_triggers; i++) {
    const AstTrigger *x = &a->triggers[i], *y = &b->triggers[i];
    if (x->negated != y->negated || x->kind != y->kind || !same_ref(x->ref, y->ref) ||
        !same_exp(x->delay, y->delay))
      return false;
  }
  return same_exp(a->guard, b->guard) && same_statements(a->body, a->n_body, b->body, b->n_body);
}

static bool same_transition(const AstTransition *a, const AstTransition *b) {
  return same_refs(a->from, a->n_from, b->from, b->n_from) &&
         same_refs(a->to, a->n_to, b->to, b->n_to) && same_reaction(&a->reaction, &b->reaction) &&
         a->has_priority == b->has_priority && a->priority == b->priority;
}

static bool same_history(const AstHistory *a, const AstHistory *b) {
  return same_text(a->name, b->name) && a->deep == b->deep && same_text(a->otherwise, b->otherwise);
}

static bool same_action(const AstAction *a, const AstAction *b) {
  return same_ref(a->name, b->name) && same_text(a->qualifier, b->qualifier) &&
         same_exp(a->duration, b->duration);
}

static bool same_state(const AstState *a, const AstState *b) {
  bool same = same_text(a->name, b->name) && a->initial == b->initial &&
              a->parallel == b->parallel && a->short_form == b->short_form &&
              a->n_states == b->n_states && a->n_transitions == b->n_transitions &&
              a->n_histories == b->n_histories && a->n_during == b->n_during &&
              a->n_actions == b->n_actions &&
              same_elements(a->elements, a->n_elements, b->elements, b->n_elements) &&
              same_texts(a->events, a->n_events, b->events, b->n_events) &&
              same_statements(a->entry, a->n_entry, b->entry, b->n_entry) &&
              same_statements(a->exit, a->n_exit, b->exit, b->n_exit) &&
              same_equations(a->equations, a->n_equations, b->equations, b->n_equations);
  for (uint32_t i = 0; same && i < a->n_states; i++)
    same = same_state(a->states[i], b->states[i]);
  for (uint32_t i = 0; same && i < a->n_transitions; i++)
    same = same_transition(&a->transitions[i], &b->transitions[i]);
  for (uint32_t i = 0; same && i < a->n_histories; i++)
    same = same_history(&a->histories[i], &b->histories[i]);
  for (uint32_t i = 0; same && i < a->n_during; i++)
    same = same_reaction(&a->during[i], &b->during[i]);
  for (uint32_t i = 0; same && i < a->n_actions; i++)
    same = same_action(&a->actions[i], &b->actions[i]);
  return same;
}

static bool same_chart(const AstChart *a, const AstChart *b) {
  return a->is_sfc == b->is_sfc && same_text(a->name, b->name) &&
         same_args(a->args, a->n_args, b->args, b->n_args) && same_state(&a->root, &b->root);
}

/* ---- classes and files ---- */

static bool same_section(const AstSection *a, const AstSection *b) {
  if (a->kind != b->kind || a->initial != b->initial)
    return false;
  switch (a->kind) {
  case SECTION_EQUATION:
  case SECTION_HFSS: return same_equations(a->equations, a->n, b->equations, b->n);
  case SECTION_ALGORITHM: return same_statements(a->statements, a->n, b->statements, b->n);
  case SECTION_CHART: return same_chart(a->chart, b->chart);
  }
  return false;
}

static bool same_external(const AstExternal *a, const AstExternal *b) {
  if (!a || !b)
    return a == b;
  return same_text(a->language, b->language) && same_ref(a->result, b->result) &&
         same_text(a->name, b->name) && same_exps(a->args, a->n_args, b->args, b->n_args) &&
         a->has_call == b->has_call && same_mod(a->annotation, b->annotation);
}

static bool same_head(const AstClass *a, const AstClass *b) {
  return a->kind == b->kind && a->form == b->form && a->partial == b->partial &&
         a->encapsulated == b->encapsulated && a->purity == b->purity &&
         same_text(a->name, b->name) && same_text(a->comment, b->comment) &&
         same_mod(a->annotation, b->annotation);
}

static bool same_short(const AstClass *a, const AstClass *b) {
  if (a->n_literals != b->n_literals || a->enum_open != b->enum_open)
    return false;
  for (uint32_t i = 0; i < a->n_literals; i++)
    if (!same_text(a->literals[i].name, b->literals[i].name) ||
        !same_text(a->literals[i].comment, b->literals[i].comment) ||
        !same_mod(a->literals[i].annotation, b->literals[i].annotation))
      return false;
  return same_ref(a->base, b->base) && a->direction == b->direction && a->flow == b->flow &&
         same_exps(a->dims, a->n_dims, b->dims, b->n_dims) && same_mod(a->mod, b->mod) &&
         same_texts(a->der_names, a->n_der_names, b->der_names, b->n_der_names);
}

static bool same_class(const AstClass *a, const AstClass *b) {
  if (!a || !b)
    return a == b;
  if (!same_head(a, b) || !same_short(a, b) ||
      !same_elements(a->elements, a->n_elements, b->elements, b->n_elements) ||
      a->n_sections != b->n_sections || !same_external(a->external, b->external))
    return false;
  for (uint32_t i = 0; i < a->n_sections; i++)
    if (!same_section(&a->sections[i], &b->sections[i]))
      return false;
  return true;
}

bool syntax_equal(const AstFile *a, const AstFile *b) {
  if (a->has_within != b->has_within || !same_ref(a->within, b->within) ||
      a->n_classes != b->n_classes)
    return false;
  for (uint32_t i = 0; i < a->n_classes; i++)
    if (a->finals[i] != b->finals[i] || !same_class(a->classes[i], b->classes[i]))
      return false;
  return true;
}

/* The same class but for comments, annotations and modifications. */
static bool same_definition(const AstClass *a, const AstClass *b) {
  if (a->kind != b->kind || a->form != b->form || a->n_literals != b->n_literals ||
      !same_ref(a->base, b->base))
    return false;
  for (uint32_t i = 0; i < a->n_literals; i++)
    if (!same_text(a->literals[i].name, b->literals[i].name))
      return false;
  return same_exps(a->dims, a->n_dims, b->dims, b->n_dims) &&
         same_elements(a->elements, a->n_elements, b->elements, b->n_elements);
}

bool syntax_equal_element(const AstElement *a, const AstElement *b) {
  if (a->kind != b->kind || a->kind == AST_CLASS_DEF)
    return a->kind == b->kind && same_definition(a->class_def, b->class_def);
  const AstExp *x = a->mod ? a->mod->value : NULL, *y = b->mod ? b->mod->value : NULL;
  return a->variability == b->variability && a->direction == b->direction && a->flow == b->flow &&
         same_ref(a->path, b->path) && same_exps(a->dims, a->n_dims, b->dims, b->n_dims) &&
         same_exp(a->condition, b->condition) && same_exp(x, y);
}
