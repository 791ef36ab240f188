/* cli/outputs.c -- which file gets which format. */
#include "cli/outputs.h"

#include <string.h>

#include "cli/report.h"

const char *const output_extensions[OUT_FORMATS] = {
    [OUT_STORE] = ".nus", [OUT_CSV] = ".csv", [OUT_MAT] = ".mat"};

static int format_of(const char *path) {
  const char *dot = strrchr(path, '.');
  if (strcmp(path, "-") == 0)
    return OUT_CSV;
  for (int k = 0; dot && k < OUT_FORMATS; k++)
    if (strcmp(dot, output_extensions[k]) == 0)
      return k;
  return -1;
}

void outputs_add(Outputs *o, int format, const char *path) {
  o->at[format] = path;
  o->order[o->n++] = format;
}

bool outputs_choose(Outputs *o, const Words *words, bool store) {
  for (size_t i = 0; i < words->n; i++) {
    const char *path = words->at[i];
    int format = format_of(path);
    if (format < 0 || (format == OUT_STORE && !store)) {
      usage_error(NULL, NULL, 0, "`%s`: results are written as %s.csv or .mat", path,
                  store ? ".nus, " : "");
      return false;
    }
    if (o->at[format]) {
      usage_error(NULL, NULL, 0, "`%s`: there is one %s file already, `%s`", path,
                  output_extensions[format], o->at[format]);
      return false;
    }
    outputs_add(o, format, strcmp(path, "-") == 0 ? "/dev/stdout" : path);
  }
  return true;
}
