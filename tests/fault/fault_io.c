/* tests/fault/fault_io.c -- calls of the system that fail, or at which the process dies, one after
 * the other. fault_io fail PATH STRIDE     the k-th call that changes a file fails with EIO or
 * ENOSPC, or writes only a part; k = 1, 1 + STRIDE ... fault_io kill PATH STRIDE     the process is
 * killed just before it
 *   fault_io memory PATH STRIDE   the k-th allocation of SQLite or of an arena fails, in writing
 *                                 and in reading
 * Calls are counted if they concern PATH or a file beside it. The functions of the system are
 * defined here once more; SQLite and the library call these. A clock that advances with each look
 * makes commits come often and at the same points each time. After each run the store must hold the
 * beginning of what an undisturbed run stored; the later the fault, the more of it. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "nusim.h"
#include "result/store.h"

/* ---- faults ---- */

typedef enum { FAULT_NONE, FAULT_EIO, FAULT_ENOSPC, FAULT_SHORT, FAULT_KILL } Fault;

static struct {
  const char *path;
  Fault fault;
  bool ever;       /* every call from then on fails, as on a full disk */
  long calls, at;  /* the `at`-th fails */
  bool ours[1024]; /* descriptors of PATH and of files beside it */
} world;

/* Does this call fail? */
static bool strikes(void) {
  world.calls++;
  bool now = world.fault != FAULT_NONE &&
             (world.calls == world.at || (world.ever && world.calls > world.at));
  if (now && world.fault == FAULT_KILL)
    kill(getpid(), SIGKILL);
  if (now)
    errno = world.fault == FAULT_EIO ? EIO : ENOSPC;
  return now;
}

static bool concerns(const char *path) { return world.path && strstr(path, world.path) != NULL; }
static bool ours(int fd) { return fd >= 0 && fd < 1024 && world.ours[fd]; }

/* The function behind the one here. */
#define REAL(name) (*(__typeof__(&name) *)behind(#name, &(void *){NULL}))
static void *behind(const char *name, void **place) {
  *place = dlsym(RTLD_NEXT, name);
  return place;
}
#define EXPORTED __attribute__((visibility("default")))

static int opened(const char *path, int fd) {
  if (fd >= 0 && fd < 1024)
    world.ours[fd] = concerns(path);
  return fd;
}

EXPORTED int open64(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
  va_end(args);
  if (concerns(path) && strikes())
    return -1;
  return opened(path, REAL(open64)(path, flags, mode));
}

EXPORTED int open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
  va_end(args);
  if (concerns(path) && strikes())
    return -1;
  return opened(path, REAL(open)(path, flags, mode));
}

static ssize_t part(int fd, const void *bytes, size_t n, off64_t at) {
  return world.fault == FAULT_SHORT && n > 1 ? REAL(pwrite64)(fd, bytes, n / 2, at) : -1;
}

EXPORTED ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) {
  return ours(fd) && strikes() ? part(fd, bytes, n, at) : REAL(pwrite64)(fd, bytes, n, at);
}

EXPORTED ssize_t write(int fd, const void *bytes, size_t n) {
  return ours(fd) && strikes() ? -1 : REAL(write)(fd, bytes, n);
}
EXPORTED int fsync(int fd) { return ours(fd) && strikes() ? -1 : REAL(fsync)(fd); }
EXPORTED int fdatasync(int fd) { return ours(fd) && strikes() ? -1 : REAL(fdatasync)(fd); }
EXPORTED int ftruncate64(int fd, off64_t n) {
  return ours(fd) && strikes() ? -1 : REAL(ftruncate64)(fd, n);
}
EXPORTED int rename(const char *from, const char *to) {
  return concerns(to) && strikes() ? -1 : REAL(rename)(from, to);
}
EXPORTED int unlink(const char *path) {
  return concerns(path) && strikes() ? -1 : REAL(unlink)(path);
}

/* 5 ms at each look: about 200 rows per commit. */
EXPORTED int clock_gettime(clockid_t clock, struct timespec *out) {
  static long looks;
  if (clock != CLOCK_MONOTONIC_COARSE)
    return REAL(clock_gettime)(clock, out);
  looks++;
  *out = (struct timespec){looks / 200, looks % 200 * 5000000};
  return 0;
}

/* ---- what a store holds: a check sum per point ---- */

typedef struct {
  uint32_t *at;
  uint32_t n;
  bool opens, ended;
  char said[500];
  Store *store; /* while it is read */
} Held;

static uint32_t sum_point(const Store *s, const StorePoints *p, uint32_t k, uint32_t *change) {
  uint32_t sum = (uint32_t)crc32_z(0, (const unsigned char *)&p->time[k], sizeof(double));
  sum = sum * 31 + (uint32_t)p->kind[k] + 4 * p->step[k];
  for (uint32_t c = 0; c < s->columns.n; c++)
    sum = p->columns[c]
              ? (uint32_t)crc32_z(sum, (const unsigned char *)&p->columns[c][k], sizeof(double))
              : sum;
  for (; *change < p->n_changes && p->changes[*change].point == k; ++*change) {
    const StoreChange *c = &p->changes[*change];
    const void *value = c->bank == STORE_STRING ? (const void *)c->value.s
                                                : (const void *)&c->value;
    sum = (uint32_t)crc32_z(sum ^ c->place ^ (uint32_t)c->bank << 30, value,
                            c->bank == STORE_STRING ? strlen(c->value.s) : sizeof c->value);
  }
  return sum;
}

static void read_all(Held *h, const char *path, Arena *a, Diags *diags) {
  Store *s = h->store = store_open(path, a, diags);
  if (!s)
    return;
  uint32_t n;
  store_pieces(s, &n);
  h->opens = true;
  h->ended = s->ended;
  h->at = calloc(store_points(s) + 1, sizeof *h->at);
  for (uint32_t k = 0; k < n && h->opens; k++) {
    StorePoints p;
    uint32_t change = 0;
    h->opens = store_read(s, k, NULL, &p, diags);
    for (uint32_t q = 0; h->opens && q < p.n; q++)
      h->at[h->n++] = sum_point(s, &p, q, &change);
  }
}

/* fail_at: see base/memory.h. False when memory ran out. */
static bool hold(Held *h, const char *path, size_t fail_at) {
  Memory mem = {.fail_at = fail_at};
  jmp_buf recover;
  mem.recover = &recover;
  *h = (Held){0};
  volatile bool enough = false;
  if (!setjmp(recover)) {
    Arena *a = arena_new(&mem);
    Diags *diags = diags_new(a, sources_new(a));
    read_all(h, path, a, diags);
    for (uint32_t k = 0; k < diags_count(diags); k++)
      snprintf(h->said + strlen(h->said), sizeof h->said - strlen(h->said), "%s; ",
               diags_at(diags, k)->message);
    enough = true;
  }
  store_close(h->store);
  mem_drop_since(&mem, NULL);
  return enough;
}

/* ---- runs ---- */

static const char model[] = "model M\n"
                            "  Real x(start = 1, fixed = true), h(start = 1, fixed = true), "
                            "v(start = 0, fixed = true);\n"
                            "  Integer n(start = 0, fixed = true);\n"
                            "  String s(start = \"\", fixed = true);\n"
                            "equation\n"
                            "  der(x) = -x*sin(5*time);\n"
                            "  der(h) = v;\n"
                            "  der(v) = -9.81;\n"
                            "  when h <= 0 then\n"
                            "    reinit(v, -pre(v));\n"
                            "    n = pre(n) + 1;\n"
                            "    s = \"bounce \" + String(n);\n"
                            "  end when;\n"
                            "end M;\n";

typedef struct {
  unsigned errors;
  char text[1000];
} Heard;

static NuSession *session;
static NuProgram *program;
static Heard heard;

static void hear(void *user, const NuDiagnostic *d) {
  (void)user;
  heard.errors += d->severity == NU_ERROR;
  snprintf(heard.text + strlen(heard.text), sizeof heard.text - strlen(heard.text), "%s; ",
           d->message);
}

static _Noreturn void die(const char *what) {
  printf("call %ld of fault %d: %s\n%s\n", world.at, (int)world.fault, what, heard.text);
  exit(1);
}

static void prepare(void) {
  NuSessionOptions so = nu_session_options();
  NuTarget target = {.code = NU_CODE_TCC};
  so.sink = hear;
  if (nu_session_new(&so, &session) || nu_load_text(session, "M.mo", model, strlen(model)) ||
      nu_compile(session, &target, &program))
    die("the model cannot be compiled");
}

static NuStatus run(const char *path) {
  NuRunOptions o = nu_run_options();
  NuRun *r = NULL;
  heard = (Heard){0};
  o.store = path;
  o.stop = 6;
  o.intervals = 2500;
  NuStatus status = nu_run_new(program, &o, &r);
  if (status == NU_OK)
    status = nu_run_simulate(r);
  nu_run_free(r);
  return status;
}

/* Nothing of that name. */
static void clear(const char *path) {
  static const char *const ends[] = {"",      "-wal", "-shm",        "-journal",
                                     "-lock", "-new", "-new-journal"};
  char name[1000];
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    snprintf(name, sizeof name, "%s%s", path, ends[k]);
    remove(name);
  }
}

static void arm(Fault fault, long at, bool ever) {
  world.calls = 0;
  world.at = at;
  world.ever = ever;
  world.fault = fault;
}

static bool begins_with(const Held *whole, const Held *h) {
  return h->n <= whole->n && (!h->n || !memcmp(whole->at, h->at, h->n * sizeof *h->at));
}

/* ---- the three programs ---- */

/* One run with a fault; returns how many points are left. */
static uint32_t fail_one(const char *path, const Held *whole, bool older) {
  Fault fault = world.fault;
  NuStatus status = run(path);
  world.fault = FAULT_NONE;
  if (status != NU_OK && status != NU_FILE)
    die("another status than NU_FILE");
  if (status == NU_FILE && (heard.errors != 1 || !strstr(heard.text, path)))
    die("not one message with the name of the file");
  const char *reason = strerror(fault == FAULT_EIO ? EIO : ENOSPC);
  if (status == NU_FILE && world.ever && fault != FAULT_SHORT && !strstr(heard.text, reason))
    die("the message does not say why");
  Held h;
  hold(&h, path, 0);
  if (!h.opens && (access(path, F_OK) == 0 || older || status == NU_OK))
    die(h.said);
  if (!begins_with(whole, &h) || (status == NU_OK && (h.n != whole->n || !h.ended)))
    die("the points are not those of the run");
  uint32_t n = h.n;
  free(h.at);
  return n;
}

static void fail(const char *path, long stride, const Held *whole) {
  long tried = 0, calls = 0;
  for (int fault = FAULT_EIO; fault <= FAULT_SHORT; fault++)
    for (int ever = 0; ever < 2; ever++) {
      uint32_t before = 0;
      for (long k = 1;; k += stride, tried++) {
        bool older = k % 2 == 0;
        clear(path);
        if (older && run(path) != NU_OK)
          die("an undisturbed run");
        arm((Fault)fault, k, ever);
        uint32_t n = fail_one(path, whole, older);
        calls = world.calls;
        if (k > calls)
          break;
        if (ever && !older && n < before)
          die("a later fault left less");
        before = ever && !older ? n : before;
      }
    }
  printf("%ld faults in runs with about %ld calls\n", tried, calls);
}

static void kill_all(const char *path, long stride, const Held *whole) {
  uint32_t before = 0;
  for (long k = 1;; k += stride) {
    clear(path);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      arm(FAULT_KILL, k, false);
      run(path);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    world.at = k;
    Held h;
    hold(&h, path, 0);
    if (!h.opens && access(path, F_OK) == 0)
      die(h.said);
    if (!begins_with(whole, &h) || h.n < before)
      die("the points are not those of the run, or less than before");
    before = h.n;
    free(h.at);
    if (WIFEXITED(status)) {
      if (!h.ended || h.n != whole->n)
        die("the run has ended, but not the store");
      printf("%ld kills\n", k / stride);
      return;
    }
  }
}

/* SQLite's allocations, one of which fails. */
static sqlite3_mem_methods plain;
static long allocations, failing;
static void *take(int n) { return ++allocations == failing ? NULL : plain.xMalloc(n); }
static void *retake(void *p, int n) {
  return ++allocations == failing ? NULL : plain.xRealloc(p, n);
}

static void memory(const char *path, long stride, const Held *whole) {
  long tried = 0;
  for (int reading = 0; reading < 2; reading++)
    for (long k = 1;; k += stride, tried++) {
      Held h = {0};
      world.at = k;
      if (!reading)
        clear(path);
      allocations = 0, failing = k;
      if (reading)
        hold(&h, path, 0);
      else if (run(path) != NU_OK && (!heard.errors || !strstr(heard.text, path)))
        die("no message");
      failing = 0;
      bool all = allocations < k;
      if (reading && !h.opens && !*h.said)
        die("refused without a message");
      free(h.at);
      hold(&h, path, 0);
      if ((!h.opens && access(path, F_OK) == 0) || !begins_with(whole, &h) ||
          ((all || reading) && h.n != whole->n))
        die("the points are not those of the run");
      free(h.at);
      if (all)
        break;
    }
  for (size_t k = 1;; k++, tried++) { /* arenas of a reader */
    Held h;
    world.at = (long)k;
    bool enough = hold(&h, path, k);
    free(h.at);
    if (enough && h.n == whole->n)
      break;
    if (enough)
      die("memory ran out unseen");
  }
  printf("%ld allocations failed\n", tried);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  signal(SIGXFSZ, SIG_IGN);
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain);
  sqlite3_mem_methods mine = plain;
  mine.xMalloc = take, mine.xRealloc = retake;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &mine);
  world.path = argv[2];
  prepare();
  Held whole;
  if (run(argv[2]) != NU_OK || !hold(&whole, argv[2], 0) || !whole.ended || whole.n < 2000)
    die("the undisturbed run");
  long stride = strtol(argv[3], NULL, 10);
  if (!strcmp(argv[1], "fail"))
    fail(argv[2], stride, &whole);
  else if (!strcmp(argv[1], "kill"))
    kill_all(argv[2], stride, &whole);
  else
    memory(argv[2], stride, &whole);
  free(whole.at);
  nu_program_free(program);
  nu_session_free(session);
  return 0;
}
