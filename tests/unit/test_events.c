/* tests/unit/test_events.c -- the list of events of a stored run is that of the run itself. */
#include <dirent.h>
#include <unistd.h>

/* before cmocka.h, which makes a macro of `fail` */
#include "api/api_impl.h"
#include "result/events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
  NuSession *session;
  NuProgram *program;
  char path[64]; /* of the store */
} Fix;

static void open_model(Fix *f, const char *file, const char *text) {
  memset(f, 0, sizeof *f);
  assert_int_equal(nu_session_new(NULL, &f->session), NU_OK);
  assert_int_equal(text ? nu_load_text(f->session, file, text, strlen(text))
                        : nu_load_file(f->session, file),
                   NU_OK);
  assert_int_equal(nu_compile(f->session, &(NuTarget){0}, &f->program), NU_OK);
  snprintf(f->path, sizeof f->path, "/tmp/nusim-events-%ld.nus", (long)getpid());
}

static void close_model(Fix *f) {
  unlink(f->path);
  nu_program_free(f->program);
  nu_session_free(f->session);
}

/* Runs, and gives the list as the run tells it. */
static char *run_list(Fix *f, bool json) {
  NuRunOptions o = nu_run_options();
  NuRun *run = NULL;
  char *text = NULL;
  o.stop = 2;
  o.intervals = 20;
  o.store = f->path;
  o.events = true;
  assert_int_equal(nu_run_new(f->program, &o, &run), NU_OK);
  assert_int_equal(nu_run_simulate(run), NU_OK);
  assert_int_equal(nu_run_events(run, json, &text), NU_OK);
  nu_run_free(run);
  return text;
}

/* The same from the store. */
static char *stored_list(Fix *f, bool json) {
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  Diags *diags = diags_new(a, f->session->sources);
  Store *store = store_open(f->path, a, diags);
  assert_non_null(store);
  EventSetup setup = {.model = f->program->own->model,
                      .structure = f->program->structure,
                      .class_name = store->class_name,
                      .start = store->start,
                      .stop = store->stop};
  setup.causes = store->causes.at, setup.n_causes = store->causes.n;
  EventList *list = events_new(&setup, a);
  assert_true(events_read(list, store, setup.model, a, diags));
  Text out = {.arena = a};
  (json ? events_json : events_text)(list, &out);
  char *text = strdup(text_str(&out));
  store_close(store);
  mem_drop_since(&mem, NULL);
  return text;
}

static void compare_lists(Fix *f) {
  for (int json = 0; json < 2; json++) {
    char *told = run_list(f, json), *stored = stored_list(f, json);
    assert_string_equal(told, stored);
    free(stored);
    nu_free(told);
  }
}

static void test_stored(void **state) {
  (void)state;
  DIR *directory = opendir("tests/events");
  assert_non_null(directory);
  int n = 0;
  for (const struct dirent *e; (e = readdir(directory)) != NULL;) {
    char path[512];
    const char *dot = strrchr(e->d_name, '.');
    if (!dot || strcmp(dot, ".mo"))
      continue;
    snprintf(path, sizeof path, "tests/events/%s", e->d_name);
    Fix f;
    open_model(&f, path, NULL);
    compare_lists(&f);
    close_model(&f);
    n++;
  }
  closedir(directory);
  assert_true(n > 5);
}

/* More causes of one pass than are read at a time. */
static void test_many_causes(void **state) {
  (void)state;
  Fix f;
  open_model(&f, "Many.mo",
             "model Many Real x(start = 0, fixed = true); Boolean b[1500]; equation der(x) = 1;\n"
             "for i in 1:1500 loop b[i] = i*x >= i or i*x <= i - 2; end for; end Many;");
  char *text = run_list(&f, false);
  int lines = 0;
  for (const char *at = text; (at = strchr(at, '\n')); at++)
    lines++;
  assert_true(lines > 1500);
  nu_free(text);
  compare_lists(&f);
  close_model(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stored),
                                     cmocka_unit_test(test_many_causes)};
  return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
