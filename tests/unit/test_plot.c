/* tests/unit/test_plot.c -- figures: numbers along axes, lines out of points, words, units, and
 * that a layout keeps everything on the paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/layout.h"
#include "plot/plot.h"
#include "plot/ticks.h"
#include "plot/trace.h"
#include "plot/units.h"

static Memory mem;
static Arena *arena;
static Diags *diags;

static int begin(void **state) {
  (void)state;
  static jmp_buf here;
  mem = (Memory){.recover = &here};
  arena = arena_new(&mem);
  diags = diags_new(arena, sources_new(arena));
  return 0;
}

static int end(void **state) {
  (void)state;
  mem_drop_since(&mem, NULL);
  return 0;
}

static void assert_near(double a, double b) {
  if (!(fabs(a - b) <= 1e-9 * fmax(1, fabs(b))))
    fail_msg("%.17g is not %.17g", a, b);
}

/* ---- numbers along an axis ---- */

static const char *labels(Ticks t) {
  Text out = {.arena = arena};
  for (uint32_t k = 0; k < t.n_major; k++)
    text_printf(&out, "%s%s", k ? " " : "", t.major[k].label);
  if (t.exponent)
    text_printf(&out, " e%d", t.exponent);
  if (t.offset != 0) {
    text_add(&out, " + ");
    text_real(&out, t.offset);
  }
  return text_str(&out);
}

static void linear_ticks(void **state) {
  (void)state;
  assert_string_equal(labels(ticks_linear(0, 3, 6, arena)), "0.0 0.5 1.0 1.5 2.0 2.5 3.0");
  assert_string_equal(labels(ticks_linear(-4.6, 3.6, 5, arena)), "-4 -2 0 2");
  assert_string_equal(labels(ticks_linear(0, 100, 5, arena)), "0 20 40 60 80 100");
  assert_string_equal(labels(ticks_linear(0.1, 0.3, 4, arena)), "0.10 0.15 0.20 0.25 0.30");
  assert_string_equal(labels(ticks_linear(0, 99000, 5, arena)), "0 20000 40000 60000 80000");
  assert_string_equal(labels(ticks_linear(0, 250000, 5, arena)), "0 50 100 150 200 250 e3");
  assert_string_equal(labels(ticks_linear(0, 3e-7, 3, arena)), "0 100 200 300 e-9");
  assert_string_equal(labels(ticks_linear(101325, 101325.002, 4, arena)),
                      "0.0 0.5 1.0 1.5 2.0 e-3 + 101325");
  assert_string_equal(labels(ticks_linear(-1e-3, 1e-3, 2, arena)), "-0.001 0.000 0.001");
  Ticks t = ticks_linear(0, 1, 5, arena);
  assert_int_equal(t.n_major, 6);
  assert_int_equal(t.n_minor, 5); /* steps of 0.2 are halved */
  assert_near(t.minor[0], 0.1);
  for (int k = -300; k < 300; k += 7) { /* any size: some numbers, in order, inside */
    double hi = pow(10, k);
    t = ticks_linear(-hi / 3, hi, 6, arena);
    assert_true(t.n_major >= 3 && t.n_major < 13);
    for (uint32_t i = 0; i < t.n_major; i++)
      assert_true(t.major[i].at >= -hi / 3 * 1.001 && t.major[i].at <= hi * 1.001 &&
                  (!i || t.major[i].at > t.major[i - 1].at));
  }
}

static void logarithmic_ticks(void **state) {
  (void)state;
  assert_string_equal(labels(ticks_log(1, 1000, 8, arena)), "1 10 100 1000");
  assert_string_equal(labels(ticks_log(0.009, 11, 8, arena)), "0.01 0.1 1 10");
  assert_string_equal(labels(ticks_log(3, 60, 8, arena)), "5 10 20 50");
  assert_string_equal(
      labels(ticks_log(1e-6, 1e6, 4, arena)),
      "10\xE2\x81\xBB\xE2\x81\xB6 10\xE2\x81\xBB\xC2\xB3 10\xE2\x81\xB0 10\xC2\xB3 10\xE2\x81\xB6");
  assert_string_equal(labels(ticks_log(2, 3, 5, arena)), "2.0 2.2 2.4 2.6 2.8 3.0");
  /* 1e9/1e-308 is no number */
  assert_string_equal(labels(ticks_log(1e-308, 1e9, 3, arena)), "10⁻²¹² 10⁻¹⁰⁶ 10⁰");
  Ticks t = ticks_log(1, 100, 8, arena);
  assert_int_equal(t.n_minor + t.n_major, 19); /* 1 2 ... 9 10 20 ... 90 100 */
  for (uint32_t k = 1; k < t.n_major; k++)
    assert_true(t.major[k].at > t.major[k - 1].at);
}

/* ---- lines ---- */

static Trace trace_of(const double *time, const double *y, size_t n, bool steps) {
  Trace t = {
      .arena = arena, .x = {0, 10, 0, 100, false}, .y = {0, 10, 100, 0, false}, .grain = 0.5};
  trace_curve(&t, &(TraceData){time, time, y, n, steps, true});
  return t;
}

static void jumps_and_gaps(void **state) {
  (void)state;
  const double time[] = {0, 1, 2, 2, 3, 4, 5, 6}, y[] = {1, 2, 3, 8, 8, NAN, 4, 5};
  Trace t = trace_of(time, y, 8, false);
  assert_int_equal(t.jumps, 1);
  assert_int_equal(t.pieces.n, 4);
  const TracePiece *p = t.pieces.at;
  assert_true(p[0].kind == TRACE_LINE && p[0].n == 3 && p[0].points[2].x == 20 &&
              p[0].points[2].y == 70);
  assert_true(p[1].kind == TRACE_JUMP && p[1].points[0].x == 20 && p[1].points[1].x == 20 &&
              p[1].points[0].y == 70 && p[1].points[1].y == 20);
  assert_true(p[1].left_seen && p[1].right_seen);
  assert_true(p[2].kind == TRACE_LINE && p[2].n == 2 && p[2].points[0].y == 20);
  assert_true(p[3].kind == TRACE_LINE && p[3].n == 2 && p[3].points[0].x == 50);
}

static void steps(void **state) {
  (void)state;
  const double time[] = {0, 1, 2}, y[] = {1, 5, 5};
  Trace t = trace_of(time, y, 3, true);
  assert_int_equal(t.pieces.n, 3);
  /* Holds until the next point */
  assert_true(t.pieces.at[0].points[1].x == 10 && t.pieces.at[0].points[1].y == 90);
  assert_true(t.pieces.at[1].kind == TRACE_JUMP &&
              t.pieces.at[1].points[0].x == t.pieces.at[1].points[1].x);
}

static void outside_is_cut(void **state) {
  (void)state;
  const double time[] = {0, 4, 8}, y[] = {0, 20, 0};
  Trace t = trace_of(time, y, 3, false);
  assert_int_equal(t.pieces.n, 2);
  assert_near(t.pieces.at[0].points[1].x, 20);
  assert_near(t.pieces.at[0].points[1].y, 0);
  assert_near(t.pieces.at[1].points[0].x, 60);
  DrawBox box = {0, 0, 10, 10};
  DrawPoint a = {-5, -5}, b = {15, 15}, c = {-1, 5}, d = {-2, 8};
  assert_true(trace_clip(&box, &a, &b) && a.x == 0 && a.y == 0 && b.x == 10 && b.y == 10);
  assert_false(trace_clip(&box, &c, &d));
}

static void few_points_show_all(void **state) {
  (void)state;
  enum { N = 1000000, PEAK = 654321 };
  double *time = malloc(N * sizeof *time), *y = malloc(N * sizeof *y);
  assert_true(time && y);
  for (int k = 0; k < N; k++) {
    time[k] = 10.0 * k / (N - 1);
    y[k] = 5 + sin(k * 0.01);
  }
  y[PEAK] = 9;
  y[PEAK + 2] = 1;
  Trace t = trace_of(time, y, N, false);
  free(time);
  free(y);
  assert_int_equal(t.pieces.n, 1);
  const TracePiece *p = &t.pieces.at[0];
  assert_true(p->n < 4 * 202);
  double top = 100, bottom = 0;
  for (uint32_t k = 0; k < p->n; k++) {
    top = fmin(top, p->points[k].y);
    bottom = fmax(bottom, p->points[k].y);
    assert_true(!k || p->points[k].x >= p->points[k - 1].x);
  }
  assert_near(top, 10);
  assert_near(bottom, 90);
}

static void many_jumps_stay_upright(void **state) {
  (void)state;
  enum { N = 4000 };
  double time[N], y[N];
  for (int k = 0; k < N; k++) {
    time[k] = 10.0 * (k / 2) / (N / 2);
    y[k] = (k + 1) / 2 % 2 ? 9 : 1;
  }
  Trace t = trace_of(time, y, N, false);
  assert_true(t.jumps > 1000);
  for (uint32_t i = 0; i < t.pieces.n; i++)
    for (uint32_t k = 1; k < t.pieces.at[i].n; k++)
      assert_true(fabs(t.pieces.at[i].points[k].x - t.pieces.at[i].points[k - 1].x) < 1 ||
                  t.pieces.at[i].points[k].y == t.pieces.at[i].points[k - 1].y);
}

static void logarithmic_places(void **state) {
  (void)state;
  TraceScale s = {1, 100, 0, 10, true};
  assert_near(trace_place(&s, 10), 5);
  assert_true(isnan(trace_place(&s, 0)) && isnan(trace_place(&s, -1)));
}

/* ---- words and units ---- */

static void words(void **state) {
  (void)state;
  const char *const typed[] = {"h", "v vs h", "a[1,2], 'x, y' @right", " b ,c"};
  PlotWord *w;
  uint32_t n;
  assert_true(plot_words(typed, 4, &w, &n, arena, diags));
  assert_int_equal(n, 6);
  assert_true(!strcmp(w[0].y, "h") && !w[0].x && !w[0].right && !w[0].joined);
  assert_true(!strcmp(w[1].y, "v") && !strcmp(w[1].x, "h"));
  assert_true(!strcmp(w[2].y, "a[1,2]") && !strcmp(w[3].y, "'x, y'") && w[3].right && w[3].joined);
  assert_true(!strcmp(w[4].y, "b") && !strcmp(w[5].y, "c") && w[5].joined);
  assert_false(plot_words((const char *const[]){""}, 1, &w, &n, arena, diags));
  assert_false(plot_words((const char *const[]){"a,,b"}, 1, &w, &n, arena, diags));
}

static void units(void **state) {
  (void)state;
  assert_true(units_agree("m", "mm") && units_agree("km/h", "m/s") && !units_agree("m", "s") &&
              units_agree("odd", "odd") && !units_agree("odd", "m"));
  assert_near(units_change("m/s", "km/h").factor, 3.6);
  UnitChange c = units_change("K", "degC");
  assert_near(300 * c.factor + c.shift, 26.85);
  c = units_change("degC", "degF");
  assert_near(100 * c.factor + c.shift, 212);
  assert_near(units_change("", "m").factor, 1);
  assert_string_equal(units_pretty("kg.m2/s3", arena), "kg\xC2\xB7m\xC2\xB2/s\xC2\xB3");
  assert_string_equal(units_pretty("degC", arena), "\xC2\xB0"
                                                   "C");
  assert_string_equal(units_pretty("us", arena), "\xC2\xB5s");
  assert_string_equal(units_pretty("s-1", arena), "s\xE2\x81\xBB\xC2\xB9");
  assert_string_equal(units_pretty("1", arena), "1");
}

/* ---- pictures ---- */

static double left_of(const Shape *s) {
  double width = draw_text_width(s->text, s->size, s->bold);
  return s->points[0].x - (s->anchor == ANCHOR_END      ? width
                           : s->anchor == ANCHOR_MIDDLE ? width / 2
                                                        : 0);
}

static void assert_on_paper(const Drawing *d) {
  for (uint32_t k = 0; k < d->shapes.n; k++) {
    const Shape *s = &d->shapes.at[k];
    for (uint32_t i = 0; i < s->n; i++)
      assert_true(s->points[i].x >= 0 && s->points[i].x <= d->width && s->points[i].y >= 0 &&
                  s->points[i].y <= d->height);
    if (s->kind == SHAPE_TEXT && !s->upward &&
        !(left_of(s) >= 0 && left_of(s) + draw_text_width(s->text, s->size, s->bold) <= d->width))
      fail_msg("`%s` leaves the paper", s->text);
  }
}

static PlotSource source_of(double scale) {
  enum { ROWS = 200 };
  static const char *const names[] = {"time", "a", "b", "c.d.e.f.g.h.a.rather.long.name"};
  PlotSource s = {.path = "a.csv",
                  .label = "a.csv",
                  .columns = NEW_ARRAY(arena, PlotColumn, 4),
                  .n = 4,
                  .rows = ROWS};
  for (uint32_t k = 0; k < 4; k++) {
    double *values = NEW_ARRAY(arena, double, ROWS);
    for (size_t i = 0; i < ROWS; i++)
      values[i] = k == 0 ? 0.01 * (double)i : scale * sin(0.1 * (double)i * k) - scale * k;
    s.columns[k] = (PlotColumn){.name = names[k],
                                .unit = k == 0   ? "s"
                                        : k == 2 ? "m"
                                                 : "",
                                .display = "",
                                .values = values};
  }
  return s;
}

static void layouts_stay_on_paper(void **state) {
  (void)state;
  static const char *const asked[][3] = {
      {"a", "b", "*long*"}, {"a, b @right", "a vs b", "b"}, {"a", "a, b, *long*", "b vs a"}};
  for (int size = -12; size <= 12; size += 6)
    for (size_t q = 0; q < 3; q++)
      for (int small = 0; small < 2; small++) {
        PlotSource s = source_of(pow(10, size));
        NuFigureOptions o = {.from = NAN,
                             .to = NAN,
                             .width = small ? 7 : NAN,
                             .height = small ? 9 : NAN,
                             .title = q ? "A title" : NULL,
                             .curves = asked[q],
                             .n_curves = 3};
        PlotWord *w;
        uint32_t n;
        bool used = false;
        assert_true(plot_words(o.curves, o.n_curves, &w, &n, arena, diags) &&
                    plot_expand(&w, &n, &s, arena, diags));
        NuFigure *f = plot_figure(w, n, &s, 1, arena, diags);
        assert_non_null(f);
        Chart *c = chart_build(f, &(PlotInput){&s, 1, &o, &used}, arena, diags);
        assert_non_null(c);
        assert_on_paper(plot_layout(c, &o, arena));
        Text out = {.arena = arena};
        plot_terminal(c, &o, &out);
        assert_true(out.n > 100);
      }
}

static void widths_of_texts(void **state) {
  (void)state;
  assert_near(draw_text_width("0", 10, false), 6.36);
  assert_true(draw_text_width("mm", 8, true) > draw_text_width("mm", 8, false));
  const char *cut = draw_text_fit("a long text", 8, false, 25, arena);
  assert_true(draw_text_width(cut, 8, false) <= 25 && strstr(cut, "\xE2\x80\xA6"));
  assert_string_equal(draw_text_fit("text", 8, false, 100, arena), "text");
  assert_string_equal(draw_clean("a\nb\xff", arena), "a b\xEF\xBF\xBD");
}

/* ---- the public functions ---- */

static size_t told;

static void count(void *user, const NuDiagnostic *d) {
  (void)user;
  (void)d;
  told++;
}

static void figures_of_a_caller(void **state) {
  (void)state;
  char path[] = "/tmp/nusim-plot-XXXXXX", csv[40], svg[40];
  assert_non_null(mkdtemp(path));
  snprintf(csv, sizeof csv, "%s/t.csv", path);
  snprintf(svg, sizeof svg, "%s/f.svg", path);
  FILE *f = fopen(csv, "w");
  assert_non_null(f);
  fputs("time,y,z\n0,1,2\n1,3,5\n", f);
  fclose(f);
  NuSessionOptions so = nu_session_options();
  so.sink = count;
  NuSession *session;
  assert_int_equal(nu_session_new(&so, &session), NU_OK);
  const NuAxis chosen = {.min = NAN, .max = NAN};
  const NuCurve curves[] = {{.y = "y", .legend = "first"}, {.y = "z", .x = "y", .result = 1}};
  const NuPlot plots[] = {{.title = "",
                           .identifier = "",
                           .x = chosen,
                           .y = chosen,
                           .y2 = chosen,
                           .curves = curves,
                           .n_curves = 1},
                          {.title = "",
                           .identifier = "",
                           .x = chosen,
                           .y = chosen,
                           .y2 = chosen,
                           .curves = curves + 1,
                           .n_curves = 1}};
  const NuFigure figure = {.title = "Two plots",
                           .identifier = "",
                           .group = "",
                           .caption = "",
                           .plots = plots,
                           .n_plots = 2};
  NuFigureOptions o = nu_figure_options();
  o.results = (const char *const[]){csv, csv};
  o.n_results = 2;
  char *text = NULL;
  assert_int_equal(nu_figure_write(session, &figure, 1, &o, svg), NU_OK);
  assert_int_equal(nu_figure_text(session, &figure, 1, &o, &text), NU_OK);
  assert_true(strstr(text, "Two plots") && told == 0);
  nu_free(text);
  o.n_results = 1; /* there is no second one */
  assert_int_equal(nu_figure_write(session, &figure, 1, &o, svg), NU_USAGE);
  o.n_results = 0;
  assert_int_equal(nu_figure_text(session, &figure, 1, &o, &text), NU_USAGE);
  assert_true(!text && told == 2);
  nu_session_free(session);
  remove(svg);
  remove(csv);
  remove(path);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
  const struct CMUnitTest tests[] = {
      CASE(linear_ticks),
      CASE(logarithmic_ticks),
      CASE(jumps_and_gaps),
      CASE(steps),
      CASE(outside_is_cut),
      CASE(few_points_show_all),
      CASE(many_jumps_stay_upright),
      CASE(logarithmic_places),
      CASE(words),
      CASE(units),
      CASE(layouts_stay_on_paper),
      CASE(widths_of_texts),
      CASE(figures_of_a_caller),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
