/* load/later.c -- one compilation by the C compiler per program, shared by its runs. */
#include "load/later.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "load/cc.h"

struct LaterCode {
  pthread_mutex_t lock;
  CcJob *job;      /* NULL: not begun, or ended because nobody wanted it any more */
  unsigned wanted; /* by so many runs */
  size_t length;
  char text[];
};

LaterCode *later_new(const char *c_text) {
  size_t n = strlen(c_text);
  LaterCode *l = malloc(sizeof *l + n + 1);
  if (!l)
    return NULL;
  *l = (LaterCode){.length = n};
  memcpy(l->text, c_text, n + 1);
  if (pthread_mutex_init(&l->lock, NULL) == 0)
    return l;
  free(l);
  return NULL;
}

void later_free(LaterCode *l) {
  if (!l)
    return;
  cc_free(l->job);
  pthread_mutex_destroy(&l->lock);
  free(l);
}

size_t later_length(const LaterCode *l) { return l->length; }

void later_want(LaterCode *l) {
  pthread_mutex_lock(&l->lock);
  l->wanted++;
  if (!l->job)
    l->job = cc_start(l->text);
  pthread_mutex_unlock(&l->lock);
}

void later_leave(LaterCode *l) {
  pthread_mutex_lock(&l->lock);
  l->wanted--;
  if (!l->wanted && l->job && cc_state(l->job, false) == CC_BUSY) {
    cc_free(l->job);
    l->job = NULL;
  }
  pthread_mutex_unlock(&l->lock);
}

const DsModel *later_model(LaterCode *l, const char **why) {
  pthread_mutex_lock(&l->lock);
  CcState state = l->job ? cc_state(l->job, false) : CC_BUSY;
  *why = state == CC_FAILED ? cc_why(l->job) : NULL;
  const DsModel *model = state == CC_READY ? cc_model(l->job) : NULL;
  pthread_mutex_unlock(&l->lock);
  return model;
}
