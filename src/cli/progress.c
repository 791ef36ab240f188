/* cli/progress.c -- the progress line: part of the time span, time, events, steps, and how long it
 * will still take. Short runs show nothing; a line is drawn at most ten times a second and fits the
 * terminal. */
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double FIRST = 0.5, AGAIN = 0.1; /* s before the first line, between two */
/* Before that the remaining time is a guess that nobody wants */
static const double LEAST_PART = 1e-3;
enum { BAR = 20, LINE = 200 };

double progress_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void duration(double s, char *text, size_t size) {
  if (s < 99.5)
    snprintf(text, size, "%.0f s", s);
  else if (s < 99.5 * 60)
    snprintf(text, size, "%.0f min", s / 60);
  else
    snprintf(text, size, "%.0f h", s / 3600);
}

/* Columns of the terminal. */
static size_t columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

static void draw(const NuRun *run, double elapsed) {
  NuRunStats s = nu_run_stats(run);
  double part = s.stop > s.start ? fmin(fmax((s.time - s.start) / (s.stop - s.start), 0), 1) : 1;
  char bar[BAR + 1], left[32] = "?", line[LINE];
  memset(bar, '.', BAR);
  memset(bar, '#', (size_t)(BAR * part));
  bar[BAR] = 0;
  if (part > LEAST_PART)
    duration(elapsed * (1 - part) / part, left, sizeof left);
  snprintf(line, sizeof line, "run  %s %3.0f %%  t = %.6g  events %llu  steps %llu  %s left", bar,
           floor(100 * part), s.time, (unsigned long long)(s.state_events + s.time_events),
           (unsigned long long)s.steps, left);
  size_t width = columns();
  if (strlen(line) >= width)
    line[width - 1] = 0;
  fprintf(stderr, "\r%s\033[K", line);
  fflush(stderr);
}

void progress_begin(Progress *p) { p->begun = p->drawn = progress_clock(); }

void progress_tick(void *user, const NuRun *run) {
  Progress *p = user;
  double clock = progress_clock();
  if (clock - p->begun < FIRST || clock - p->drawn < AGAIN)
    return;
  p->drawn = clock;
  p->shown = true;
  draw(run, clock - p->begun);
}

void progress_end(Progress *p) {
  if (p->shown)
    fputs("\r\033[K", stderr);
  p->shown = false;
}
