/* syntax/parse_chart.c -- extensions: statechart and sfc sections.
 *   statechart = "statechart" NAME [ "(" argument {"," argument} ")" ]
 *                { chart_item } "end" NAME ";"
 *   sfc        = "sfc" NAME [ "(" argument {"," argument} ")" ]
 *                { step | sfc_transition } "end" NAME ";"
 * Their words are identifiers. Inside a chart they win over declarations of the same look (`event
 * x;`); a word that is followed by `.`, `:=`, `=`, `(` or `[` is a name even there. */
#include "syntax/parse_impl.h"

#include "base/vec.h"

/* ---- what begins here? ---- */

bool parse_chart_begins(Parser *p, bool in_elements) {
  if (!parse_at_word(p, p->word.statechart) && !parse_at_word(p, p->word.sfc))
    return false;
  Lexer ahead = p->lex;
  Token t;
  lex_next(&ahead, &t);
  if (t.kind != TOK_IDENT || !in_elements)
    return t.kind == TOK_IDENT;
  /* a declaration `statechart x(a = 1);` would go on with one of the tokens below */
  lex_next(&ahead, &t);
  if (t.kind == TOK_LPAREN) {
    for (int open = 1; open && t.kind != TOK_EOF && t.kind != TOK_SEMICOLON;) {
      lex_next(&ahead, &t);
      open += (t.kind == TOK_LPAREN) - (t.kind == TOK_RPAREN);
    }
    if (t.kind == TOK_RPAREN)
      lex_next(&ahead, &t);
  }
  return t.kind != TOK_SEMICOLON && t.kind != TOK_COMMA && t.kind != TOK_EQUALS &&
         t.kind != TOK_LBRACKET && t.kind != TOK_IF && t.kind != TOK_STRING &&
         t.kind != TOK_ANNOTATION && t.kind != TOK_CONSTRAINEDBY && t.kind != TOK_ASSIGN &&
         t.kind != TOK_DOT;
}

/* At a word that begins an item by itself: entry, exit, during. */
static bool at_section_word(const Parser *p, const char *word) {
  if (!parse_at_word(p, word))
    return false;
  TokenKind next = parse_peek(p).kind;
  return next != TOK_ASSIGN && next != TOK_EQUALS && next != TOK_LPAREN && next != TOK_DOT &&
         next != TOK_LBRACKET;
}

/* At a word that is followed by a name. */
static bool at_named(const Parser *p, const char *word) {
  return parse_at_word(p, word) && parse_peek(p).kind == TOK_IDENT;
}

static bool at_transition(const Parser *p) {
  return at_named(p, p->word.transition) ||
         (parse_at_word(p, p->word.transition) && parse_peek(p).kind == TOK_LBRACE);
}

static bool at_history(const Parser *p) {
  if (parse_at_word(p, p->word.deep))
    return parse_next_is(p, p->word.history);
  return at_named(p, p->word.history);
}

/* [ initial ] [ parallel ] state, [ initial ] step */
static bool at_state(const Parser *p) {
  const char *word = p->in_sfc ? p->word.step : p->word.state;
  if (parse_at(p, TOK_INITIAL))
    return parse_next_is(p, word) || (!p->in_sfc && parse_next_is(p, p->word.parallel));
  if (!p->in_sfc && parse_at_word(p, p->word.parallel))
    return parse_next_is(p, word);
  return at_named(p, word);
}

bool parse_chart_item_begins(Parser *p) {
  if (at_state(p) || at_transition(p))
    return true;
  if (p->in_sfc)
    return at_named(p, p->word.action);
  return at_named(p, p->word.event) || at_history(p) || at_section_word(p, p->word.entry) ||
         at_section_word(p, p->word.exit) || at_section_word(p, p->word.during);
}

static bool expect_word(Parser *p, const char *word, const char *where) {
  if (parse_accept_word(p, word))
    return true;
  if (!p->panic)
    parse_expected(p, "`%s` %s", word, where);
  return false;
}

/* "end" NAME; the words `transition` and `do` close in the same way. */
static void end_of(Parser *p, const char *name, Span opening) {
  if (p->panic)
    return;
  parse_mark_closing(p, 0);
  Token next = parse_peek(p);
  bool named = parse_at(p, TOK_END) && next.kind == TOK_IDENT;
  if (named && (next.text == name || !*name)) {
    parse_next(p);
    parse_next(p);
    return;
  }
  Diag *d = named ? parse_error(p, D_P011, next.span, "expected `end %s`, found `end %s`", name,
                                next.text)
                  : parse_expected(p, "`end %s`", name);
  if (d)
    diag_label(p->diags, d, opening, "to close this");
  bool further_out = false;
  for (const ParseOpen *open = p->open; open; open = open->outer)
    further_out = further_out || open->name == next.text;
  if (named && !further_out && !p->stopped) { /* the wrong name, but surely meant for this */
    parse_next(p);
    parse_next(p);
    p->panic = p->stopped;
  }
}

/* ---- reactions and transitions ---- */

/* term = ["not"] ( NAME | "after" "(" expression ")" | "entered" "(" NAME ")" | "exited" "(" NAME
 * ")" ) */
static AstTrigger trigger(Parser *p) {
  AstTrigger t = {.negated = parse_accept(p, TOK_NOT)};
  bool call = parse_peek(p).kind == TOK_LPAREN;
  if (call && parse_accept_word(p, p->word.after)) {
    t.kind = TRIGGER_AFTER;
    parse_next(p);
    t.delay = parse_expression(p);
    parse_expect(p, TOK_RPAREN, "after the delay");
  } else if (call && (parse_at_word(p, p->word.entered) || parse_at_word(p, p->word.exited))) {
    t.kind = parse_at_word(p, p->word.entered) ? TRIGGER_ENTERED : TRIGGER_EXITED;
    parse_next(p);
    parse_next(p);
    t.ref = parse_name(p, "the name of a state");
    parse_expect(p, TOK_RPAREN, "after the name of the state");
  } else {
    t.kind = TRIGGER_EVENT;
    t.ref = parse_name(p, "the name of an event");
  }
  return t;
}

/* ["on" trigger {"or" trigger}] ["when" expression] */
static void reaction_head(Parser *p, AstReaction *r) {
  if (!p->panic && !p->in_sfc && parse_accept_word(p, p->word.on)) {
    size_t list = parse_list(p);
    do {
      AstTrigger t = trigger(p);
      LIST_ADD(p, t);
    } while (!p->panic && parse_accept(p, TOK_OR));
    r->triggers = LIST_TAKE(p, list, AstTrigger, &r->n_triggers);
  }
  if (!p->panic && parse_accept(p, TOK_WHEN))
    r->guard = parse_expression(p);
}

/* "do" {statement} "end" WORD, after `do` */
static void reaction_body(Parser *p, AstReaction *r, const char *word, Span opening) {
  p->indent++;
  r->body = parse_statements(p, &r->n_body);
  p->indent--;
  end_of(p, word, opening);
}

/* NAME | "{" NAME {"," NAME} "}"; the braces in an sfc only */
static AstRef **ends(Parser *p, uint32_t *n) {
  const char *what = p->in_sfc ? "the name of a step" : "the name of a state";
  size_t list = parse_list(p);
  bool braces = p->in_sfc && parse_accept(p, TOK_LBRACE);
  do {
    AstRef *r = parse_name(p, what);
    LIST_ADD(p, r);
  } while (braces && !p->panic && parse_accept(p, TOK_COMMA));
  if (braces)
    parse_expect(p, TOK_RBRACE, "after the steps");
  return LIST_TAKE(p, list, AstRef *, n);
}

/* "transition" ends "to" ends ["on" trigger] ["when" expression] ["priority" INTEGER] ["do"
 * {statement} "end" "transition"] */
static AstTransition transition(Parser *p) {
  AstTransition t = {.span = p->tok.span};
  parse_next(p);
  t.from = ends(p, &t.n_from);
  expect_word(p, p->word.to, "after the source of the transition");
  t.to = p->panic ? NULL : ends(p, &t.n_to);
  t.reaction.span = p->tok.span;
  reaction_head(p, &t.reaction);
  if (!p->panic && parse_accept_word(p, p->word.priority)) {
    t.has_priority = true;
    t.priority = parse_at(p, TOK_INTEGER) ? p->tok.integer : 0;
    if (!parse_accept(p, TOK_INTEGER))
      parse_expected(p, "an integer after `priority`");
  }
  if (!p->panic && !p->in_sfc && parse_accept_word(p, p->word.do_))
    reaction_body(p, &t.reaction, p->word.transition, t.span);
  t.reaction.span = parse_since(p, t.reaction.span.lo);
  t.span = parse_since(p, t.span.lo);
  return t;
}

/* ---- states ---- */

/* The parts of a state while they are read. */
typedef struct {
  VEC(AstElement *) elements;
  VEC(const char *) events;
  VEC(AstState *) states;
  VEC(AstTransition) transitions;
  VEC(AstHistory) histories;
  VEC(AstReaction) during;
  VEC(AstAction) actions;
} Parts;

static void items(Parser *p, AstState *s, bool root);

/* [initial] [parallel] "state" ( NAME {"," NAME} ";" | NAME ... "end" NAME ";" ), the same with
 * "step" */
static void state(Parser *p, Parts *parts) {
  const char *what = p->in_sfc ? "the name of the step" : "the name of the state";
  uint32_t lo = p->tok.span.lo;
  bool initial = parse_accept(p, TOK_INITIAL);
  bool parallel = parse_accept_word(p, p->word.parallel);
  Span opening = p->tok.span;
  expect_word(p, p->in_sfc ? p->word.step : p->word.state, "here");
  bool short_form = false;
  do {
    AstState *s = NEW(p->arena, AstState);
    s->initial = initial;
    s->parallel = parallel;
    s->name = parse_ident(p, what);
    if (p->panic)
      return;
    short_form = s->short_form = parse_at(p, TOK_SEMICOLON) || parse_at(p, TOK_COMMA);
    if (!short_form) {
      p->indent++;
      items(p, s, false);
      p->indent--;
      end_of(p, s->name, opening);
    }
    s->span = parse_since(p, lo);
    vec_push(p->arena, &parts->states, s);
    lo = p->tok.span.lo;
  } while (short_form && parse_accept(p, TOK_COMMA));
}

/* "event" NAME {"," NAME} ";" */
static void events(Parser *p, Parts *parts) {
  parse_next(p);
  do {
    const char *name = parse_ident(p, "the name of an event");
    if (!p->panic)
      vec_push(p->arena, &parts->events, name);
  } while (!p->panic && parse_accept(p, TOK_COMMA));
}

/* ["deep"] "history" NAME ["default" NAME] */
static void history(Parser *p, Parts *parts) {
  AstHistory h = {.span = p->tok.span};
  h.deep = parse_accept_word(p, p->word.deep);
  parse_next(p);
  h.name = parse_ident(p, "the name of the history");
  if (!p->panic && parse_accept_word(p, p->word.default_))
    h.otherwise = parse_ident(p, "the name of a state");
  h.span = parse_since(p, h.span.lo);
  if (!p->panic)
    vec_push(p->arena, &parts->histories, h);
}

/* "action" NAME "(" QUALIFIER ["," expression] ")" */
static void action(Parser *p, Parts *parts) {
  AstAction a = {.span = p->tok.span};
  parse_next(p);
  a.name = parse_name(p, "the name of an action");
  parse_expect(p, TOK_LPAREN, "after the name of the action");
  a.qualifier = parse_ident(p, "a qualifier such as N, S or R");
  if (!p->panic && parse_accept(p, TOK_COMMA))
    a.duration = parse_expression(p);
  parse_expect(p, TOK_RPAREN, "after the qualifier");
  a.span = parse_since(p, a.span.lo);
  if (!p->panic)
    vec_push(p->arena, &parts->actions, a);
}

/* "during" {reaction}, after `during`; reaction = ["on" trigger] ["when" expression] "do"
 * {statement} "end" "do" ";" */
static void during(Parser *p, Parts *parts) {
  while (parse_at(p, TOK_WHEN) || parse_at_word(p, p->word.on) || parse_at_word(p, p->word.do_)) {
    parse_mark(p);
    AstReaction r = {.span = p->tok.span};
    reaction_head(p, &r);
    if (!p->panic && expect_word(p, p->word.do_, "before the statements of this reaction"))
      reaction_body(p, &r, p->word.do_, r.span);
    r.span = parse_since(p, r.span.lo);
    parse_semicolon(p, "reaction");
    if (p->panic)
      parse_recover(p);
    else
      vec_push(p->arena, &parts->during, r);
  }
}

/* "entry", "exit", "during" or "equation" with what belongs to it */
static bool section(Parser *p, AstState *s, Parts *parts) {
  bool entry = at_section_word(p, p->word.entry), exits = at_section_word(p, p->word.exit);
  bool reacts = at_section_word(p, p->word.during), equations = parse_at(p, TOK_EQUATION);
  if (!entry && !exits && !reacts && !equations)
    return false;
  if ((entry && s->entry) || (exits && s->exit) || (equations && s->equations))
    parse_report(p, D_P010, p->tok.span, "the second %s section of the state `%s`", parse_found(p),
                 s->name);
  parse_next(p);
  p->indent++;
  if (entry)
    s->entry = parse_statements(p, &s->n_entry);
  else if (exits)
    s->exit = parse_statements(p, &s->n_exit);
  else if (reacts)
    during(p, parts);
  else
    s->equations = parse_equations(p, false, &s->n_equations);
  p->indent--;
  return true;
}

/* One item that ends in `;`. */
static void item(Parser *p, AstState *s, Parts *parts, bool root) {
  const char *what = "declaration";
  if (at_state(p)) {
    what = p->in_sfc ? "step" : "state";
    state(p, parts);
  } else if (at_transition(p) && (root || !p->in_sfc)) {
    what = "transition";
    AstTransition t = transition(p);
    if (!p->panic)
      vec_push(p->arena, &parts->transitions, t);
  } else if (p->in_sfc) {
    what = "action";
    if (!root && at_named(p, p->word.action))
      action(p, parts);
    else
      parse_unexpected(p, root ? "a step, a transition or `end %s`" : "an action or `end %s`",
                       s->name);
  } else if (at_named(p, p->word.event)) {
    what = "event";
    events(p, parts);
  } else if (at_history(p)) {
    what = "history";
    history(p, parts);
  } else if (root) {
    parse_unexpected(p, "a state, a transition, an event, a history or `end %s`", s->name);
  } else {
    size_t list = parse_list(p);
    parse_element(p, VIS_PUBLIC);
    if (p->misplaced)
      parse_expected(p, "the name of a component");
    p->misplaced = false;
    uint32_t n;
    AstElement **fresh = LIST_TAKE(p, list, AstElement *, &n);
    for (uint32_t i = 0; i < n; i++)
      vec_push(p->arena, &parts->elements, fresh[i]);
  }
  parse_semicolon(p, what);
}

static void items(Parser *p, AstState *s, bool root) {
  Parts parts = {0};
  if (!parse_enter(p))
    return;
  while (!parse_at(p, TOK_EOF) && !parse_at(p, TOK_END)) {
    parse_mark(p);
    if (!root && !p->in_sfc && section(p, s, &parts))
      continue;
    if (parse_at(p, TOK_EQUATION) || parse_at(p, TOK_ALGORITHM) || parse_at(p, TOK_PUBLIC) ||
        parse_at(p, TOK_PROTECTED) || parse_at(p, TOK_EXTERNAL))
      break;
    item(p, s, &parts, root);
    if (p->panic)
      parse_recover(p);
  }
  s->elements = parts.elements.at, s->n_elements = parts.elements.n;
  s->events = parts.events.at, s->n_events = parts.events.n;
  s->states = parts.states.at, s->n_states = parts.states.n;
  s->transitions = parts.transitions.at, s->n_transitions = parts.transitions.n;
  s->histories = parts.histories.at, s->n_histories = parts.histories.n;
  s->during = parts.during.at, s->n_during = parts.during.n;
  s->actions = parts.actions.at, s->n_actions = parts.actions.n;
  parse_leave(p);
}

/* At `statechart` or `sfc`. */
AstChart *parse_chart(Parser *p) {
  AstChart *c = NEW(p->arena, AstChart);
  Span opening = p->tok.span;
  c->is_sfc = parse_at_word(p, p->word.sfc);
  parse_next(p);
  c->name = c->root.name = parse_ident(p, "the name of the chart");
  if (parse_at(p, TOK_LPAREN))
    c->args = parse_arguments(p, &c->n_args);
  bool chart = p->in_chart, sfc = p->in_sfc;
  if (p->panic) {
    parse_recover(p);
  }
  p->in_chart = true;
  p->in_sfc = c->is_sfc;
  p->indent++;
  items(p, &c->root, true);
  p->indent--;
  p->in_chart = chart;
  p->in_sfc = sfc;
  end_of(p, c->name, opening);
  c->span = c->root.span = parse_since(p, opening.lo);
  parse_semicolon(p, "chart");
  if (p->panic)
    parse_recover(p);
  return c;
}
