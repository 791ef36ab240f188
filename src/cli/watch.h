#pragma once
/* cli/watch.h -- waits until a file changes that a model was read from. */
#include <signal.h>
#include <stdbool.h>

#include "nusim.h"

typedef struct Watch Watch;

/* NULL after a message: the system cannot tell about changes. */
Watch *watch_new(void);
void watch_free(Watch *w);
/* The files of the next run are noted from now on. */
void watch_begin(Watch *w);
void watch_file(Watch *w, const char *path);
void watch_session(Watch *w, const NuSession *s); /* all files of a session */
/* Waits for a change of these files, or of a package that they are in, since watch_begin; changes
 * that follow each other quickly are one. The path of what changed; NULL when *stop became true by
 * a signal. It lives until the next watch_begin. */
const char *watch_wait(Watch *w, volatile sig_atomic_t *stop);
/* Has something changed already? Looks now and then only: it costs nearly nothing */
bool watch_changed(Watch *w);
size_t watch_count(const Watch *w); /* files */
