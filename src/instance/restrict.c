/* instance/restrict.c -- what each kind of class may contain, extend, and be prefixed with (MLS 3.6
 * sections 4.4.2, 4.5.2, 4.6, 7.1.3 and 12.2).
 * Texts are checked when a class is expanded, once per definition; components when they got their
 * type, once per declaration. */
#include "instance/inst.h"

#include <string.h>

const char *class_kind_text(AstClassKind kind) {
  switch (kind) {
  case CLASS_CLASS: return "class";
  case CLASS_MODEL: return "model";
  case CLASS_RECORD: return "record";
  case CLASS_OPERATOR_RECORD: return "operator record";
  case CLASS_BLOCK: return "block";
  case CLASS_CONNECTOR: return "connector";
  case CLASS_EXPANDABLE: return "expandable connector";
  case CLASS_TYPE: return "type";
  case CLASS_PACKAGE: return "package";
  case CLASS_FUNCTION: return "function";
  case CLASS_OPERATOR_FUNCTION: return "operator function";
  case CLASS_OPERATOR: return "operator";
  case CLASS_ATOMIC: return "atomic class";
  }
  return "class";
}

static bool is_record_kind(AstClassKind k) {
  return k == CLASS_RECORD || k == CLASS_OPERATOR_RECORD;
}

static bool is_connector_kind(AstClassKind k) {
  return k == CLASS_CONNECTOR || k == CLASS_EXPANDABLE;
}

/* Is this the first look at a definition or declaration? */
static bool first_time(World *w, const void *ast) {
  if (map_get_ptr(&w->checked, ast))
    return false;
  map_put_ptr(w->arena, &w->checked, ast, w);
  return true;
}

/* ---- sections ---- */

static const char *section_text(const AstSection *s) {
  switch (s->kind) {
  case SECTION_EQUATION: return s->initial ? "an initial equation section" : "equations";
  case SECTION_ALGORITHM: return s->initial ? "an initial algorithm" : "algorithms";
  case SECTION_HFSS: return "an hfss section";
  case SECTION_CHART: return "a chart";
  }
  return "a section";
}

static void check_sections(World *w, const AstClass *def) {
  bool allowed = def->kind == CLASS_MODEL || def->kind == CLASS_BLOCK || def->kind == CLASS_CLASS ||
                 def->kind == CLASS_ATOMIC ||
                 /* functions: see function.c */
                 def->kind == CLASS_FUNCTION || def->kind == CLASS_OPERATOR_FUNCTION;
  for (uint32_t i = 0; !allowed && i < def->n_sections; i++)
    diag_add(w->diags, D_N010, def->sections[i].span, "a %s cannot have %s",
             class_kind_text(def->kind), section_text(&def->sections[i]));
}

/* ---- elements, as far as the text tells ---- */

static const char *forbidden_prefix(AstClassKind kind, const AstElement *el) {
  if (is_record_kind(kind) && el->direction != DIR_NONE)
    return el->direction == DIR_INPUT ? "input" : "output";
  if (is_record_kind(kind) && el->flow != FLOW_NONE)
    return el->flow == FLOW_FLOW ? "flow" : "stream";
  return el->inner ? "inner" : el->outer ? "outer" : NULL;
}

static void check_component_text(World *w, AstClassKind kind, const AstElement *el) {
  const char *what = class_kind_text(kind);
  if (is_record_kind(kind) || is_connector_kind(kind)) {
    const char *prefix = forbidden_prefix(kind, el);
    if (prefix)
      diag_add(w->diags, D_N010, el->span, "an element of a %s cannot be `%s`", what, prefix);
  }
  if (kind == CLASS_PACKAGE && el->variability != VAR_CONSTANT) {
    Diag *d = diag_add(w->diags, D_N010, el->span,
                       "a package can only have classes and constants; `%s` is %s", el->name,
                       el->variability == VAR_PARAMETER ? "a parameter" : "a variable");
    diag_help(w->diags, d, "declare it as `constant`, or put it into a model");
  }
  if (kind == CLASS_OPERATOR)
    diag_add(w->diags, D_N010, el->span, "an operator can only have functions; `%s` is a component",
             el->name);
  if (el->direction == DIR_INPUT && el->variability >= VAR_PARAMETER)
    diag_add(w->diags, D_N012, el->span, "`%s` cannot be both input and %s", el->name,
             el->variability == VAR_CONSTANT ? "constant" : "parameter");
}

static void check_element_text(World *w, const AstClass *def, const AstElement *el) {
  AstClassKind kind = def->kind;
  bool public_only = is_record_kind(kind) || is_connector_kind(kind);
  if (public_only && el->visibility == VIS_PROTECTED && el->kind != AST_IMPORT)
    diag_add(w->diags, D_N010, el->span, "a %s cannot have protected elements",
             class_kind_text(kind));
  if (el->kind == AST_COMPONENT)
    check_component_text(w, kind, el);
  if (el->kind == AST_CLASS_DEF && kind == CLASS_OPERATOR && el->class_def->kind != CLASS_FUNCTION)
    diag_add(w->diags, D_N010, el->class_def->name_span,
             "an operator can only have functions; `%s` is a %s", el->class_def->name,
             class_kind_text(el->class_def->kind));
  bool operator= el->kind == AST_CLASS_DEF &&(el->class_def->kind == CLASS_OPERATOR ||
                                              el->class_def->kind == CLASS_OPERATOR_FUNCTION);
  if (operator&& kind != CLASS_OPERATOR_RECORD)
    diag_add(w->diags, D_N010, el->class_def->name_span,
             "an operator can only stand in an operator record, not in a %s",
             class_kind_text(kind));
}

/* ---- names ---- */

static bool is_reserved_type(const char *name) {
  return strcmp(name, "Real") == 0 || strcmp(name, "Integer") == 0 ||
         strcmp(name, "Boolean") == 0 || strcmp(name, "String") == 0;
}

static void check_name(World *w, const char *name, Span span) {
  if (name && is_reserved_type(name))
    diag_add(w->diags, D_N002, span, "`%s` is a predefined type and cannot be declared again",
             name);
}

/* Literals are distinct and none is called like an attribute (MLS 4.9.5.1). */
static void check_literals(World *w, const AstClass *def) {
  static const char *const attributes[] = {"quantity", "min", "max", "start", "fixed"};
  for (uint32_t i = 0; i < def->n_literals; i++) {
    const AstEnumLiteral *l = &def->literals[i];
    for (uint32_t k = 0; k < i; k++)
      if (def->literals[k].name == l->name) {
        Diag *d = diag_add(w->diags, D_N002, l->span, "enumeration literal `%s` is declared twice",
                           l->name);
        diag_label(w->diags, d, def->literals[k].span, "first declaration");
      }
    for (uint32_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
      if (strcmp(attributes[k], l->name) == 0)
        diag_add(w->diags, D_N002, l->span,
                 "`%s` is an attribute of enumerations and cannot be a literal", l->name);
  }
}

/* ---- bases ---- */

/* Table of MLS 7.1.3; classes of kind `class` fit everywhere. */
static bool may_extend(AstClassKind derived, AstClassKind base) {
  if (base == CLASS_CLASS || base == derived)
    return true;
  switch (derived) {
  case CLASS_CONNECTOR:
    return base == CLASS_TYPE || base == CLASS_RECORD || base == CLASS_OPERATOR_RECORD;
  case CLASS_BLOCK: return base == CLASS_RECORD;
  case CLASS_MODEL: return base == CLASS_RECORD || base == CLASS_BLOCK;
  case CLASS_OPERATOR_FUNCTION: return base == CLASS_FUNCTION;
  case CLASS_ATOMIC: return base == CLASS_MODEL || base == CLASS_BLOCK || base == CLASS_RECORD;
  case CLASS_CLASS:
    return true; /* a class that is more than a container is deprecated, not wrong */
  case CLASS_RECORD:
  case CLASS_OPERATOR_RECORD:
  case CLASS_EXPANDABLE:
  case CLASS_TYPE:
  case CLASS_PACKAGE:
  case CLASS_FUNCTION:
  case CLASS_OPERATOR: break;
  }
  return false;
}

/* Does the class stand for a predefined type, an array, or a type with a prefix? Such a base must
 * stand alone (MLS 4.5.2). */
static bool stands_alone(const Class *c) {
  if (c->predefined != TY_NONE)
    return true;
  if (c->ast && c->ast->form == FORM_SHORT &&
      (c->ast->n_dims || c->ast->direction != DIR_NONE || c->ast->flow != FLOW_NONE))
    return true;
  for (uint32_t i = 0; i < c->bases.n; i++)
    if (stands_alone(c->bases.at[i].cls))
      return true;
  return false;
}

static bool has_content(const Class *c) {
  if (c->ast && (c->ast->n_sections || c->ast->external))
    return true;
  for (uint32_t i = 0; i < c->elements.n; i++)
    if (c->elements.at[i]->kind == ELEMENT_COMPONENT)
      return true;
  return false;
}

static void check_base(World *w, Class *c, const Base *b) {
  AstClassKind derived = c->ast->kind, kind = b->cls->kind;
  Span span = b->ast ? b->ast->path->span : c->ast->base ? c->ast->base->span : c->ast->name_span;
  bool object = b->cls->is_external_object;
  if (!object && !may_extend(derived, kind) &&
      !(c->ast->form == FORM_SHORT && derived == CLASS_CLASS))
    diag_add(w->diags, D_N011, span, "a %s cannot extend `%s`, which is a %s",
             class_kind_text(derived), class_full_name(b->cls), class_kind_text(kind));
  if (kind == CLASS_OPERATOR_RECORD && c->ast->form == FORM_LONG)
    diag_add(
        w->diags, D_N011, span,
        "an operator record can only be derived by a short definition, `operator record %s = ...`",
        c->ast->name);
  for (uint32_t i = 0; i < b->cls->elements.n; i++) {
    const Element *e = b->cls->elements.at[i];
    if (e->def && e->def->kind == CLASS_OPERATOR_RECORD && !e->is_replaceable &&
        e->def->form == FORM_LONG)
      diag_add(w->diags, D_N011, span,
               "`%s` contains the operator record `%s` and cannot be extended",
               class_full_name(b->cls), e->name);
  }
  if (c->ast->form != FORM_LONG || !stands_alone(b->cls))
    return;
  bool other = has_content(c) && b->cls->predefined != TY_NONE;
  for (uint32_t i = 0; i < c->bases.n; i++)
    other |= &c->bases.at[i] != b &&
             (has_content(c->bases.at[i].cls) || stands_alone(c->bases.at[i].cls));
  for (uint32_t i = 0; i < c->ast->n_elements; i++)
    other |= c->ast->elements[i]->kind == AST_COMPONENT;
  if (other || c->ast->n_sections)
    diag_add(
        w->diags, D_N011, span,
        "`%s` is a simple type, an array or has a prefix: whoever extends it can have nothing else",
        class_full_name(b->cls));
}

/* ---- a text ---- */

void restrict_class(World *w, Class *c) {
  const AstClass *def = c->ast;
  if (!first_time(w, def))
    return;
  check_name(w, def->name, def->name_span);
  if (def->form == FORM_ENUM)
    check_literals(w, def);
  check_sections(w, def);
  for (uint32_t i = 0; i < def->n_elements; i++) {
    const AstElement *el = def->elements[i];
    check_element_text(w, def, el);
    if (el->kind == AST_COMPONENT && !is_record_kind(def->kind) && def->kind != CLASS_FUNCTION &&
        strcmp(el->name, "time") == 0)
      diag_add(w->diags, D_N002, el->span,
               "`time` is the predefined variable and cannot be declared again");
    if (el->kind == AST_COMPONENT)
      check_name(w, el->name, el->span);
    else if (el->kind == AST_CLASS_DEF)
      check_name(w, el->class_def->name, el->class_def->name_span);
  }
  for (uint32_t i = 0; i < c->bases.n; i++)
    check_base(w, c, &c->bases.at[i]);
}

/* ---- a component ---- */

static const char *type_prefix(const AstElement *el) {
  if (el->flow != FLOW_NONE)
    return el->flow == FLOW_FLOW ? "flow" : "stream";
  if (el->direction != DIR_NONE)
    return el->direction == DIR_INPUT ? "input" : "output";
  if (el->has_variability)
    return el->variability == VAR_CONSTANT    ? "constant"
           : el->variability == VAR_PARAMETER ? "parameter"
                                              : "discrete";
  return NULL;
}

/* Flows of an operator record are added up: it must define how (MLS 9.2). */
static void check_group(World *w, const Element *e, Class *c) {
  static const char *const needed[] = {"'+'", "'-'", "'0'"};
  for (uint32_t i = 0; c->kind == CLASS_OPERATOR_RECORD && i < 3; i++)
    if (!lookup_in(w, c, intern_str(w->names, needed[i])))
      diag_add(w->diags, D_N012, e->ast->span,
               "`%s` cannot be a flow: operator record `%s` has no operator %s", e->name,
               class_full_name(c), needed[i]);
}

/* Prefixes belong to types, records and connectors. */
static void check_prefix(World *w, const Element *e) {
  const char *prefix = type_prefix(e->ast);
  Class *c = e->n_items ? e->items[0] : e->sample;
  if (c && e->ast->flow == FLOW_FLOW)
    check_group(w, e, c);
  if (e->is_connector && e->ast->has_variability && e->ast->variability >= VAR_PARAMETER && c &&
      is_connector_kind(c->kind))
    diag_add(w->diags, D_N012, e->ast->span, "connector `%s` cannot be declared `%s`", e->name,
             prefix);
  if (!prefix || !c || c->is_function || c->is_external_object || c->is_record ||
      c->predefined != TY_NONE || is_connector_kind(c->kind))
    return;
  if (c->kind == CLASS_CLASS && !has_content(c))
    return;
  Diag *d = diag_add(w->diags, D_N012, e->ast->span,
                     "`%s` cannot be applied to `%s`, which is a %s", prefix, e->name,
                     class_kind_text(c->kind));
  diag_note(w->diags, d, "type prefixes belong to types, records and connectors");
}

/* With a prefix on the whole, no element has one of the same group: flow and stream, input and
 * output. */
static void check_prefix_conflict(World *w, const Element *e) {
  const Class *c = e->n_items ? e->items[0] : e->sample;
  if (!c || c->is_function || c->is_external_object)
    return;
  const AstClass *def = c->ast && c->ast->form == FORM_SHORT ? c->ast : NULL;
  bool directed = e->ast->direction != DIR_NONE || (def && def->direction != DIR_NONE);
  bool flows = e->ast->flow != FLOW_NONE || (def && def->flow != FLOW_NONE);
  for (uint32_t i = 0; i < c->elements.n; i++) {
    const Element *part = c->elements.at[i];
    if (part->kind != ELEMENT_COMPONENT || !((directed && part->ast->direction != DIR_NONE) ||
                                             (flows && part->ast->flow != FLOW_NONE)))
      continue;
    Diag *d = diag_add(w->diags, D_N012, e->ast->span,
                       "`%s` has a prefix, but its element `%s` has one, too", e->name, part->name);
    diag_label(w->diags, d, part->ast->span, "declared here");
  }
}

/* What the components of records and connectors can be. */
static void check_part(World *w, const Element *e) {
  AstClassKind kind = class_self(e->owner)->kind;
  const Class *c = e->n_items ? e->items[0] : e->sample;
  if (!c || c->is_record || c->predefined != TY_NONE || c->is_external_object ||
      (c->kind == CLASS_CLASS && !has_content(c)))
    return;
  if (!is_record_kind(kind) && !(is_connector_kind(kind) && !is_connector_kind(c->kind)))
    return;
  diag_add(w->diags, D_N010, e->ast->span, "a %s cannot have `%s`, which is a %s",
           class_kind_text(kind), e->name, class_kind_text(c->kind));
}

/* ---- sizes of connectors (MLS 9.3.1) ---- */

typedef struct {
  int64_t flows, potentials;
} Balance;

/* Scalars that an overdetermined type counts for: the size of what its equalityConstraint returns;
 * -1 if it is none. */
static int64_t overdetermined(World *w, Class *c) {
  Element *e = c ? lookup_in(w, c, intern_str(w->names, "equalityConstraint")) : NULL;
  Func *f = e && e->kind == ELEMENT_CLASS ? function_get(w, class_view(w, e)) : NULL;
  return f && f->n_outputs == 1 ? type_count(w->pool, f->vars[f->n_inputs].type) : -1;
}

static void add_balance(World *w, Element *e, Balance *b) {
  if (e->kind != ELEMENT_COMPONENT || !element_resolve(w, e) || e->absent ||
      e->variability >= VAR_PARAMETER || (e->direction != DIR_NONE && e->flow == FLOW_NONE))
    return;
  Class *c = e->n_items ? e->items[0] : e->sample;
  int64_t special = overdetermined(w, c ? c : e->type_class ? class_view(w, e->type_class) : NULL);
  if (special < 0 && c && c->is_record && e->type.i && c->kind == CLASS_OPERATOR_RECORD)
    special = type_count(w->pool, e->type);
  for (uint32_t k = 0; special < 0 && k < e->n_items; k++)
    for (uint32_t i = 0; class_expand(w, e->items[k]) && i < e->items[k]->elements.n; i++)
      add_balance(w, e->items[k]->elements.at[i], b);
  if (special < 0 && c)
    return;
  int64_t n = special >= 0 ? special : type_count(w->pool, e->type);
  if (e->flow == FLOW_FLOW)
    b->flows += n;
  else if (e->flow == FLOW_NONE)
    b->potentials += n;
}

static void check_balance(World *w, const Element *e) {
  Class *c = e->n_items ? e->items[0] : NULL;
  if (!c || c->kind != CLASS_CONNECTOR || class_is_partial(c) || e->direction != DIR_NONE ||
      is_connector_kind(class_self(e->owner)->kind))
    return;
  Balance b = {0};
  for (uint32_t i = 0; i < c->elements.n; i++)
    add_balance(w, c->elements.at[i], &b);
  if (b.flows == b.potentials || b.flows < 0 || b.potentials < 0)
    return;
  Diag *d = diag_add(w->diags, D_C004, c->ast->name_span,
                     "connector `%s` has %lld flow variable%s, but %lld potential%s",
                     class_full_name(c), (long long)b.flows, b.flows == 1 ? "" : "s",
                     (long long)b.potentials, b.potentials == 1 ? "" : "s");
  diag_label(w->diags, d, e->ast->span, "used here");
}

static bool is_causal(World *w, const Element *e) {
  if (e->direction != DIR_NONE || e->variability >= VAR_PARAMETER || e->absent)
    return true;
  Class *c = e->n_items ? e->items[0] : e->sample;
  if (!c || c->kind == CLASS_EXPANDABLE)
    return c != NULL;
  for (uint32_t i = 0; class_expand(w, c) && i < c->elements.n; i++) {
    Element *part = c->elements.at[i];
    if (part->kind == ELEMENT_COMPONENT && element_resolve(w, part) && !is_causal(w, part))
      return false;
  }
  return true;
}

void restrict_component(World *w, Element *e) {
  if (!first_time(w, e->ast))
    return;
  check_prefix(w, e);
  check_prefix_conflict(w, e);
  check_part(w, e);
  check_balance(w, e);
  if (class_self(e->owner)->kind == CLASS_BLOCK && e->is_connector && !e->is_protected &&
      !is_causal(w, e)) {
    Diag *d = diag_add(
        w->diags, D_N010, e->ast->span,
        "connector `%s` of a block needs `input` or `output` for all of its variables", e->name);
    diag_help(w->diags, d, "make it a model");
  }
}

/* Outer elements are only names for inner ones (MLS 5.4). */
static void check_outer(World *w, Element *e) {
  compat_check_outer(w, e);
  const Mod *m = e->mod;
  if (!m || !(mod_has_value(m) || m->n_subs))
    return;
  Diag *d = diag_add(w->diags, D_M002, m->n_subs ? m->subs[0]->span : m->span,
                     "`%s` is outer and cannot be modified", e->name);
  diag_label(w->diags, d, e->ast->span, "declared here");
  diag_help(w->diags, d, "modify the inner element `%s`", element_path(w, e->inner));
}

void restrict_instance(World *w, Class *c) {
  for (uint32_t i = 0; i < c->elements.n; i++) {
    Element *e = c->elements.at[i];
    if (e->same || !e->ast)
      continue;
    if (e->kind == ELEMENT_COMPONENT && e->state == STATE_DONE && e->inner)
      check_outer(w, e);
    else
      compat_check(w, e);
  }
}
