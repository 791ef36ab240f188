/* cli/watch.c -- waits for changes of files, by inotify on their directories: editors write a new
 * file and rename it, so that a file itself is soon another one.
 * Keep: directories stay watched from run to run, so that what changes while a model runs is seen
 *       afterwards; a file that changed before its directory was watched is known by its time. A
 *       signal can only stop the wait inside ppoll, so none is lost. */
#include "cli/watch.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/report.h"

static const double LOOK = 0.2;          /* s; between two looks at changes during a run */
static const double LONGEST = 2;         /* s; of a series of changes */
enum { QUIET = 100, LOOK_AGAIN = 1000 }; /* ms: without further changes; for what is gone */
enum {
  CHANGES = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
};

typedef struct {
  char *path; /* "." for the current one */
  int number; /* of inotify; -1: it is gone */
  bool package;
} Directory;

typedef struct {
  char *path;
  const char *name; /* the last part of the path */
  size_t directory;
} File;

struct Watch {
  int inotify;
  struct timespec begun;
  Directory *directories;
  File *files;
  size_t n_directories, n_files;
  bool pending;  /* watch_changed has seen a change */
  double looked; /* s; when it looked last */
  char changed[PATH_MAX];
};

Watch *watch_new(void) {
  Watch *w = must_alloc(NULL, sizeof *w);
  *w = (Watch){.inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
  if (w->inotify >= 0)
    return w;
  complain("F002", "cannot watch files: %s", strerror(errno));
  free(w);
  return NULL;
}

static void forget_files(Watch *w) {
  for (size_t i = 0; i < w->n_files; i++)
    free(w->files[i].path);
  w->n_files = 0;
}

void watch_free(Watch *w) {
  if (!w)
    return;
  forget_files(w);
  for (size_t i = 0; i < w->n_directories; i++)
    free(w->directories[i].path);
  close(w->inotify);
  free(w->files);
  free(w->directories);
  free(w);
}

void watch_begin(Watch *w) {
  forget_files(w);
  clock_gettime(CLOCK_REALTIME, &w->begun);
}

size_t watch_count(const Watch *w) { return w->n_files; }

/* ---- directories ---- */

static void look_at(Watch *w, Directory *d) {
  char package[PATH_MAX];
  d->number = inotify_add_watch(w->inotify, d->path, CHANGES | IN_ONLYDIR);
  snprintf(package, sizeof package, "%s/package.mo", d->path);
  d->package = access(package, F_OK) == 0;
}

static size_t directory_of(Watch *w, const char *path, size_t length) {
  const char *text = length ? path : ".";
  size_t n = length ? length : 1;
  for (size_t i = 0; i < w->n_directories; i++)
    if (strlen(w->directories[i].path) == n && strncmp(w->directories[i].path, text, n) == 0)
      return i;
  w->directories = must_alloc(w->directories, (w->n_directories + 1) * sizeof *w->directories);
  Directory *d = &w->directories[w->n_directories];
  *d = (Directory){.path = strndup(text, n)};
  look_at(w, d);
  return w->n_directories++;
}

void watch_file(Watch *w, const char *path) {
  for (size_t i = 0; i < w->n_files; i++)
    if (strcmp(w->files[i].path, path) == 0)
      return;
  const char *slash = strrchr(path, '/');
  size_t length = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
  w->files = must_alloc(w->files, (w->n_files + 1) * sizeof *w->files);
  File *f = &w->files[w->n_files++];
  *f = (File){.path = strdup(path), .directory = directory_of(w, path, length)};
  f->name = slash ? f->path + (slash - path) + 1 : f->path;
}

void watch_session(Watch *w, const NuSession *s) {
  const char *path;
  for (size_t i = 0; nu_source_file(s, i, &path); i++)
    watch_file(w, path);
}

/* ---- changes ---- */

/* Does the model depend on a file of this name in the directory? In a package it may on every
 * class. */
static bool matters(const Watch *w, size_t directory, const char *name) {
  for (size_t i = 0; i < w->n_files; i++)
    if (w->files[i].directory == directory && strcmp(w->files[i].name, name) == 0)
      return true;
  size_t n = strlen(name);
  return w->directories[directory].package &&
         ((n > 3 && strcmp(name + n - 3, ".mo") == 0) || strcmp(name, "package.order") == 0);
}

static void note_change(Watch *w, const char *directory, const char *name) {
  if (strcmp(directory, ".") == 0)
    snprintf(w->changed, sizeof w->changed, "%s", name);
  else
    snprintf(w->changed, sizeof w->changed, "%s/%s", directory, name);
}

static bool take_event(Watch *w, const struct inotify_event *e) {
  bool any = false;
  for (size_t i = 0; i < w->n_directories; i++) {
    Directory *d = &w->directories[i];
    if (d->number != e->wd)
      continue;
    if (e->mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF)) {
      if (e->mask & IN_MOVE_SELF)
        inotify_rm_watch(w->inotify, d->number);
      d->number = -1;
    } else if (e->len && matters(w, i, e->name)) {
      note_change(w, d->path, e->name);
      any = true;
    }
  }
  return any || (e->mask & IN_Q_OVERFLOW);
}

/* All that has happened so far. */
static bool take_events(Watch *w) {
  _Alignas(struct inotify_event) char room[4096];
  bool any = false;
  for (ssize_t n; (n = read(w->inotify, room, sizeof room)) > 0;)
    for (char *at = room; at < room + n;) {
      const struct inotify_event *e = (const void *)at;
      any = take_event(w, e) || any;
      at += sizeof *e + e->len;
    }
  return any;
}

/* Directories that were gone and are there again. */
static bool find_again(Watch *w) {
  bool any = false;
  for (size_t i = 0; i < w->n_directories; i++) {
    Directory *d = &w->directories[i];
    if (d->number >= 0)
      continue;
    look_at(w, d);
    for (size_t k = 0; d->number >= 0 && k < w->n_files; k++)
      if (w->files[k].directory == i && access(w->files[k].path, F_OK) == 0) {
        note_change(w, d->path, w->files[k].name);
        any = true;
      }
  }
  return any;
}

static bool is_later(struct timespec a, struct timespec b) {
  return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

/* A file that was written since the run began, in a directory that was perhaps not watched then. */
static bool changed_already(Watch *w) {
  struct stat info;
  for (size_t i = 0; i < w->n_files; i++)
    if (stat(w->files[i].path, &info) == 0 && is_later(info.st_mtim, w->begun)) {
      snprintf(w->changed, sizeof w->changed, "%s", w->files[i].path);
      return true;
    }
  return false;
}

/* ---- waiting ---- */

/* Waits for events at most that long; negative: without limit. Only here signals come in. */
static bool sleep_ms(Watch *w, int limit, const sigset_t *open) {
  struct pollfd p = {w->inotify, POLLIN, 0};
  struct timespec t = {limit / 1000, limit % 1000 * 1000000L};
  return ppoll(&p, 1, limit < 0 ? NULL : &t, open) > 0;
}

static bool anything_gone(const Watch *w) {
  for (size_t i = 0; i < w->n_directories; i++)
    if (w->directories[i].number < 0)
      return true;
  return false;
}

bool watch_changed(Watch *w) {
  if (!w->pending && progress_clock() - w->looked > LOOK) {
    w->looked = progress_clock();
    w->pending = take_events(w);
  }
  return w->pending;
}

/* Until a change, then until there are no more. */
static bool wait_for_change(Watch *w, volatile sig_atomic_t *stop, const sigset_t *open) {
  bool changed = take_events(w) || w->pending;
  changed = changed_already(w) || changed;
  while (!changed && !*stop) {
    bool gone = anything_gone(w);
    sleep_ms(w, gone ? LOOK_AGAIN : -1, open);
    changed = take_events(w);
    changed = (gone && find_again(w)) || changed;
  }
  for (double begun = progress_clock();
       !*stop && progress_clock() - begun < LONGEST && sleep_ms(w, QUIET, open);)
    take_events(w);
  return changed && !*stop;
}

const char *watch_wait(Watch *w, volatile sig_atomic_t *stop) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  sigaddset(&blocked, SIGTERM);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  sigset_t open = before;
  sigdelset(&open, SIGINT);
  sigdelset(&open, SIGTERM);
  bool changed = wait_for_change(w, stop, &open);
  sigprocmask(SIG_SETMASK, &before, NULL);
  w->pending = false;
  return changed ? w->changed : NULL;
}
