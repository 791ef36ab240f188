/* tests/unit/test_emit.c -- generated C: what functions give must be the same three times, bit by
 * bit: by the evaluator (expr/eval), by libtcc and by the C compiler, which also must find nothing
 * to warn about. Then what must fail, and hostile names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emit/emit.h"
#include "expr/eval.h"
#include "flat/flatten.h"
#include "load/load.h"
#include "run/evaluate.h"
#include "run/initial.h"
#include "structure/structure.h"

static const double at_time = 0.375;

/* ---- from text to machine code ---- */

typedef struct {
  Memory mem;
  jmp_buf recover;
  Arena *arena;
  Diags *diags;
  FlatModel *m;
  Text code;
  Program *program; /* by libtcc */
  void *library;    /* by the C compiler */
  Program compiled;
} Fix;

static const char *messages(Fix *f) {
  Text t = {.arena = f->arena};
  for (uint32_t k = 0; k < diags_count(f->diags); k++)
    diag_render(f->diags, diags_at(f->diags, k), false, &t);
  return text_str(&t);
}

static void fix_free(Fix *f) {
  program_free(f->program);
  if (f->library)
    dlclose(f->library);
  mem_drop_since(&f->mem, NULL);
  free(f);
}

static Fix *fix_new(const char *text) {
  Fix *f = calloc(1, sizeof *f);
  f->mem.recover = &f->recover;
  if (setjmp(f->recover))
    fail_msg("out of memory");
  f->arena = arena_new(&f->mem);
  Interner *names = interner_new(f->arena);
  SourceMap *sources = sources_new(f->arena);
  f->diags = diags_new(f->arena, sources);
  Library *lib = library_new(f->arena, names, sources, f->diags);
  if (!library_load_text(lib, "M.mo", text, strlen(text)))
    fail_msg("%s", messages(f));
  f->m = flatten_class(lib, "M", &(FlattenOptions){0}, f->arena, f->diags);
  Structure *s = f->m ? structure_build(f->m, f->arena, f->diags) : NULL;
  f->code.arena = f->arena;
  if (s && emit_c(f->m, s, f->diags, &f->code))
    f->program = load_program(text_str(&f->code), CODE_TCC, f->diags);
  return f;
}

static void must_translate(Fix *f) {
  if (!f->program)
    fail_msg("%s%s", messages(f), text_str(&f->code));
}

static void write_file(const char *path, const char *text, size_t n) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

/* The same C by the C compiler, with all warnings as errors. */
static void compile_with_cc(Fix *f) {
  char directory[] = "/tmp/test_emit_XXXXXX", path[100], command[500];
  size_t n;
  const char *header = load_header(&n);
  assert_non_null(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/dsblock.h", directory);
  write_file(path, header, n);
  snprintf(path, sizeof path, "%s/m.c", directory);
  write_file(path, text_str(&f->code), f->code.n);
  snprintf(command, sizeof command,
           "cc -std=c17 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes "
           "-Wvla -Werror -ffp-contract=off -fno-builtin"
           " -fPIC -shared -o %s/m.so %s/m.c",
           directory, directory);
  int status = system(command);
  snprintf(path, sizeof path, "%s/m.so", directory);
  f->library = status ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
  snprintf(command, sizeof command, "rm -r %s", directory);
  assert_int_equal(system(command), 0);
  if (status)
    fail_msg("the C compiler complains about\n%s", text_str(&f->code));
  assert_non_null(f->library);
  void *symbol = dlsym(f->library, "dsblock");
  const DsModel *(*entry)(void);
  memcpy(&entry, &symbol, sizeof entry);
  f->compiled.model = entry();
}

/* A run with the values at the start; NULL if there are none. */
static Run *start(Fix *f, const Program *p) {
  RunOptions *o = NEW(f->arena, RunOptions);
  *o = run_defaults();
  o->start = at_time;
  o->stop = 1;
  Run *run = run_new(p, o, f->arena, f->diags);
  if (run && run_initialise(run) == RUN_OK)
    return run;
  run_free(run);
  return NULL;
}

/* ---- the evaluator ---- */

typedef struct {
  Fix *f;
  Value *values; /* per variable */
  bool *known;
} Oracle;

static bool look_up(void *user, Eval *ev, ExprId e, Value *out) {
  Oracle *o = user;
  const Expr *x = expr_get(ev->pool, e);
  if (x->op == OP_TIME) {
    static Scalar now;
    now.real = at_time;
    *out = (Value){type_scalar(ev->pool, TY_REAL), 1, &now};
    return true;
  }
  if (x->op != OP_VAR || x->index >= o->f->m->vars.n)
    return false;
  uint32_t v = x->index;
  ExprId value = o->f->m->vars.at[v].binding;
  for (uint32_t k = 0; k < o->f->m->equations.n && !o->known[v] && !value.i; k++) {
    const FlatEquation *eq = o->f->m->equations.at[k];
    for (uint32_t t = 0; eq->kind == FEQ_TUPLE && t < eq->n_targets; t++)
      if (eq->targets[t].i == e.i) {
        Value all;
        if (!eval_expr(ev, eq->rhs, &all))
          return false;
        TypeId type = o->f->m->vars.at[v].type;
        o->values[v] = (Value){type, 1, &all.at[t]};
        o->known[v] = true;
      }
    if (eq->kind == FEQ_EQUAL && eq->lhs.i == e.i)
      value = eq->rhs;
  }
  if (!o->known[v] && value.i) {
    if (!eval_expr(ev, value, &o->values[v]))
      return false;
    o->known[v] = true;
  }
  if (o->known[v])
    *out = o->values[v];
  return o->known[v];
}

static void assert_bits(const char *name, TypeBase base, Scalar want, const DsVariable *v,
                        const DsData *d) {
  if (base == TY_STRING) {
    if (strcmp(want.string, d->s[v->place]))
      fail_msg("%s = \"%s\", not \"%s\"", name, d->s[v->place], want.string);
    return;
  }
  double real = base == TY_REAL ? want.real : (double)want.integer;
  double have = v->type == DS_REAL ? d->r[v->place] : (double)d->i[v->place];
  if (memcmp(&real, &have, sizeof real))
    fail_msg("%s = %.17g, not %.17g", name, have, real);
}

/* All variables of the model, as the evaluator and both programs see them. Returns how many. */
static uint32_t compare(Fix *f) {
  uint32_t n = f->m->vars.n;
  Oracle o = {f, NEW_ARRAY(f->arena, Value, n + 1), NEW_ARRAY(f->arena, bool, n + 1)};
  Eval ev = {.pool = f->m->pool, .arena = f->arena, .lookup = look_up, .user = &o};
  const Program *programs[] = {f->program, &f->compiled};
  Run *runs[2];
  for (int p = 0; p < 2; p++) {
    runs[p] = start(f, programs[p]);
    if (!runs[p])
      fail_msg("%s\n%s", messages(f), text_str(&f->code));
  }
  for (uint32_t v = 0; v < n; v++) {
    Value want;
    const FlatVar *var = &f->m->vars.at[v];
    if (!eval_expr(&ev, expr_var(f->m->pool, var->type, v), &want))
      fail_msg("the evaluator has no value for %s: %s", var->name, ev.why ? ev.why : "?");
    for (int p = 0; p < 2; p++) {
      TypeBase base = type_get(f->m->pool, want.type)->base;
      Scalar s = want.at[0];
      if (base == TY_INTEGER && type_get(f->m->pool, var->type)->base == TY_REAL) {
        s.real = (double)s.integer;
        base = TY_REAL;
      }
      assert_bits(var->name, base, s, &runs[p]->m->variables[v], &runs[p]->d);
    }
  }
  run_free(runs[0]);
  run_free(runs[1]);
  return n;
}

static void check_model(const char *text, uint32_t at_least) {
  Fix *f = fix_new(text);
  must_translate(f);
  compile_with_cc(f);
  assert_true(compare(f) >= at_least);
  fix_free(f);
}

/* ---- functions ---- */

static void arrays(void **state) {
  (void)state;
  check_model(
      "model M\n"
      "  function products input Real a[:, :]; input Real b[:, :]; input Real x[:]; output Real "
      "y[size(a, 1), size(b, 2)];\n"
      "    output Real v[size(a, 1)]; output Real s; output Real w[size(b, 2)];\n"
      "  algorithm y := a*b; v := a*x; s := x*x; w := x*b; end products;\n"
      "  function shapes input Real a[2, 3]; input Real x; output Real y[3, 2]; output Real z[3, "
      "3]; output Real c[3]; output Real d[2, 2];\n"
      "    output Real e[3, 3]; output Real f[2, 3]; output Real g[5]; output Real h[2, 2];\n"
      "  algorithm\n"
      "    y := transpose(a); z := outerProduct(a[1, :], a[2, :]); c := cross(a[1, :], a[2, :]); d "
      ":= diagonal({x, 2*x}) + identity(2);\n"
      "    e := skew(a[1, :]); f := fill(x, 2, 3) .* a + zeros(2, 3) - ones(2, 3); g := "
      "linspace(x, 2, 5); h := symmetric([x, 2*x; 3, 4]);\n"
      "  end shapes;\n"
      "  function joins input Real x[:]; input Real a[:, :]; output Real y[2*size(x, 1) + 1]; "
      "output Real z[2*size(a, 1), size(a, 2)];\n"
      "    output Real w[size(a, 1), size(a, 2) + 1];\n"
      "  algorithm y := cat(1, x, {1}, -x); z := [a; 2*a]; w := [a, fill(3, size(a, 1))]; end "
      "joins;\n"
      "  function powers input Real a[2, 2]; input Integer n; output Real y[2, 2]; output Real "
      "z[2, 2]; output Real e[2, 2]; output Real i[2, 2];\n"
      "  algorithm y := a^n; z := a^0; e := a .^ 2; i := [1, 2; 3, 4]^3; end powers;\n"
      "  function elements input Real x[3]; input Integer k[3]; output Real y[3]; output Real "
      "b[3]; output Real m[3]; output Real z[3]; output Real w[3];\n"
      "  protected Boolean p[3]; Integer q[3];\n"
      "  algorithm\n"
      "    y := sin(x) + cos(k)/2; p := {x[i] > 0.3 for i in 1:3}; q := k + {1, 2, 3} - 2*k; z := "
      "if x[1] > 0 then x else -x;\n"
      "    w := abs(x) .^ k ./ x; p := not p; q[2] := mod(q[2], 3) + div(k[3], 2); b := {if p[i] "
      "then 1 else 0 for i in 1:3}; m := q;\n"
      "  end elements;\n"
      "  Real y1[2, 2], y2[2], y3, y4[2];\n"
      "  Real a1[3, 2], a2[3, 3], a3[3], a4[2, 2], a5[3, 3], a6[2, 3], a7[5], a8[2, 2];\n"
      "  Real d1[5], d2[4, 2], d3[2, 3], e1[2, 2], e2[2, 2], e3[2, 2], e4[2, 2], f1[3], f2[3], "
      "f3[3], f4[3], f5[3];\n"
      "equation\n"
      "  (y1, y2, y3, y4) = products({{time, 2, 3}, {4, 5*time, 6}}, {{1, 2}, {3, time}, {5, 6}}, "
      "{time, 2, 3*time});\n"
      "  (a1, a2, a3, a4, a5, a6, a7, a8) = shapes({{time, 2, 3}, {4, 5, 6*time}}, time);\n"
      "  (d1, d2, d3) = joins({time, 4}, {{1, time}, {3, 4}});\n"
      "  (e1, e2, e3, e4) = powers({{time, 2}, {3, 4}}, 3);\n"
      "  (f1, f2, f3, f4, f5) = elements({time, -2*time, 3}, {1, 2, 3});\n"
      "end M;\n",
      100);
}

static void slices(void **state) {
  (void)state;
  check_model(
      "model M\n"
      "  function slices input Real a[:, :]; input Integer k[:]; output Real y[size(k, 1)]; output "
      "Real z[2, size(a, 2)]; output Real w[size(a, 1)];\n"
      "    output Real u[2, 2];\n"
      "  algorithm\n"
      "    y := a[1, k]; z := a[{2, 1}, :]; w := a[:, end]; u := a[1:2, 2:3];\n"
      "    z[1, :] := z[2, :]; z[:, 1] := {7, 8}; y[1:2] := y[2:-1:1]; w[k[1:2]] := {100, 200}; "
      "w[2:3] := w[1:2];\n"
      "  end slices;\n"
      "  function reductions input Real x[:]; output Real s; output Real p; output Real lo; output "
      "Real hi; output Real q[3]; output Real r[size(x, 1), 2];\n"
      "    output Real n; output Real t; output Real none; output Real v[2]; output Real c[2, 3];\n"
      "  algorithm\n"
      "    s := sum(x); p := product(x); lo := min(x); hi := max(x); q := {sum(x[i]*j for i in "
      "1:size(x, 1)) for j in 1:3};\n"
      "    r := {{x[i], 10*i} for i in 1:size(x, 1)}; n := sum(i for i in 1:10); t := max(x[i] - "
      "2*i for i in 1:size(x, 1));\n"
      "    none := min(x[i] for i in 1:0); v := sum({x[i], 1} for i in 1:size(x, 1)); c := {x[i] + "
      "10*j for i in 1:3, j in 1:2};\n"
      "  end reductions;\n"
      "  function choose input Real x; input Integer k; output Real y; output Real z[2]; protected "
      "Real a[3, 2] = {{1, 2}, {3, 4}, {5, 6}}; Boolean b[Boolean] = {true, false};\n"
      "  algorithm y := if b[k > 1] then a[k, 1] else -a[2, k]*x; z := a[k, :] + a[{k, 1}, 2]; end "
      "choose;\n"
      "  function ranges input Real x; output Real y; output Real n; output Real m[4]; output Real "
      "w[4]; protected Real v[:];\n"
      "  algorithm\n"
      "    v := 0:0.1:x; n := size(v, 1); y := sum(v); m := 10:-3:1; w := 2*(1:4); for t in 0:x:1 "
      "loop y := y + t; end for;\n"
      "    for q in {x, 2*x, 5} loop y := y*q; end for;\n"
      "  end ranges;\n"
      "  function grow input Integer n; input Real x; output Real y[:]; output Real s; protected "
      "Real v[:]; Real old[:, :] = {{1, 2}, {3, 4}};\n"
      "  algorithm\n"
      "    v := zeros(0);\n"
      "    for i in 1:n loop v := cat(1, v, {x*i}); if i > 2 then v[1] := v[i] - 1; end if; end "
      "for;\n"
      "    y := v[2:end]; y := y[1:3]; v := cat(1, y, y); y := v[2:5]; s := sum(v) + size(v, 1); "
      "old := old[1:1, :]; s := s + sum(old);\n"
      "  end grow;\n"
      "  function grow4 input Integer n; input Real x; output Real y[4]; output Real s; algorithm "
      "(y, s) := grow(n, x); end grow4;\n"
      "  Integer j = if time > 0.1 then 2 else 1; Real items[3] = {time, 2*time, 7}, matrix[2, 2] "
      "= {{1, time}, {3, 4*time}}, chosen = items[j] + matrix[j, 1] + items[matrix2[j]];\n"
      "  constant Integer matrix2[2] = {3, 1}; Boolean flags[2] = {j > 1, j < 1}; Integer l = if "
      "flags[j] then 1 else 2;\n"
      "  Real b1[3], b2[2, 4], b3[3], b4[2, 2], c1, c2, c3, c4, c5[3], c6[3, 2], c7, c8, c9, "
      "c10[2], c11[2, 3], g1, g2[2], h1, h2, h3[4], h4[4];\n"
      "  Real i1[4], i2;\n"
      "equation\n"
      "  (b1, b2, b3, b4) = slices({{time, 2, 3, 4}, {5, 6*time, 7, 8}, {9, 10, 11, 12*time}}, {3, "
      "1, 2});\n"
      "  (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11) = reductions({3*time, 1, -2*time});\n"
      "  (g1, g2) = choose(time, 2);\n"
      "  (h1, h2, h3, h4) = ranges(time);\n"
      "  (i1, i2) = grow4(6, time);\n"
      "end M;\n",
      60);
}

static void control(void **state) {
  (void)state;
  check_model(
      "model M\n"
      "  function control input Real x; output Real y; protected Integer i; Boolean found;\n"
      "  algorithm\n"
      "    y := 0; i := 0; found := false;\n"
      "    while true loop\n"
      "      i := i + 1; if i > 20 then break; elseif mod(i, 2) == 0 then y := y + i; else y := y "
      "- x; end if;\n"
      "      for k in 1:5 loop if k*x > 1 then found := true; break; end if; y := y + k; end for;\n"
      "      if found and y > 50 then return; end if;\n"
      "    end while;\n"
      "    y := -1;\n"
      "  end control;\n"
      "  function guard input Integer k; input Real v[:]; output Real y;\n"
      "  algorithm y := if k <= size(v, 1) and v[k] > 0 then v[k] else -1; if k > size(v, 1) or "
      "v[k] < 0 then y := y - 1; end if; end guard;\n"
      "  function fib input Integer n; output Integer y; algorithm y := if n < 2 then n else fib(n "
      "- 1) + fib(n - 2); end fib;\n"
      "  function later input Real x; output Real y = 2*p; protected Real p = q + 1; Real q = 3*x; "
      "Real v[n] = {q for i in 1:n}; Integer n = 2;\n"
      "  algorithm y := y + sum(v); end later;\n"
      "  function defaults input Real x; input Real k = 2*x; input Integer n = 3; output Real y; "
      "algorithm y := x + 10*k + 100*n; end defaults;\n"
      "  Real j1 = control(time), k1 = guard(3, {time, 2}), k2 = guard(2, {time, 2}), l1 = time + "
      "fib(15), m1 = later(time);\n"
      "  Real n1 = defaults(time), n2 = defaults(time, n = 5), n3 = defaults(time, 7);\n"
      "end M;\n",
      8);
}

static void records(void **state) {
  (void)state;
  check_model(
      "model M\n"
      "  type Colour = enumeration(red, green, blue);\n"
      "  record Inner Real v[2]; Integer n; end Inner;\n"
      "  record P Real x; Inner i; Boolean b; Colour c; String s; end P;\n"
      "  record Q P p[2]; Real m[2, 2]; end Q;\n"
      "  function make input Real x; output P p;\n"
      "  algorithm p.x := x; p.i.v := {x, 2*x}; p.i.v[1] := 7; p.i.n := 3; p.b := x > 0; p.c := "
      "Colour.blue; p.s := \"p\" + String(x); end make;\n"
      "  function use input P p; input P q; output Real y; protected P r;\n"
      "  algorithm\n"
      "    r := if p.x > q.x then p else q; r.x := r.x + 100;\n"
      "    y := r.x + r.i.v[1] + 10*r.i.v[2] + r.i.n + (if r.b then 1000 else 0) + "
      "10000*Integer(r.c);\n"
      "  end use;\n"
      "  function many input Real x; output Q q; output Real y[2]; output Real z[2, 2]; protected "
      "P a[3]; Integer k;\n"
      "  algorithm\n"
      "    for i in 1:3 loop a[i] := make(x*i); a[i].i.v[2] := 50*i; a[i].i.n := i; end for;\n"
      "    a[2].i.v := a[1].i.v; q.p := a[{3, 1}]; q.m := {{a[1].x, a[2].x}, {a[3].x, x}}; "
      "q.p[1].x := 8; y := q.p.x; z := q.p.i.v;\n"
      "    q.p[:].x := {x, 2*x}; q.m[1, :] := a[2:3].x; a[1:2] := a[2:3]; y[2] := y[2] + a[1].i.n "
      "+ a[2].x; k := size(a, 1); y[1] := y[1] + k;\n"
      "  end many;\n"
      "  function untouched output P p; algorithm end untouched;\n"
      "  function total input Q q; output Real y; algorithm y := sum(q.p.x) + sum(q.m) + "
      "sum(q.p[i].i.n for i in 1:2); end total;\n"
      "  function whole input Real x; output Real y; algorithm y := total(many(x)) + use(make(x), "
      "P(5, Inner({1, 2}, 4), false, Colour.red, \"\")); end whole;\n"
      "  record Base Real a = 1; Real b = 2*a; end Base;\n"
      "  function construct input Real x; output Real y; protected Base r = Base(a = x); Base s = "
      "Base(); Base t[2] = {Base(x), Base(2*x, 1)};\n"
      "  algorithm y := r.a + 10*r.b + 100*s.b + sum(t.b); end construct;\n"
      "  P p = make(2*time); Real a = use(make(time), make(9*time)), b = whole(time), d = "
      "construct(time);\n"
      "  Q q; Real y[2], z[2, 2]; Real e = total(q); P u = untouched();\n"
      "equation\n"
      "  (q, y, z) = many(time);\n"
      "end M;\n",
      40);
}

static void texts(void **state) {
  (void)state;
  check_model("model M\n"
              "  type Colour = enumeration(red, green, blue);\n"
              "  function name input Real x; input Integer k; output String s; output Real n; "
              "protected String v[3] = {\"a\", \"b\", \"c\"}; String w;\n"
              "  algorithm\n"
              "    s := \"\"; for i in 1:k loop s := s + v[i] + String(i*x, significantDigits = "
              "4); end for; v[2] := s; w := v[2] + \"|\" + v[3];\n"
              "    s := w + String(k, minimumLength = 5) + String(k, minimumLength = 5, "
              "leftJustified = false) + String(k > 1) + String(Colour.green);\n"
              "    s := s + String(x, format = \"8.3f\") + String(k, format = \"05d\") + String(x "
              "> 0, minimumLength = 7) + String(Colour.red, minimumLength = 6, leftJustified = "
              "false) + String(1e-20*x);\n"
              "    n := if s > \"a\" and s <> w and \"x\" == \"x\" then 1 else 0;\n"
              "  end name;\n"
              "  function length input String s; output Integer n; external \"C\" n = "
              "ModelicaStrings_length(s); end length;\n"
              "  function substring input String s; input Integer a; input Integer b; output "
              "String t; external \"C\" t = ModelicaStrings_substring(s, a, b); end substring;\n"
              "  function scanReal input String s; input Integer k = 1; input Boolean u = false; "
              "output Integer next; output Real x;\n"
              "    external \"C\" ModelicaStrings_scanReal(s, k, u, next, x); end scanReal;\n"
              "  function hash input String s; output Integer h; external \"C\" h = "
              "ModelicaStrings_hashString(s); end hash;\n"
              "  function parse input Real x; output Real y; output String t; protected String s; "
              "Integer next;\n"
              "  algorithm s := \"  \" + String(x) + \"e1 rest\"; (next, y) := scanReal(s); t := "
              "substring(s, next, length(s)); y := y + 100*next + hash(t); end parse;\n"
              "  Integer k = if time > 0.1 then 2 else 1; String s, t; Real n, y;\n"
              "equation\n"
              "  (s, n) = name(k/16, k); (y, t) = parse(k/16);\n"
              "end M;\n",
              5);
}

static void function_values(void **state) {
  (void)state;
  check_model("model M\n"
              "  partial function Curve input Real x; output Real y; end Curve;\n"
              "  partial function Field input Real x[:]; input Integer k; output Real y[size(x, "
              "1)]; end Field;\n"
              "  function line extends Curve; input Real a = 1; input Real b = 2; algorithm y := "
              "a*x + b; end line;\n"
              "  function scaled extends Field; input Real factor[2]; algorithm y := x*factor[k]; "
              "end scaled;\n"
              "  function integral input Curve f; input Real a; input Real b; input Integer n = 8; "
              "output Real s; protected Real h = (b - a)/n;\n"
              "  algorithm s := 0; for i in 0:n - 1 loop s := s + h*f(a + (i + 0.5)*h); end for; "
              "end integral;\n"
              "  function twice input Curve f; input Real x; output Real y; algorithm y := f(f(x)) "
              "+ integral(f, 0, x, 3); end twice;\n"
              "  function apply input Field f; input Real x[:]; output Real s; algorithm s := "
              "sum(f(x, 1)) + 10*sum(f(x, 2)); end apply;\n"
              "  Real a = integral(function line(b = time), 0, 1), b = integral(function line(a = "
              "2*time, b = 1), 0, 2, 4), c = twice(function line(a = time, b = 3), 2);\n"
              "  Real d = apply(function scaled(factor = {time, 3}), {time, 2, 3});\n"
              "end M;\n",
              4);
}

/* ---- what fails ---- */

/* The start fails with this text, at this line of the model. */
static void must_fail(const char *text, const char *expected, uint32_t line) {
  Fix *f = fix_new(text);
  must_translate(f);
  Run *run = start(f, f->program);
  assert_null(run);
  const Diag *d = diags_at(f->diags, diags_count(f->diags) - 1);
  Place at = source_place(diags_sources(f->diags), d->span.lo);
  if (!strstr(d->message, expected) || at.line != line)
    fail_msg("\"%s\" at line %u, not at line %u:\n%s", expected, line, at.line, messages(f));
  fix_free(f);
}

static void failures(void **state) {
  (void)state;
  static const struct {
    const char *body, *expected;
  } cases[] = {
      {"y := v[k + 3];", "subscript 4 is out of range 1:3"},
      {"y := v[k - 2];", "subscript -1 is out of range 1:3"},
      {"v[{1, k + 3}] := {1, 2}; y := v[1];", "subscript 4 is out of range 1:3"},
      {"y := sum(v[k + 1:k + 4]);", "subscript 4 is out of range 1:3"},
      {"y := m[2, k + 2];", "subscript 3 is out of range 1:2"},
      {"v := u[1:k]; y := v[1];", "array sizes 1 and 3 do not fit"},
      {"v[1:2] := u[1:k]; y := v[1];", "array sizes 2 and 1 do not fit"},
      {"y := sum(v + u[1:k]);", "array sizes 3 and 1 do not fit"},
      {"y := v*u[1:k];", "array sizes 3 and 1 do not fit"},
      {"u := m[1, 1:k]; u := cat(1, u, u); y := sum(m*u[1:k]);", "array sizes 2 and 1 do not fit"},
      {"u := fill(1.0, -k); y := size(u, 1);", "negative size"},
      {"u := fill(1.0, 1000000*k, 1000000*k)*fill(1.0, 1000000*k); y := size(u, 1);",
       "too much memory"},
      {"y := div(3, k - 1);", "division by zero"},
      {"y := 0; for i in 1:k - 1:2 loop y := y + 1; end for;", "the step of a range is zero"},
      {"y := size(u, k + 1);", "a dimension that the array does not have"},
      {"y := 0; while k > 0 loop y := y + 1; end while;", "a loop does not end"},
      {"y := sum(i for i in 1:k*1000000000000);", "a loop does not end"},
      {"y := f(k);", "functions call each other too deeply"},
      {"y := 1; assert(k > 1, \"k is \" + String(k));", "k is 1"},
      {"y := 1; y := y + ModelicaStrings_length(String(1.0, significantDigits = k - 1));",
       "this text cannot be made"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[1000];
    snprintf(text, sizeof text,
             "model M\n"
             "  function ModelicaStrings_length input String s; output Integer n; external \"C\"; "
             "end ModelicaStrings_length;\n"
             "  function f input Integer k; output Real y; protected Real v[3] = {1, 2, 3}; Real "
             "m[2, 2] = {{1, 2}, {3, 4}}; Real u[:] = {5, 6, 7}; algorithm\n"
             "%s\n"
             "  end f;\n"
             "  Integer k = if time > 0.1 then 1 else 2; Real y = f(k);\n"
             "end M;\n",
             cases[k].body);
    must_fail(text, cases[k].expected, strstr(cases[k].expected, "deeply") ? 3 : 4);
  }
}

static void must_refuse(const char *text, const char *expected) {
  Fix *f = fix_new(text);
  assert_null(f->program);
  if (!strstr(messages(f), "X001") || !strstr(messages(f), expected))
    fail_msg("%s", messages(f));
  fix_free(f);
}

/* ---- external functions ---- */

static void externals(void **state) {
  (void)state;
  check_model(
      "model M\n"
      "  function sine input Real x; output Real y; external \"builtin\" y = sin(x); end sine;\n"
      "  function angle input Real x; input Real y; output Real z; external \"builtin\" z = "
      "atan2(x, y); end angle;\n"
      "  Real a = sine(time), b = angle(time, 2);\n"
      "end M;\n",
      2);
  must_refuse("model M function f input Real x; output Real y; external \"C\" y = "
              "unknown_function(x); end f; Real y = f(time); end M;",
              "the external function `unknown_function`");
  must_refuse("model M function f input Real x; output Real y; external \"C\" y = system(x); end "
              "f; Real y = f(time); end M;",
              "`system`");
  /* a declaration that does not fit the function cannot reach it */
  must_refuse("model M function f input Real x; output Real y; external \"C\" y = sin(x, x); end "
              "f; Real y = f(time); end M;",
              "`sin` with these arguments");
  must_refuse("model M function f input Real x; output Integer y; external \"C\" y = "
              "ModelicaStrings_length(x); end f; Real y = f(time); end M;",
              "with other arguments than it has");
  must_refuse("model M function f input Real x; output Real y; protected Integer s[2]; external "
              "\"C\" ModelicaRandom_xorshift64star(x, s, y); end f; Real y = f(time); end M;",
              "with other arguments than it has");
  must_fail("model M\n function f input Integer s[3]; output Real y; protected Integer t[3]; "
            "external \"C\" ModelicaRandom_xorshift64star(s, t, y); end f;\n"
            " Real y = time + f({1, 2, 3}); end M;",
            "has 2 numbers", 2);
}

static void foreign_library(void **state) {
  (void)state;
  static const char source[] =
      "#include <stdlib.h>\n#include <string.h>\n"
      "double blend(double x, int k, const char *s, const double *v, size_t n, const int *w, "
      "double *twice, int *last) {\n"
      "  double sum = x + k + (double)strlen(s); for (size_t i = 0; i < n; i++) { sum += v[i]; "
      "twice[i] = 2 * v[i]; last[i] = w[i] + 1; } return sum; }\n"
      "void *counter_new(double start) { double *c = malloc(sizeof *c); *c = start; return c; }\n"
      "void counter_end(void *c) { free(c); }\n"
      "double counter_value(void *c, double x) { return *(double *)c + x; }\n";
  char directory[] = "/tmp/test_emit_XXXXXX", path[100], command[300], text[2000];
  assert_non_null(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/a.c", directory);
  write_file(path, source, sizeof source - 1);
  snprintf(command, sizeof command, "cc -shared -fPIC -o %s/libemittest.so %s/a.c", directory,
           directory);
  assert_int_equal(system(command), 0);
  snprintf(text, sizeof text,
           "model M\n"
           "  function blend input Real x; input Integer k; input String s; input Real v[:]; input "
           "Integer w[size(v, 1)]; output Real y; output Real t[size(v, 1)]; output Integer "
           "l[size(v, 1)];\n"
           "    external \"C\" y = blend(x, k, s, v, size(v, 1), w, t, l) annotation(Library = "
           "\"emittest\", LibraryDirectory = \"%s\"); end blend;\n"
           "  function all input Real x; output Real y; output Real t[2]; output Real m[2]; "
           "protected Integer l[2]; algorithm (y, t, l) := blend(x, 2, \"four\", {x, 1}, {7, 8}); "
           "m := l; end all;\n"
           "  class Counter extends ExternalObject;\n"
           "    function constructor input Real start; output Counter c; external \"C\" c = "
           "counter_new(start) annotation(Library = \"emittest\", LibraryDirectory = \"%s\"); end "
           "constructor;\n"
           "    function destructor input Counter c; external \"C\" counter_end(c) "
           "annotation(Library = \"emittest\", LibraryDirectory = \"%s\"); end destructor;\n"
           "  end Counter;\n"
           "  function value input Counter c; input Real x; output Real y; external \"C\" y = "
           "counter_value(c, x) annotation(Library = \"emittest\", LibraryDirectory = \"%s\"); end "
           "value;\n"
           "  Counter c = Counter(10); Real y, t[2], l[2], z = value(c, time);\n"
           "equation (y, t, l) = all(time); end M;\n",
           directory, directory, directory, directory);
  Fix *f = fix_new(text);
  must_translate(f);
  Run *run = start(f, f->program);
  if (!run)
    fail_msg("%s", messages(f));
  static const struct {
    const char *name;
    double value;
  } expected[] = {{"y", 7.75}, {"t[1]", 0.75}, {"t[2]", 2},
                  {"l[1]", 8}, {"l[2]", 9},    {"z", 10.375}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
    for (int v = 0; v < run->m->n_variables; v++)
      if (!strcmp(run->m->variables[v].name, expected[k].name))
        assert_true(run->d.r[run->m->variables[v].place] == expected[k].value);
  run_free(run);
  fix_free(f);
  snprintf(command, sizeof command, "rm -r %s", directory);
  assert_int_equal(system(command), 0);
}

/* ---- hostile names and texts ---- */

static void hostile(void **state) {
  (void)state;
  check_model(
      "model M\n"
      "  function 'f(){exit(1);}/*' input Real '*/ x \\\" %s %n'; output Real 'int'; protected "
      "Real '\\\\u0022 return'[2]; Real d; Real status; Real t0; Real v1;\n"
      "  algorithm\n"
      "    '\\\\u0022 return' := {'*/ x \\\" %s %n', 2}; d := 1; status := 2; t0 := 3; v1 := 4;\n"
      "    'int' := sum('\\\\u0022 return') + d + status + t0 + v1; assert('int' > 0, \"\\\"); "
      "exit(1); /* \\\\ %s %n ?\?/\");\n"
      "  end 'f(){exit(1);}/*';\n"
      "  record 'struct' Real 'union \\\"'; Real 'a}b'; end 'struct';\n"
      "  function g input Real x; output 'struct' 'return'; algorithm 'return'.'union \\\"' := x; "
      "'return'.'a}b' := 2*x; end g;\n"
      "  Real '\\\"; #include </etc/passwd>' = 'f(){exit(1);}/*'(time); 'struct' 'main(){' = "
      "g(time);\n"
      "end M;\n",
      3);
}

/* ---- */

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays),   cmocka_unit_test(slices),    cmocka_unit_test(control),
      cmocka_unit_test(records),  cmocka_unit_test(texts),     cmocka_unit_test(function_values),
      cmocka_unit_test(failures), cmocka_unit_test(externals), cmocka_unit_test(foreign_library),
      cmocka_unit_test(hostile),
  };
  return cmocka_run_group_tests_name("emit", tests, NULL, NULL);
}
