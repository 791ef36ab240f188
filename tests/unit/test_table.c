/* tests/unit/test_table.c -- tables: interpolation against values computed by hand, events over
 * time, files; then the whole path from a model with an external object to its values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "numeric/table.h"
#include "messages_fixture.h"
#include "run/table_file.h"

static const long long second = 2;

static Table *table_of(const double *matrix, size_t n, Smoothness s, Outside o) {
  const char *why = NULL;
  Table *t = table_new(matrix, n, 2, &second, 1, s, o, &why);
  if (!t)
    fail_msg("%s", why);
  return t;
}

static double at(const Table *t, double u, int order) {
  double y = NAN;
  assert_true(table_value(t, 0, u, u, order, &y));
  return y;
}

static void assert_near(double a, double b) {
  if (!(fabs(a - b) <= 1e-14 * fmax(1, fabs(b))))
    fail_msg("%.17g is not %.17g", a, b);
}

/* ---- interpolation ---- */

/* The example of Modelica.Blocks.Tables.CombiTable1Ds */
static const double square[] = {0, 0, 1, 1, 2, 4, 4, 16};

static void linear(void **state) {
  (void)state;
  Table *t = table_of(square, 4, SMOOTH_LINEAR, OUTSIDE_LINEAR);
  assert_near(at(t, 1, 0), 1);
  assert_near(at(t, 1.5, 0), 2.5);
  assert_near(at(t, 2, 0), 4);
  assert_near(at(t, -1, 0), -1);
  assert_near(at(t, 5, 0), 22);
  assert_near(at(t, 1.5, 1), 3);
  assert_near(at(t, 5, 1), 6);
  assert_near(at(t, 1.5, 2), 0);
  table_free(t);
}

static void constant(void **state) {
  (void)state;
  Table *t = table_of(square, 4, SMOOTH_CONSTANT, OUTSIDE_HOLD);
  assert_near(at(t, 1.999, 0), 1);
  assert_near(at(t, 2, 0), 4);
  assert_near(at(t, 4, 0), 16);
  assert_near(at(t, 9, 0), 16);
  assert_near(at(t, -9, 0), 0);
  assert_near(at(t, 1.5, 1), 0);
  table_free(t);
  t = table_of(square, 4, SMOOTH_CONSTANT, OUTSIDE_LINEAR); /* through the last two points */
  assert_near(at(t, 5, 0), 22);
  table_free(t);
}

static void outside(void **state) {
  (void)state;
  double y;
  Table *t = table_of(square, 4, SMOOTH_LINEAR, OUTSIDE_HOLD);
  assert_near(at(t, -1, 0), 0);
  assert_near(at(t, 5, 0), 16);
  assert_near(at(t, 5, 1), 0);
  table_free(t);
  t = table_of(square, 4, SMOOTH_LINEAR, OUTSIDE_PERIODIC);
  assert_near(at(t, 5, 0), 1);
  assert_near(at(t, -1, 0), 10);
  assert_near(at(t, 4, 0), 16); /* the last point itself belongs to the table */
  assert_near(at(t, nextafter(4, 5), 0), 0);
  assert_near(at(t, 401.5, 0), 2.5);
  table_free(t);
  t = table_of(square, 4, SMOOTH_LINEAR, OUTSIDE_ERROR);
  assert_near(at(t, 4, 0), 16);
  assert_false(table_value(t, 0, 4.1, 4.1, 0, &y));
  assert_false(table_value(t, 0, -0.1, -0.1, 0, &y));
  table_free(t);
  const double one[] = {7, 3};
  t = table_of(one, 1, SMOOTH_AKIMA, OUTSIDE_LINEAR); /* one row: its value, wherever */
  assert_near(at(t, 100, 0), 3);
  assert_near(at(t, 100, 1), 0);
  table_free(t);
}

static void smooth(void **state) {
  (void)state;
  /* slopes 1, 3, 5 of the intervals; slope at 1 by each method */
  const double parabola[] = {0, 0, 1, 1, 2, 4, 3, 9}, step[] = {0, 0, 1, 0, 2, 0, 3, 1, 4, 1, 5, 1};
  Table *t = table_of(parabola, 4, SMOOTH_AKIMA, OUTSIDE_LINEAR); /* exact for a parabola */
  assert_near(at(t, 1.5, 0), 2.25);
  assert_near(at(t, 1.5, 1), 3);
  assert_near(at(t, 1.5, 2), 2);
  assert_near(at(t, 4, 0), 15);
  assert_near(at(t, 4, 1), 6);
  table_free(t);
  t = table_of(step, 6, SMOOTH_AKIMA, OUTSIDE_HOLD); /* flat beside the step: 3 w^2 - 2 w^3 */
  assert_near(at(t, 2.25, 0), 0.15625);
  assert_near(at(t, 2.5, 0), 0.5);
  assert_near(at(t, 1.5, 0), 0);
  table_free(t);
  t = table_of(parabola, 4, SMOOTH_MAKIMA, OUTSIDE_LINEAR); /* weights 2 and 6 */
  assert_near(at(t, 1, 1), 1.5);
  table_free(t);
  t = table_of(parabola, 4, SMOOTH_FRITSCH_BUTLAND, OUTSIDE_LINEAR); /* 6/(3/1 + 3/3) */
  assert_near(at(t, 1, 1), 1.5);
  assert_near(at(t, 0, 1), 1);
  table_free(t);
  t = table_of(parabola, 4, SMOOTH_STEFFEN, OUTSIDE_LINEAR); /* 2 min(1, 3, 2/2) */
  assert_near(at(t, 1, 1), 2);
  assert_near(at(t, 0, 1), 1);
  table_free(t);
}

/* The monotone methods stay between neighbouring points, and all methods have a continuous
 * slope. */
static void smooth_properties(void **state) {
  (void)state;
  enum { POINTS = 40 };
  double m[2 * POINTS];
  uint64_t r = 88172645463325252u;
  for (int k = 0; k < POINTS; k++) {
    r ^= r << 13, r ^= r >> 7, r ^= r << 17;
    m[2 * k] = k ? m[2 * k - 2] + 0.1 + (double)(r % 100) / 50 : 0;
    m[2 * k + 1] = (double)(r / 100 % 7);
  }
  for (Smoothness s = SMOOTH_AKIMA; s <= SMOOTH_MAKIMA; s++) {
    if (s == SMOOTH_CONSTANT)
      continue;
    Table *t = table_of(m, POINTS, s, OUTSIDE_LINEAR);
    for (int k = 0; k + 1 < POINTS; k++) {
      double a = m[2 * k], b = m[2 * k + 2], lo = fmin(m[2 * k + 1], m[2 * k + 3]),
             hi = fmax(m[2 * k + 1], m[2 * k + 3]);
      assert_near(at(t, a, 0), m[2 * k + 1]);
      double y, slope;
      assert_true(table_value(t, 0, b, (a + b) / 2, 1, &slope)); /* from the left */
      assert_true(fabs(slope - at(t, b, 1)) <= 1e-9 * fmax(1, fabs(slope)));
      for (int q = 1; q < 10; q++) {
        y = at(t, a + (b - a) * q / 10, 0);
        if (s == SMOOTH_FRITSCH_BUTLAND || s == SMOOTH_STEFFEN)
          assert_true(y >= lo - 1e-12 && y <= hi + 1e-12);
      }
    }
    table_free(t);
  }
}

static void bad_tables(void **state) {
  (void)state;
  const double falling[] = {1, 0, 0, 1}, twice[] = {0, 0, 0, 1};
  const char *why = NULL;
  assert_null(table_new(falling, 2, 2, &second, 1, SMOOTH_LINEAR, OUTSIDE_HOLD, &why));
  assert_string_equal(why, "the first column of a table is not increasing");
  assert_null(table_new(twice, 2, 2, &second, 1, SMOOTH_AKIMA, OUTSIDE_HOLD, &why));
  assert_string_equal(why, "the first column of a smooth table is not strictly increasing");
  const long long third = 3;
  assert_null(table_new(square, 4, 2, &third, 1, SMOOTH_LINEAR, OUTSIDE_HOLD, &why));
  assert_null(table_new(square, 0, 2, &second, 1, SMOOTH_LINEAR, OUTSIDE_HOLD, &why));
  assert_null(table_new(square, 4, 2, &second, 1, (Smoothness)9, OUTSIDE_HOLD, &why));
}

/* ---- time ---- */

/* The example of CombiTimeTable */
static const double jumping[] = {0, 0, 1, 0, 1, 1, 2, 4, 3, 9, 4, 16};

static double timed(const TimeTable *t, double time, double next) {
  double y = NAN;
  assert_true(time_table_value(t, 0, time, next, 0, &y));
  return y;
}

static void time_tables(void **state) {
  (void)state;
  TimeTable t = {.table = table_of(jumping, 6, SMOOTH_LINEAR, OUTSIDE_LINEAR),
                 .events = TIMES_ALWAYS};
  const double always[] = {1, 2, 3, 4, DBL_MAX};
  double now = 0;
  for (int k = 0; k < 5; k++) {
    now = time_table_next(&t, now);
    assert_true(now == always[k]);
  }
  assert_near(timed(&t, 1, 1), 0); /* before the event */
  assert_near(timed(&t, 1, 2), 1); /* after it */
  assert_near(timed(&t, 1.5, 2), 2.5);
  assert_near(timed(&t, 2, 3), 4);
  assert_near(timed(&t, 5, DBL_MAX), 23);
  t.events = TIMES_JUMPS;
  assert_true(time_table_next(&t, 0) == 1 && time_table_next(&t, 1) == DBL_MAX);
  assert_near(timed(&t, 1, 1), 0);
  assert_near(timed(&t, 1, DBL_MAX), 1);
  t.events = TIMES_NEVER;
  assert_true(time_table_next(&t, 0) == DBL_MAX);
  t.events = TIMES_ALWAYS, t.start = 0.5, t.shift = 10; /* nothing before the start; moved */
  assert_true(time_table_next(&t, 0) == 0.5 && time_table_next(&t, 0.5) == 10 &&
              time_table_next(&t, 10) == 11);
  assert_near(timed(&t, 0.4, 0.5), 0);
  assert_near(timed(&t, 11.5, 12), 2.5);
  table_free(t.table);
}

static void periodic_time(void **state) {
  (void)state;
  const double saw[] = {0, 0, 0.1, 2};
  TimeTable t = {.table = table_of(saw, 2, SMOOTH_LINEAR, OUTSIDE_PERIODIC),
                 .events = TIMES_ALWAYS};
  double now = 0;
  for (int k = 1; k <= 1000; k++) {
    double next = time_table_next(&t, now);
    if (!(fabs(next - 0.1 * k) < 1e-12))
      fail_msg("event %d at %.17g", k, next);
    now = next;
    assert_true(fabs(timed(&t, now, now) - 2) < 1e-9);                  /* the end of the tooth */
    assert_true(fabs(timed(&t, now, time_table_next(&t, now))) < 1e-9); /* the next one */
  }
  /* time/scale*scale may fall short of the event by a rounding: it counts as passed */
  assert_true(time_table_next(&t, nextafter(0.1, 0)) > 0.15);
  t.events = TIMES_JUMPS;
  assert_true(fabs(time_table_next(&t, 0.05) - 0.1) < 1e-15);
  table_free(t.table);
}

/* ---- files ---- */

static void put(const char *path, const void *bytes, size_t n) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

static void files(void **state) {
  (void)state;
  char directory[] = "/tmp/test_table_XXXXXX", path[100], why[300];
  assert_non_null(mkdtemp(directory));
  size_t rows = 0, columns = 0;
  /* text */
  static const char text[] = "#1\n\ndouble tab0(2,2)   # dummy\n0 0 1 1\nfloat tab1 ( 3, 2 ) # "
                             "comment\n 0, 1.5 # two\n# all\n 1;-2e1\n\n2\n 4.\n";
  snprintf(path, sizeof path, "%s/a.txt", directory);
  put(path, text, sizeof text - 1);
  double *m = table_read(&(TableSource){.file = path, .name = "tab1"}, &rows, &columns, why,
                         sizeof why);
  assert_non_null(m);
  const double expected[] = {0, 1.5, 1, -20, 2, 4};
  assert_true(rows == 3 && columns == 2 && !memcmp(m, expected, sizeof expected));
  free(m);
  assert_null(
      table_read(&(TableSource){.file = path, .name = "tab2"}, &rows, &columns, why, sizeof why));
  assert_non_null(strstr(why, "has no matrix `tab2`"));
  /* broken texts */
  static const char *const broken[] = {"",
                                       "double a(1,1) 1",
                                       "#1\ndouble a(2,2)\n1 2 3",
                                       "#1\ndouble a(4000000000,4000000000) 1",
                                       "#1\ndouble a(2,2)\n1 2 x 4",
                                       "#1\nnothing",
                                       "#1\ndouble a(-1,2) 1 2"};
  for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
    put(path, broken[k], strlen(broken[k]));
    assert_null(
        table_read(&(TableSource){.file = path, .name = "a"}, &rows, &columns, why, sizeof why));
  }
  /* values with a delimiter */
  static const char csv[] = "t;y\n0;1.5\n1; -20\n\n2;4\r\n";
  snprintf(path, sizeof path, "%s/a.CSV", directory);
  put(path, csv, sizeof csv - 1);
  m = table_read(
      &(TableSource){.file = path, .name = "Values", .delimiter = ';', .header_lines = 1}, &rows,
      &columns, why, sizeof why);
  if (!m)
    fail_msg("%s", why);
  assert_true(rows == 3 && columns == 2 && !memcmp(m, expected, sizeof expected));
  free(m);
  assert_null(table_read(
      &(TableSource){.file = path, .name = "Values", .delimiter = ',', .header_lines = 1}, &rows,
      &columns, why, sizeof why));
  /* MATLAB version 4: column by column */
  struct {
    uint32_t head[5];
    char name[4];
    double cells[6];
  } mat = {{0, 3, 2, 0, 4}, "tab", {0, 1, 2, 1.5, -20, 4}};
  unsigned char bytes[sizeof mat.head + sizeof mat.name + sizeof mat.cells];
  memcpy(bytes, mat.head, sizeof mat.head);
  memcpy(bytes + sizeof mat.head, mat.name, sizeof mat.name);
  memcpy(bytes + sizeof mat.head + sizeof mat.name, mat.cells, sizeof mat.cells);
  snprintf(path, sizeof path, "%s/a.mat", directory);
  put(path, bytes, sizeof bytes);
  m = table_read(&(TableSource){.file = path, .name = "tab"}, &rows, &columns, why, sizeof why);
  if (!m)
    fail_msg("%s", why);
  assert_true(rows == 3 && columns == 2 && !memcmp(m, expected, sizeof expected));
  free(m);
  for (size_t n = 0; n < sizeof bytes; n++) { /* cut off anywhere */
    put(path, bytes, n);
    assert_null(
        table_read(&(TableSource){.file = path, .name = "tab"}, &rows, &columns, why, sizeof why));
  }
  assert_null(table_read(&(TableSource){.file = "/nowhere/a.txt", .name = "tab"}, &rows, &columns,
                         why, sizeof why));
  char command[120];
  snprintf(command, sizeof command, "rm -r %s", directory);
  assert_int_equal(system(command), 0);
}

/* ---- the whole path ---- */

static const char library[] =
    "package L\n"
    "  class Table extends ExternalObject;\n"
    "    function constructor input String name; input String file; input Real table[:, :]; input "
    "Integer columns[:]; input Integer smoothness; input Integer outside;\n"
    "      output Table t; external \"C\" t = ModelicaStandardTables_CombiTable1D_init2(file, "
    "name, table, size(table, 1), size(table, 2), columns, size(columns, 1), smoothness, outside, "
    "false);\n"
    "    end constructor;\n"
    "    function destructor input Table t; external \"C\" "
    "ModelicaStandardTables_CombiTable1D_close(t); end destructor;\n"
    "  end Table;\n"
    "  function value input Table t; input Integer k; input Real u; output Real y; external \"C\" "
    "y = ModelicaStandardTables_CombiTable1D_getValue(t, k, u);\n"
    "    annotation(derivative = slope); end value;\n"
    "  function slope input Table t; input Integer k; input Real u; input Real du; output Real dy; "
    "external \"C\" dy = ModelicaStandardTables_CombiTable1D_getDerValue(t, k, u, du); end slope;\n"
    "end L;\n";

static NuStatus simulate(const char *model, NuSession **s, NuProgram **p, NuRun **r) {
  static char text[6000];
  snprintf(text, sizeof text, "%s%s", library, model);
  NuSessionOptions so = nu_session_options();
  so.sink = note;
  messages[0] = 0;
  *p = NULL, *r = NULL;
  NuTarget t = {.class_name = "M"};
  NuRunOptions ro = nu_run_options();
  NuStatus status = nu_session_new(&so, s);
  if (status == NU_OK)
    status = nu_load_text(*s, "M.mo", text, strlen(text));
  if (status == NU_OK)
    status = nu_compile(*s, &t, p);
  if (status == NU_OK)
    status = nu_run_new(*p, &ro, r);
  return status == NU_OK ? nu_run_simulate(*r) : status;
}

static void finish(NuSession *s, NuProgram *p, NuRun *r) {
  nu_run_free(r);
  nu_program_free(p);
  nu_session_free(s);
}

static void objects(void **state) {
  (void)state;
  NuSession *s;
  NuProgram *p;
  NuRun *r;
  /* two objects, one of them twice; the slope by the derivative function; an integral over the
   * table: 1/2 + 5/2 + 20 */
  NuStatus status = simulate(
      "model M parameter Real k = 2; L.Table a = L.Table(\"NoName\", \"NoName\", {{0, 0}, {1, 1}, "
      "{2, 4}, {4, 16}}, {2}, 1, 2);\n"
      "  L.Table b = L.Table(\"NoName\", \"NoName\", {{0, 0, 1}, {1, k, 3}}, {3, 2}, 1, 2); "
      "L.Table c = L.Table(\"NoName\", \"NoName\", {{0, 0}, {1, 1}, {2, 4}, {4, 16}}, {2}, 1, 2);\n"
      "  Real u = 4*time, y = L.value(a, 1, u), z = L.value(b, 1, time) + 10*L.value(b, 2, time), "
      "w = L.value(c, 1, u) - y, dy = der(y); Real x(start = 0, fixed = true);\n"
      "equation der(x) = 4*y; end M;\n",
      &s, &p, &r);
  if (status != NU_OK)
    fail_msg("%s", messages);
  double v;
  assert_int_equal(nu_run_get(r, "y", &v), NU_OK);
  assert_near(v, 16);
  assert_int_equal(nu_run_get(r, "z", &v), NU_OK);
  assert_near(v, 23);
  assert_int_equal(nu_run_get(r, "w", &v), NU_OK);
  assert_near(v, 0);
  assert_int_equal(nu_run_get(r, "dy", &v), NU_OK);
  assert_near(v, 24);
  assert_int_equal(nu_run_get(r, "x", &v), NU_OK);
  assert_true(fabs(v - 23) < 1e-3);
  finish(s, p, r);
}

static void object_failures(void **state) {
  (void)state;
  static const struct {
    const char *model, *text;
  } cases[] = {
      {"model M L.Table a = L.Table(\"NoName\", \"NoName\", {{0, 0}, {1, 1}}, {2}, 1, 4); Real y = "
       "L.value(a, 1, 2 + time); end M;",
       "has no value at 2: it reaches from 0 to 1"},
      {"model M L.Table a = L.Table(\"NoName\", \"NoName\", {{0, 0}, {1, 1}}, {2}, 1, 2); Real y = "
       "L.value(a, 2, time); end M;",
       "subscript 2 is out of range 1:1"},
      {"model M L.Table a = L.Table(\"NoName\", \"NoName\", {{1, 0}, {0, 1}}, {2}, 1, 2); Real y = "
       "L.value(a, 1, time); end M;",
       "is not increasing"},
      {"model M L.Table a = L.Table(\"tab\", \"/nowhere/table.txt\", {{1, 0}}, {2}, 1, 2); Real y "
       "= L.value(a, 1, time); end M;",
       "/nowhere/table.txt"},
      {"model M L.Table a = L.Table(\"tab\", \"NoName\", {{1, 0}}, {2}, 1, 2); Real y = L.value(a, "
       "1, time); end M;",
       "has no file"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    NuSession *s;
    NuProgram *p;
    NuRun *r;
    NuStatus status = simulate(cases[k].model, &s, &p, &r);
    if (status == NU_OK || !strstr(messages, cases[k].text))
      fail_msg("%s\n%s", cases[k].model, messages);
    finish(s, p, r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear),
      cmocka_unit_test(constant),
      cmocka_unit_test(outside),
      cmocka_unit_test(smooth),
      cmocka_unit_test(smooth_properties),
      cmocka_unit_test(bad_tables),
      cmocka_unit_test(time_tables),
      cmocka_unit_test(periodic_time),
      cmocka_unit_test(files),
      cmocka_unit_test(objects),
      cmocka_unit_test(object_failures),
  };
  return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
