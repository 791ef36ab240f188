/* cli/command_model.c -- check, flatten, inspect, dump, fmt. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/report.h"

/* ---- check ---- */

static void check_json(const Work *w, const NuCheck *check, NuStatus status) {
  const struct {
    const char *name;
    uint32_t value;
  } counts[] = {
      {"equations", check->equations},
      {"unknowns", check->unknowns},
      {"states_declared", check->states_declared},
      {"parameters", check->parameters},
      {"relations", check->relations},
      {"when_clauses", check->when_clauses},
  };
  fputs("{\"schema\":\"nusim.check/1\",\"class\":", stdout);
  json_string(stdout, check->class_name ? check->class_name : w->target.class_name);
  printf(",\"ok\":%s", status == NU_OK ? "true" : "false");
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (check->counted)
      printf(",\"%s\":%u", counts[i].name, counts[i].value);
    else
      printf(",\"%s\":null", counts[i].name);
  fputs(",\"diagnostics\":", stdout);
  json_diagnostics(stdout, &w->report);
  fputs("}\n", stdout);
}

static void counted(uint32_t n, const char *what, const char *ending) {
  printf("%u %s%s%s", n, what, n == 1 ? "" : "s", ending);
}

static void check_text(const Work *w, const NuCheck *check, NuStatus status) {
  report_finish(&w->report);
  if (!check->class_name)
    return;
  printf("%s: %s", check->class_name, status == NU_OK ? "ok" : nu_status_name(status));
  if (check->counted) {
    fputs(", ", stdout);
    counted(check->equations, "equation", ", ");
    counted(check->unknowns, "unknown", " (");
    counted(check->states_declared, "state", "), ");
    counted(check->parameters, "parameter", ", ");
    counted(check->relations, "relation", ", ");
    counted(check->when_clauses, "when-clause", "");
  }
  fputc('\n', stdout);
}

int command_check(const Args *args) {
  Work w;
  NuCheck check = {0};
  NuStatus status = work_open(&w, args);
  if (status == NU_OK)
    status = nu_check(w.session, &w.target, &check);
  if (args->json)
    check_json(&w, &check, status);
  else
    check_text(&w, &check, status);
  work_close(&w);
  return nu_exit_code(status);
}

/* ---- flatten and dump ---- */

/* Writes a text or says what hindered it. */
static int finish_text(Work *w, NuStatus status, char *text) {
  if (text)
    fputs(text, stdout);
  report_finish(&w->report);
  nu_free(text);
  work_close(w);
  return nu_exit_code(status);
}

int command_flatten(const Args *args) {
  Work w;
  char *text = NULL;
  NuStatus status = work_open(&w, args);
  if (status == NU_OK)
    status = nu_flatten(w.session, &w.target, args->origin, &text);
  return finish_text(&w, status, text);
}

/* The text is a JSON object. */
static int finish_json(Work *w, NuStatus status, char *text) {
  printf("{\"schema\":\"nusim.inspect/1\",\"ok\":%s,\"model\":%s,\"diagnostics\":",
         text ? "true" : "false", text ? text : "null");
  json_diagnostics(stdout, &w->report);
  fputs("}\n", stdout);
  nu_free(text);
  work_close(w);
  return nu_exit_code(status);
}

/* The events of a stored result; their JSON document has its own schema. */
static int inspect_events(const Args *args) {
  Work w;
  char *text = NULL;
  NuResult *result = NULL;
  NuStatus status = work_open_empty(&w, args);
  if (status == NU_OK)
    status = nu_result_open(w.session, args->targets.at[0], &result);
  if (status == NU_OK)
    status = nu_result_events(result, args->json, &text);
  nu_result_free(result);
  return args->json && !text ? finish_json(&w, status, text) : finish_text(&w, status, text);
}

static bool has_end(const char *path, const char *end) {
  size_t length = strlen(path), n = strlen(end);
  return length > n && !strcmp(path + length - n, end);
}

int command_inspect(const Args *args) {
  Work w;
  char *text = NULL;
  bool none = !args->structure && !args->init && !args->vars && !args->modes;
  if (args->events)
    return none ? inspect_events(args)
                : usage_error(NULL, NULL, 0,
                              "`--events` tells about a result, the other options about a model");
  const char *path = args->targets.at[0];
  bool stored = has_end(path, ".nus");
  if (stored && (none || args->structure || args->init || (args->vars && args->modes)))
    return usage_error(NULL, NULL, 0,
                       "of a result, `inspect` tells one of --events, --modes and --vars");
  if (stored)
    return args->vars ? inspect_result(args) : inspect_result_modes(args);
  if (has_end(path, ".csv") || has_end(path, ".mat"))
    return usage_error(NULL, NULL, 0,
                       "`%s` holds values alone: `inspect` needs a model, or a result .nus", path);
  NuInspection what = {
      args->structure || none, args->init, args->vars, args->json, args->all, args->modes};
  NuStatus status = work_open(&w, args);
  if (status == NU_OK)
    status = nu_inspect(w.session, &w.target, &what, &text);
  return args->json ? finish_json(&w, status, text) : finish_text(&w, status, text);
}

/* Tokens and tree come from the text alone; a model with errors has them, too. */
static int dump_source(const Args *args, NuDump form) {
  Work w;
  char *text = NULL, *input = NULL;
  const char *name = args->targets.at[0];
  size_t n = 0;
  NuStatus status = work_open_empty(&w, args);
  if (strcmp(name, "-") == 0) {
    input = read_all(stdin, &n);
    name = "<stdin>";
  }
  if (status == NU_OK)
    status = nu_dump_source(w.session, name, input, form, &text);
  free(input);
  return finish_text(&w, status, text);
}

int command_dump(const Args *args) {
  const bool chosen[] = {
      [NU_DUMP_TOKENS] = args->tokens,     [NU_DUMP_AST] = args->ast,
      [NU_DUMP_INSTANCE] = args->instance, [NU_DUMP_FLAT] = args->flat,
      [NU_DUMP_C] = args->c_text,          [NU_DUMP_STRUCTURE] = args->structure,
  };
  int form = -1;
  for (int i = 0; i < (int)(sizeof chosen / sizeof *chosen); i++) {
    if (chosen[i] && form >= 0)
      return usage_error(NULL, NULL, 0, "`dump` prints one form at a time");
    form = chosen[i] ? i : form;
  }
  if (form < 0)
    return usage_error(NULL, NULL, 0,
                       "`dump` needs one of --tokens --ast --instance --flat --structure --c");
  if (form == NU_DUMP_TOKENS || form == NU_DUMP_AST)
    return dump_source(args, (NuDump)form);
  Work w;
  char *text = NULL;
  NuStatus status = work_open(&w, args);
  if (status == NU_OK)
    status = nu_dump(w.session, &w.target, (NuDump)form, &text);
  return finish_text(&w, status, text);
}

/* ---- fmt ---- */

/* Replaces a file in one step, so that a full disk does not destroy it. */
static bool replace_file(const char *path, const char *text) {
  char *real = realpath(path, NULL), *temporary = NULL;
  struct stat info;
  bool done = real && stat(real, &info) == 0 && asprintf(&temporary, "%s.XXXXXX", real) > 0;
  int fd = done ? mkstemp(temporary) : -1;
  FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
  done = f && fchmod(fd, info.st_mode & 07777) == 0 && fputs(text, f) >= 0;
  done = f && fclose(f) == 0 && done;
  done = done && rename(temporary, real) == 0;
  if (fd >= 0 && !done)
    unlink(temporary);
  free(real);
  free(temporary);
  if (!done)
    complain("F001", "cannot write `%s`", path);
  return done;
}

static char *read_file(const char *path) {
  size_t n = 0;
  FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  struct stat info;
  bool readable = f && fstat(fileno(f), &info) == 0 && !S_ISDIR(info.st_mode);
  char *text = readable ? read_all(f, &n) : NULL;
  if (f && f != stdin)
    fclose(f);
  if (!text)
    complain("L001", "cannot read `%s`", path);
  return text;
}

/* Formats one file; `changed` says whether that makes a difference. */
static int format_file(Work *w, const Args *args, const char *path, bool *changed) {
  char *source = read_file(path), *text = NULL;
  if (!source)
    return EXIT_FILE;
  bool is_stdin = strcmp(path, "-") == 0;
  NuStatus status = nu_format(w->session, is_stdin ? "<stdin>" : path, source, &text);
  int code = nu_exit_code(status);
  if (status == NU_OK) {
    bool differs = strcmp(source, text) != 0;
    *changed |= differs;
    if (args->check_only)
      printf("%s%s", differs ? path : "", differs ? "\n" : "");
    else if (!args->in_place || is_stdin)
      fputs(text, stdout);
    else if (differs && !replace_file(path, text))
      code = EXIT_FILE;
  }
  nu_free(text);
  free(source);
  return code;
}

int command_format(const Args *args) {
  Work w;
  int code = nu_exit_code(work_open_empty(&w, args));
  bool changed = false;
  for (size_t i = 0; i < args->targets.n && w.session; i++) {
    int one = format_file(&w, args, args->targets.at[i], &changed);
    code = code ? code : one;
  }
  report_finish(&w.report);
  work_close(&w);
  return code ? code : args->check_only && changed ? 1 : 0;
}
