/* syntax/print_class.c -- files, classes, elements and modifications as Modelica text.
 * Elements come first, then the sections: the tree does not know how they were mixed. */
#include "syntax/print_impl.h"

void print_line(Printer *pr) {
  if (pr->out->n)
    text_char(pr->out, '\n');
  for (uint32_t i = 0; i < pr->indent; i++)
    text_add(pr->out, "  ");
}

/* "word " if it applies */
static void word(Printer *pr, bool applies, const char *text) {
  if (applies) {
    text_add(pr->out, text);
    text_char(pr->out, ' ');
  }
}

/* ---- modifications ---- */

static void component_head(Printer *pr, const AstElement *e);
static void component(Printer *pr, const AstElement *e);
static void modification(Printer *pr, const AstMod *m);
static void constraint(Printer *pr, const AstElement *e);

static void redeclared(Printer *pr, const AstElement *e) {
  word(pr, e->replaceable, "replaceable");
  if (e->kind == AST_CLASS_DEF) {
    print_class(pr, e->class_def);
  } else {
    component_head(pr, e);
    component(pr, e);
  }
  constraint(pr, e);
}

static void argument(Printer *pr, const AstMod *m) {
  word(pr, m->removes, "break");
  word(pr, m->element && m->element->redeclare, "redeclare");
  word(pr, m->each, "each");
  word(pr, m->final, "final");
  if (m->element)
    redeclared(pr, m->element);
  if (m->removed_connect)
    print_connect(pr, m->removed_connect);
  if (m->ref)
    print_ref(pr, m->ref);
  modification(pr, m);
  if (m->comment) {
    text_char(pr->out, ' ');
    print_string(pr, m->comment);
  }
}

/* (sub, sub) = value */
static void modification(Printer *pr, const AstMod *m) {
  if (m->has_parens || m->n_subs) {
    text_char(pr->out, '(');
    for (uint32_t i = 0; i < m->n_subs; i++) {
      if (i)
        text_add(pr->out, ", ");
      argument(pr, m->subs[i]);
    }
    text_char(pr->out, ')');
  }
  if (m->break_value) {
    text_add(pr->out, "=break");
  } else if (m->value) {
    text_char(pr->out, '=');
    print_exp(pr, m->value);
  }
}

void print_description(Printer *pr, const char *comment, const AstMod *annotation) {
  if (comment) {
    text_char(pr->out, ' ');
    print_string(pr, comment);
  }
  if (annotation) {
    text_add(pr->out, " annotation");
    modification(pr, annotation);
  }
}

static void constraint(Printer *pr, const AstElement *e) {
  if (!e->constraint)
    return;
  text_add(pr->out, " constrainedby ");
  print_ref(pr, e->constraint);
  if (e->constraint_mod)
    modification(pr, e->constraint_mod);
  print_description(pr, e->constraint_comment, e->constraint_annotation);
}

/* ---- elements ---- */

static void import_clause(Printer *pr, const AstElement *e) {
  text_add(pr->out, "import ");
  if (e->name)
    text_printf(pr->out, "%s = ", e->name);
  print_ref(pr, e->path);
  if (e->import_all)
    text_add(pr->out, ".*");
  for (uint32_t i = 0; i < e->n_imports; i++)
    text_printf(pr->out, "%s%s", i ? ", " : ".{", e->imports[i].name);
  if (e->n_imports)
    text_char(pr->out, '}');
}

static void direction(Printer *pr, AstFlow flow, AstDirection dir) {
  word(pr, flow == FLOW_FLOW, "flow");
  word(pr, flow == FLOW_STREAM, "stream");
  word(pr, dir == DIR_INPUT, "input");
  word(pr, dir == DIR_OUTPUT, "output");
}

/* Prefixes and type. */
static void component_head(Printer *pr, const AstElement *e) {
  word(pr, e->dynamic, "dynamic");
  direction(pr, e->flow, DIR_NONE);
  word(pr, e->has_variability && e->variability == VAR_DISCRETE, "discrete");
  word(pr, e->has_variability && e->variability == VAR_PARAMETER, "parameter");
  word(pr, e->has_variability && e->variability == VAR_CONSTANT, "constant");
  direction(pr, FLOW_NONE, e->direction);
  word(pr, e->event, "event");
  print_ref(pr, e->path);
  if (e->n_type_dims)
    print_subscripts(pr, e->dims + (e->n_dims - e->n_type_dims), e->n_type_dims);
  text_char(pr->out, ' ');
}

/* Name and what follows it. */
static void component(Printer *pr, const AstElement *e) {
  text_add(pr->out, e->name);
  print_subscripts(pr, e->dims, e->n_dims - e->n_type_dims);
  if (e->mod)
    modification(pr, e->mod);
  if (e->condition) {
    text_add(pr->out, " if ");
    print_exp(pr, e->condition);
  }
  print_description(pr, e->comment, e->annotation);
}

static void element(Printer *pr, const AstElement *e) {
  word(pr, e->redeclare, "redeclare");
  word(pr, e->final, "final");
  word(pr, e->inner, "inner");
  word(pr, e->outer, "outer");
  word(pr, e->replaceable, "replaceable");
  switch (e->kind) {
  case AST_IMPORT:
    import_clause(pr, e);
    print_description(pr, e->comment, e->annotation);
    break;
  case AST_EXTENDS:
    text_add(pr->out, "extends ");
    print_ref(pr, e->path);
    if (e->mod)
      modification(pr, e->mod);
    print_description(pr, NULL, e->annotation);
    break;
  case AST_COMPONENT:
    component_head(pr, e);
    component(pr, e);
    break;
  case AST_CLASS_DEF: print_class(pr, e->class_def); break;
  }
}

void print_elements(Printer *pr, AstElement *const *elements, uint32_t n) {
  AstVisibility visibility = VIS_PUBLIC;
  for (uint32_t i = 0; i < n; i++) {
    const AstElement *e = elements[i];
    if (e->visibility != visibility) {
      visibility = e->visibility;
      pr->indent--;
      print_line(pr);
      text_add(pr->out, visibility == VIS_PUBLIC ? "public" : "protected");
      pr->indent++;
    }
    if (e->first_of_clause) {
      print_line(pr);
      element(pr, e);
    } else {
      text_add(pr->out, ", ");
      component(pr, e);
    }
    if (i + 1 == n || elements[i + 1]->first_of_clause) {
      constraint(pr, e);
      text_char(pr->out, ';');
    }
  }
}

/* ---- classes ---- */

static void class_head(Printer *pr, const AstClass *c) {
  static const char *const kinds[] = {
      [CLASS_CLASS] = "class",       [CLASS_MODEL] = "model",
      [CLASS_RECORD] = "record",     [CLASS_OPERATOR_RECORD] = "operator record",
      [CLASS_BLOCK] = "block",       [CLASS_CONNECTOR] = "connector",
      [CLASS_TYPE] = "type",         [CLASS_EXPANDABLE] = "expandable connector",
      [CLASS_PACKAGE] = "package",   [CLASS_FUNCTION] = "function",
      [CLASS_OPERATOR] = "operator", [CLASS_OPERATOR_FUNCTION] = "operator function",
      [CLASS_ATOMIC] = "atomic"};
  word(pr, c->encapsulated, "encapsulated");
  word(pr, c->partial, "partial");
  word(pr, c->purity == PURITY_PURE, "pure");
  word(pr, c->purity == PURITY_IMPURE, "impure");
  word(pr, true, kinds[c->kind]);
  word(pr, c->form == FORM_EXTENDS, "extends");
  text_add(pr->out, c->name);
}

static void enumeration(Printer *pr, const AstClass *c) {
  text_add(pr->out, "enumeration(");
  if (c->enum_open)
    text_char(pr->out, ':');
  for (uint32_t i = 0; i < c->n_literals; i++) {
    if (i)
      text_add(pr->out, ", ");
    text_add(pr->out, c->literals[i].name);
    print_description(pr, c->literals[i].comment, c->literals[i].annotation);
  }
  text_char(pr->out, ')');
}

/* What follows the `=` of a short class. */
static void short_class(Printer *pr, const AstClass *c) {
  text_add(pr->out, " = ");
  if (c->form == FORM_ENUM) {
    enumeration(pr, c);
  } else if (c->form == FORM_DER) {
    text_add(pr->out, "der(");
    print_ref(pr, c->base);
    for (uint32_t i = 0; i < c->n_der_names; i++)
      text_printf(pr->out, ", %s", c->der_names[i]);
    text_char(pr->out, ')');
  } else {
    direction(pr, c->flow, c->direction);
    print_ref(pr, c->base);
    print_subscripts(pr, c->dims, c->n_dims);
    if (c->mod)
      modification(pr, c->mod);
  }
  print_description(pr, c->comment, c->annotation);
}

static void section(Printer *pr, const AstSection *s) {
  print_line(pr);
  word(pr, s->initial, "initial");
  pr->indent++;
  switch (s->kind) {
  case SECTION_EQUATION:
    text_add(pr->out, "equation");
    print_equations(pr, s->equations, s->n);
    break;
  case SECTION_ALGORITHM:
    text_add(pr->out, "algorithm");
    print_statements(pr, s->statements, s->n);
    break;
  case SECTION_HFSS:
    text_add(pr->out, "hfss");
    print_equations(pr, s->equations, s->n);
    break;
  case SECTION_CHART:
    pr->indent--;
    print_chart(pr, s->chart);
    pr->indent++;
    break;
  }
  pr->indent--;
}

static void external(Printer *pr, const AstExternal *x) {
  print_line(pr);
  text_add(pr->out, "external ");
  print_string(pr, x->language);
  if (x->has_call) {
    text_char(pr->out, ' ');
    if (x->result) {
      print_ref(pr, x->result);
      text_add(pr->out, " = ");
    }
    text_printf(pr->out, "%s(", x->name);
    for (uint32_t i = 0; i < x->n_args; i++) {
      if (i)
        text_add(pr->out, ", ");
      print_exp(pr, x->args[i]);
    }
    text_char(pr->out, ')');
  }
  print_description(pr, NULL, x->annotation);
  text_char(pr->out, ';');
}

void print_class(Printer *pr, const AstClass *c) {
  class_head(pr, c);
  if (c->form != FORM_LONG && c->form != FORM_EXTENDS) {
    short_class(pr, c);
    return;
  }
  if (c->mod)
    modification(pr, c->mod);
  print_description(pr, c->comment, NULL);
  pr->indent++;
  print_elements(pr, c->elements, c->n_elements);
  pr->indent--;
  for (uint32_t i = 0; i < c->n_sections; i++)
    section(pr, &c->sections[i]);
  pr->indent++;
  if (c->external)
    external(pr, c->external);
  if (c->annotation) {
    print_line(pr);
    text_add(pr->out, "annotation");
    modification(pr, c->annotation);
    text_char(pr->out, ';');
  }
  pr->indent--;
  print_line(pr);
  text_printf(pr->out, "end %s", c->name);
}

void syntax_print(const AstFile *file, Text *out) {
  Printer pr = {.out = out};
  if (file->has_within) {
    text_add(out, "within");
    if (file->within) {
      text_char(out, ' ');
      print_ref(&pr, file->within);
    }
    text_char(out, ';');
  }
  for (uint32_t i = 0; i < file->n_classes; i++) {
    print_line(&pr);
    word(&pr, file->finals[i], "final");
    print_class(&pr, file->classes[i]);
    text_char(out, ';');
  }
  if (out->n)
    text_char(out, '\n');
}
