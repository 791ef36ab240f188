/* run/native_system.c -- directories, files as a whole, environment and clock, as
 * Modelica.Utilities.Files and System document them. They act on the process: the working directory
 * and the environment are the same for all its runs. */
#include "run/memory.h"
#include "run/native.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int cannot(DsData *d, const DsPlace *at, const char *what, const char *name) {
  return native_fail(d, at, "`%s` cannot be %s: %s", name, what, strerror(errno));
}

static int give_text(DsData *d, const DsPlace *at, const char *text, DsCell *to) {
  to->s = run_text_of(d->run, text, strlen(text));
  return to->s ? DS_OK : native_fail(d, at, "not enough memory for a text");
}

/* ---- files and directories ---- */

int native_make_directory(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)out;
  return mkdir(in[0].s, 0777) == 0 ? DS_OK : cannot(d, at, "made a directory", in[0].s);
}

int native_remove_directory(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)out;
  return rmdir(in[0].s) == 0 ? DS_OK : cannot(d, at, "removed", in[0].s);
}

int native_rename_file(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)out;
  return rename(in[0].s, in[1].s) == 0 ? DS_OK : cannot(d, at, "renamed", in[0].s);
}

/* Copies until the end; errno tells what went wrong. */
static bool copy_stream(FILE *from, FILE *to) {
  char piece[1 << 14];
  size_t n;
  while ((n = fread(piece, 1, sizeof piece, from)) > 0)
    if (fwrite(piece, 1, n, to) != n)
      return false;
  return !ferror(from);
}

int native_copy_file(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)out;
  struct stat s;
  if (stat(in[1].s, &s) == 0) /* Files.copy has removed what may be replaced */
    return native_fail(d, at, "`%s` cannot be copied: `%s` exists already", in[0].s, in[1].s);
  FILE *from = fopen(in[0].s, "rb");
  if (!from)
    return cannot(d, at, "read", in[0].s);
  FILE *to = fopen(in[1].s, "wb");
  bool ok = to && copy_stream(from, to);
  int why = errno;
  fclose(from);
  if (to && fclose(to) != 0 && ok) {
    why = errno;
    ok = false;
  }
  errno = why;
  return ok ? DS_OK : cannot(d, at, "written", in[1].s);
}

static int not_dots(const struct dirent *e) {
  return strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

int native_count_files(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  struct dirent **names;
  int n = scandir(in[0].s, &names, not_dots, by_name);
  if (n < 0)
    return cannot(d, at, "read", in[0].s);
  for (int k = 0; k < n; k++)
    free(names[k]);
  free(names);
  out[0].i = n;
  return DS_OK;
}

int native_read_directory(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  struct dirent **names;
  int n = scandir(in[0].s, &names, not_dots, by_name);
  int status = DS_OK;
  if (n < 0)
    return cannot(d, at, "read", in[0].s);
  if (n != out[0].p[1].i || in[1].i != n)
    status = native_fail(d, at, "the directory `%s` has %d entries, not %lld", in[0].s, n,
                         out[0].p[1].i);
  for (int k = 0; k < n && status == DS_OK; k++)
    status = give_text(d, at, names[k]->d_name, &out[0].p[0].o[k]);
  for (int k = 0; k < n; k++)
    free(names[k]);
  free(names);
  return status;
}

int native_temporary_name(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)in;
  const char *folder = getenv("TMPDIR");
  char name[PATH_MAX];
  int n = snprintf(name, sizeof name, "%s/nusim-XXXXXX", folder && *folder ? folder : "/tmp");
  int file = n > 0 && (size_t)n < sizeof name ? mkstemp(name) : -1;
  if (file < 0)
    return cannot(d, at, "made a temporary file", name);
  close(file);
  unlink(name); /* a name that no file has */
  return give_text(d, at, name, &out[0]);
}

/* ---- process ---- */

int native_working_directory(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)in;
  char path[PATH_MAX];
  return getcwd(path, sizeof path)
             ? give_text(d, at, path, &out[0])
             : native_fail(d, at, "the working directory is not known: %s", strerror(errno));
}

int native_change_directory(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)out;
  return chdir(in[0].s) == 0 ? DS_OK : cannot(d, at, "made the working directory", in[0].s);
}

int native_environment(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  const char *value = getenv(in[0].s);
  out[1].i = value != NULL;
  return give_text(d, at, value ? value : "", &out[0]);
}

int native_set_environment(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)out;
  return setenv(in[0].s, in[1].s, 1) == 0
             ? DS_OK
             : native_fail(d, at, "the environment variable `%s` cannot be set: %s", in[0].s,
                           strerror(errno));
}

/* Milliseconds, seconds, minutes, hours, day, month, year of the local time. */
int native_clock(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)d, (void)at, (void)in;
  struct timespec now;
  struct tm t;
  clock_gettime(CLOCK_REALTIME, &now);
  localtime_r(&now.tv_sec, &t);
  const long long parts[] = {now.tv_nsec / 1000000, t.tm_sec,        t.tm_min, t.tm_hour, t.tm_mday,
                             t.tm_mon + 1,          t.tm_year + 1900};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    out[k].i = parts[k];
  return DS_OK;
}

int native_process_id(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)d, (void)at, (void)in;
  out[0].i = getpid();
  return DS_OK;
}

/* A model ends its run, not the program that others use, too. */
int native_end_run(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)in, (void)out;
  d->host->terminate(d, at, "the model calls exit");
  return DS_OK;
}
