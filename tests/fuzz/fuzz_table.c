/* tests/fuzz/fuzz_table.c -- any bytes as a CSV or MATLAB file: reading, drawing and comparing it
 * must be safe and end soon. The first byte says what is asked for: bit 0, the extension; bits 1
 * and 2, logarithmic axes; bit 3, a second axis; bit 4, a part; bit 5, a picture instead of
 * text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nusim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY_LIMIT = 256 << 20, LONGEST = 20000 };

static const char *file_name(const char *extension) {
  static char name[64];
  snprintf(name, sizeof name, "%s/fuzz_table.%ld%s", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
           (long)getpid(), extension);
  return name;
}

static unsigned said;
static void hear(void *user, const NuDiagnostic *d) {
  (void)user;
  char *text = nu_diagnostic_text(d, false);
  said += text && d->severity == NU_ERROR;
  nu_free(text);
}

/* Whatever is not OK has been said. */
static void told(NuStatus status) {
  if (status != NU_OK && !said)
    abort();
  said = 0;
}

/* The first curves of the table. */
static void draw(NuSession *s, const char *path, const NuTable *t, unsigned how) {
  char curves[2][200];
  const char *list[] = {curves[0], curves[1]};
  NuFigureOptions o = nu_figure_options();
  char *text = NULL;
  for (size_t k = 0; k < 2; k++)
    snprintf(curves[k], sizeof curves[k], "%.100s%s", t->names[t->n_columns > k + 1 ? k + 1 : 0],
             k && how & 8 ? " @right" : "");
  o.results = &path;
  o.n_results = 1;
  o.curves = list;
  o.n_curves = how & 64 ? 0 : 2;
  o.log_x = how & 2, o.log_y = how & 4;
  o.events = o.modes = how & 1;
  if (how & 16)
    o.from = 0.5, o.to = 2;
  if (how & 32) {
    char picture[80];
    snprintf(picture, sizeof picture, "%s.svg", path);
    told(nu_figure_write(s, NULL, 0, &o, picture));
    unlink(picture);
  } else {
    told(nu_figure_text(s, NULL, 0, &o, &text));
  }
  nu_free(text);
}

/* A file compared with itself differs nowhere. */
static void compare(NuSession *s, const char *path) {
  NuCompareOptions o = nu_compare_options();
  NuComparison c;
  NuStatus status = nu_compare(s, path, path, &o, &c);
  told(status);
  if (status == NU_OK && !c.same)
    abort();
  if (status == NU_OK)
    nu_comparison_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || size > LONGEST)
    return 0;
  const char *path = file_name(data[0] & 1 ? ".mat" : ".csv");
  FILE *f = fopen(path, "wb");
  bool ok = f && fwrite(data + 1, 1, size - 1, f) == size - 1;
  if (!f || fclose(f) != 0 || !ok)
    return 0;
  NuSessionOptions so = nu_session_options();
  NuSession *s = NULL;
  NuTable t;
  said = 0;
  so.sink = hear;
  so.memory_limit = MEMORY_LIMIT;
  if (nu_session_new(&so, &s) == NU_OK) {
    NuStatus status = nu_table_read(s, path, &t);
    told(status);
    if (status == NU_OK) {
      draw(s, path, &t, data[0]);
      compare(s, path);
      nu_table_free(&t);
    }
  }
  nu_session_free(s);
  unlink(path);
  return 0;
}
