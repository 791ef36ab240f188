/* run/native.c -- external functions: found by name when a run begins; texts, random numbers.
 * Generators by S. Vigna: xorshift64* and xorshift1024* (An experimental exploration of Marsaglia's
 * xorshift generators, scrambled, ACM TOMS 42(4), 2016), xorshift128+ (Further scramblings of
 * Marsaglia's xorshift generators, J. Comput. Appl. Math. 315, 2017). A state is a vector of 32-bit
 * numbers, two for each word, the lower half first. As in the Modelica Standard Library the first
 * two go on from the scrambled word. */
#include "run/native.h"
#include "run/external.h"
#include "run/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "expr/native.h"

int native_fail(DsData *d, const DsPlace *at, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return d->host->fail(d, at, text);
}

/* ---- finding ---- */

typedef void AnyFunction(void);

DsNative *run_find_native(const char *name) {
  static const struct {
    const char *name;
    DsNative *f;
  } natives[] = {
#define NATIVE(name, signature, function, purity) {#name, native_##function},
#include "expr/natives.def"
  };
  for (size_t k = 0; k < sizeof natives / sizeof *natives; k++)
    if (!strcmp(natives[k].name, name))
      return natives[k].f;
  return NULL;
}

RunExternals run_find_externals(const DsModel *m, Arena *a, Diags *diags) {
  bool all = true;
  AnyFunction **found = NEW_ARRAY(a, AnyFunction *, m->n_externals + 1);
  for (int k = 0; k < m->n_externals; k++) {
    const DsExternal *x = &m->externals[k];
    found[k] = *x->library ? run_find_foreign(x, a, diags)
                           : (AnyFunction *)run_find_native(x->name);
    all = all && found[k];
  }
  return all ? (RunExternals)found : NULL;
}

/* ---- texts ---- */

typedef struct {
  DsData *d;
  const DsPlace *at;
} TextCall;

static char *text_room(void *user, size_t n) {
  TextCall *t = user;
  char *room = run_text(t->d->run, n);
  if (!room)
    t->d->host->fail(t->d, t->at, "not enough memory for a text");
  return room;
}

static bool text_fail(void *user, const char *why) {
  TextCall *t = user;
  t->d->host->fail(t->d, t->at, why);
  return false;
}

/* Cells and scalars of the evaluator are the same bits. */
static int call_text(DsData *d, const DsPlace *at, const char *name, const DsCell *in,
                     DsCell *out) {
  enum { SLOTS = 4 }; /* more than any of them has */
  const char *signature;
  NativeText *f = native_text(name, &signature);
  Scalar inputs[SLOTS], outputs[SLOTS];
  size_t n = strspn(signature, "sbir");
  size_t m = strlen(signature) - n - (strchr(signature, '=') != NULL);
  memcpy(inputs, in, n * sizeof *in);
  if (!f(&(NativeContext){&(TextCall){d, at}, text_room, text_fail}, inputs, outputs))
    return DS_RETRY;
  memcpy(out, outputs, m * sizeof *out);
  return DS_OK;
}

#define NATIVE_TEXT(name, signature, function, purity)                                             \
  int native_##function(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {             \
    return call_text(d, at, #name, in, out);                                                       \
  }
#include "expr/natives.def"

/* ---- random numbers ---- */

typedef unsigned long long Word;

static Word word(const DsCell *state, int k) {
  return (Word)(uint32_t)state[2 * k].i | (Word)(uint32_t)state[2 * k + 1].i << 32;
}

static void set_word(DsCell *state, int k, Word w) {
  state[2 * k].i = (int32_t)(uint32_t)w;
  state[2 * k + 1].i = (int32_t)(uint32_t)(w >> 32);
}

/* A number in (0, 1]. */
static double unit(Word w) { return (double)(int64_t)w * 0x1p-64 + 0.5; }

/* Are the states that come in and go out of this length? */
static bool have_states(DsData *d, const DsPlace *at, const DsCell *in, const DsCell *out,
                        long long n) {
  if (in[0].p[1].i == n && (!out || out[0].p[1].i == n))
    return true;
  native_fail(d, at, "the state of this random generator has %lld numbers", n);
  return false;
}

int native_xorshift64star(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  if (!have_states(d, at, in, out, 2))
    return DS_RETRY;
  Word x = word(in[0].p[0].p, 0);
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  x *= 2685821657736338717u;
  set_word(out[0].p[0].o, 0, x);
  out[1].r = unit(x);
  return DS_OK;
}

int native_xorshift128plus(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  if (!have_states(d, at, in, out, 4))
    return DS_RETRY;
  Word a = word(in[0].p[0].p, 0), b = word(in[0].p[0].p, 1);
  a ^= a << 23;
  Word next = (a ^ b ^ (a >> 17) ^ (b >> 26)) + b;
  set_word(out[0].p[0].o, 0, b);
  set_word(out[0].p[0].o, 1, next);
  out[1].r = unit(next);
  return DS_OK;
}

/* 16 words and the place of the next one. */
enum { STATES_1024 = 33 };

static RandomState state_1024(const DsCell *state) {
  RandomState r = {.p = (int)(state[32].i & 15)};
  for (int k = 0; k < 16; k++)
    r.s[k] = word(state, k);
  return r;
}

static Word next_1024(RandomState *r) {
  Word a = r->s[r->p];
  r->p = (r->p + 1) & 15;
  Word b = r->s[r->p];
  b ^= b << 31;
  r->s[r->p] = b ^ a ^ (b >> 11) ^ (a >> 30);
  return r->s[r->p] * 1181783497276652981u;
}

int native_xorshift1024star(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  if (!have_states(d, at, in, out, STATES_1024))
    return DS_RETRY;
  RandomState r = state_1024(in[0].p[0].p);
  DsCell *to = out[0].p[0].o;
  out[1].r = unit(next_1024(&r));
  for (int k = 0; k < 16; k++)
    set_word(to, k, r.s[k]);
  to[32].i = r.p;
  return DS_OK;
}

/* Generators that keep their state: part of the run, by the number that the model gives them. */
int native_impure_set(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)out;
  if (!have_states(d, at, in, NULL, STATES_1024))
    return DS_RETRY;
  RandomState *r = run_generator(d->run, in[2].i, true);
  if (!r)
    return native_fail(d, at, "there is no memory for another random generator");
  *r = state_1024(in[0].p[0].p);
  r->id = in[2].i;
  return DS_OK;
}

int native_impure_random(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  RandomState *r = run_generator(d->run, in[0].i, false);
  if (!r)
    return native_fail(d, at, "a random generator is used before its state is set");
  out[0].r = unit(next_1024(r));
  return DS_OK;
}

/* A seed that differs from run to run: time and process. */
int native_global_seed(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)d, (void)at, (void)in;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  unsigned long long mix = (unsigned long long)now.tv_nsec * 2654435761u +
                           (unsigned long long)now.tv_sec * 40503u + (unsigned long long)getpid();
  out[0].i = (int32_t)(mix & 0x7fffffff);
  return DS_OK;
}
