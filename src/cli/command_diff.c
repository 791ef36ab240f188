/* cli/command_diff.c -- diff: what differs between two results, the worst first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "base/limits.h"
#include "cli/report.h"

enum { DIFFER = 1, NAME_COLUMN = 40 };

typedef struct {
  const Args *args;
  Words names;
  NuComparison found;
} Diff;

static NuCompareOptions diff_options(const Diff *d) {
  const Args *args = d->args;
  NuCompareOptions o = nu_compare_options();
  o.variables = d->names.at;
  o.n_variables = d->names.n;
  o.tolerance = isnan(args->tolerance) ? o.tolerance : args->tolerance;
  o.nominal = isnan(args->nominal) ? o.nominal : args->nominal;
  o.from = args->from;
  o.to = args->to;
  o.strict = args->strict_diff;
  return o;
}

/* ---- text ---- */

/* How many signals the table has. */
static size_t n_shown(const Diff *d) {
  size_t wanted = d->args->all ? d->found.n_signals : d->found.n_outside, most = d->args->most;
  most = most ? most : d->args->all ? wanted : MOST_SIGNALS_SHOWN;
  return wanted < most ? wanted : most;
}

static void cell(double value) {
  if (isnan(value))
    printf("  %13s", "-");
  else
    printf("  %13.7g", value);
}

static void print_table(const Diff *d) {
  size_t n = n_shown(d);
  int width = (int)strlen("signal");
  for (size_t i = 0; i < n; i++) {
    int length = (int)strlen(d->found.signals[i].name);
    width = length > width && length <= NAME_COLUMN ? length : width;
  }
  if (n)
    printf("%-*s  deviation  %13s  %13s  %13s  points outside\n", width, "signal", "time", "result",
           "reference");
  for (size_t i = 0; i < n; i++) {
    const NuDifference *s = &d->found.signals[i];
    printf("%-*s  %9.3g", width, s->name, s->deviation);
    cell(s->time);
    cell(s->result);
    cell(s->reference);
    printf("  %llu of %llu\n", (unsigned long long)s->outside, (unsigned long long)s->points);
  }
  if (n < d->found.n_outside)
    printf("and %zu more signals (--most N, --all)\n", d->found.n_outside - n);
}

static void print_names(const Diff *d, const char *path, const char *const *names, size_t n) {
  size_t most = d->args->all ? n : MOST_SIGNALS_NAMED;
  if (!n)
    return;
  printf("only in %s: ", path);
  for (size_t i = 0; i < n && i < most; i++)
    printf("%s%s", i ? ", " : "", names[i]);
  if (n > most)
    printf(" and %zu more", n - most);
  fputc('\n', stdout);
}

static void print_events(const Diff *d) {
  const NuComparison *c = &d->found;
  const char *const *paths = d->args->targets.at;
  if (!c->result_events_known && !c->reference_events_known)
    return;
  if (!c->result_events_known || !c->reference_events_known) {
    if (c->result_events || c->reference_events)
      printf("events: %llu in %s, not known of %s, which has no rows at events\n",
             (unsigned long long)(c->result_events + c->reference_events),
             paths[c->result_events ? 0 : 1], paths[c->result_events ? 1 : 0]);
    return;
  }
  if (c->result_events || c->reference_events)
    printf("events: %llu in %s, %llu in %s", (unsigned long long)c->result_events, paths[0],
           (unsigned long long)c->reference_events, paths[1]);
  if (!isnan(c->first_event))
    printf("; the first that differs is at t = %.9g", c->first_event);
  fputs(c->result_events || c->reference_events ? "\n" : "", stdout);
}

static void print_summary(const Diff *d) {
  const NuComparison *c = &d->found;
  double tolerance = isnan(d->args->tolerance) ? nu_compare_options().tolerance
                                               : d->args->tolerance;
  if (c->same)
    printf("same: %zu signal%s", c->n_signals, c->n_signals == 1 ? "" : "s");
  else if (c->n_outside)
    printf("differ: %zu of %zu signal%s", c->n_outside, c->n_signals, c->n_signals == 1 ? "" : "s");
  else
    printf("differ (--strict), though %zu signal%s not", c->n_signals,
           c->n_signals == 1 ? " does" : "s do");
  printf(", t = %.9g to %.9g%s, tolerance %.9g (%.3g s in time)", c->from, c->to,
         c->part ? " (all that both cover)" : "", tolerance, c->width);
  if (c->same && c->n_signals && c->signals[0].deviation > 0)
    printf("; at most %.2g of the tube: %s", c->signals[0].deviation, c->signals[0].name);
  fputc('\n', stdout);
}

static void diff_text(const Diff *d) {
  print_table(d);
  print_names(d, d->args->targets.at[0], d->found.only_result, d->found.n_only_result);
  print_names(d, d->args->targets.at[1], d->found.only_reference, d->found.n_only_reference);
  print_events(d);
  print_summary(d);
}

/* ---- JSON ---- */

static void json_member(const char *name, double value) {
  printf(",\"%s\":", name);
  json_number(stdout, value);
}

static void json_names(const char *name, const char *const *names, size_t n) {
  printf(",\"%s\":[", name);
  for (size_t i = 0; i < n; i++) {
    fputs(i ? "," : "", stdout);
    json_string(stdout, names[i]);
  }
  fputs("]", stdout);
}

static void json_events(const NuComparison *c) {
  fputs(",\"events\":{\"result\":", stdout);
  json_number(stdout, c->result_events_known ? (double)c->result_events : (double)NAN);
  fputs(",\"reference\":", stdout);
  json_number(stdout, c->reference_events_known ? (double)c->reference_events : (double)NAN);
  json_member("first", c->first_event);
  fputs("}", stdout);
}

static void json_signals(const Diff *d) {
  fputs(",\"signals\":[", stdout);
  for (size_t i = 0; i < d->found.n_signals && (!d->args->most || i < d->args->most); i++) {
    const NuDifference *s = &d->found.signals[i];
    fputs(i ? ",{\"name\":" : "{\"name\":", stdout);
    json_string(stdout, s->name);
    printf(",\"inside\":%s,\"discrete\":%s", s->deviation > 1 ? "false" : "true",
           s->discrete ? "true" : "false");
    json_member("deviation", s->deviation);
    json_member("height", s->height);
    json_member("time", s->time);
    json_member("result", s->result);
    json_member("reference", s->reference);
    printf(",\"points\":%llu,\"outside\":%llu}", (unsigned long long)s->points,
           (unsigned long long)s->outside);
  }
  fputs("]", stdout);
}

static void diff_json(const Diff *d, const Report *report, NuStatus status) {
  const NuComparison *c = &d->found;
  fputs("{\"schema\":\"nusim.diff/1\",\"result\":", stdout);
  json_string(stdout, d->args->targets.at[0]);
  fputs(",\"reference\":", stdout);
  json_string(stdout, d->args->targets.at[1]);
  fputs(",\"status\":", stdout);
  json_string(stdout, nu_status_name(status));
  printf(",\"same\":%s", status != NU_OK ? "null" : c->same ? "true" : "false");
  json_member("tolerance", diff_options(d).tolerance);
  json_member("from", c->from);
  json_member("to", c->to);
  printf(",\"part\":%s", c->part ? "true" : "false");
  json_member("width", c->width);
  printf(",\"compared\":%zu,\"differ\":%zu", c->n_signals, c->n_outside);
  json_signals(d);
  json_names("only_result", c->only_result, c->n_only_result);
  json_names("only_reference", c->only_reference, c->n_only_reference);
  json_events(c);
  fputs(",\"diagnostics\":", stdout);
  json_diagnostics(stdout, report);
  fputs("}\n", stdout);
}

/* ---- the command ---- */

int command_diff(const Args *args) {
  Diff d = {.args = args};
  const char **names = must_alloc(NULL, (args->targets.n + args->run.n_variables) * sizeof *names);
  for (size_t i = 2; i < args->targets.n; i++)
    names[d.names.n++] = args->targets.at[i];
  for (size_t i = 0; i < args->run.n_variables; i++)
    names[d.names.n++] = args->run.variables[i];
  d.names.at = names;
  Work w;
  NuStatus status = work_open_empty(&w, args);
  NuCompareOptions options = diff_options(&d);
  if (status == NU_OK)
    status = nu_compare(w.session, args->targets.at[0], args->targets.at[1], &options, &d.found);
  report_finish(&w.report);
  if (args->json)
    diff_json(&d, &w.report, status);
  else if (status == NU_OK && !args->quiet)
    diff_text(&d);
  int code = status != NU_OK ? nu_exit_code(status) : d.found.same ? 0 : DIFFER;
  nu_comparison_free(&d.found);
  work_close(&w);
  free(names);
  return code;
}
