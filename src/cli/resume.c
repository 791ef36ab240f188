/* cli/resume.c -- runs that go on from a stored result. */
#include "cli/resume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

/* Options that are those of the run that goes on; the first that was given. */
static const char *fixed_option(const Args *args) {
  Option o;
  for (size_t i = 0; option_at(i, &o); i++)
    if (args->given[i] && o.fixed)
      return o.name;
  return NULL;
}

/* FILE@T. */
static bool parse_from(Resume *r, const char *word) {
  const char *at = strrchr(word, '@');
  char *end = NULL;
  r->at = at ? strtod(at + 1, &end) : NAN;
  if (!at || at == word || end == at + 1 || *end || !isfinite(r->at)) {
    usage_error(NULL, NULL, 0, "`--from` needs a result and a time, such as ball.nus@1.5, not `%s`",
                word);
    return false;
  }
  r->path = must_alloc(NULL, (size_t)(at - word) + 1);
  memcpy(r->path, word, (size_t)(at - word));
  r->path[at - word] = 0;
  return true;
}

bool resume_choose(Resume *r, const Args *args) {
  const char *name = args->resume ? "--resume" : "--from", *fixed = fixed_option(args);
  *r = (Resume){.at = NAN};
  if (!args->resume && !args->from_result) {
    if (args->targets.n)
      return true;
    usage_error(NULL, NULL, 0, "`run` needs TARGET");
    return false;
  }
  if (args->resume && args->from_result)
    usage_error(
        NULL, NULL, 0,
        "`--resume` goes on where a run was interrupted, `--from` at another time: one of them");
  else if (args->targets.n)
    usage_error(NULL, NULL, 0, "with `%s` the model is that of the result: no TARGET", name);
  else if (args->resume && args->run.n_parameters)
    usage_error(NULL, NULL, 0,
                "`--resume` goes on as before; with other parameters: --from FILE.nus@T");
  else if (fixed)
    usage_error(NULL, NULL, 0, "with `%s` a run goes on as it began: no `--%s`", name, fixed);
  else if (args->from_result)
    return parse_from(r, args->from_result);
  else {
    r->path = must_alloc(NULL, strlen(args->resume) + 1);
    strcpy(r->path, args->resume);
    return true;
  }
  return false;
}

void resume_output(Resume *r, Outputs *outputs) {
  if (outputs->at[OUT_STORE])
    return;
  size_t n = strlen(r->path), stem = n > 4 && !strcmp(r->path + n - 4, ".nus") ? n - 4 : n;
  enum { ROOM = 40 };
  r->own_name = must_alloc(NULL, n + ROOM);
  if (isnan(r->at))
    strcpy(r->own_name, r->path);
  else
    snprintf(r->own_name, n + ROOM, "%.*s-from-%.9g.nus", (int)stem, r->path, r->at);
  outputs_add(outputs, OUT_STORE, r->own_name);
}

NuStatus resume_extract(NuSession *s, const Args *args, const Outputs *outputs) {
  if (!outputs->at[OUT_CSV] && !outputs->at[OUT_MAT])
    return NU_OK;
  NuResult *result = NULL;
  NuStatus status = nu_result_open(s, outputs->at[OUT_STORE], &result);
  NuExtract what = nu_extract();
  what.variables = args->run.variables;
  what.n_variables = args->run.n_variables;
  what.event_rows = args->run.event_rows;
  what.csv = outputs->at[OUT_CSV];
  what.mat = outputs->at[OUT_MAT];
  if (status == NU_OK)
    status = nu_result_extract(result, &what);
  nu_result_free(result);
  return status;
}

void resume_free(Resume *r) {
  free(r->path);
  free(r->own_name);
}
