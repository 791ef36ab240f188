/* cli/command_values.c -- values: numbers of any variables out of a stored result; inspect --vars
 * of a result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/report.h"

typedef struct {
  const Args *args;
  NuResult *result;
  NuExtract what;
  Outputs outputs;
  const char *const *names; /* of the columns */
  size_t n;
  size_t rows;
} Values;

/* What is known of a column; der(x) has no entry of its own. */
static NuVariable variable_of(const NuResult *r, const char *name) {
  NuVariable v = {.unit = "", .comment = "", .type = NU_REAL};
  size_t i;
  if (nu_result_find(r, name, &i))
    nu_result_variable(r, i, &v);
  return v;
}

/* ---- JSON ---- */

static bool json_row(void *user, double time, const double *values) {
  Values *v = user;
  fputs(v->rows++ ? ",\n[" : "\n[", stdout);
  json_number(stdout, time);
  for (size_t k = 0; k < v->n; k++) {
    fputc(',', stdout);
    json_number(stdout, values[k]);
  }
  fputc(']', stdout);
  return !ferror(stdout);
}

static void json_begin(const Values *v) {
  NuResultInfo info = nu_result_info(v->result);
  fputs(",\"class\":", stdout);
  json_string(stdout, info.class_name);
  printf(",\"ended\":%s,\"columns\":[\"time\"", info.ended ? "true" : "false");
  for (size_t k = 0; k < v->n; k++) {
    fputc(',', stdout);
    json_string(stdout, v->names[k]);
  }
  fputs("],\"units\":[\"s\"", stdout);
  for (size_t k = 0; k < v->n; k++) {
    fputc(',', stdout);
    json_string(stdout, variable_of(v->result, v->names[k]).unit);
  }
  fputs("],\"rows\":[", stdout);
}

/* ---- one point ---- */

static void print_value(const NuVariable *v, const char *name, double value) {
  switch (v->type) {
  case NU_REAL:
    printf("%s = ", name);
    if (isfinite(value))
      json_number(stdout, value);
    else
      printf("%g", value);
    printf("%s%s\n", *v->unit ? " " : "", v->unit);
    return;
  case NU_INTEGER:
  case NU_ENUMERATION: printf("%s = %.0f%s%s\n", name, value, *v->unit ? " " : "", v->unit); return;
  case NU_BOOLEAN: printf("%s = %s\n", name, value != 0 ? "true" : "false"); return;
  case NU_STRING: printf("%s: a String; without --at its values are printed\n", name); return;
  }
}

static NuStatus print_point(Values *v) {
  double at = v->args->at, point = NAN, *values = must_alloc(NULL, (v->n + 1) * sizeof *values);
  NuStatus status = nu_result_at(v->result, &v->what, at, &point, values);
  if (status == NU_OK && isnan(point)) {
    usage_error(NULL, NULL, 0, "the result begins at time %g, later than %g",
                nu_result_info(v->result).start, at);
    status = NU_USAGE;
  } else if (status == NU_OK && v->args->json) {
    json_row(v, point, values);
  } else if (status == NU_OK) {
    print_value(&(NuVariable){.unit = "s", .type = NU_REAL}, "time", point);
    for (size_t k = 0; k < v->n; k++) {
      NuVariable variable = variable_of(v->result, v->names[k]);
      print_value(&variable, v->names[k], values[k]);
    }
  }
  free(values);
  return status;
}

/* ---- the command ---- */

static NuExtract extraction(const Values *v) {
  const Args *args = v->args;
  NuExtract x = nu_extract();
  x.variables = args->targets.at + 1;
  x.n_variables = args->targets.n - 1;
  x.event_rows = args->run.event_rows;
  x.from = args->from;
  x.to = args->to;
  x.csv = v->outputs.at[OUT_CSV];
  x.mat = v->outputs.at[OUT_MAT];
  return x;
}

/* With files they get the rows, else standard output. */
static NuStatus print_values(Values *v) {
  v->what = extraction(v);
  NuStatus status = nu_result_columns(v->result, &v->what, &v->names, &v->n);
  if (status != NU_OK)
    return status;
  if (v->args->json)
    json_begin(v);
  if (!isnan(v->args->at))
    status = print_point(v);
  if (v->args->json && isnan(v->args->at)) {
    v->what.row = json_row;
    v->what.row_user = v;
  } else if (isnan(v->args->at) && !v->outputs.n) {
    v->what.csv = "/dev/stdout";
  }
  if (isnan(v->args->at) || v->outputs.n)
    status = nu_result_extract(v->result, &v->what);
  if (v->args->json)
    fputs("]", stdout);
  return status;
}

int command_values(const Args *args) {
  Values v = {.args = args};
  if (!outputs_choose(&v.outputs, &args->outputs, false))
    return EXIT_USAGE;
  if (!isnan(args->at) && (v.outputs.n || !isnan(args->from) || !isnan(args->to)))
    return usage_error(NULL, NULL, 0,
                       "`--at` is one point: it does not go together with --from, --to and -o");
  Work w;
  NuStatus status = work_open_empty(&w, args);
  if (args->json) {
    fputs("{\"schema\":\"nusim.values/1\",\"result\":", stdout);
    json_string(stdout, args->targets.at[0]);
  }
  if (status == NU_OK)
    status = nu_result_open(w.session, args->targets.at[0], &v.result);
  if (status == NU_OK)
    status = print_values(&v);
  report_finish(&w.report);
  if (args->json) {
    fputs(",\"status\":", stdout);
    json_string(stdout, nu_status_name(status));
    fputs(",\"diagnostics\":", stdout);
    json_diagnostics(stdout, &w.report);
    fputs("}\n", stdout);
  }
  nu_result_free(v.result);
  work_close(&w);
  return nu_exit_code(status);
}

/* ---- inspect --vars of a result ---- */

static const char *kind_of(const NuVariable *v) {
  static const char *const kinds[] = {[NU_CONTINUOUS] = "continuous",
                                      [NU_DISCRETE] = "discrete",
                                      [NU_PARAMETER] = "parameter",
                                      [NU_CONSTANT] = "constant"};
  return v->is_state ? "state" : v->causality == NU_INPUT ? "input" : kinds[v->variability];
}

static const char *type_of(const NuVariable *v) {
  static const char *const types[] = {[NU_REAL] = "Real",
                                      [NU_INTEGER] = "Integer",
                                      [NU_BOOLEAN] = "Boolean",
                                      [NU_ENUMERATION] = "enumeration",
                                      [NU_STRING] = "String"};
  return types[v->type];
}

static void list_text(const NuResult *r) {
  NuResultInfo info = nu_result_info(r);
  NuVariable v;
  int name = 4, unit = 4;
  for (size_t i = 0; nu_result_variable(r, i, &v); i++) {
    name = (int)strlen(v.name) > name ? (int)strlen(v.name) : name;
    unit = (int)strlen(v.unit) > unit ? (int)strlen(v.unit) : unit;
  }
  printf("variables of %s: %zu\n  %-*s  %-11s  %-10s  %-*s  comment\n", info.class_name,
         info.n_variables, name, "name", "type", "kind", unit, "unit");
  for (size_t i = 0; nu_result_variable(r, i, &v); i++)
    printf("  %-*s  %-11s  %-10s  %-*s%s%s\n", name, v.name, type_of(&v), kind_of(&v),
           *v.comment ? unit : 0, v.unit, *v.comment ? "  " : "", v.comment);
}

static void list_json(const NuResult *r) {
  NuVariable v;
  fputs("{\"class\":", stdout);
  json_string(stdout, nu_result_info(r).class_name);
  fputs(",\"variables\":[", stdout);
  for (size_t i = 0; nu_result_variable(r, i, &v); i++) {
    const struct {
      const char *name, *value;
    } texts[] = {{"name", v.name},
                 {"type", type_of(&v)},
                 {"kind", kind_of(&v)},
                 {"unit", v.unit},
                 {"comment", v.comment}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
      printf("%s\"%s\":", k ? "," : i ? ",{" : "{", texts[k].name);
      json_string(stdout, texts[k].value);
    }
    fputs("}", stdout);
  }
  fputs("]}", stdout);
}

int inspect_result(const Args *args) {
  Work w;
  NuResult *r = NULL;
  NuStatus status = work_open_empty(&w, args);
  if (status == NU_OK)
    status = nu_result_open(w.session, args->targets.at[0], &r);
  if (args->json)
    printf("{\"schema\":\"nusim.inspect/1\",\"ok\":%s,\"model\":", r ? "true" : "false");
  if (r && args->json)
    list_json(r);
  else if (r)
    list_text(r);
  report_finish(&w.report);
  if (args->json) {
    fputs(r ? ",\"diagnostics\":" : "null,\"diagnostics\":", stdout);
    json_diagnostics(stdout, &w.report);
    fputs("}\n", stdout);
  }
  nu_result_free(r);
  work_close(&w);
  return nu_exit_code(status);
}
