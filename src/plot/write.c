/* plot/write.c -- pictures to files. Everything is made in memory, written under another name
 * beside the file and then renamed, so that whoever looks sees the old file or the whole new
 * one. */
#include <errno.h>
#include <stdio.h>
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
  diag_add(diags, D_A001, (Span){0, 0},
           "cannot draw to `%s`: the name of a figure ends in .svg, .png or .pdf", path);
  return false;
}

/* ---- one file ---- */

typedef struct {
  const char *path, *other; /* its name while it is written */
  const Drawing *const *pages;
  uint32_t n;
  bool direct; /* no regular file, such as a pipe: written as it is */
} OneFile;

/* NULL, or why not. */
static const char *write_bytes(const OneFile *o, const Bytes *b) {
  FILE *f = fopen(o->direct ? o->path : o->other, "wb");
  if (!f)
    return strerror(errno);
  errno = 0;
  bool good = fwrite(b->at, 1, b->n, f) == b->n;
  int error = errno;
  good = fclose(f) == 0 && good;
  return good ? NULL : strerror(error ? error : errno);
}

static const char *write_file(OneFile *o, DrawBackend *draw) {
  Bytes bytes = {0};
  struct stat info;
  o->direct = stat(o->path, &info) == 0 && !S_ISREG(info.st_mode);
  const char *why = draw(o->pages, o->n, &bytes);
  if (!why && bytes.failed)
    why = "memory is short";
  if (!why)
    why = write_bytes(o, &bytes);
  bytes_free(&bytes);
  return why;
}

/* NAME.svg, NAME-2.svg, ... */
static const char *numbered(const char *path, uint32_t k, Arena *a) {
  const char *dot = strrchr(path, '.');
  return k ? arena_printf(a, "%.*s-%u%s", (int)(dot - path), path, k + 1, dot) : path;
}

/* All are written before the first gets its name. */
static const char *write_all(OneFile *all, uint32_t n, DrawBackend *draw, uint32_t *failed) {
  const char *why = NULL;
  for (uint32_t k = 0; k < n && !why; k++) {
    *failed = k;
    why = write_file(&all[k], draw);
  }
  for (uint32_t k = 0; k < n && !why; k++) {
    *failed = k;
    if (!all[k].direct && rename(all[k].other, all[k].path) != 0)
      why = strerror(errno);
  }
  for (uint32_t k = 0; k < n && why; k++)
    if (!all[k].direct)
      remove(all[k].other);
  return why;
}

bool plot_write(const Drawing *const *pages, uint32_t n, const char *path, Arena *a, Diags *diags) {
  const struct Format *format = format_of(path);
  uint32_t files = format->pages ? 1 : n, failed = 0;
  OneFile *all = NEW_ARRAY(a, OneFile, files + 1);
  for (uint32_t k = 0; k < files; k++) {
    const char *name = numbered(path, k, a);
    all[k] = (OneFile){.path = name,
                       .other = arena_printf(a, "%s.%ld.part", name, (long)getpid()),
                       .pages = pages + k,
                       .n = format->pages ? n : 1};
  }
  const char *why = write_all(all, files, format->draw, &failed);
  if (why)
    diag_add(diags, D_F001, (Span){0, 0}, "cannot write `%s`: %s", all[failed].path, why);
  return !why;
}
