/* tests/unit/test_flat.c -- flat models: printing, counting, balance, repeated equations, discrete
 * checks. */
#include "flat_fixture.h"

static int set_up(void **state) {
  *state = flat_fix_new();
  return 0;
}

static int tear_down(void **state) {
  flat_fix_free(*state);
  return 0;
}

static const char *printed(FlatFix *f, bool origin) {
  Text t = {.arena = f->arena};
  flat_print(f->m, f->diags, origin, &t);
  return text_str(&t);
}

/* ---- printing ---- */

static void prints_variables(void **state) {
  FlatFix *f = *state;
  FlatModel *m = f->m;
  m->name = "A.B.Drive";
  m->comment = "a \"drive\"";
  uint32_t r = flat_add_var(m, f->arena, "r1.R", real_type(f)),
           x = flat_add_var(m, f->arena, "x[2]", real_type(f));
  uint32_t odd = flat_add_var(m, f->arena, "a.'it\\'s'.b", type_scalar(f->pool, TY_BOOLEAN));
  uint32_t quoted = flat_add_var(m, f->arena, "'p.q'", type_scalar(f->pool, TY_INTEGER));
  uint32_t y = flat_add_var(m, f->arena, "y", real_type(f));
  m->vars.at[r].variability = FLAT_PARAMETER;
  m->vars.at[r].unit = "Ohm";
  m->vars.at[r].start = expr_real(f->pool, 1);
  m->vars.at[r].binding = expr_real(f->pool, 100);
  m->vars.at[r].comment = "resistance";
  m->vars.at[r].structural = m->vars.at[r].is_final = true;
  m->vars.at[x].select = SELECT_PREFER;
  m->vars.at[x].fixed = expr_boolean(f->pool, true);
  m->vars.at[x].min = expr_real(f->pool, -2);
  m->vars.at[x].nominal = flat_var_expr(m, r);
  m->vars.at[odd].variability = FLAT_DISCRETE;
  m->vars.at[odd].is_protected = true;
  m->vars.at[quoted].variability = FLAT_CONSTANT;
  m->vars.at[quoted].binding = expr_integer(f->pool, 3);
  m->vars.at[quoted].is_protected = true;
  m->vars.at[y].causality = CAUSE_OUTPUT;
  m->vars.at[y].variability = FLAT_DISCRETE;
  m->experiment = (FlatExperiment){
      .start = 0, .stop = 2.5, .tolerance = 1e-6, .interval = 0.001, .given = true};
  assert_string_equal(printed(f, false),
                      "model 'A.B.Drive' \"a \\\"drive\\\"\"\n"
                      "  final parameter Real 'r1.R'(unit = \"Ohm\", start = 1.0) = 100.0 "
                      "\"resistance\" annotation(__NuSim_structural = true);\n"
                      "  Real 'x[2]'(min = -2.0, fixed = true, nominal = 'r1.R', stateSelect = "
                      "StateSelect.prefer);\n"
                      "protected\n"
                      "  Boolean 'a.\\'it\\\\\\'s\\'.b';\n"
                      "  constant Integer 'p.q' = 3;\n"
                      "public\n"
                      "  discrete output Real y;\n"
                      "  annotation(experiment(StartTime = 0, StopTime = 2.5, Tolerance = 1e-06, "
                      "Interval = 0.001));\n"
                      "end 'A.B.Drive';\n");
}

static void prints_equations_with_origin(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real x\nReal y\nReal h\nBoolean b\ndiscrete Real d\n"
                "der(x) = -x + y\n"
                "if b\n  y = 1\nelse\n  y = x\nend\n"
                "when time > 1\n  d = pre(d) + 1\n  reinit x 0\nelsewhen b\n  d = 2\nend\n"
                "b = x > 2 and not (h < 0)\n"
                "h = 3");
  vec_push(f->arena, &f->m->origins, (FlatOrigin){"tank.valve", "Valve", 0});
  f->m->equations.at[0]->origin = 1;
  FlatEquation *assertion = flat_equation(f->arena, FEQ_ASSERT, (Span){0, 0});
  assertion->lhs = expr_of(f, "x < 5");
  assertion->rhs = expr_string(f->pool, "too \"high\"\n");
  assertion->level = expr_integer(f->pool, 1);
  vec_push(f->arena, &f->m->equations, assertion);
  FlatEquation *initial = flat_equation(f->arena, FEQ_EQUAL, (Span){0, 0});
  initial->lhs = expr_of(f, "x");
  initial->rhs = expr_of(f, "2*h");
  vec_push(f->arena, &f->m->initial, initial);
  assert_string_equal(printed(f, true),
                      "model Test\n"
                      "  Real x;\n"
                      "  Real y;\n"
                      "  Real h;\n"
                      "  Boolean b;\n"
                      "  discrete Real d;\n"
                      "initial equation\n"
                      "  x = 2.0*h;\n"
                      "equation\n"
                      "  der(x) = -x + y; // tank.valve: Test.mo:6\n"
                      "  if b then\n"
                      "    y = 1.0; // Test.mo:8\n"
                      "  else\n"
                      "    y = x; // Test.mo:10\n"
                      "  end if; // Test.mo:7\n"
                      "  when time > 1.0 then\n"
                      "    d = pre(d) + 1.0; // Test.mo:13\n"
                      "    reinit(x, 0); // Test.mo:14\n"
                      "  elsewhen b then\n"
                      "    d = 2.0; // Test.mo:16\n"
                      "  end when; // Test.mo:12\n"
                      "  b = x > 2.0 and not h < 0.0; // Test.mo:18\n"
                      "  h = 3.0; // Test.mo:19\n"
                      "  assert(x < 5.0, \"too \\\"high\\\"\\n\", AssertionLevel.warning);\n"
                      "end Test;\n");
}

static Stmt *assign(FlatFix *f, ExprId target, ExprId value) {
  Stmt *s = NEW(f->arena, Stmt);
  s->kind = STMT_ASSIGN;
  s->targets = NEW(f->arena, ExprId);
  s->targets[0] = target;
  s->n_targets = 1;
  s->value = value;
  return s;
}

static ExprId index_of(FlatFix *f, TypeId type, ExprId array, ExprId sub) {
  return expr_make(f->pool, OP_INDEX, type, 2, (ExprId[]){array, sub});
}

/* function Test.scale input Real u[:]; input Real k; output Real y[size(u, 1)]; output Real s; loop
 * over u */
static Func *scale_function(FlatFix *f) {
  ExprPool *p = f->pool;
  TypeId real = real_type(f), vector = type_array(p, real, 1, (int32_t[]){DIM_UNKNOWN});
  TypeId integer = type_scalar(p, TY_INTEGER);
  Func *g = NEW(f->arena, Func);
  g->name = "Test.scale";
  g->n_inputs = g->n_outputs = 2;
  g->n_vars = 4;
  g->n_locals = 5;
  g->vars = NEW_ARRAY(f->arena, FuncVar, 4);
  g->vars[0] = (FuncVar){.name = "u", .type = vector};
  g->vars[1] = (FuncVar){.name = "k", .type = real, .binding = expr_real(p, 2)};
  ExprId u = expr_local(p, vector, 0), y = expr_local(p, vector, 2), i = expr_local(p, integer, 4);
  ExprId *dims = NEW(f->arena, ExprId);
  dims[0] = expr_make(p, OP_SIZE, integer, 2, (ExprId[]){u, expr_integer(p, 1)});
  g->vars[2] = (FuncVar){.name = "y", .type = vector, .dims = dims};
  g->vars[3] = (FuncVar){.name = "i1", .type = real};
  g->result = type_tuple(p, 2, (TypeId[]){vector, real});
  Stmt *loop = NEW(f->arena, Stmt);
  loop->kind = STMT_FOR;
  loop->iterator = 4;
  loop->value = expr_make(p, OP_RANGE, type_array(p, integer, 1, (int32_t[]){DIM_UNKNOWN}), 3,
                          (ExprId[]){expr_integer(p, 1), expr_integer(p, 1), dims[0]});
  loop->branches = NEW(f->arena, StmtBranch);
  loop->n_branches = 1;
  loop->branches[0].body = NEW(f->arena, Stmt *);
  loop->branches[0].n = 1;
  loop->branches[0].body[0] = assign(
      f, index_of(f, real, y, i),
      expr_binary(p, OP_MUL, expr_local(p, real, 1), index_of(f, real, u, i)));
  g->body = NEW_ARRAY(f->arena, Stmt *, 2);
  g->body[0] = loop;
  g->body[1] = assign(f, expr_local(p, real, 3), expr_make(p, OP_SUM, real, 1, &y));
  g->n_body = 2;
  g->complete = g->inline_ = true;
  g->smooth_order = 1;
  vec_push(f->arena, &f->m->functions, g);
  return g;
}

static const char scale_text[] = "  function scale\n"
                                 "    input Real u[:];\n"
                                 "    input Real k = 2.0;\n"
                                 "    output Real y[size(u, 1)];\n"
                                 "    output Real i1;\n"
                                 "  algorithm\n"
                                 "    for i1_ in 1:size(u, 1) loop\n"
                                 "      y[i1_] := k*u[i1_];\n"
                                 "    end for;\n"
                                 "    i1 := sum(y);\n"
                                 "    annotation(Inline = true, smoothOrder = 1);\n"
                                 "  end scale;\n";

static void prints_functions_and_parts(void **state) {
  FlatFix *f = *state;
  ExprPool *p = f->pool;
  read_model(f, "Real a\nReal b\nReal c");
  Func *g = scale_function(f);
  TypeId pair = type_array(p, real_type(f), 1, (int32_t[]){2});
  ExprId a = expr_of(f, "a"), b = expr_of(f, "b"), c = expr_of(f, "c");
  ExprId array = expr_make(p, OP_ARRAY, pair, 2, (ExprId[]){a, b});
  TypeId result = type_tuple(p, 2, (TypeId[]){pair, real_type(f)});
  ExprId call = expr_make_ref(p, OP_CALL, result, g, 2, (ExprId[]){array, c});
  /* one scalar of the first result, and the whole with the first scalar ignored */
  FlatEquation *part = flat_equation(f->arena, FEQ_EQUAL, (Span){0, 0});
  part->lhs = a;
  part->rhs = expr_make_index(p, OP_PART, real_type(f), 1, 0, 1, &call);
  FlatEquation *tuple = flat_equation(f->arena, FEQ_TUPLE, (Span){0, 0});
  tuple->targets = NEW_ARRAY(f->arena, ExprId, 3);
  tuple->targets[1] = b;
  tuple->targets[2] = c;
  tuple->n_targets = 3;
  tuple->rhs = call;
  vec_push(f->arena, &f->m->equations, part);
  vec_push(f->arena, &f->m->equations, tuple);
  const char *expected = "  function 'scale.y[2]'\n"
                         "    input Real u[:];\n"
                         "    input Real k = 2.0;\n"
                         "    output Real part;\n"
                         "  protected\n"
                         "    Real y[size(u, 1)];\n"
                         "  algorithm\n"
                         "    y := scale(u, k);\n"
                         "    part := y[2];\n"
                         "    annotation(smoothOrder = 1);\n"
                         "  end 'scale.y[2]';\n"
                         "  function 'scale: (Real[2], Real)'\n"
                         "    input Real u[:];\n"
                         "    input Real k = 2.0;\n"
                         "    output Real 'y[1]';\n"
                         "    output Real 'y[2]';\n"
                         "    output Real i1;\n"
                         "  protected\n"
                         "    Real y[size(u, 1)];\n"
                         "  algorithm\n"
                         "    (y, i1) := scale(u, k);\n"
                         "    'y[1]' := y[1];\n"
                         "    'y[2]' := y[2];\n"
                         "  end 'scale: (Real[2], Real)';\n"
                         "  Real a;\n"
                         "  Real b;\n"
                         "  Real c;\n"
                         "equation\n"
                         "  a = 'scale.y[2]'({a, b}, c);\n"
                         "  (, b, c) = 'scale: (Real[2], Real)'({a, b}, c);\n"
                         "end Test;\n";
  assert_string_equal(printed(f, false),
                      arena_printf(f->arena, "model Test\n%s%s", scale_text, expected));
}

/* An enumeration, a record, a function that returns the record, an external object. */
static void prints_types_and_externals(void **state) {
  FlatFix *f = *state;
  ExprPool *p = f->pool;
  TypeDecl *color = NEW(f->arena, TypeDecl), *record = NEW(f->arena, TypeDecl),
           *table = NEW(f->arena, TypeDecl);
  *color = (TypeDecl){"Lib.Color", 2, (const char *[]){"red", "'dark blue'"}, NULL, NULL, NULL};
  *record = (TypeDecl){"Lib.Complex",
                       2,
                       (const char *[]){"re", "im"},
                       (TypeId[]){real_type(f), real_type(f)},
                       (const char *[]){"V", NULL},
                       NULL};
  *table = (TypeDecl){"Lib.Table", 0, NULL, NULL, NULL, NULL};
  TypeId enumeration = type_of_decl(p, TY_ENUM, color),
         object = type_of_decl(p, TY_EXTERNAL, table);
  vec_push(f->arena, &f->m->types, color);
  vec_push(f->arena, &f->m->types, record);
  Func conjugate = {.name = "Lib.conj",
                    .n_inputs = 1,
                    .n_outputs = 1,
                    .n_vars = 2,
                    .n_locals = 2,
                    .smooth_order = -1};
  Func constructor = {.name = "Lib.Table.constructor",
                      .n_inputs = 1,
                      .n_outputs = 1,
                      .n_vars = 2,
                      .n_locals = 2,
                      .smooth_order = -1};
  conjugate.vars = (FuncVar[]){{.name = "x", .type = type_of_decl(p, TY_RECORD, record)},
                               {.name = "y", .type = type_of_decl(p, TY_RECORD, record)}};
  conjugate.result = conjugate.vars[1].type;
  ExprId y = expr_local(p, conjugate.result, 1), x = expr_local(p, conjugate.result, 0);
  conjugate.external = "conj_of";
  conjugate.language = "C";
  conjugate.external_args = (ExprId[]){x, y};
  conjugate.n_external_args = 2;
  conjugate.libraries = (const char *[]){"m", "c"};
  conjugate.n_libraries = 2;
  conjugate.includes = (const char *[]){"#include \"c.h\""};
  conjugate.n_includes = 1;
  conjugate.impure = true;
  constructor.vars = (FuncVar[]){{.name = "n", .type = type_scalar(p, TY_INTEGER)},
                                 {.name = "t", .type = object}};
  constructor.external = "new_table";
  constructor.external_result = expr_local(p, object, 1);
  constructor.external_args = (ExprId[]){expr_local(p, type_scalar(p, TY_INTEGER), 0)};
  constructor.n_external_args = 1;
  vec_push(f->arena, &f->m->functions, &conjugate);
  vec_push(f->arena, &f->m->functions, &constructor);
  uint32_t e = flat_add_var(f->m, f->arena, "e", enumeration),
           t = flat_add_var(f->m, f->arena, "t", object);
  uint32_t a = flat_add_var(f->m, f->arena, "a", real_type(f)),
           b = flat_add_var(f->m, f->arena, "b", real_type(f));
  f->m->vars.at[e].variability = FLAT_DISCRETE;
  f->m->vars.at[e].start = expr_enum(p, enumeration, 2);
  ExprId three = expr_integer(p, 3);
  f->m->vars.at[t].variability = FLAT_PARAMETER;
  f->m->vars.at[t].binding = expr_make_ref(p, OP_CALL, object, &constructor, 1, &three);
  FlatEquation *tuple = flat_equation(f->arena, FEQ_TUPLE, (Span){0, 0});
  ExprId sides[2] = {flat_var_expr(f->m, a), flat_var_expr(f->m, b)};
  tuple->targets = sides;
  tuple->n_targets = 2;
  ExprId argument = expr_make(p, OP_RECORD, conjugate.result, 2,
                              (ExprId[]){sides[1], expr_real(p, 0)});
  tuple->rhs = expr_make_ref(p, OP_CALL, conjugate.result, &conjugate, 1, &argument);
  vec_push(f->arena, &f->m->equations, tuple);
  assert_string_equal(printed(f, false),
                      "model Test\n"
                      "  type 'Lib.Color' = enumeration(red, 'dark blue');\n"
                      "  record 'Lib.Complex'\n"
                      "    Real re(unit = \"V\");\n"
                      "    Real im;\n"
                      "  end 'Lib.Complex';\n"
                      "  class 'Lib.Table'\n"
                      "    extends ExternalObject;\n"
                      "    function constructor\n"
                      "      input Integer n;\n"
                      "      output 'Lib.Table' t;\n"
                      "    external \"C\" t = new_table(n);\n"
                      "    end constructor;\n"
                      "    // its destructor is not part of the flat model\n"
                      "  end 'Lib.Table';\n"
                      "  impure function 'Lib.conj'\n"
                      "    input 'Lib.Complex' x;\n"
                      "    output 'Lib.Complex' y;\n"
                      "  external \"C\" conj_of(x, y) annotation(Library = {\"m\", \"c\"}, Include "
                      "= \"#include \\\"c.h\\\"\");\n"
                      "  end 'Lib.conj';\n"
                      "  'Lib.Color' e(start = 'Lib.Color'.'dark blue');\n"
                      "  parameter 'Lib.Table' t = 'Lib.Table'(3);\n"
                      "  Real a;\n"
                      "  Real b;\n"
                      "equation\n"
                      "  'Lib.Complex'(a, b) = 'Lib.conj'('Lib.Complex'(b, 0.0));\n"
                      "end Test;\n");
}

static void prints_algorithms(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real x\nReal y\nx = 1\ny = x");
  FlatEquation *algorithm = flat_equation(f->arena, FEQ_ALGORITHM, (Span){0, 0});
  Stmt *when = NEW(f->arena, Stmt);
  when->kind = STMT_WHEN;
  when->branches = NEW(f->arena, StmtBranch);
  when->n_branches = 1;
  when->branches[0].condition = expr_of(f, "x > 1");
  when->branches[0].body = NEW(f->arena, Stmt *);
  when->branches[0].body[0] = assign(f, expr_of(f, "y"), expr_of(f, "x + 1"));
  when->branches[0].n = 1;
  algorithm->body = NEW_ARRAY(f->arena, Stmt *, 1);
  algorithm->body[0] = when;
  algorithm->n_body = 1;
  FlatEquation *last = f->m->equations.at[1];
  f->m->equations.at[1] = algorithm;
  vec_push(f->arena, &f->m->equations, last);
  assert_string_equal(printed(f, false),
                      "model Test\n  Real x;\n  Real y;\n"
                      "equation\n  x = 1.0;\n"
                      "algorithm\n  when x > 1.0 then\n    y := x + 1.0;\n  end when;\n"
                      "equation\n  y = x;\n"
                      "end Test;\n");
}

/* ---- counting ---- */

static void counts_sizes(void **state) {
  FlatFix *f = *state;
  read_model(f,
             "parameter Real p = 1\ninput Real u\nReal x\nReal y\nBoolean b\ndiscrete Real "
             "d\ndiscrete Real e\n"
             "der(x) = u - x\n"
             "if x > p\n  y = 1\nelse\n  y = noEvent(abs(x)) * 2\nend\n"
             "b = x > p or 2 < p or noEvent(y) > 3\n"
             "when x < 0\n  d = 1\n  e = 2\n  reinit x 1\nelsewhen y > 7\n  d = 2\n  e = 3\nend");
  FlatCounts c = flat_count(f->m);
  assert_int_equal(c.equations, 5);
  assert_int_equal(c.unknowns, 5);
  assert_int_equal(c.states_declared, 1);
  assert_int_equal(c.parameters, 1);
  assert_int_equal(c.relations, 4); /* x > p once, y > 3, x < 0, y > 7; not 2 < p */
  assert_int_equal(c.when_clauses, 1);
  assert_true(flat_check(f->m, f->arena, f->diags));
}

/* ---- balance ---- */

static const Diag *check_fails(FlatFix *f, DiagCode code) {
  assert_false(flat_check(f->m, f->arena, f->diags));
  const Diag *d = find_code(f, code);
  if (!d)
    fail_msg("expected %s, got:\n%s", diag_code_name(code), rendered(f));
  return d;
}

static void check_passes(FlatFix *f) {
  if (!flat_check(f->m, f->arena, f->diags) || diags_count(f->diags))
    fail_msg("unexpected:\n%s", rendered(f));
}

static void names_the_missing_equation(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real load.w\nReal load.tau\nReal motor.tau\nReal i\n"
                "2*der(load.w) = motor.tau - load.tau\n"
                "motor.tau = 3*i\n"
                "i = 1 - load.w");
  const Diag *d = check_fails(f, D_S101);
  assert_string_equal(d->message, "nothing determines `load.tau` (3 equations, 4 unknowns)");
  assert_int_equal(line_of(f, d->span), 2);
  assert_int_equal(d->n_labels, 1);
  assert_int_equal(line_of(f, d->labels[0].span), 5);
  assert_string_equal(d->labels[0].text, "used here, but this determines `der(load.w)`");
  assert_int_equal(diags_count(f->diags), 1);
}

static void names_what_nobody_mentions(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real x\nReal y\nReal z\nInteger n\nReal q\nx = y\ny = 1\nq = 2*n");
  const Diag *d = check_fails(f, D_S101);
  assert_string_equal(d->message, "nothing determines `z` (3 equations, 5 unknowns)");
  assert_string_equal(d->notes[0], "no equation mentions it");
  assert_int_equal(diags_count(f->diags), 2); /* q = 2*n does not determine the Integer n */
  assert_string_equal(diags_at(f->diags, 1)->message,
                      "nothing determines `n` (3 equations, 5 unknowns)");
}

static void names_competing_equations(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real x\nReal y\nReal z\nx = time\ny = x\ny = 2\nz = y");
  const Diag *d = check_fails(f, D_S103);
  assert_string_equal(d->message, "too many equations for `x` and `y` (4 equations, 3 unknowns)");
  assert_int_equal(line_of(f, d->span), 6);
  assert_int_equal(d->n_labels, 2);
  assert_int_equal(diags_count(f->diags), 1);
}

static void finds_both_sides_of_an_unbalance(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real x\nReal y\nReal z\nx = time\nx = 2\nz = y");
  assert_string_equal(check_fails(f, D_S103)->message,
                      "too many equations for `x` (3 equations, 3 unknowns)");
  assert_string_equal(find_code(f, D_S101)->message,
                      "nothing determines `y` (3 equations, 3 unknowns)");
}

/* Branches of different length: the longest must suffice, the shortest must not be too long. */
static void branches_may_differ(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real x\nReal v\nif time < 1\n  der(x) = v\n  der(v) = 1\nelse\n  x = 5\nend\n"
                "if time < 1\nelse\n  v = 0\nend");
  check_passes(f);
}

static void conditions_determine_nothing(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real x\nReal y\nBoolean b\nb = x > 1\ny = 2\ny = 3 + pre(x)");
  assert_non_null(check_fails(f, D_S101));
  assert_non_null(find_code(f, D_S103));
}

/* ---- repeated equations ---- */

static const char resistor_capacitor
    [] = "Real R.v\nReal R.i\nReal R.p.v unit=V\nflow Real R.p.i unit=A\n"
         "Real R.n.v unit=V\nflow Real R.n.i unit=A\nparameter Real R.R = 100\n"
         "Real C.v\nReal C.i\nReal C.p.v unit=V\nflow Real C.p.i unit=A\n"
         "Real C.n.v unit=V\nflow Real C.n.i unit=A\nparameter Real C.C = 1\n"
         "R.v = R.p.v - R.n.v\n0 = R.p.i + R.n.i\nR.i = R.p.i\nR.v = R.R*R.i\n"
         "C.v = C.p.v - C.n.v\n0 = C.p.i + C.n.i\nC.i = C.p.i\nC.i = C.C*der(C.v)\n"
         "alias R.p.v = C.p.v\nsum R.p.i + C.p.i = 0\nalias R.n.v = C.n.v\n";

/* The equations of the components come from the components. */
static void set_origins(FlatFix *f) {
  vec_push(f->arena, &f->m->origins, (FlatOrigin){"R", "Resistor", 0});
  for (uint32_t i = 0; i < f->m->equations.n; i++)
    if (f->m->equations.at[i]->from == FROM_EQUATION)
      f->m->equations.at[i]->origin = 1;
}

static void finds_a_missing_ground(void **state) {
  FlatFix *f = *state;
  read_model(f, arena_printf(f->arena, "%ssum R.n.i + C.n.i = 0\n", resistor_capacitor));
  set_origins(f);
  const Diag *d = check_fails(f, D_S102);
  assert_string_equal(
      d->message, "this equation repeats what line 24 already says (12 equations, 12 unknowns)");
  assert_int_equal(line_of(f, d->span), 26);
  assert_string_equal(d->help,
                      "electrical island {R, C} has no reference potential; connect a `Ground`");
  assert_string_equal(d->labels[0].text, "gives `R.p.i + C.p.i = 0.0`");
  assert_string_equal(d->labels[3].text,
                      "gives `R.n.i + C.n.i = 0.0`, so potentials `R.p.v` and `R.n.v` stay free");
  assert_int_equal(diags_count(f->diags), 1);
}

static void accepts_a_ground(void **state) {
  FlatFix *f = *state;
  read_model(f, arena_printf(f->arena,
                             "Real G.p.v unit=V\nflow Real G.p.i unit=A\n%s"
                             "G.p.v = 0\nalias R.n.v = G.p.v\nsum R.n.i + C.n.i + G.p.i = 0\n",
                             resistor_capacitor));
  check_passes(f);
}

static void finds_repeated_sums(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real a\nReal b\na + b = 1\n2*a + 2*b = 2");
  assert_string_equal(check_fails(f, D_S102)->message,
                      "this equation repeats what line 3 already says (2 equations, 2 unknowns)");
}

static void finds_contradictions(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real a\nReal b\nReal c\na = b + 1\nb = c\nc = a");
  assert_string_equal(
      check_fails(f, D_S102)->message,
      "this equation contradicts what 2 others already say together (3 equations, 3 unknowns)");
}

static void accepts_independent_sums(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real a\nReal b\nReal c\nparameter Real p = 2\n"
                "a + b + c = 1\na - b = time\np*a + b + c = 2");
  check_passes(f);
}

/* ---- discrete ---- */

static void finds_two_whens_for_one_variable(void **state) {
  FlatFix *f = *state;
  read_model(f, "discrete Real x\nwhen time > 1\n  x = 1\nend\nwhen time > 2\n  x = 2\nend");
  const Diag *d = check_fails(f, D_S104);
  assert_string_equal(d->message, "`x` is already determined by the when-clause of line 2");
  assert_int_equal(line_of(f, d->span), 6);
  assert_int_equal(diags_count(f->diags), 1);
}

static void finds_a_when_that_changes_its_condition(void **state) {
  FlatFix *f = *state;
  read_model(f, "discrete Real next\nwhen time >= next\n  next = next + 1\nend");
  const Diag *d = check_fails(f, D_D401);
  assert_string_equal(d->message, "this `when` changes its own condition in the same instant");
  assert_int_equal(line_of(f, d->span), 2);
  assert_string_equal(d->help, "use the value from before the event: `time >= pre(next)`");
}

static void follows_discrete_equations_to_the_condition(void **state) {
  FlatFix *f = *state;
  read_model(f, "discrete Real limit\nBoolean high\nInteger n\nhigh = time > limit or n > 3\n"
                "when time > 4\n  n = pre(n) + 1\nend\nwhen high\n  limit = pre(limit) + n\nend");
  const Diag *d = check_fails(f, D_D401);
  assert_int_equal(line_of(f, d->span), 8);
  assert_string_equal(d->notes[0], "loop: condition -> limit -> high -> condition");
  assert_int_equal(diags_count(f->diags), 1);
}

static void accepts_pre_in_conditions(void **state) {
  FlatFix *f = *state;
  read_model(f, "discrete Real next\nReal x\nwhen time >= pre(next)\n  next = pre(next) + "
                "x\nend\nx = 2*next + x*x");
  check_passes(f);
}

static void finds_discrete_loops(void **state) {
  FlatFix *f = *state;
  read_model(f, "Boolean a\nBoolean b\nBoolean c\na = not c\nb = time > 1 and a\nc = b");
  const Diag *d = check_fails(f, D_D402);
  assert_string_equal(d->message,
                      "these discrete variables depend on each other: a -> c -> b -> a");
  assert_int_equal(line_of(f, d->span), 4);
  assert_int_equal(d->n_labels, 3);
}

static void finds_a_variable_that_needs_itself(void **state) {
  FlatFix *f = *state;
  read_model(f, "Integer n\nn = n + 1");
  assert_string_equal(check_fails(f, D_D402)->message,
                      "the discrete variable `n` depends on itself in the same instant");
}

/* Loops that go through pre, or through a Real, are solved at run time. */
static void accepts_other_loops(void **state) {
  FlatFix *f = *state;
  read_model(
      f, "Boolean a\nBoolean b\nReal s\nBoolean off\nReal i\na = not pre(b)\nb = time > 1 and a\n"
         "off = s < 0\nif off\n  i = s\nelse\n  i = 2*s\nend\ns = 1 - i");
  check_passes(f);
}

static void several_variables_of_an_if_equation_are_no_loop(void **state) {
  FlatFix *f = *state;
  read_model(f, "Boolean a\nBoolean b\nif time > 1\n  a = true\n  b = true\nelse\n  a = time > 2\n "
                " b = time > 3\nend");
  check_passes(f);
}

static void reinit_needs_a_state(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real x\nReal v\nder(x) = v\nv = 1\nwhen x > 2\n  reinit x 0\n  reinit v 0\nend");
  const Diag *d = check_fails(f, D_D404);
  assert_int_equal(line_of(f, d->span), 7);
  assert_int_equal(diags_count(f->diags), 1);
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      T(prints_variables),
      T(prints_equations_with_origin),
      T(prints_functions_and_parts),
      T(prints_types_and_externals),
      T(prints_algorithms),
      T(counts_sizes),
      T(names_the_missing_equation),
      T(names_what_nobody_mentions),
      T(names_competing_equations),
      T(finds_both_sides_of_an_unbalance),
      T(branches_may_differ),
      T(conditions_determine_nothing),
      T(finds_a_missing_ground),
      T(accepts_a_ground),
      T(finds_repeated_sums),
      T(finds_contradictions),
      T(accepts_independent_sums),
      T(finds_two_whens_for_one_variable),
      T(finds_a_when_that_changes_its_condition),
      T(follows_discrete_equations_to_the_condition),
      T(accepts_pre_in_conditions),
      T(finds_discrete_loops),
      T(finds_a_variable_that_needs_itself),
      T(accepts_other_loops),
      T(several_variables_of_an_if_equation_are_no_loop),
      T(reinit_needs_a_state),
  };
  return cmocka_run_group_tests_name("flat", tests, NULL, NULL);
}
