/* tests/unit/test_library.c -- finding classes in files and directories; makes its own tree in a
 * temporary directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/diag.h"
#include "instance/library.h"

typedef struct {
  Memory mem;
  jmp_buf recover;
  Arena *arena;
  Interner *names;
  SourceMap *sources;
  Diags *diags;
  Library *lib;
  char root[64];
} Fixture;

static Fixture fx;

static const char *at(const char *path) { return arena_printf(fx.arena, "%s/%s", fx.root, path); }

/* Writes a file of the tree and makes the directories above it. */
static void put(const char *path, const char *text) {
  char *full = arena_strdup(fx.arena, at(path));
  for (char *slash = full + strlen(fx.root) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    mkdir(full, 0700);
    *slash = '/';
  }
  FILE *f = fopen(full, "wb");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static int set_up(void **state) {
  (void)state;
  fx = (Fixture){0};
  fx.mem.recover = &fx.recover;
  strcpy(fx.root, "/tmp/nusim-library-XXXXXX");
  if (!mkdtemp(fx.root))
    return -1;
  fx.arena = arena_new(&fx.mem);
  fx.names = interner_new(fx.arena);
  fx.sources = sources_new(fx.arena);
  fx.diags = diags_new(fx.arena, fx.sources);
  fx.lib = library_new(fx.arena, fx.names, fx.sources, fx.diags);
  put("lib1/A/package.mo", "within;\npackage A\n  package Inside\n  end Inside;\nend A;\n");
  put("lib1/A/package.order", "Zeta\r\nInside\nSub\nmissing\n");
  put("lib1/A/Beta.mo", "within A;\nmodel Beta\nend Beta;\n");
  put("lib1/A/Zeta.mo", "within A;\nmodel Zeta\nend Zeta;\n");
  put("lib1/A/Wrong.mo", "within A.Sub;\nmodel Wrong\nend Wrong;\n");
  put("lib1/A/Bare.mo", "model Bare\nend Bare;\n");
  put("lib1/A/Name.mo", "within A;\nmodel Other\nend Other;\n");
  put("lib1/A/Two.mo", "within A;\nmodel Two\nend Two;\nmodel Three\nend Three;\n");
  put("lib1/A/Sub/package.mo", "within A;\npackage Sub\nend Sub;\n");
  put("lib1/A/Sub/Leaf.mo", "within A.Sub;\nmodel Leaf\nend Leaf;\n");
  put("lib1/A/Resources/note.txt", "text");
  put("lib1/A/my-file.mo", "model X\nend X;\n");
  put("lib1/V 4.0.0/package.mo", "package V\n  model Old\n  end Old;\nend V;\n");
  put("lib1/V 4.10.0-beta/package.mo", "package V\n  model Beta\n  end Beta;\nend V;\n");
  put("lib1/V 4.9.mo", "package V\n  model Last\n  end Last;\nend V;\n");
  put("lib1/V 4.10.0/package.mo", "package V\n  model New\n  end New;\nend V;\n");
  put("lib2/A/package.mo", "package A\nend A;\n");
  put("lib2/A/Only2.mo", "within A;\nmodel Only2\nend Only2;\n");
  put("lib2/One.mo", "model One\nend One;\n");
  put("lib2/Empty/readme.txt", "not a package");
  library_set_path(fx.lib,
                   arena_printf(fx.arena, "%s/lib1:%s/none::%s/lib2", fx.root, fx.root, fx.root));
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", fx.root);
  int failed = system(command);
  arena_free(fx.arena);
  return failed;
}

static DiagCode last_code(void) { return diags_at(fx.diags, diags_count(fx.diags) - 1)->code; }

static void top_along_path(void **state) {
  (void)state;
  LibClass *a = library_top(fx.lib, "A");
  assert_non_null(a);
  assert_string_equal(a->name, "A");
  assert_null(a->parent);
  assert_non_null(strstr(a->directory, "lib1/A"));
  assert_ptr_equal(a, library_top(fx.lib, "A"));
  assert_null(library_child(fx.lib, a, "Only2")); /* other roots are not tried */
  LibClass *one = library_top(fx.lib, "One");
  assert_non_null(one);
  assert_null(one->directory);
  assert_null(library_top(fx.lib, "Nothing"));
  assert_null(library_top(fx.lib, "Empty"));
  assert_null(library_top(fx.lib, "a")); /* names are case-sensitive */
  assert_int_equal(diags_count(fx.diags), 0);
}

static void highest_version(void **state) {
  (void)state;
  LibClass *v = library_top(fx.lib, "V");
  assert_non_null(v);
  assert_non_null(strstr(v->directory, "V 4.10.0"));
  assert_null(strstr(v->directory, "beta"));
  put("lib1/V/package.mo", "package V\nend V;\n");
  library_set_path(fx.lib, at("lib1"));
  assert_null(strchr(library_top(fx.lib, "V")->directory, ' ')); /* the plain name wins */
}

static void children(void **state) {
  (void)state;
  LibClass *a = library_top(fx.lib, "A");
  LibClass *sub = library_child(fx.lib, a, "Sub");
  assert_non_null(sub);
  assert_ptr_equal(sub->parent, a);
  LibClass *leaf = library_child(fx.lib, sub, "Leaf");
  assert_non_null(leaf);
  assert_non_null(leaf->source);
  assert_null(library_child(fx.lib, sub, "leaf"));
  assert_null(library_child(fx.lib, a, "Inside")); /* is in the text of package.mo */
  assert_null(library_child(fx.lib, a, "Resources"));
  assert_null(library_child(fx.lib, a, "package"));
  assert_int_equal(diags_count(fx.diags), 0);

  static const char *const expected[] = {"Zeta", "Sub", "Bare", "Beta", "Name", "Two", "Wrong"};
  const char *const *names = NULL;
  uint32_t n = library_children(fx.lib, a, &names);
  assert_int_equal(n, 7);
  for (uint32_t i = 0; i < n; i++)
    assert_string_equal(names[i], expected[i]);
  assert_int_equal(library_children(fx.lib, leaf, &names), 0);
}

static void files_that_do_not_fit(void **state) {
  (void)state;
  LibClass *a = library_top(fx.lib, "A");
  assert_non_null(library_child(fx.lib, a, "Wrong"));
  assert_int_equal(last_code(), D_L003);
  assert_non_null(library_child(fx.lib, a, "Bare"));
  assert_int_equal(diags_count(fx.diags), 2);
  assert_int_equal(last_code(), D_L003);
  assert_null(library_child(fx.lib, a, "Name"));
  assert_int_equal(last_code(), D_L004);
  assert_non_null(library_child(fx.lib, a, "Two"));
  assert_int_equal(diags_count(fx.diags), 4);
  assert_int_equal(last_code(), D_L004);
  assert_null(library_child(fx.lib, a, "Name")); /* reported once */
  assert_int_equal(diags_count(fx.diags), 4);
}

static void loading(void **state) {
  (void)state;
  put("user/Balls.mo", "model Ball\nend Ball;\nmodel One\nend One;\n");
  assert_true(library_load(fx.lib, at("user/Balls.mo")));
  assert_true(library_load(fx.lib, at("user/../user/Balls.mo"))); /* the same file again */
  LibClass *const *loaded = NULL;
  assert_int_equal(library_loaded(fx.lib, &loaded), 2);
  assert_string_equal(loaded[0]->name, "Ball");
  assert_ptr_equal(library_top(fx.lib, "Ball"), loaded[0]);
  assert_ptr_equal(library_top(fx.lib, "One"), loaded[1]); /* before the path */
  assert_int_equal(diags_count(fx.diags), 0);

  assert_true(library_load_text(fx.lib, "text", "model Ball\nend Ball;\n", 21));
  assert_int_equal(last_code(), D_N002);
  assert_int_equal(library_loaded(fx.lib, &loaded), 2);
}

static void loading_what_is_not_there(void **state) {
  (void)state;
  put("user/Balls.mo", "model Ball\nend Ball;\n");
  assert_false(library_load(fx.lib, at("user/Bals.mo")));
  assert_int_equal(last_code(), D_L001);
  assert_non_null(strstr(diags_at(fx.diags, 0)->help, "Balls.mo"));
  assert_false(library_load(fx.lib, at("lib2/Empty")));
  assert_false(library_load(fx.lib, "/dev/null"));
  assert_false(library_load(fx.lib, ""));
  assert_int_equal(diags_errors(fx.diags), 4);
}

static void loading_a_directory(void **state) {
  (void)state;
  library_set_path(fx.lib, "");
  assert_true(library_load(fx.lib, at("lib2/A//")));
  LibClass *a = library_top(fx.lib, "A");
  assert_non_null(library_child(fx.lib, a, "Only2"));
  assert_true(library_load(fx.lib, at("lib2/A/package.mo")));
  LibClass *const *loaded = NULL;
  assert_int_equal(library_loaded(fx.lib, &loaded), 1);
  assert_int_equal(diags_count(fx.diags), 0);
}

static void within_a_package_on_the_path(void **state) {
  (void)state;
  put("user/New.mo", "within A.Sub;\nmodel New\nend New;\n");
  assert_true(library_load(fx.lib, at("user/New.mo")));
  static const char text[] = "within A.Inside;\nmodel Deep\nend Deep;\n";
  assert_true(library_load_text(fx.lib, "text", text, strlen(text)));
  assert_int_equal(diags_count(fx.diags), 0);
  LibClass *a = library_top(fx.lib, "A"), *sub = library_child(fx.lib, a, "Sub");
  assert_non_null(library_child(fx.lib, sub, "New"));
  assert_non_null(library_child(fx.lib, sub, "Leaf"));
  LibClass *inside = library_child(fx.lib, a, "Inside");
  assert_non_null(inside);
  assert_non_null(library_child(fx.lib, inside, "Deep"));
  const char *const *names = NULL;
  assert_int_equal(library_children(fx.lib, sub, &names), 2);
  assert_string_equal(names[1], "New");
  assert_null(library_top(fx.lib, "New"));

  static const char lost[] = "within Nowhere.B;\nmodel Lost\nend Lost;\n";
  assert_true(library_load_text(fx.lib, "text2", lost, strlen(lost)));
  assert_int_equal(last_code(), D_L003);
}

/* A file in the middle of a library, with no path set: the package around it is found. */
static void within_the_package_around(void **state) {
  (void)state;
  library_set_path(fx.lib, "");
  assert_true(library_load(fx.lib, at("lib1/A/Sub/Leaf.mo")));
  assert_int_equal(diags_count(fx.diags), 0);
  LibClass *const *loaded = NULL;
  assert_int_equal(library_loaded(fx.lib, &loaded), 1);
  LibClass *a = library_top(fx.lib, "A");
  assert_non_null(a);
  assert_ptr_equal(loaded[0]->parent, library_child(fx.lib, a, "Sub"));
  assert_ptr_equal(loaded[0], library_child(fx.lib, loaded[0]->parent, "Leaf"));
  assert_non_null(library_child(fx.lib, a, "Beta"));
}

static void resources(void **state) {
  (void)state;
  assert_string_equal(library_resource(fx.lib, "modelica://A/Resources/note.txt"),
                      at("lib1/A/Resources/note.txt"));
  assert_string_equal(library_resource(fx.lib, "Modelica://A.Sub/a%20b.txt"),
                      at("lib1/A/Sub/a b.txt"));
  assert_string_equal(library_resource(fx.lib, "modelica://A.Inside/x"), at("lib1/A/Inside/x"));
  assert_string_equal(library_resource(fx.lib, "modelica://V/x"), at("lib1/V 4.10.0/x"));
  assert_string_equal(library_resource(fx.lib, "modelica://One/x"), at("lib2/x"));
  assert_string_equal(library_resource(fx.lib, "file:///a/b%63"), "/a/bc");
  assert_null(library_resource(fx.lib, "modelica://Nothing/x"));
  assert_null(library_resource(fx.lib, "modelica://A/b/../../x"));
  assert_null(library_resource(fx.lib, "modelica://"));
  assert_null(library_resource(fx.lib, "http://A/x"));
}

/* Every allocation may fail: control comes back and nothing stays open. */
static void exhausted_memory(void **state) {
  (void)state;
  const char *const lib1 = at("lib1");
  for (volatile size_t k = 1;; k++) {
    const Arena *mark = fx.mem.arenas;
    if (setjmp(fx.recover) == 0) {
      fx.mem.fail_at = k;
      Arena *a = arena_new(&fx.mem);
      SourceMap *sources = sources_new(a);
      Library *lib = library_new(a, interner_new(a), sources, diags_new(a, sources));
      library_set_path(lib, lib1);
      library_load(lib, "/tmp/none.mo");
      library_resource(lib, "modelica://A/x");
      const char *const *names = NULL;
      library_children(lib, library_top(lib, "A"), &names);
      bool done = fx.mem.fail_at != 0;
      fx.mem.fail_at = 0;
      arena_free(a);
      if (done)
        break;
    } else {
      mem_drop_since(&fx.mem, mark);
    }
  }
  assert_ptr_equal(fx.mem.arenas, fx.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(top_along_path, set_up, tear_down),
      cmocka_unit_test_setup_teardown(highest_version, set_up, tear_down),
      cmocka_unit_test_setup_teardown(children, set_up, tear_down),
      cmocka_unit_test_setup_teardown(files_that_do_not_fit, set_up, tear_down),
      cmocka_unit_test_setup_teardown(loading, set_up, tear_down),
      cmocka_unit_test_setup_teardown(loading_what_is_not_there, set_up, tear_down),
      cmocka_unit_test_setup_teardown(loading_a_directory, set_up, tear_down),
      cmocka_unit_test_setup_teardown(within_a_package_on_the_path, set_up, tear_down),
      cmocka_unit_test_setup_teardown(within_the_package_around, set_up, tear_down),
      cmocka_unit_test_setup_teardown(resources, set_up, tear_down),
      cmocka_unit_test_setup_teardown(exhausted_memory, set_up, tear_down),
  };
  return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
