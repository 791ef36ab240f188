/* tests/unit/test_base.c -- arenas, maps, texts, positions and diagnostics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/explain.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/text.h"
#include "base/vec.h"

/* One budget and one arena per test. */
typedef struct {
  Memory mem;
  Arena *arena;
  SourceMap *sources;
  Diags *diags;
} Fixture;

static int set_up(void **state) {
  Fixture *f = calloc(1, sizeof *f);
  f->arena = arena_new(&f->mem);
  f->sources = sources_new(f->arena);
  f->diags = diags_new(f->arena, f->sources);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  Fixture *f = *state;
  mem_drop_since(&f->mem, NULL);
  int left = f->mem.used != 0;
  free(f);
  return left;
}

static void memory_is_zero_and_counted(void **state) {
  Fixture *f = *state;
  size_t before = f->mem.used;
  Arena *a = arena_new(&f->mem);
  for (size_t size = 1; size < 100000; size *= 3) {
    unsigned char *p = arena_alloc(a, size);
    assert_int_equal((uintptr_t)p % 16, 0);
    for (size_t i = 0; i < size; i++)
      assert_int_equal(p[i], 0);
    memset(p, 0xAA, size);
  }
  assert_true(f->mem.used > before + 80000);
  arena_free(a);
  assert_int_equal(f->mem.used, before);
}

/* Takes until the budget says no; true when that happened. */
static bool exhausts(Memory *mem) {
  jmp_buf here;
  Arena *mark = mem->arenas;
  mem->recover = &here;
  if (setjmp(here)) {
    mem_drop_since(mem, mark);
    mem->recover = NULL;
    return true;
  }
  Arena *a = arena_new(mem);
  for (int i = 0; i < 1000; i++)
    arena_alloc(a, 10000);
  arena_free(a);
  mem->recover = NULL;
  return false;
}

static void memory_limit_and_fault_return_to_the_recovery_point(void **state) {
  Fixture *f = *state;
  size_t before = f->mem.used;
  assert_false(exhausts(&f->mem));
  f->mem.limit = 1000000;
  assert_true(exhausts(&f->mem));
  assert_int_equal(f->mem.used, before);
  f->mem.limit = 0;
  for (size_t k = 1; k < 12; k++) {
    f->mem.fail_at = k;
    assert_true(exhausts(&f->mem));
    assert_int_equal(f->mem.used, before);
  }
}

typedef VEC(uint32_t) Numbers;

static uint32_t push_three(Arena *a, Numbers *v) {
  for (uint32_t k = 0; k < 3; k++)
    vec_push(a, v, 10 + k);
  return 99;
}

/* What an item's expression pushes comes before the item, however often the vector moves. */
static void vec_items_may_push(void **state) {
  Fixture *f = *state;
  Numbers v = {0};
  for (uint32_t round = 0; round < 40; round++)
    vec_push(f->arena, &v, push_three(f->arena, &v));
  assert_int_equal(v.n, 160);
  for (uint32_t k = 0; k < v.n; k++)
    assert_int_equal(v.at[k], k % 4 == 3 ? 99 : 10 + k % 4);
}

static void vec_and_map_grow(void **state) {
  Fixture *f = *state;
  VEC(uint64_t) v = {0};
  Map m = {0};
  uint64_t got = 0;
  assert_false(map_get(&m, 7, &got));
  for (uint64_t i = 0; i < 5000; i++) {
    vec_push(f->arena, &v, i * i);
    map_put(f->arena, &m, i * 0x10000, i);
  }
  map_put(f->arena, &m, 0x30000, 77);
  for (uint64_t i = 0; i < 5000; i++) {
    assert_int_equal(v.at[i], i * i);
    assert_true(map_get(&m, i * 0x10000, &got));
    assert_int_equal(got, i == 3 ? 77 : i);
    assert_false(map_get(&m, i * 0x10000 + 1, &got));
  }
  assert_int_equal(m.n, 5000);
}

static void interned_names_are_one(void **state) {
  Fixture *f = *state;
  Interner *in = interner_new(f->arena);
  const char *first = intern_str(in, "x1");
  char name[16];
  for (int i = 0; i < 20000; i++) {
    snprintf(name, sizeof name, "x%d", i);
    assert_ptr_equal(intern_str(in, name), intern(in, name, strlen(name)));
  }
  assert_ptr_equal(first, intern(in, "x12", 2));
  assert_string_equal(intern(in, "", 0), "");
}

static const char *real_text(Fixture *f, double value) {
  Text t = {.arena = f->arena};
  text_real(&t, value);
  return text_str(&t);
}

static void reals_read_back(void **state) {
  Fixture *f = *state;
  assert_string_equal(real_text(f, 1), "1");
  assert_string_equal(real_text(f, 0.1), "0.1");
  assert_string_equal(real_text(f, -2.5e-300), "-2.5e-300");
  assert_string_equal(real_text(f, NAN), "nan");
  assert_string_equal(real_text(f, -INFINITY), "-inf");
  double awkward[] = {1.0 / 3,   5e-324, 1.7976931348623157e308,
                      0.1 + 0.2, -0.0,   123456789012345678.0};
  for (size_t i = 0; i < sizeof awkward / sizeof *awkward; i++)
    assert_true(strtod(real_text(f, awkward[i]), NULL) == awkward[i]);
}

/* The shortest digits that printf finds; its nearest decimal is not always inside where the spacing
 * of doubles changes. */
static size_t printf_length(double value, char *text, size_t room) {
  for (int precision = 1; precision <= 17; precision++) {
    snprintf(text, room, "%.*e", precision - 1, value);
    if (strtod(text, NULL) == value)
      return (size_t)precision;
  }
  return 17;
}

static size_t count_digits(const char *text) {
  char digits[40];
  size_t n = 0;
  for (; *text && *text != 'e'; text++)
    if (*text >= '0' && *text <= '9' && (n || *text != '0'))
      digits[n++] = *text;
  while (n && digits[n - 1] == '0')
    n--;
  return n;
}

static void reals_are_short(void **state) {
  (void)state;
  uint64_t seed = 1;
  char text[REAL_ROOM], other[40];
  for (uint32_t i = 0; i < 300000; i++) {
    /* random bits, powers of two and their neighbours, short decimals */
    double value;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t bits = i % 4 == 0 ? ((uint64_t)(i / 4 % 2047) << 52) + i % 3 - 1 : seed ^ seed >> 29;
    memcpy(&value, &bits, sizeof value);
    if (i % 4 == 1)
      value = (double)(int64_t)(seed >> 40) / 1000;
    else if (i % 4 == 2)
      value = (double)(seed >> 12) * 1e-9;
    if (isnan(value) || isinf(value))
      continue;
    size_t length = real_digits(value, text);
    assert_int_equal(length, strlen(text));
    double back = strtod(text, NULL);
    assert_memory_equal(&back, &value, sizeof value);
    assert_true(count_digits(text) <= printf_length(value, other, sizeof other));
  }
}

/* The layout of %g, with as many digits as are needed but 15 at least. */
static void reals_are_laid_out_like_printf(void **state) {
  Fixture *f = *state;
  for (int e = -330; e <= 308; e++)
    for (int k = 1; k <= 3; k++) {
      double value = strtod(
          arena_printf(f->arena, "%s%se%d", k == 2 ? "-" : "", k == 3 ? "1.23456789" : "7", e),
          NULL);
      if (fabs(value) >= 2.3e-308)
        assert_string_equal(real_text(f, value), arena_printf(f->arena, "%.15g", value));
    }
  assert_string_equal(real_text(f, 5e-324), "5e-324");
  assert_string_equal(real_text(f, -0.0), "-0");
  assert_string_equal(real_text(f, 9007199254740993.0), "9007199254740992");
  assert_string_equal(real_text(f, 1.7976931348623157e308), "1.7976931348623157e+308");
  Text t = {.arena = f->arena};
  text_integer(&t, INT64_MIN), text_char(&t, ' '), text_integer(&t, 0), text_char(&t, ' '),
      text_integer(&t, 1020);
  assert_string_equal(text_str(&t), "-9223372036854775808 0 1020");
}

static void json_strings_are_escaped(void **state) {
  Fixture *f = *state;
  Text t = {.arena = f->arena};
  text_json(&t, "a\"b\\c\nd\x01é");
  assert_string_equal(text_str(&t), "\"a\\\"b\\\\c\\nd\\u0001é\"");
}

/* A source and the span of the first `part` in it. */
static const Source *add_source(Fixture *f, const char *name, const char *text) {
  return sources_add(f->sources, name, text, strlen(text));
}

static Span span_of(const Source *s, const char *part) {
  const char *at = strstr(s->text, part);
  assert_non_null(at);
  uint32_t lo = s->base + (uint32_t)(at - s->text);
  return (Span){lo, lo + (uint32_t)strlen(part)};
}

static void places_count_lines_and_characters(void **state) {
  Fixture *f = *state;
  const Source *a = add_source(f, "A.mo",
                               "one\ntwo\r\nthr\xC3\xA9"
                               "e x\rfour");
  const Source *b = add_source(f, "B.mo", "");
  Place p = source_place(f->sources, span_of(a, "x").lo);
  assert_ptr_equal(p.source, a);
  assert_int_equal(p.line, 3);
  assert_int_equal(p.column, 7);
  p = source_place(f->sources, span_of(a, "four").lo);
  assert_int_equal(p.line, 4);
  assert_int_equal(p.column, 1);
  assert_ptr_equal(source_place(f->sources, b->base).source, b);
  assert_null(source_place(f->sources, 0).source);
  assert_null(source_place(f->sources, b->base + 1).source);
  size_t n = 0;
  assert_memory_equal(source_line(a, 2, &n), "two", 3);
  assert_int_equal(n, 3);
}

static const char *rendered(Fixture *f, const Diag *d) {
  Text t = {.arena = f->arena};
  diag_render(f->diags, d, false, &t);
  return text_str(&t);
}

static void diag_shows_place_labels_and_remarks(void **state) {
  Fixture *f = *state;
  const Source *s = add_source(f, "Ball.mo", "model Ball\n  Real v;\n  v = e*h;\nend Ball;\n");
  const Source *o = add_source(f, "Types.mo", "type Length = Real;\n");
  Diag *d = diag_add(f->diags, D_U201, span_of(s, "v ="), "left side is [%s]", "m/s");
  diag_label(f->diags, d, span_of(s, "e*h"), "e [1] * h [m]");
  diag_label(f->diags, d, span_of(s, "v;"), "declared here");
  diag_label(f->diags, d, span_of(o, "Length"), "of this type");
  diag_note(f->diags, d, "first\nsecond");
  diag_help(f->diags, d, "multiply by a time");
  diag_origin(f->diags, d, "Plant.ball");
  assert_string_equal(rendered(f, d), "Ball.mo:3:3: warning[U201]: left side is [m/s]\n"
                                      " 2 |   Real v;\n"
                                      "   |        -- declared here\n"
                                      " 3 |   v = e*h;\n"
                                      "   |   ^^^ --- e [1] * h [m]\n"
                                      "  --> Types.mo:1\n"
                                      " 1 | type Length = Real;\n"
                                      "   |      ------ of this type\n"
                                      "   = note: first\n"
                                      "           second\n"
                                      "   = help: multiply by a time\n"
                                      "   = origin: Plant.ball\n");
}

static void diag_puts_several_labels_of_a_line_on_rows(void **state) {
  Fixture *f = *state;
  const Source *s = add_source(f, "A.mo", "a = bb + ccc;");
  Diag *d = diag_add(f->diags, D_T302, span_of(s, "a"), "sizes differ");
  diag_label(f->diags, d, span_of(s, "bb"), "Real[2]");
  diag_label(f->diags, d, span_of(s, "ccc"), "Real[3]");
  assert_string_equal(rendered(f, d), "A.mo:1:1: error[T302]: sizes differ\n"
                                      " 1 | a = bb + ccc;\n"
                                      "   | ^   --   --- Real[3]\n"
                                      "   |     Real[2]\n");
}

static void diag_without_place_is_a_line(void **state) {
  Fixture *f = *state;
  Diag *d = diag_add(f->diags, D_A001, (Span){0, 0}, "there is no option `%s`", "--stp");
  assert_string_equal(rendered(f, d), "error[A001]: there is no option `--stp`\n");
}

static void diag_counts_tabs_and_wide_characters(void **state) {
  Fixture *f = *state;
  const Source *s = add_source(f, "A.mo", "\tx\t= \xE6\xB0\xB4 + e\xCC\x81 + \xFF + \x1B[31m y;");
  Diag *d = diag_add(f->diags, D_N001, span_of(s, "y"), "`y`");
  assert_string_equal(rendered(f, d),
                      "A.mo:1:25: error[N001]: `y`\n"
                      " 1 |     x   = \xE6\xB0\xB4 + e\xCC\x81 + \uFFFD + \uFFFD[31m y;\n"
                      "   |                              ^\n");
}

static void diag_crops_long_lines(void **state) {
  Fixture *f = *state;
  char *text = arena_alloc(f->arena, 1001);
  memset(text, 'a', 1000);
  text[700] = '!';
  const Source *s = add_source(f, "A.mo", text);
  const char *shown = rendered(f, diag_add(f->diags, D_P001, span_of(s, "!"), "what"));
  const char *line = strchr(shown, '\n') + 1, *marks = strchr(line, '\n') + 1;
  assert_int_equal(marks - line, 5 + 160 + 1);
  assert_memory_equal(line, " 1 | ...aaa", 11);
  assert_int_equal(strchr(line, '!') - line, strchr(marks, '^') - marks);
  shown = rendered(f, diag_add(f->diags, D_P001, (Span){s->base + 999, s->base + 1000}, "end"));
  assert_non_null(strstr(shown, "aaa\n"));
}

static void diag_marks_ends_and_first_lines(void **state) {
  Fixture *f = *state;
  const Source *s = add_source(f, "A.mo", "if a\nthen");
  Diag *d = diag_add(f->diags, D_P010, span_of(s, "a\nthen"), "over two lines");
  assert_string_equal(rendered(f, d),
                      "A.mo:1:4: error[P010]: over two lines\n 1 | if a\n   |    ^\n");
  uint32_t end = s->base + s->length;
  d = diag_add(f->diags, D_P012, (Span){end, end}, "ends");
  assert_string_equal(rendered(f, d), "A.mo:2:5: error[P012]: ends\n 2 | then\n   |     ^\n");
}

static void diag_colour_only_adds_escapes(void **state) {
  Fixture *f = *state;
  const Source *s = add_source(f, "A.mo", "a = b;");
  Diag *d = diag_add(f->diags, D_N001, span_of(s, "b"), "`b`");
  diag_label(f->diags, d, span_of(s, "a"), "here");
  Text t = {.arena = f->arena}, plain = {.arena = f->arena};
  diag_render(f->diags, d, true, &t);
  for (const char *p = text_str(&t); *p; p++) {
    if (*p == '\033')
      p = strchr(p, 'm');
    else
      text_char(&plain, *p);
  }
  assert_string_equal(text_str(&plain), rendered(f, d));
}

static void diag_as_json(void **state) {
  Fixture *f = *state;
  const Source *s = add_source(f, "A.mo", "a =\n  bé;");
  Diag *d = diag_add(f->diags, D_N001, span_of(s, "bé"), "`b\"`");
  diag_label(f->diags, d, span_of(s, "a"), "x");
  diag_note(f->diags, d, "n");
  Text t = {.arena = f->arena};
  diag_json(f->diags, d, &t);
  assert_string_equal(text_str(&t), "{\"code\":\"N001\",\"severity\":\"error\",\"message\":\"`"
                                    "b\\\"`\",\"file\":\"A.mo\",\"line\":2,"
                                    "\"column\":3,\"end_line\":2,\"end_column\":5,\"labels\":[{"
                                    "\"file\":\"A.mo\",\"line\":1,\"column\":1,"
                                    "\"end_line\":1,\"end_column\":2,\"text\":\"x\"}],\"notes\":["
                                    "\"n\"],\"help\":null,\"origin\":null}");
}

static void equal_diags_are_kept_once(void **state) {
  Fixture *f = *state;
  const Source *s = add_source(f, "A.mo", "a b");
  Diag *d = diag_add(f->diags, D_N001, span_of(s, "a"), "x%d", 1);
  assert_ptr_equal(d, diag_add(f->diags, D_N001, span_of(s, "a"), "x1"));
  assert_ptr_not_equal(d, diag_add(f->diags, D_N001, span_of(s, "b"), "x1"));
  assert_ptr_not_equal(d, diag_add(f->diags, D_N002, span_of(s, "a"), "x1"));
  diag_add(f->diags, D_U201, span_of(s, "a"), "x1");
  assert_int_equal(diags_count(f->diags), 4);
  assert_int_equal(diags_errors(f->diags), 3);
}

static void rewound_diags_can_come_again(void **state) {
  Fixture *f = *state;
  diag_add(f->diags, D_N001, (Span){0, 0}, "stays");
  for (int i = 0; i < 3; i++) {
    diag_add(f->diags, D_N001, (Span){0, 0}, "other %d", i);
    diag_add(f->diags, D_N001, (Span){0, 0}, "again");
    assert_int_equal(diags_count(f->diags), 3);
    diags_rewind(f->diags, 1);
    diag_add(f->diags, D_N001, (Span){0, 0}, "again");
    diag_add(f->diags, D_N001, (Span){0, 0}, "again");
    diag_add(f->diags, D_N001, (Span){0, 0}, "stays");
    assert_int_equal(diags_errors(f->diags), 2);
    diags_rewind(f->diags, 1);
  }
}

static void messages_cannot_steer_a_terminal(void **state) {
  Fixture *f = *state;
  Diag *d = diag_add(f->diags, D_N001, (Span){0, 0}, "a\x1B[2Jb\xC3(c\xE2\x80\xAE");
  assert_string_equal(d->message, "a\uFFFD[2Jb\uFFFD(c\uFFFD");
}

static void codes_have_names_and_pages(void **state) {
  (void)state;
  for (uint32_t i = 0; i < D_COUNT; i++) {
    DiagCode back = D_COUNT;
    assert_true(diag_code_find(diag_code_name((DiagCode)i), &back));
    assert_int_equal(back, i);
    const char *page = nu_error_page(diag_code_name((DiagCode)i));
    assert_non_null(page);
    assert_memory_equal(page + 2, diag_code_name((DiagCode)i), 4);
  }
  DiagCode none;
  assert_false(diag_code_find("Z999", &none));
  assert_null(nu_error_page("Z999"));
}

static void nearest_names_are_found(void **state) {
  (void)state;
  const char *known[] = {"height", "weight", "velocity", "Height", "heigth",
                         "v",      "V",      "mass",     "height"};
  const char *best[3];
  assert_int_equal(nearest_names("heihgt", known, 9, best, 3), 3);
  assert_string_equal(best[0], "height");
  assert_string_equal(best[1], "Height");
  assert_int_equal(nearest_names("HEIGHT", known, 9, best, 3), 2);
  assert_string_equal(best[0], "height");
  assert_string_equal(best[1], "Height");
  assert_int_equal(nearest_names("wieght", known, 9, best, 1), 1);
  assert_string_equal(best[0], "weight");
  assert_int_equal(nearest_names("v", known + 6, 1, best, 3), 1);
  assert_int_equal(nearest_names("x", known, 9, best, 3), 0);
  assert_int_equal(nearest_names("velocty", known, 9, best, 3), 1);
  assert_int_equal(nearest_names("", known, 9, best, 3), 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(memory_is_zero_and_counted),
      TEST(memory_limit_and_fault_return_to_the_recovery_point),
      TEST(vec_items_may_push),
      TEST(vec_and_map_grow),
      TEST(interned_names_are_one),
      TEST(reals_read_back),
      TEST(reals_are_short),
      TEST(reals_are_laid_out_like_printf),
      TEST(json_strings_are_escaped),
      TEST(places_count_lines_and_characters),
      TEST(diag_shows_place_labels_and_remarks),
      TEST(diag_puts_several_labels_of_a_line_on_rows),
      TEST(diag_without_place_is_a_line),
      TEST(diag_counts_tabs_and_wide_characters),
      TEST(diag_crops_long_lines),
      TEST(diag_marks_ends_and_first_lines),
      TEST(diag_colour_only_adds_escapes),
      TEST(diag_as_json),
      TEST(equal_diags_are_kept_once),
      TEST(rewound_diags_can_come_again),
      TEST(messages_cannot_steer_a_terminal),
      TEST(codes_have_names_and_pages),
      TEST(nearest_names_are_found),
  };
  return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
