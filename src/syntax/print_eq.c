/* syntax/print_eq.c -- equations, statements and charts as Modelica text. */
#include "syntax/print_impl.h"

/* "if c then", "elseif c then", "else", and the same with when */
static void branch_head(Printer *pr, bool when, uint32_t i, const AstExp *condition) {
  if (!condition) {
    text_add(pr->out, "else");
    return;
  }
  text_add(pr->out, i ? (when ? "elsewhen " : "elseif ") : when ? "when " : "if ");
  print_exp(pr, condition);
  text_add(pr->out, " then");
}

static void end_line(Printer *pr, const char *what) {
  print_line(pr);
  text_printf(pr->out, "end %s", what);
}

/* ---- equations ---- */

void print_connect(Printer *pr, const AstEquation *e) {
  text_add(pr->out, "connect(");
  print_ref(pr, e->from);
  text_add(pr->out, ", ");
  print_ref(pr, e->to);
  text_char(pr->out, ')');
}

static void block_equations(Printer *pr, AstEquation *const *equations, uint32_t n) {
  pr->indent++;
  print_equations(pr, equations, n);
  pr->indent--;
}

static void block_statements(Printer *pr, AstStatement *const *statements, uint32_t n) {
  pr->indent++;
  print_statements(pr, statements, n);
  pr->indent--;
}

static void hfss(Printer *pr, const AstEquation *e) {
  switch (e->hfss) {
  case HFSS_INITIAL:
    text_add(pr->out, "initial ");
    print_simple_exp(pr, e->hfss_lhs);
    text_add(pr->out, " = ");
    print_exp(pr, e->hfss_rhs);
    break;
  case HFSS_TRANSITION:
    text_add(pr->out, "transition");
    block_statements(pr, e->hfss_body, e->n_hfss_body);
    end_line(pr, "transition");
    break;
  }
}

static void equation(Printer *pr, const AstEquation *e) {
  switch (e->kind) {
  case EQN_EQUAL:
    print_simple_exp(pr, e->lhs);
    text_add(pr->out, " = ");
    print_exp(pr, e->rhs);
    break;
  case EQN_CONNECT: print_connect(pr, e); break;
  case EQN_CALL: print_exp(pr, e->call); break;
  case EQN_IF:
  case EQN_WHEN:
    for (uint32_t i = 0; i < e->n_branches; i++) {
      if (i)
        print_line(pr);
      branch_head(pr, e->kind == EQN_WHEN, i, e->branches[i].condition);
      block_equations(pr, e->branches[i].body, e->branches[i].n);
    }
    end_line(pr, e->kind == EQN_WHEN ? "when" : "if");
    break;
  case EQN_FOR:
    text_add(pr->out, "for ");
    print_iterators(pr, e->iterators, e->n_iterators);
    text_add(pr->out, " loop");
    block_equations(pr, e->body, e->n_body);
    end_line(pr, "for");
    break;
  case EQN_HFSS: hfss(pr, e); break;
  }
}

void print_equations(Printer *pr, AstEquation *const *equations, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    print_line(pr);
    equation(pr, equations[i]);
    print_description(pr, equations[i]->comment, equations[i]->annotation);
    text_char(pr->out, ';');
  }
}

/* ---- statements ---- */

static void statement(Printer *pr, const AstStatement *s) {
  switch (s->kind) {
  case STM_ASSIGN:
    print_exp(pr, s->lhs);
    text_add(pr->out, " := ");
    print_exp(pr, s->rhs);
    break;
  case STM_CALL: print_exp(pr, s->call); break;
  case STM_IF:
  case STM_WHEN:
    for (uint32_t i = 0; i < s->n_branches; i++) {
      if (i)
        print_line(pr);
      branch_head(pr, s->kind == STM_WHEN, i, s->branches[i].condition);
      block_statements(pr, s->branches[i].body, s->branches[i].n);
    }
    end_line(pr, s->kind == STM_WHEN ? "when" : "if");
    break;
  case STM_FOR:
    text_add(pr->out, "for ");
    print_iterators(pr, s->iterators, s->n_iterators);
    text_add(pr->out, " loop");
    block_statements(pr, s->body, s->n_body);
    end_line(pr, "for");
    break;
  case STM_WHILE:
    text_add(pr->out, "while ");
    print_exp(pr, s->branches[0].condition);
    text_add(pr->out, " loop");
    block_statements(pr, s->branches[0].body, s->branches[0].n);
    end_line(pr, "while");
    break;
  case STM_BREAK: text_add(pr->out, "break"); break;
  case STM_RETURN: text_add(pr->out, "return"); break;
  }
}

void print_statements(Printer *pr, AstStatement *const *statements, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    print_line(pr);
    statement(pr, statements[i]);
    print_description(pr, statements[i]->comment, statements[i]->annotation);
    text_char(pr->out, ';');
  }
}

/* ---- charts ---- */

static void trigger(Printer *pr, const AstTrigger *t) {
  if (t->negated)
    text_add(pr->out, "not ");
  switch (t->kind) {
  case TRIGGER_EVENT: print_ref(pr, t->ref); return;
  case TRIGGER_AFTER:
    text_add(pr->out, "after(");
    print_exp(pr, t->delay);
    break;
  case TRIGGER_ENTERED:
  case TRIGGER_EXITED:
    text_add(pr->out, t->kind == TRIGGER_ENTERED ? "entered(" : "exited(");
    print_ref(pr, t->ref);
    break;
  }
  text_char(pr->out, ')');
}

/* on ... when ...; false if there is neither */
static bool reaction_head(Printer *pr, const AstReaction *r) {
  for (uint32_t i = 0; i < r->n_triggers; i++) {
    text_add(pr->out, i ? " or " : "on ");
    trigger(pr, &r->triggers[i]);
  }
  if (r->guard) {
    text_add(pr->out, r->n_triggers ? " when " : "when ");
    print_exp(pr, r->guard);
  }
  return r->n_triggers || r->guard;
}

static void ends(Printer *pr, AstRef *const *refs, uint32_t n) {
  if (n > 1)
    text_char(pr->out, '{');
  for (uint32_t i = 0; i < n; i++) {
    if (i)
      text_add(pr->out, ", ");
    print_ref(pr, refs[i]);
  }
  if (n > 1)
    text_char(pr->out, '}');
}

static void transition(Printer *pr, const AstTransition *t) {
  print_line(pr);
  text_add(pr->out, "transition ");
  ends(pr, t->from, t->n_from);
  text_add(pr->out, " to ");
  ends(pr, t->to, t->n_to);
  if (t->reaction.n_triggers || t->reaction.guard)
    text_char(pr->out, ' ');
  reaction_head(pr, &t->reaction);
  if (t->has_priority)
    text_printf(pr->out, " priority %lld", (long long)t->priority);
  if (t->reaction.n_body) {
    text_add(pr->out, " do");
    block_statements(pr, t->reaction.body, t->reaction.n_body);
    end_line(pr, "transition");
  }
  text_char(pr->out, ';');
}

static void during(Printer *pr, const AstReaction *r) {
  print_line(pr);
  if (reaction_head(pr, r))
    text_char(pr->out, ' ');
  text_add(pr->out, "do");
  block_statements(pr, r->body, r->n_body);
  end_line(pr, "do;");
}

static void items(Printer *pr, const AstState *s, bool sfc);

static void state(Printer *pr, const AstState *s, bool sfc) {
  print_line(pr);
  text_printf(pr->out, "%s%s%s %s", s->initial ? "initial " : "", s->parallel ? "parallel " : "",
              sfc ? "step" : "state", s->name);
  if (!s->short_form) {
    pr->indent++;
    items(pr, s, sfc);
    pr->indent--;
    end_line(pr, s->name);
  }
  text_char(pr->out, ';');
}

/* entry, exit, during, equation */
static void sections(Printer *pr, const AstState *s) {
  if (s->n_entry) {
    print_line(pr);
    text_add(pr->out, "entry");
    block_statements(pr, s->entry, s->n_entry);
  }
  if (s->n_exit) {
    print_line(pr);
    text_add(pr->out, "exit");
    block_statements(pr, s->exit, s->n_exit);
  }
  if (s->n_during) {
    print_line(pr);
    text_add(pr->out, "during");
    pr->indent++;
    for (uint32_t i = 0; i < s->n_during; i++)
      during(pr, &s->during[i]);
    pr->indent--;
  }
  if (s->n_equations) {
    print_line(pr);
    text_add(pr->out, "equation");
    block_equations(pr, s->equations, s->n_equations);
  }
}

static void items(Printer *pr, const AstState *s, bool sfc) {
  print_elements(pr, s->elements, s->n_elements);
  for (uint32_t i = 0; i < s->n_events; i++) {
    print_line(pr);
    text_printf(pr->out, "event %s;", s->events[i]);
  }
  for (uint32_t i = 0; i < s->n_states; i++)
    state(pr, s->states[i], sfc);
  for (uint32_t i = 0; i < s->n_histories; i++) {
    const AstHistory *h = &s->histories[i];
    print_line(pr);
    text_printf(pr->out, "%shistory %s%s%s;", h->deep ? "deep " : "", h->name,
                h->otherwise ? " default " : "", h->otherwise ? h->otherwise : "");
  }
  for (uint32_t i = 0; i < s->n_transitions; i++)
    transition(pr, &s->transitions[i]);
  for (uint32_t i = 0; i < s->n_actions; i++) {
    const AstAction *a = &s->actions[i];
    print_line(pr);
    text_add(pr->out, "action ");
    print_ref(pr, a->name);
    text_printf(pr->out, "(%s", a->qualifier);
    if (a->duration) {
      text_add(pr->out, ", ");
      print_exp(pr, a->duration);
    }
    text_add(pr->out, ");");
  }
  sections(pr, s);
}

/* On the current line. */
void print_chart(Printer *pr, const AstChart *c) {
  text_printf(pr->out, "%s %s", c->is_sfc ? "sfc" : "statechart", c->name);
  if (c->n_args)
    print_arguments(pr, c->args, c->n_args);
  pr->indent++;
  items(pr, &c->root, c->is_sfc);
  pr->indent--;
  end_line(pr, c->name);
  text_char(pr->out, ';');
}
