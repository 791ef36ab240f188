/* plot/write.c -- pictures to files. Everything is made in memory, written under another name beside the file and then renamed, so that
 * whoever looks sees the old file or the whole new one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plot/plot.h"

static const struct Format {
  const char *extension;
  DrawBackend *draw;
  bool pages; /* holds several */
} formats[] = {{".svg", draw_svg, false}, {".png", draw_png, false}, {".pdf", draw_pdf, true}};

static const struct Format *format_of(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  for (size_t k = 0; dot && k < sizeof formats / sizeof *formats; k++)
    if (strcasecmp(dot, formats[k].extension) == 0)
      return &formats[k];
  return NULL;
}

bool plot_writable(const char *path, Diags *diags) {
  if (format_of(path))
    return true;
  diag_add(diags, D_A001, (Span){0, 0}, "cannot draw to `%s`: the name of a figure ends in .svg, .png or .pdf", path);
  return false;
}

/* ---- one file ---- */

/* NULL, or why not. A file that is no regular one, such as a pipe, is written as it is. */
static const char *write_bytes(const char *path, const char *other, const Bytes *b) {
  struct stat info;
  bool direct = stat(path, &info) == 0 && !S_ISREG(info.st_mode);
  FILE *f = fopen(direct ? path : other, "wb");
  if (!f)
    return strerror(errno);
  bool good = fwrite(b->at, 1, b->n, f) == b->n;
  int error = errno;
  good = fclose(f) == 0 && good;
  if (good && (direct || rename(other, path) == 0))
    return NULL;
  error = good || !error ? errno : error;
  if (!direct)
    remove(other);
  return strerror(error);
}

typedef struct {
  const char *path, *other; /* its name while it is written */
  const Drawing *const *pages;
  uint32_t n;
} OneFile;

static const char *write_file(const OneFile *o, DrawBackend *draw, char reason[256]) {
  Bytes bytes = {0};
  const char *why = draw(o->pages, o->n, &bytes);
  if (!why && bytes.failed)
    why = "memory is short";
  if (!why)
    why = write_bytes(o->path, o->other, &bytes);
  bytes_free(&bytes);
  if (!why)
    return NULL;
  snprintf(reason, 256, "%s", why);
  return reason;
}

/* NAME.svg, NAME-2.svg, ... */
static const char *numbered(const char *path, uint32_t k, Arena *a) {
  const char *dot = strrchr(path, '.');
  return k ? arena_printf(a, "%.*s-%u%s", (int)(dot - path), path, k + 1, dot) : path;
}

bool plot_write(const Drawing *const *pages, uint32_t n, const char *path, Arena *a, Diags *diags) {
  const struct Format *format = format_of(path);
  uint32_t files = format->pages ? 1 : n;
  OneFile *all = NEW_ARRAY(a, OneFile, files + 1);
  for (uint32_t k = 0; k < files; k++) {
    const char *name = numbered(path, k, a);
    all[k] = (OneFile){name, arena_printf(a, "%s.%ld.part", name, (long)getpid()), pages + k, format->pages ? n : 1};
  }
  for (uint32_t k = 0; k < files; k++) {
    char reason[256];
    const char *why = write_file(&all[k], format->draw, reason);
    if (why) {
      diag_add(diags, D_F001, (Span){0, 0}, "cannot write `%s`: %s", all[k].path, why);
      return false;
    }
  }
  return true;
}
