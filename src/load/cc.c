/* load/cc.c -- the C compiler of the system as a child process, its shared object as a model.
 * How:  the functions of the C library that a model calls come by a table of addresses, the one
 *       that libtcc's code gets: the object needs no library, and both codes call the same
 *       functions. What the compiler may not do is what would change bits: fold calls of the
 *       library, contract products and sums.
 * Keep: fabs and sqrt are exact, so the compiler may inline them. The child has a process group of
 *       its own: ending the group ends the parts of the compiler, too. */
#include "load/cc.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "load/load.h"

extern char **environ;

/* ---- the library as a table ---- */

/* clang-format off */
#define FUNCTIONS_1(F) \
  F(sin) F(cos) F(tan) F(asin) F(acos) F(atan) F(sinh) F(cosh) F(tanh) F(exp) F(log) F(log10) \
  F(floor) F(ceil) F(trunc) F(round)
/* clang-format on */
#define FUNCTIONS_2(F) F(atan2) F(pow)

typedef struct {
#define MEMBER(name) double (*name)(double);
  FUNCTIONS_1(MEMBER)
#undef MEMBER
#define MEMBER(name) double (*name)(double, double);
  FUNCTIONS_2(MEMBER)
#undef MEMBER
  int (*strcmp)(const char *, const char *);
} Functions;

static const Functions functions = {
#define MEMBER(name) .name = name,
    FUNCTIONS_1(MEMBER) FUNCTIONS_2(MEMBER)
#undef MEMBER
        .strcmp = strcmp};

/* The same table as text, and how the model finds it. */
static const char preamble[] = "struct ds_functions {\n"
#define TEXT(name) "  double (*" #name ")(double);\n"
    FUNCTIONS_1(TEXT)
#undef TEXT
#define TEXT(name) "  double (*" #name ")(double, double);\n"
        FUNCTIONS_2(TEXT)
#undef TEXT
            "  int (*strcmp)(const char *, const char *);\n};\nstatic struct ds_functions "
            "ds_functions;\n"
#define TEXT(name) "#define " #name "(a) ds_functions." #name "(a)\n"
    FUNCTIONS_1(TEXT)
#undef TEXT
#define TEXT(name) "#define " #name "(a, b) ds_functions." #name "(a, b)\n"
        FUNCTIONS_2(TEXT)
#undef TEXT
            "#define strcmp(a, b) ds_functions.strcmp(a, b)\n"
            "#define fabs(a) __builtin_fabs(a)\n#define sqrt(a) __builtin_sqrt(a)\n#define "
            "DS_OWN_MATH\n"
            "void dsblock_link(const struct ds_functions *f) { ds_functions = *f; }\n";

/* ---- files ---- */

struct CcJob {
  CcState state;
  pid_t child; /* 0: none */
  char directory[PATH_MAX], source[PATH_MAX + 16], object[PATH_MAX + 16], log[PATH_MAX + 16];
  char compiler[PATH_MAX];
  void *library;
  const DsModel *model;
  char why[MOST_COMPILER_TEXT];
};

static CcState failed(CcJob *job, const char *what, const char *reason) {
  snprintf(job->why, sizeof job->why, "%.120s: %.250s", what, reason);
  return job->state = CC_FAILED;
}

static bool make_directory(CcJob *job) {
  const char *base = getenv("TMPDIR");
  int n = snprintf(job->directory, sizeof job->directory, "%s/nusim-XXXXXX",
                   base && *base ? base : "/tmp");
  errno = ENAMETOOLONG; /* unless mkdtemp says something else */
  if (n < 0 || (size_t)n >= sizeof job->directory || !mkdtemp(job->directory)) {
    failed(job, "no directory for the compiler's files", strerror(errno));
    job->directory[0] = 0;
    return false;
  }
  snprintf(job->source, sizeof job->source, "%s/model.c", job->directory);
  snprintf(job->object, sizeof job->object, "%s/model.so", job->directory);
  snprintf(job->log, sizeof job->log, "%s/log", job->directory);
  return true;
}

static bool write_source(CcJob *job, const char *c_text) {
  size_t header;
  const char *h = load_header(&header);
  FILE *file = fopen(job->source, "we");
  bool ok = file && fputs(preamble, file) >= 0 && fwrite(h, 1, header, file) == header &&
            fputs(c_text, file) >= 0;
  if (file && fclose(file))
    ok = false;
  if (!ok)
    failed(job, "cannot write the compiler's input", strerror(errno));
  return ok;
}

/* Everything in the directory: it also is the compiler's place for temporary files. */
static void remove_directory(CcJob *job) {
  DIR *dir = *job->directory ? opendir(job->directory) : NULL;
  if (!dir)
    return;
  for (const struct dirent *e; (e = readdir(dir));)
    if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
      unlinkat(dirfd(dir), e->d_name, 0);
  closedir(dir);
  rmdir(job->directory);
  job->directory[0] = 0;
}

/* ---- the child ---- */

/* Our environment with TMPDIR as the job's directory. The caller frees the list; `own` holds the
 * new text. */
static char **child_environment(const CcJob *job, char *own, size_t size) {
  size_t n = 0, k = 0;
  while (environ[n])
    n++;
  char **list = malloc((n + 2) * sizeof *list);
  if (!list)
    return NULL;
  for (size_t i = 0; i < n; i++)
    if (strncmp(environ[i], "TMPDIR=", 7))
      list[k++] = environ[i];
  snprintf(own, size, "TMPDIR=%s", job->directory);
  list[k++] = own;
  list[k] = NULL;
  return list;
}

static int spawn(CcJob *job, char **environment) {
  char *arguments[] = {
      job->compiler,  "-std=c11",        "-w",        "-O1",     "-ffp-contract=off",
      "-fno-builtin", "-fno-math-errno", "-fPIC",     "-shared", "-nostdlib",
      "-o",           job->object,       job->source, NULL};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none;
  int error = posix_spawn_file_actions_init(&files);
  if (error)
    return error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&files);
    return error;
  }
  sigemptyset(&none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, job->log, O_WRONLY | O_CREAT, 0600);
  error = posix_spawnp(&job->child, job->compiler, &files, &attributes, arguments, environment);
  if (error)
    job->child = 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

static void start_compiler(CcJob *job) {
  char own[PATH_MAX + 16];
  const char *asked = getenv("NUSIM_CC");
  int n = snprintf(job->compiler, sizeof job->compiler, "%s", asked && *asked ? asked : "cc");
  char **environment = child_environment(job, own, sizeof own);
  int error = n >= (int)sizeof job->compiler ? ENAMETOOLONG
              : environment                  ? spawn(job, environment)
                                             : ENOMEM;
  free(environment);
  if (error)
    failed(job, job->compiler, strerror(error));
}

CcJob *cc_start(const char *c_text) {
  CcJob *job = calloc(1, sizeof *job);
  if (!job)
    return NULL;
  if (make_directory(job) && write_source(job, c_text))
    start_compiler(job);
  if (job->state == CC_FAILED)
    remove_directory(job);
  return job;
}

/* ---- the end of the child ---- */

/* The first line that the compiler wrote. */
static const char *complaint(const CcJob *job, char *line, int size) {
  FILE *file = fopen(job->log, "re");
  const char *text = file ? fgets(line, size, file) : NULL;
  if (file)
    fclose(file);
  if (!text)
    return "it failed without a message";
  line[strcspn(line, "\n")] = 0;
  return line;
}

static CcState take_object(CcJob *job) {
  job->library = dlopen(job->object, RTLD_NOW | RTLD_LOCAL);
  if (!job->library)
    return failed(job, "the compiled model cannot be loaded", dlerror());
  void *link_address = dlsym(job->library, "dsblock_link"),
       *entry_address = dlsym(job->library, "dsblock");
  void (*link_functions)(const Functions *);
  const DsModel *(*entry)(void);
  memcpy(&link_functions, &link_address, sizeof link_address);
  memcpy(&entry, &entry_address, sizeof entry_address);
  if (!link_functions || !entry)
    return failed(job, "the compiled model cannot be used", "a symbol is missing");
  link_functions(&functions);
  job->model = entry();
  return job->state = CC_READY;
}

static CcState child_ended(CcJob *job, int status) {
  char line[MOST_COMPILER_TEXT - 64];
  if (!WIFEXITED(status) || WEXITSTATUS(status))
    failed(job, job->compiler,
           WIFEXITED(status) && WEXITSTATUS(status) == 127 ? "it cannot be started"
                                                           : complaint(job, line, sizeof line));
  else
    take_object(job);
  remove_directory(job);
  return job->state;
}

CcState cc_state(CcJob *job, bool wait) {
  int status = 0;
  if (job->state != CC_BUSY)
    return job->state;
  pid_t got;
  do
    got = waitpid(job->child, &status, wait ? 0 : WNOHANG);
  while (got < 0 && errno == EINTR);
  if (got == 0)
    return CC_BUSY;
  /* somebody else has waited for the child: there is no telling how it ended */
  bool lost = got < 0;
  job->child = 0;
  if (!lost)
    return child_ended(job, status);
  remove_directory(job);
  return failed(job, job->compiler, "its end was not seen");
}

const DsModel *cc_model(const CcJob *job) { return job->model; }
const char *cc_why(const CcJob *job) { return job->why; }

void cc_free(CcJob *job) {
  if (!job)
    return;
  if (job->child) {
    kill(-job->child, SIGKILL);
    while (waitpid(job->child, NULL, 0) < 0 && errno == EINTR)
      ;
  }
  remove_directory(job);
  if (job->library)
    dlclose(job->library);
  free(job);
}
