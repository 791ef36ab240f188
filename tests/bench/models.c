/* tests/bench/models.c -- see models.h. Each shape strains another part of the translation. */
#include "models.h"

static void declared(Text *out, unsigned n) {
  text_add(out, "model M\n");
  for (unsigned i = 1; i <= n / 2; i++)
    text_printf(out, "  Real x%u(start = %u, fixed = true);\n  Real y%u;\n", i, i % 7, i);
  text_add(out, "equation\n");
  for (unsigned i = 1; i <= n / 2; i++)
    text_printf(out, "  der(x%u) = y%u - x%u;\n  y%u = sin(x%u) + 0.5*x%u;\n", i, i > 1 ? i - 1 : 1,
                i, i, i, i);
  text_add(out, "end M;\n");
}

static void rc_line(Text *out, unsigned n) {
  text_printf(out,
              "model M\n  parameter Integer n = %u;\n  parameter Real R = 1, C = 1e-3;\n  Real "
              "v[n](each start = 0, each fixed = true);\n"
              "  Real i[n];\nequation\n  i[1] = (1 - v[1])/R;\n  for k in 2:n loop\n    i[k] = "
              "(v[k - 1] - v[k])/R;\n  end for;\n"
              "  for k in 1:n - 1 loop\n    C*der(v[k]) = i[k] - i[k + 1];\n  end for;\n  "
              "C*der(v[n]) = i[n];\nend M;\n",
              n / 2);
}

static const char *const electrical =
    "  connector Pin\n    Real v;\n    flow Real i;\n  end Pin;\n"
    "  partial model Two\n    Pin p, n;\n    Real v, i;\n  equation\n    v = p.v - n.v;\n    i = "
    "p.i;\n    p.i + n.i = 0;\n  end Two;\n"
    "  model R\n    extends Two;\n    parameter Real r = 1;\n  equation\n    v = r*i;\n  end R;\n"
    "  model C\n    extends Two(v(start = 0, fixed = true));\n    parameter Real c = 1e-3;\n  "
    "equation\n    c*der(v) = i;\n  end C;\n"
    "  model Source\n    extends Two;\n  equation\n    v = sin(time);\n  end Source;\n"
    "  model Ground\n    Pin p;\n  equation\n    p.v = 0;\n  end Ground;\n";

/* Six variables and as many equations per component. */
static void chain(Text *out, unsigned n) {
  text_printf(out,
              "package P\n%s  model M\n    parameter Integer n = %u;\n    R r[n];\n    C c[n];\n   "
              " Source s;\n    Ground g;\n  equation\n"
              "    connect(s.n, g.p);\n    connect(s.p, r[1].p);\n    for k in 1:n loop\n      "
              "connect(r[k].n, c[k].p);\n      connect(c[k].n, g.p);\n"
              "    end for;\n    for k in 1:n - 1 loop\n      connect(r[k].n, r[k + 1].p);\n    "
              "end for;\n  end M;\nend P;\n",
              electrical, n / 12 + 1);
}

/* Resistors alone: one linear system of equations through all of them. */
static void ladder(Text *out, unsigned n) {
  text_printf(out,
              "package P\n%s  model M\n    parameter Integer n = %u;\n    R r[n], c[n];\n    "
              "Source s;\n    Ground g;\n  equation\n"
              "    connect(s.n, g.p);\n    connect(s.p, r[1].p);\n    for k in 1:n loop\n      "
              "connect(r[k].n, c[k].p);\n      connect(c[k].n, g.p);\n"
              "    end for;\n    for k in 1:n - 1 loop\n      connect(r[k].n, r[k + 1].p);\n    "
              "end for;\n  end M;\nend P;\n",
              electrical, n / 12 + 1);
}

static void aliases(Text *out, unsigned n) {
  text_printf(out,
              "model M\n  parameter Integer n = %u;\n  Real y[n];\nequation\n  y[1] = sin(time);\n "
              " for k in 2:n loop\n    y[k] = y[k - 1];\n  end for;\nend M;\n",
              n);
}

static void parameters(Text *out, unsigned n) {
  text_add(out, "model M\n  Real x = p1*time;\n");
  for (unsigned i = 1; i < n; i++)
    text_printf(out, "  parameter Real p%u = p%u + 1;\n", i, i + 1);
  text_printf(out, "  parameter Real p%u = 1;\nend M;\n", n);
}

/* Each variable follows from the next one. */
static void explicit_chain(Text *out, unsigned n) {
  text_printf(out,
              "model M\n  parameter Integer n = %u;\n  Real y[n];\nequation\n  for k in 1:n - 1 "
              "loop\n    y[k] = 0.5*y[k + 1] + 1;\n  end for;\n  y[n] = sin(time);\nend M;\n",
              n);
}

/* Literals that become known one after the other. */
static void constants(Text *out, unsigned n) {
  text_printf(out,
              "model M\n  parameter Integer n = %u;\n  Real y[n];\nequation\n  for k in 1:n - 1 "
              "loop\n    y[k] = 0.5*y[k + 1] + 1;\n  end for;\n  y[n] = 3;\nend M;\n",
              n);
}

static void initial_system(Text *out, unsigned n) {
  text_printf(out,
              "model M\n  parameter Integer n = %u;\n  Real x[n], y[n];\ninitial equation\n  "
              "der(x) = zeros(n);\nequation\n  for k in 1:n loop\n"
              "    der(x[k]) = (if k > 1 then x[k - 1] else 1) - 2*x[k] + y[k];\n    y[k] = "
              "0.5*(if k < n then x[k + 1] else 0);\n  end for;\nend M;\n",
              n / 2);
}

static void events(Text *out, unsigned n) {
  text_printf(out,
              "model M\n  parameter Integer n = %u;\n  Real x[n](each start = 0, each fixed = "
              "true), y[n];\n  discrete Real d[n](each start = 0, each fixed = true);\nequation\n  "
              "for k in 1:n loop\n"
              "    der(x[k]) = 1 + k/n;\n    y[k] = if x[k] > 10 + k then x[k] else -x[k];\n    "
              "when x[k] > 100 + k then\n      d[k] = pre(d[k]) + y[k];\n    end when;\n"
              "  end for;\nend M;\n",
              n / 3);
}

/* Pairs of states, each pair with a constraint. */
static void constraints(Text *out, unsigned n) {
  text_printf(out,
              "model M\n  parameter Integer n = %u;\n  Real a[n](each start = 1, each fixed = "
              "true), b[n], f[n];\nequation\n  for k in 1:n loop\n"
              "    der(a[k]) = f[k] - a[k];\n    2*der(b[k]) = -f[k] + (if k > 1 then a[k - 1] "
              "else 0);\n    a[k] = 3*b[k];\n  end for;\nend M;\n",
              n / 3);
}

/* Masses joined by rigid bars: the second derivative of each position is constrained. */
static void bodies(Text *out, unsigned n) {
  text_printf(out,
              "model M\n  parameter Integer n = %u;\n  Real s[n], v[n], a[n], f[n];\nequation\n  "
              "for k in 1:n loop\n    v[k] = der(s[k]);\n    a[k] = der(v[k]);\n"
              "    a[k] = (if k > 1 then f[k - 1] else 0) - f[k] - s[k];\n  end for;\n  for k in "
              "1:n - 1 loop\n    if mod(k, 3) > 0 then\n"
              "      s[k + 1] = s[k] + 1;\n    else\n      f[k] = s[k + 1] - s[k];\n    end if;\n  "
              "end for;\n  f[n] = 0;\nend M;\n",
              n / 4);
}

static void algorithms(Text *out, unsigned n) {
  text_add(out, "model M\n");
  for (unsigned i = 1; i <= n / 2; i++)
    text_printf(out, "  Real x%u(start = 1, fixed = true), y%u;\n", i, i);
  for (unsigned i = 1; i <= n / 2; i++)
    text_printf(out,
                "algorithm\n  y%u := 2*x%u;\n  if x%u > 1e3 then\n    y%u := 0;\n  end "
                "if;\nequation\n  der(x%u) = -y%u;\n",
                i, i, i, i, i, i);
  text_add(out, "end M;\n");
}

const BenchShape bench_shapes[] = {
    {"declared", declared, "variables and equations written out one by one"},
    {"line", rc_line, "arrays and for-equations"},
    {"chain", chain, "arrays of components joined by connect"},
    {"ladder", ladder, "one linear system through all components"},
    {"alias", aliases, "each variable equal to the one before"},
    {"parameter", parameters, "each parameter given by the next one"},
    {"explicit", explicit_chain, "each variable given by the next one"},
    {"constant", constants, "the same with a constant at the end"},
    {"initial", initial_system, "an initial system through all states"},
    {"event", events, "relations and when-clauses"},
    {"constraint", constraints, "constrained states: index 2"},
    {"body", bodies, "constrained positions: index 3"},
    {"algorithm", algorithms, "many algorithm sections"},
};
const unsigned bench_n_shapes = sizeof bench_shapes / sizeof *bench_shapes;
