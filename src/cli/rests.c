/* cli/rests.c -- where the motion of a run stayed: contact, rest and sliding, in words and as
 * JSON. */
#include "cli/rests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "cli/report.h"

static const char *copy(const char *text) {
  size_t n = text ? strlen(text) + 1 : 0;
  return text ? memcpy(must_alloc(NULL, n), text, n) : NULL;
}

void rests_take(Rests *r, const NuRun *run) {
  NuRest rest;
  for (*r = (Rests){0}; nu_run_rest(run, r->n, &rest); r->n++) {
    r->at = must_alloc(r->at, (r->n + 1) * sizeof *r->at);
    rest.state = copy(rest.state), rest.relation = copy(rest.relation),
    rest.place = copy(rest.place);
    r->at[r->n] = rest;
  }
}

void rests_text(const Rests *r) {
  for (size_t k = 0; k < r->n && k < MOST_RESTS_SHOWN; k++) {
    const NuRest *rest = &r->at[k];
    fprintf(stderr,
            rest->contact ? "note: %s rests on %s from %.6g s on"
                          : "note: %sthe motion slides along %s from %.6g s on",
            rest->contact ? rest->state : "", rest->relation, rest->time);
    if (rest->count > 1)
      fprintf(stderr, ", %llu times", (unsigned long long)rest->count);
    fprintf(stderr, *rest->place ? " (%s)\n" : "\n", rest->place);
  }
  if (r->n > MOST_RESTS_SHOWN)
    fprintf(stderr, "note: so at %zu more relations; --json names them\n", r->n - MOST_RESTS_SHOWN);
}

void rests_json(const Rests *r) {
  fputs("[", stdout);
  for (size_t k = 0; k < r->n; k++) {
    const NuRest *rest = &r->at[k];
    printf("%s{\"kind\":\"%s\",\"state\":", k ? "," : "", rest->contact ? "contact" : "sliding");
    json_string(stdout, rest->state);
    fputs(",\"relation\":", stdout);
    json_string(stdout, rest->relation);
    fputs(",\"place\":", stdout);
    json_string(stdout, rest->place);
    fputs(",\"time\":", stdout);
    json_number(stdout, rest->time);
    printf(",\"count\":%llu}", (unsigned long long)rest->count);
  }
  fputs("]", stdout);
}

void rests_free(Rests *r) {
  for (size_t k = 0; k < r->n; k++) {
    free((char *)r->at[k].state);
    free((char *)r->at[k].relation);
    free((char *)r->at[k].place);
  }
  free(r->at);
}
