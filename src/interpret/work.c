/* interpret/work.c -- workspaces of evaluations without machine code.
 * How:  a thread that enters a model takes a workspace from those that are idle, or makes one, and
 *       gives it back when it leaves the model. So there are as many as threads were in the model
 *       at once, and none waits for another.
 * Keep: a thread leaves workspaces in the reverse order of taking them. */
#include "interpret/interpret_impl.h"

#include <stdlib.h>

static _Thread_local Work *inside; /* the innermost workspace of this thread */

bool work_init(Interp *in) { return !pthread_mutex_init(&in->lock, NULL); }

void work_end(Interp *in) {
  for (Work *w = in->idle, *next; w; w = next) {
    next = w->next;
    mem_drop_since(&w->mem, NULL);
    mem_drop_since(&w->kept, NULL);
    free(w);
  }
  pthread_mutex_destroy(&in->lock);
}

static Work *find_inside(const Interp *in) {
  Work *w = inside;
  while (w && w->in != in)
    w = w->next;
  return w;
}

static Work *take_idle(Interp *in) {
  pthread_mutex_lock(&in->lock);
  Work *w = in->idle;
  if (w)
    in->idle = w->next;
  pthread_mutex_unlock(&in->lock);
  return w;
}

Work *work_take(Interp *in) {
  Work *w = find_inside(in);
  if (!w) {
    w = take_idle(in);
    if (!w && !(w = calloc(1, sizeof *w)))
      return NULL;
    w->in = in;
    w->next = inside;
    inside = w;
  }
  w->depth++;
  return w;
}

void work_leave(Work *w) {
  if (--w->depth)
    return;
  inside = w->next;
  pthread_mutex_lock(&w->in->lock);
  w->next = w->in->idle;
  w->in->idle = w;
  pthread_mutex_unlock(&w->in->lock);
}
