/* tests/unit/test_syntax.c -- reading, printing, comparing and formatting sources; messages and
 * their places. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "syntax/syntax.h"

/* ---- helpers ---- */

typedef struct {
  Memory mem;
  jmp_buf recover;
  Arena *a;
  SourceMap *sources;
  Diags *diags;
  Interner *names;
  const Source *source;
} Fixture;

static Fixture *fixture(void **state) {
  static Fixture f;
  (void)state;
  mem_drop_since(&f.mem, NULL);
  memset(&f, 0, sizeof f);
  f.mem.recover = &f.recover;
  f.a = arena_new(&f.mem);
  f.sources = sources_new(f.a);
  f.names = interner_new(f.a);
  return &f;
}

static AstFile *read_n(Fixture *f, const char *text, size_t n) {
  f->diags = diags_new(f->a, f->sources);
  f->source = sources_add(f->sources, "T.mo", text, n);
  return syntax_parse(f->source, f->names, f->a, f->diags);
}

static AstFile *read_text(Fixture *f, const char *text) { return read_n(f, text, strlen(text)); }

static void show(const Fixture *f) {
  Text out = {.arena = f->a};
  for (uint32_t i = 0; i < diags_count(f->diags); i++)
    diag_render(f->diags, diags_at(f->diags, i), false, &out);
  fputs(text_str(&out), stderr);
}

static AstFile *read_good(Fixture *f, const char *text) {
  AstFile *file = read_text(f, text);
  if (diags_count(f->diags))
    show(f);
  assert_int_equal(diags_count(f->diags), 0);
  return file;
}

/* The diagnostics as "P010 2:9, P011 7:5". */
static const char *found(Fixture *f) {
  Text out = {.arena = f->a};
  for (uint32_t i = 0; i < diags_count(f->diags); i++) {
    const Diag *d = diags_at(f->diags, i);
    Place at = source_place(f->sources, d->span.lo);
    text_printf(&out, "%s%s %u:%u", i ? ", " : "", diag_code_name(d->code), at.line, at.column);
  }
  return text_str(&out);
}

static void expect(Fixture *f, const char *text, const char *diagnostics) {
  read_text(f, text);
  if (strcmp(found(f), diagnostics) != 0)
    show(f);
  assert_string_equal(found(f), diagnostics);
}

static void expect_message(Fixture *f, const char *text, const char *message) {
  read_text(f, text);
  assert_int_equal(diags_count(f->diags), 1);
  assert_string_equal(diags_at(f->diags, 0)->message, message);
}

/* Printing and formatting keep the tree, and doing it twice changes nothing. */
static void round_trip(Fixture *f, const char *text) {
  AstFile *file = read_good(f, text);
  Text printed = {.arena = f->a}, again = {.arena = f->a}, formatted = {.arena = f->a},
       twice = {.arena = f->a};
  syntax_print(file, &printed);
  assert_true(syntax_equal(file, read_good(f, text_str(&printed))));
  syntax_print(read_good(f, text_str(&printed)), &again);
  assert_string_equal(text_str(&printed), text_str(&again));
  read_good(f, text);
  assert_true(syntax_format(f->source, f->names, f->a, f->diags, &formatted));
  assert_true(syntax_equal(file, read_good(f, text_str(&formatted))));
  assert_true(syntax_format(f->source, f->names, f->a, f->diags, &twice));
  assert_string_equal(text_str(&formatted), text_str(&twice));
}

static AstExp *expression(Fixture *f, const char *text) {
  f->diags = diags_new(f->a, f->sources);
  return syntax_parse_expression(sources_add(f->sources, "E", text, strlen(text)), f->names, f->a,
                                 f->diags);
}

static void prints(Fixture *f, const char *text, const char *expected) {
  AstExp *e = expression(f, text);
  assert_non_null(e);
  Text out = {.arena = f->a};
  syntax_print_exp(e, &out);
  assert_string_equal(text_str(&out), expected);
}

static void dumps(Fixture *f, const char *text, const char *expected) {
  Text out = {.arena = f->a};
  syntax_dump(read_good(f, text), &out);
  assert_string_equal(text_str(&out), expected);
}

/* n times `piece` between `before` and `after` */
static char *repeated(Fixture *f, const char *before, const char *piece, size_t n,
                      const char *after) {
  Text out = {.arena = f->a};
  text_add(&out, before);
  for (size_t i = 0; i < n; i++)
    text_add(&out, piece);
  text_add(&out, after);
  return out.at;
}

/* ---- samples ---- */

static const char sample_classes[] =
    "within A.B;\n"
    "encapsulated partial package P \"a\" + \"b\"\n"
    "  connector C flow Real i; stream Real h; Real v; end C;\n"
    "  expandable connector Bus end Bus;\n"
    "  type E = enumeration(a \"first\", b annotation(x=1)); type O = enumeration(:); type N = "
    "enumeration();\n"
    "  type V = input Real[3](each unit=\"m\") \"vector\" annotation(y=2);\n"
    "  function d = der(.F.f, x, y);\n"
    "  operator record K encapsulated operator '+' import .P; function add output K r; end add; "
    "end '+'; end K;\n"
    "  impure function r external \"C\" y[1].z = f(x, size(a, 1)) annotation(Library=\"m\"); "
    "annotation(x); end r;\n"
    "  pure operator function s external; end s;\n"
    "  class extends Q(x=2) \"c\" Real z; end Q;\n"
    "  replaceable model M = N(k=1) \"m\" constrainedby B(p=2) \"desc\" "
    "annotation(choices(choice(redeclare model M = X)));\n"
    "  redeclare final inner outer replaceable Real x[2], y if b constrainedby T(unit=\"s\");\n"
    "  import A.B; import C = A.B \"alias\"; import A.*; import A.{x, y}; import .G.H;\n"
    "  extends B(redeclare each final model X = Y, replaceable Real r = 2, each final k(start=1)=2 "
    "\"c\", break z,\n"
    "    break connect(a, b.c), m = break, n(), redeclare replaceable parameter .T.U q[2](u=1) "
    "constrainedby W(v=1));\n"
    "  parameter Integer n(min=1)=3 \"count\" annotation(Dialog(group=\"g\")), k[n, :]; Real[2] "
    "z[3];\n"
    "protected\n"
    "  constant Real c := 1; discrete input Real u; output Real o;\n"
    "public\n"
    "  outer inner_ w;\n"
    "end P;\n"
    "final model Z end Z;\n";

static const char sample_equations
    [] = "model X\n"
         "initial equation\n"
         "  x = 0;\n"
         "equation\n"
         "  a = if b then c elseif d then e else f; r = 1:n; r = 1:2:n; q = -a + b*c/d^e .* f ./ g "
         ".^ h .- i .+ j;\n"
         "  m = [1, 2; 3, 4]; s = sum(i*j for i in 1:3, j in {1, 2}); v = {i for i}; t = x[end, :, "
         "1:end - 1].y[2].z;\n"
         "  (a, , b) = f(x, y=2, z=function g(k=1)); (u) = h(); n = not a or b and c <> d; w = (a "
         "== b) == (c < d);\n"
         "  p = .A.B.c; 'q x' = '+\\'y'; s = \"a\\n\\t\\\\\\\"\" + \"b\"; z = {}; k = (); k = (,); "
         "g = -(-1.0) - 1.5e-300;\n"
         "  assert(true, \"ok\") \"comment\" annotation(x); connect(a.b[1], c) \"wire\";\n"
         "  for i in 1:3, j loop y[i] = j; end for;\n"
         "  if a then b = 1; elseif c then b = 2; else for k loop z[k] = 1; end for; end if;\n"
         "  when {a, initial()} then reinit(x, 1); elsewhen sample(0, 1) then y = pre(y) + 1; end "
         "when;\n"
         "initial algorithm\n"
         "  x := 2;\n"
         "algorithm\n"
         "  for i in 1:size(x, 1), j loop if x[i] > 0 then y := y + x[i]; elseif i == 2 then "
         "break; else return; end if; end for;\n"
         "  while i < 3 loop i := i + 1; end while; (a, b, ) := g(x); (a) := g(x); h(x) \"call\"; "
         ".A.b := 2;\n"
         "  when c then y := 1; elsewhen d then y := 2; end when;\n"
         "  annotation(Icon(graphics={Line(points={{-100,-100},{100,100}})}));\n"
         "end X;\n";

/* The examples of docs/language.md in short, and every production of the extensions. */
static const char sample_extensions
    [] = "model StringPendulum\n"
         "  parameter Real L=1, g=9.81, m=1;\n"
         "  Real x, y, phi(start=0), w(start=5.85), F, r;\n"
         "  dynamic Bottle bottle; dynamic Vehicle lane[:]; dynamic A.B[2] c; input event Real e; "
         "output event ev;\n"
         "statechart motion\n"
         "  initial state bound\n"
         "    equation\n"
         "      der(phi) = w;  L*der(w) = -g*sin(phi);\n"
         "      x = L*sin(phi);  F = m*(L*w^2 + g*cos(phi));\n"
         "  end bound;\n"
         "  state free\n"
         "      Real vx, vy;\n"
         "    equation\n"
         "      der(x) = vx;  der(y) = vy;\n"
         "  end free;\n"
         "  transition bound to free when F < 0 do\n"
         "    vx := L*w*cos(phi);  vy := L*w*sin(phi);\n"
         "  end transition;\n"
         "  transition free to bound when r >= L;\n"
         "end motion;\n"
         "statechart c(semantics = Step, execution = Cyclic(0.1, 0.01))\n"
         "  event a, b;\n"
         "  initial parallel state P\n"
         "    Real z; event inner_; initial state A, B; state C;\n"
         "    state D\n"
         "      entry z := 1; exit(3); entry := 2;\n"
         "      exit raise(a);\n"
         "      during on a or not b when z > 1 do raise(b); end do; do z := 2; end do; when z > 3 "
         "do z := 4; end do;\n"
         "      equation z = 1;\n"
         "    end D;\n"
         "    history h default A; deep history dh;\n"
         "    transition A to D.E on after(2.5) or entered(A) or exited(B) or not c.d when z > 0 "
         "and y priority 3 do\n"
         "      add(bottle, capacity = 10); remove(lane[k]);\n"
         "    end transition;\n"
         "  end P;\n"
         "end c;\n"
         "equation\n"
         "  y = if exists(bottle) then 1 else size(lane);\n"
         "sfc recipe\n"
         "  initial step idle;\n"
         "  step fill   action valve(N);  action pump(L, 30);  end fill;\n"
         "  transition idle to {fill, mix} when level > 0.9 priority 1;\n"
         "  transition {fill, mix} to idle;\n"
         "end recipe;\n"
         "end StringPendulum;\n"
         "atomic Proportional \"sampled\"\n"
         "  parameter Real r = 0.1;\n"
         "  input Real x;  output Real y;  output event Real changed;\n"
         "  discrete Real x0(start=0), x1(start=0);  Boolean out(start=false);\n"
         "hfss\n"
         "  initial elapsed = r;\n"
         "  timeToInput = r;\n"
         "  timeToOutput = if out then 0 else infinity;\n"
         "  transition\n"
         "    if not out then x1 := x0; x0 := x; out := true; else out := false; end if;\n"
         "  end transition;\n"
         "  y = x0 + elapsed*(x0 - x1)/r;\n"
         "end Proportional;\n"
         "partial atomic Q = P(k=1);\n"
         "atomic extends R hfss transition = 2; end R;\n";

static const char sample_names
    [] = "model N\n"
         "  Real state, step, event, dynamic, atomic, history(start=1), transition, action, deep, "
         "on, to, sfc, hfss, statechart;\n"
         "  dynamic d; dynamic d2[3]; dynamic.A d3; atomic a \"x\"; atomic a2 = 1; atomic a3, a4; "
         "sfc s(k=1); statechart t;\n"
         "  event u; hfss h; state.A v; input event i; output event o(k=1); transition tr; step "
         "st[2]; entry en; exit ex;\n"
         "  atomic a5 if b; replaceable atomic a6 constrainedby C; statechart t2 = 3; sfc s2 "
         "\"c\"; M after, do, default, "
         "priority;\n"
         "equation\n"
         "  state = step + event; transition(x); statechart.x = 3; statechart = 1; sfc = 2; atomic "
         "= dynamic; hfss = 1;\n"
         "  entry = exit; do = default; event(x);\n"
         "algorithm\n"
         "  state := 1; step := 2; exit(1); during := 2; action(x);\n"
         "end N;\n"
         "function state input Real event; output Real step; algorithm step := event; end state;\n"
         "package statechart package sfc end sfc; end statechart;\n";

/* ---- tests: what is read ---- */

static void round_trips(void **state) {
  Fixture *f = fixture(state);
  round_trip(f, sample_classes);
  round_trip(f, sample_equations);
  round_trip(f, sample_extensions);
  round_trip(f, sample_names);
  round_trip(f, "");
  round_trip(f, "within;");
  round_trip(f, "\xEF\xBB\xBFmodel B\r\n  Real x \"a\r\nb\";\r\nend B;\r\n");
}

static void tree_of_a_model(void **state) {
  Fixture *f = fixture(state);
  dumps(f, "model M Real x(start=1); equation der(x) = -x*2; end M;",
        "(file\n  (model M\n    (component Real x (mod (mod start (value 1))))\n    (equation\n    "
        "  (= (call der x) (neg (* x "
        "2))))))\n");
  dumps(f, "within A; type T = enumeration(a, b);",
        "(file (within A)\n  (type T enumeration (literal a) (literal b)))\n");
}

static void elements(void **state) {
  Fixture *f = fixture(state);
  AstClass *c = read_good(f, "model M protected parameter Real[2] x[3], y; public flow discrete "
                             "input T z if b; end M;")
                    ->classes[0];
  assert_int_equal(c->n_elements, 3);
  const AstElement *x = c->elements[0], *y = c->elements[1], *z = c->elements[2];
  assert_int_equal(x->visibility, VIS_PROTECTED);
  assert_int_equal(x->variability, VAR_PARAMETER);
  assert_int_equal(x->n_dims, 2);
  assert_int_equal(x->dims[0]->integer, 3);
  assert_int_equal(x->dims[1]->integer, 2);
  assert_int_equal(x->n_type_dims, 1);
  assert_true(x->first_of_clause && !y->first_of_clause);
  assert_int_equal(y->n_dims, 1);
  assert_ptr_equal(x->path, y->path);
  assert_true(z->visibility == VIS_PUBLIC && z->flow == FLOW_FLOW &&
              z->variability == VAR_DISCRETE && z->direction == DIR_INPUT);
  assert_non_null(z->condition);
}

static void extensions(void **state) {
  Fixture *f = fixture(state);
  AstFile *file = read_good(f, sample_extensions);
  assert_int_equal(file->n_classes, 4);
  const AstClass *c = file->classes[0];
  assert_true(c->elements[9]->dynamic && !c->elements[8]->dynamic);
  assert_true(c->elements[12]->event && !c->elements[13]->event);
  assert_int_equal(c->n_sections, 4);
  const AstState *motion = &c->sections[0].chart->root, *p = c->sections[1].chart->root.states[0];
  assert_int_equal(motion->n_states, 2);
  assert_true(motion->states[0]->initial && motion->states[0]->n_equations == 4);
  assert_int_equal(motion->states[1]->n_elements, 2);
  assert_int_equal(motion->transitions[0].reaction.n_body, 2);
  assert_true(p->parallel && p->n_states == 4 && p->n_events == 1 && p->n_histories == 2 &&
              p->histories[1].deep);
  assert_int_equal(p->states[3]->n_entry, 3);
  assert_int_equal(p->states[3]->n_during, 3);
  assert_int_equal(p->transitions[0].reaction.n_triggers, 4);
  assert_int_equal(p->transitions[0].priority, 3);
  const AstState *recipe = &c->sections[3].chart->root;
  assert_int_equal(recipe->states[1]->n_actions, 2);
  assert_int_equal(recipe->transitions[0].n_to, 2);
  const AstSection *hfss = &file->classes[1]->sections[0];
  assert_true(file->classes[1]->kind == CLASS_ATOMIC && hfss->kind == SECTION_HFSS && hfss->n == 5);
  assert_true(hfss->equations[0]->kind == EQN_HFSS && hfss->equations[0]->hfss == HFSS_INITIAL);
  assert_int_equal(hfss->equations[3]->hfss, HFSS_TRANSITION);
}

static void extension_words_are_names(void **state) {
  Fixture *f = fixture(state);
  AstFile *file = read_good(f, sample_names);
  assert_int_equal(file->n_classes, 3);
  const AstClass *c = file->classes[0];
  assert_int_equal(c->n_sections, 2);
  assert_int_equal(c->n_elements, 40);
  for (uint32_t i = 0; i < c->n_elements; i++)
    assert_true(c->elements[i]->kind == AST_COMPONENT && !c->elements[i]->dynamic &&
                !c->elements[i]->event);
}

static void literals(void **state) {
  Fixture *f = fixture(state);
  static const struct {
    const char *text;
    double value;
  } reals[] = {{"1.0", 1},
               {"13.", 13},
               {"13E0", 13},
               {".13E2", 13},
               {"1e-3", 1e-3},
               {"0.1", 0.1},
               {"1e22", 1e22},
               {"1e23", 1e23},
               {"2.2250738585072014e-308", 2.2250738585072014e-308},
               {"5e-324", 5e-324},
               {"123456789012345678901234567890.", 123456789012345678901234567890.},
               {"0.30000000000000004", 0.30000000000000004},
               {"9007199254740993.0", 9007199254740993.0},
               {"1e-400", 0}};
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
    AstExp *e = expression(f, reals[i].text);
    assert_int_equal(e->kind, AST_REAL);
    assert_memory_equal(&e->real, &reals[i].value, sizeof e->real);
    Text out = {.arena = f->a};
    syntax_print_exp(e, &out);
    AstExp *again = expression(f, text_str(&out));
    assert_true(again->kind == AST_REAL && again->real == e->real);
  }
  assert_int_equal(expression(f, "9223372036854775807")->integer, INT64_MAX);
  assert_string_equal(expression(f, "\"\\a\\b\\f\\n\\r\\t\\v\\\\\\\"\\'\\?\"")->string,
                      "\a\b\f\n\r\t\v\\\"'?");
  assert_string_equal(expression(f, "\"\"")->string, "");
  assert_string_equal(expression(f, "'a b\\'c\\?\\\"'")->ref->parts[0].name, "'a b\\'c?\"'");
  assert_ptr_equal(expression(f, "'\\?'")->ref->parts[0].name,
                   expression(f, "'?'")->ref->parts[0].name);
  assert_ptr_not_equal(expression(f, "'x'")->ref->parts[0].name,
                       expression(f, "x")->ref->parts[0].name);
}

static void a_comma_locale_changes_nothing(void **state) {
  Fixture *f = fixture(state);
  if (!setlocale(LC_ALL, "de_DE.UTF-8"))
    return;
  bool right = expression(f, "2.5")->real == 2.5 &&
               expression(f, "1.2345678901234567890123e-30")->real == 1.2345678901234567890123e-30;
  setlocale(LC_ALL, "C");
  assert_true(right);
}

static void precedence(void **state) {
  Fixture *f = fixture(state);
  prints(f, "a+b*c^d", "a + b*c^d");
  prints(f, "(a+b)*c", "(a + b)*c");
  prints(f, "a-(b-c)", "a - (b - c)");
  prints(f, "-a*b", "-a*b");
  prints(f, "not a and b or c", "not a and b or c");
  prints(f, "2 .*x", "2 .* x");
  prints(f, "if a then b else if c then d else e", "if a then b elseif c then d else e");
  prints(f, "1:2:n", "1:2:n");
  AstExp *e = expression(f, "-a*b + c");
  assert_true(e->op == AST_ADD && e->a->kind == AST_UNARY && e->a->a->op == AST_MUL);
  e = expression(f, "2.*x"); /* the longest token wins: 2. * x */
  assert_true(e->op == AST_MUL && e->a->kind == AST_REAL);
  e = expression(f, "not a == b");
  assert_true(e->kind == AST_UNARY && e->a->op == AST_EQ);
  e = expression(f, "a - b - c");
  assert_true(e->op == AST_SUB && e->a->op == AST_SUB);
  /* trees that no text gave: parentheses come where they are needed */
  AstExp *sum = expression(f, "a + b");
  AstExp product = {.kind = AST_BINARY, .op = AST_MUL, .a = sum, .b = sum};
  Text out = {.arena = f->a};
  syntax_print_exp(&product, &out);
  assert_string_equal(text_str(&out), "(a + b)*(a + b)");
}

static void spans(void **state) {
  Fixture *f = fixture(state);
  AstClass *c = read_good(
                    f, "model M\n  Real x[3](start=1) \"c\";\nequation\n  (a) + b = f(1);\nend M;")
                    ->classes[0];
  const char *text = f->source->text - 0;
#define TEXT_OF(span)                                                                              \
  arena_strndup(f->a, text + ((span).lo - f->source->base), (span).hi - (span).lo)
  assert_string_equal(TEXT_OF(c->elements[0]->span), "x[3](start=1) \"c\"");
  assert_string_equal(TEXT_OF(c->elements[0]->path->span), "Real");
  assert_string_equal(TEXT_OF(c->name_span), "M");
  const AstEquation *e = c->sections[0].equations[0];
  assert_string_equal(TEXT_OF(e->span), "(a) + b = f(1)");
  assert_string_equal(TEXT_OF(e->lhs->span), "(a) + b");
  assert_string_equal(TEXT_OF(e->lhs->a->span), "(a)");
  assert_string_equal(TEXT_OF(e->rhs->span), "f(1)");
  assert_string_equal(TEXT_OF(c->span),
                      "model M\n  Real x[3](start=1) \"c\";\nequation\n  (a) + b = f(1);\nend M");
#undef TEXT_OF
}

static void different_trees_differ(void **state) {
  Fixture *f = fixture(state);
  static const char *const pairs[][2] = {
      {"model M Real x; end M;", "model M Real y; end M;"},
      {"model M Real x; end M;", "model M Integer x; end M;"},
      {"model M Real x = 1; end M;", "model M Real x = 1.0; end M;"},
      {"model M equation a = b; end M;", "model M equation a = (b); end M;"},
      {"model M equation a = b; end M;", "model M initial equation a = b; end M;"},
      {"model M Real x \"a\"; end M;", "model M Real x; end M;"},
      {"within A; model M end M;", "model M end M;"},
      {"model M Real a, b; end M;", "model M Real a; Real b; end M;"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    assert_false(syntax_equal(read_good(f, pairs[i][0]), read_good(f, pairs[i][1])));
}

/* ---- tests: messages ---- */

static void single_errors(void **state) {
  Fixture *f = fixture(state);
  expect(f, "model A\n  Real x\nend A;", "P010 2:9");
  expect(f, "model A Real x; Real y z; end A;", "P010 1:23");
  expect(f, "model A\nend B;", "P011 2:5");
  expect(f, "model A\n  Real end;\nend A;", "P014 2:8");
  expect(f, "model A\n  Real in = 2;\nend A;", "P014 2:8");
  expect(f, "model model\n  Real x; end model;", "P014 1:7");
  expect(f, "model A\n  Real\nend A;", "P010 2:7");
  expect(f, "model A\n  model B\n    Real x;\nend A;", "P011 4:5");
  expect(f, "model A equation\n  if a then\n    b = 1;\nend A;", "P010 4:5");
  expect(f, "model A equation\n  for i loop\n    if a then b = 1;\n  end for;\nend A;", "P010 4:7");
  expect(f, "model A equation\n  if a then b = 1; end when;\nend A;", "P010 2:24");
  expect(f, "model A equation\n  for i loop if a then b = 1;\nend A;", "P010 3:5");
  expect(f, "model A model B model C\nend A;", "P011 2:5");
  expect(f, "model A equation if a then for k loop z = 1; end f; end if; end A;", "P010 1:50");
  expect(f, "model A equation x = 1; end if; y = 2; end A;", "P010 1:25");
  expect(f, "model A x = 1; y = 2; z = 3; end A;", "P010 1:9");
  expect(f, "model A equation x = [1 2; 3, 4; 5, 6]; y = 1; end A;", "P010 1:25");
  expect(f, "model A equation x = f(a=1, 2); end A;", "P010 1:29");
  expect(f, "model A algorithm x = 1; end A;", "P010 1:21");
  expect(f, "model A equation x := 1; end A;", "P010 1:20");
  expect(f, "model A equation x = a*-b; end A;", "P010 1:24");
  expect(f, "model A equation x = a < b < c; end A;", "P010 1:28");
  expect(f, "model A equation x = if a then b; end A;", "P010 1:33");
  expect(f, "model A equation if x = 1 then y = 2; end if; z = 3; end A;", "P010 1:23");
  expect(f, "model A parameter flow Real x; end A;", "P010 1:19");
  expect(f, "model 3A Real x; end A;", "P010 1:7");
  expect(f, "model model A Real x; extends extends B; end A;", "P010 1:7, P010 1:31");
  expect(f, "garbage 1 2\nmodel A end A;", "P010 1:1");
  expect(f, "model A statechart c state B transition B to C; end D; end c; end A;", "P011 1:53");
  expect(f, "model A sfc c step s action x(N end s; end c; end A;", "P010 1:33");
}

static void lexical_errors(void **state) {
  Fixture *f = fixture(state);
  expect(f, "model A Real x = \xC2\xA7 3; end A;", "P001 1:18");
  expect(f, "model A Real x = 3 \xC2\xA7 2; Real y z; end A;", "P001 1:20, P010 1:31");
  expect(f, "model A equation 'a b = 2; y = ; end A;", "P002 1:18, P010 1:32");
  expect(f, "model A Real x = 1 $ $ + 3; end A;", "P001 1:20, P001 1:22");
  expect(f, "model A \"\xFF\" end A;", "P004 1:10");
  expect(f, "model A Real x \"open; end A;\n\n", "P002 1:16");
  expect(f, "model A /* open", "P002 1:9");
  expect(f, "model A Real 'open;\n Real x; end A;", "P002 1:14");
  expect(f, "model A Real x = 1e; end A;", "P003 1:18");
  expect(f, "model A Real x = 1e999; end A;", "P003 1:18");
  expect(f, "model A Real x = 9223372036854775808; end A;", "P003 1:18");
  expect(f, "model A Real x \"a\\qb\"; end A;", "P013 1:18");
  assert_null(expression(f, "1 +"));
  assert_null(expression(f, "1 2"));
  assert_null(expression(f, "\"a"));
  assert_non_null(expression(f, "{1, 2}"));
  read_n(f, "model A\0 end A;", 15);
  assert_string_equal(found(f), "P001 1:8");
}

static void messages(void **state) {
  Fixture *f = fixture(state);
  expect_message(f, "model A equation x = 1 end A;",
                 "expected `;` after this equation, found `end`");
  expect_message(f, "model A Real x = (1; end A;", "expected `)`, found `;`");
  expect_message(f, "model A Real end; end A;",
                 "`end` is a keyword and cannot be used as the name of a component");
  expect_message(f, "model A end B;", "expected `end A`, found `end B`");
  assert_int_equal(diags_at(f->diags, 0)->n_labels, 1);
  assert_int_equal(diags_at(f->diags, 0)->labels[0].span.lo, f->source->base + 6);
  expect_message(f, "model A Real x",
                 "expected `;` after this declaration, found the end of the text");
  expect_message(f, "model A", "expected `end A`, found the end of the text");
  assert_int_equal(diags_at(f->diags, 0)->code, D_P012);
}

/* Independent errors are all reported, and nothing else. */
static void recovery(void **state) {
  Fixture *f = fixture(state);
  expect(f,
         "model A\n  Real x\n  Real y;\n  parameter Real p = (1 + 2;\nequation\n  x = 1;\n  y = 2 "
         "* ;\nend A;",
         "P010 2:9, P010 4:28, P010 7:11");
  expect(f, "model A\n  Real x = ;\n  Real y z;\n  Real 1;\nend A;",
         "P010 2:12, P010 3:9, P010 4:8");
  expect(f,
         "package P\n  model B\n  equation\n    for i in 1:3 lop\n      y[i] = 2;\n    end for;\n"
         "    when x > 1 then\n      x = = 3;\n    end when;\n  end C;\nend P;",
         "P010 4:18, P010 8:11, P011 10:7");
  expect(f, "model A equation\n  connect(a b);\n  x = f(1, ;\n  y = {1, 2;\nend A;",
         "P010 2:13, P010 3:12, P010 4:12");
  expect(f, "function A algorithm\n  x = 1;\n  y := ;\n  if z then x := 1 end if;\nend A;",
         "P010 2:5, P010 3:8, P010 4:19");
  expect(f,
         "model A\nstatechart c\n  state S equation x = ; end S;\n  transition S T;\n  foo;\nend "
         "c;\nend A;",
         "P010 3:24, P010 4:16, P010 5:3");
  expect(f, "model A end B;\nmodel C Real; end C;\nmodel D extends ; end D;",
         "P011 1:13, P010 2:13, P010 3:17");
  expect(f,
         "model A\n  Real x annotation(Icon(a=1 b=2));\n  import A.;\n  type E = enumeration(a "
         "b);\nend A;",
         "P010 2:30, P010 3:12, P010 4:26");
}

static void the_tree_keeps_what_could_be_read(void **state) {
  Fixture *f = fixture(state);
  AstFile *file = read_text(
      f, "model A Real x; Real = 2; Real y; equation x = 1; y = ; z = 3; end A; model B end B;");
  assert_int_equal(diags_count(f->diags), 2);
  assert_int_equal(file->n_classes, 2);
  assert_int_equal(file->classes[0]->n_elements, 2);
  assert_int_equal(file->classes[0]->sections[0].n, 2);
}

static void many_errors_stop(void **state) {
  Fixture *f = fixture(state);
  read_text(f, repeated(f, "model A equation\n", "x = ;\n", 5000, "end A;"));
  assert_int_equal(diags_count(f->diags), 100);
  read_text(f, repeated(f, "", "$ ", 5000, ""));
  assert_true(diags_count(f->diags) <= 101);
}

/* ---- tests: limits ---- */

static void nested(Fixture *f, const char *before, const char *open, const char *middle,
                   const char *close, const char *after) {
  char *front = repeated(f, before, open, 100000, middle);
  read_text(f, repeated(f, front, close, 100000, after));
  assert_int_equal(diags_count(f->diags), 1);
  assert_int_equal(diags_at(f->diags, 0)->code, D_P015);
  front = repeated(f, before, open, 300, middle);
  round_trip(f, repeated(f, front, close, 300, after));
}

static void deep_nesting(void **state) {
  Fixture *f = fixture(state);
  nested(f, "model A Real x = ", "(", "1", ")", "; end A;");
  nested(f, "model A Real x = ", "-(", "1", ")", "; end A;");
  nested(f, "model A Real x = ", "f(", "1", ")", "; end A;");
  nested(f, "model A Real x = ", "{", "1", "}", "; end A;");
  nested(f, "model A Real x = ", "[", "1", "]", "; end A;");
  nested(f, "model A Real x = ", "x[", "1", "]", "; end A;");
  nested(f, "model A Real x = ", "if a then ", "1", " else 2", "; end A;");
  nested(f, "model A Real x", "(x", "", ")", "; end A;");
  nested(f, "", "model A ", "", "end A; ", "");
  nested(f, "model A equation ", "if a then ", "x = 1;", " end if;", " end A;");
  nested(f, "model A algorithm ", "for a loop ", "x := 1;", " end for;", " end A;");
  nested(f, "model A statechart c ", "state s ", "", "end s; ", "end c; end A;");
  read_text(f, repeated(f, "model A Real x = ", "(", 100000, ""));
  assert_string_equal(found(f), "P015 1:1017");
  read_text(f, repeated(f, "model A Real x = ", "- ", 100000, "1; end A;"));
  assert_int_equal(diags_count(f->diags), 1);
}

static void long_chains(void **state) {
  Fixture *f = fixture(state);
  static const char *const chains[] = {"1 + ", "a*b - ", "a and ", "if a then b else "};
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    round_trip(f, repeated(f, "model A Real x = ", chains[i], i == 3 ? 900 : 2400, "1; end A;"));
    read_text(f, repeated(f, "model A Real x = ", chains[i], 100000, "1; end A;"));
    assert_int_equal(diags_count(f->diags), 1);
    assert_int_equal(diags_at(f->diags, 0)->code, D_P015);
  }
  round_trip(
      f, repeated(f, "model A Real x = if a then b ", "elseif c then d ", 4000, "else e; end A;"));
  read_text(f, repeated(f, "model A Real x = if a then b ", "elseif c then d ", 100000,
                        "else e; end A;"));
  assert_int_equal(diags_at(f->diags, 0)->code, D_P015);
  read_good(f, repeated(f, "model A equation if a then ", "b = 1; elseif c then ", 100000,
                        "end if; end A;"));
  read_good(f, repeated(f, "model A equation x = {0", ", 1", 100000, "}; end A;"));
  read_good(f, repeated(f, "model A equation x = a", ".b", 100000, "; end A;"));
  /* a tree that is high because chains stand in chains */
  char *inner = repeated(f, "", "1 + ", 90, "");
  char *all = repeated(f, "model A Real x = ", "(", 100, "1");
  read_text(f, repeated(f, all, repeated(f, " + ", inner, 1, "1)"), 100, "; end A;"));
  assert_int_equal(diags_count(f->diags), 1);
  assert_int_equal(diags_at(f->diags, 0)->code, D_P015);
}

static void truncated(Fixture *f, const char *text) {
  size_t n = strlen(text);
  for (size_t i = 0; i < n; i++) {
    mem_drop_since(&f->mem, NULL);
    f->a = arena_new(&f->mem);
    f->sources = sources_new(f->a);
    f->names = interner_new(f->a);
    AstFile *file = read_n(f, arena_strndup(f->a, text, i), i);
    Text out = {.arena = f->a};
    syntax_dump(file, &out);
    syntax_print(file, &out);
    if (diags_count(f->diags) > 3)
      show(f);
    assert_true(diags_count(f->diags) <= 3); /* half a token, what it seems to be, the end */
  }
}

static void truncation(void **state) {
  Fixture *f = fixture(state);
  truncated(f, sample_classes);
  truncated(f, sample_equations);
  truncated(f, sample_extensions);
  truncated(f, sample_names);
}

static void small_memory(void **state) {
  Fixture *f = fixture(state);
  for (size_t k = 1; k < 30; k++) {
    mem_drop_since(&f->mem, NULL);
    f->mem.fail_at = k;
    if (setjmp(f->recover))
      continue;
    f->a = arena_new(&f->mem);
    f->sources = sources_new(f->a);
    f->names = interner_new(f->a);
    read_good(f, sample_equations);
    f->mem.fail_at = 0;
  }
  f->mem.fail_at = 0;
  mem_drop_since(&f->mem, NULL);
  assert_int_equal(f->mem.used, 0);
}

/* ---- tests: views ---- */

static void formats(Fixture *f, const char *text, const char *expected) {
  read_good(f, text);
  Text out = {.arena = f->a};
  assert_true(syntax_format(f->source, f->names, f->a, f->diags, &out));
  assert_string_equal(text_str(&out), expected);
}

static void formatting(void **state) {
  Fixture *f = fixture(state);
  formats(f,
          "model M\nReal x( start =1 ,fixed= true ) ;  // one\n\n\n\nequation\nif x>0 then\nder( x "
          ")=-x * 2+y "
          ";\nelse\nx=[1,2;3 ,4] ;\nend if ;\n// last\nend M ;\n",
          "model M\n  Real x(start=1, fixed=true); // one\n\nequation\n  if x > 0 then\n    der(x) "
          "= -x*2 + y;\n  else\n"
          "    x = [1, 2; 3, 4];\n  end if;\n  // last\nend M;\n");
  formats(f,
          "model M annotation(Icon(graphics={\nLine(points={{0,1}}),\nText()\n}),\nx=1);\nend M;",
          "model M annotation(Icon(graphics={\n  Line(points={{0, 1}}),\n  Text()\n}),\n  "
          "x=1);\nend M;\n");
  formats(f, "/* head */model M\nReal x\n\"c\"\nannotation(y);\nend M;",
          "/* head */ model M\n  Real x\n    \"c\"\n    annotation(y);\nend M;\n");
  formats(f, "model M\nimport A . *; Real y=a .* b+x[ : ,end-1];\nend M;",
          "model M\n  import A.*; Real y = a .* b + x[:, end - 1];\nend M;\n");
  formats(f, "model M\nstatechart c\nstate S\nReal x;\nentry\nx:=1;\nend S;\nend c;\nend M;",
          "model M\nstatechart c\n  state S\n    Real x;\n    entry\n      x := 1;\n  end S;\nend "
          "c;\nend M;\n");
  formats(f, "", "");
  Text out = {.arena = f->a};
  read_text(f, "model M Real x end M;");
  assert_false(syntax_format(f->source, f->names, f->a, f->diags, &out));
  assert_int_equal(out.n, 0);
}

static void token_view(void **state) {
  Fixture *f = fixture(state);
  read_text(f, "model M\n x <= 'a' 1.5 \"s\\n\" .* // c");
  f->diags = diags_new(f->a, f->sources);
  Text out = {.arena = f->a};
  syntax_dump_tokens(f->source, f->names, f->a, f->diags, &out);
  assert_string_equal(text_str(&out),
                      "1:1 model\n1:7 name M\n2:2 name x\n2:4 <=\n2:7 name 'a'\n2:11 real 1.5\n"
                      "2:15 string \"s\n\"\n2:21 .*\n2:28 end\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trips),
      cmocka_unit_test(tree_of_a_model),
      cmocka_unit_test(elements),
      cmocka_unit_test(extensions),
      cmocka_unit_test(extension_words_are_names),
      cmocka_unit_test(literals),
      cmocka_unit_test(a_comma_locale_changes_nothing),
      cmocka_unit_test(precedence),
      cmocka_unit_test(spans),
      cmocka_unit_test(different_trees_differ),
      cmocka_unit_test(single_errors),
      cmocka_unit_test(lexical_errors),
      cmocka_unit_test(messages),
      cmocka_unit_test(recovery),
      cmocka_unit_test(the_tree_keeps_what_could_be_read),
      cmocka_unit_test(many_errors_stop),
      cmocka_unit_test(deep_nesting),
      cmocka_unit_test(long_chains),
      cmocka_unit_test(truncation),
      cmocka_unit_test(small_memory),
      cmocka_unit_test(formatting),
      cmocka_unit_test(token_view),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
