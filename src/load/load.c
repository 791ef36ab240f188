/* load/load.c -- C text -> program: libtcc in memory (no headers, no libraries, a fixed table of
 * symbols), or the C compiler.
 * Keep: nothing in here allocates from an arena while libtcc is on the stack, because a failed
 *       allocation leaves by longjmp; the compiler's messages go to a buffer of fixed size. A
 *       program owns its code outside of all arenas: whoever loads it must free it. */
#include "load/load.h"

#include <libtcc.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/limits.h"
#include "load/cc.h"
#include "load/later.h"

/* The header as data; `as` finds it along the include path like any other. */
__asm__(".section .rodata\n"
        ".balign 1\n"
        "nu_dsblock_header:\n"
        ".incbin \"dsblock.h\"\n"
        "nu_dsblock_header_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const char nu_dsblock_header[], nu_dsblock_header_end[];

const char *load_header(size_t *length) {
  *length = (size_t)(nu_dsblock_header_end - nu_dsblock_header);
  return nu_dsblock_header;
}

/* Generated code has the limits of the evaluator. */
_Static_assert((int)DS_MOST_CALLS == (int)MOST_CALLS && (int)DS_MOST_STACK == (int)MOST_STACK, "");

typedef struct {
  char text[1000];
  size_t n;
} Complaint;

static void note_error(void *user, const char *message) {
  Complaint *c = user;
  size_t n = strlen(message), room = sizeof c->text - 1 - c->n;
  if (c->n && room) {
    c->text[c->n++] = ';';
    room--;
  }
  if (n > room)
    n = room;
  memcpy(c->text + c->n, message, n);
  c->n += n;
  c->text[c->n] = 0;
}

bool load_may_execute(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    return false;
  bool ok = mprotect(p, page, PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
  munmap(p, page);
  return ok;
}

typedef void (*AnyFunction)(void);

static int add_symbols(TCCState *tcc) {
  static const struct {
    const char *name;
    AnyFunction f;
  } table[] = {
#define SYMBOL(f) {#f, (AnyFunction)f}
      SYMBOL(sin),   SYMBOL(cos),   SYMBOL(tan),    SYMBOL(asin),   SYMBOL(acos),   SYMBOL(atan),
      SYMBOL(atan2), SYMBOL(sinh),  SYMBOL(cosh),   SYMBOL(tanh),   SYMBOL(exp),    SYMBOL(log),
      SYMBOL(log10), SYMBOL(sqrt),  SYMBOL(pow),    SYMBOL(fabs),   SYMBOL(floor),  SYMBOL(ceil),
      SYMBOL(trunc), SYMBOL(round), SYMBOL(strcmp), SYMBOL(memset), SYMBOL(memcpy), SYMBOL(memmove),
#undef SYMBOL
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    void *address;
    memcpy(&address, &table[k].f, sizeof address);
    if (tcc_add_symbol(tcc, table[k].name, address) < 0)
      return -1;
  }
  return 0;
}

/* libtcc has global variables: one thread at a time. */
static pthread_mutex_t tcc_lock = PTHREAD_MUTEX_INITIALIZER;

static void delete (TCCState *tcc) {
  pthread_mutex_lock(&tcc_lock);
  tcc_delete(tcc);
  pthread_mutex_unlock(&tcc_lock);
}

static TCCState *compile_alone(const char *text, Complaint *c) {
  TCCState *tcc = tcc_new();
  if (!tcc)
    return NULL;
  tcc_set_error_func(tcc, c, note_error);
  tcc_set_options(tcc, "-nostdlib -nostdinc -Werror=implicit-function-declaration");
  if (tcc_set_output_type(tcc, TCC_OUTPUT_MEMORY) < 0 || add_symbols(tcc) < 0 ||
      tcc_compile_string(tcc, text) < 0 || tcc_relocate(tcc, TCC_RELOCATE_AUTO) < 0) {
    tcc_delete(tcc);
    return NULL;
  }
  return tcc;
}

static TCCState *compile(const char *text, Complaint *c) {
  pthread_mutex_lock(&tcc_lock);
  TCCState *tcc = compile_alone(text, c);
  pthread_mutex_unlock(&tcc_lock);
  return tcc;
}

/* dsblock.h and the model in one text. */
static char *with_header(const char *c_text) {
  size_t header, n = strlen(c_text);
  const char *h = load_header(&header);
  char *whole = malloc(header + n + 1);
  if (whole) {
    memcpy(whole, h, header);
    memcpy(whole + header, c_text, n + 1);
  }
  return whole;
}

static Program *refuse(Program *p, Diags *diags, const char *what, const char *why) {
  program_free(p);
  diag_add(diags, D_X001, (Span){0, 0}, "%s: %s", what, why);
  return NULL;
}

static Program *with_tcc(Program *p, const char *c_text, Diags *diags) {
  if (!load_may_execute())
    return refuse(p, diags, "libtcc cannot be used",
                  "this system forbids memory that is writable and executable");
  Complaint c = {.n = 0};
  char *whole = with_header(c_text);
  p->tcc = whole ? compile(whole, &c) : NULL;
  free(whole);
  const void *entry = p->tcc ? tcc_get_symbol(p->tcc, "dsblock") : NULL;
  const DsModel *(*dsblock_entry)(void) = NULL;
  memcpy(&dsblock_entry, &entry, sizeof entry);
  p->model = dsblock_entry ? dsblock_entry() : NULL;
  if (p->model && p->model->version == DS_VERSION)
    return p;
  return refuse(p, diags, "the code made from this model does not compile",
                c.n ? c.text : "not enough memory, or another interface version");
}

static Program *with_cc(Program *p, const char *c_text, Diags *diags) {
  p->cc = cc_start(c_text);
  if (!p->cc)
    return refuse(p, diags, "the C compiler cannot be used", "not enough memory");
  if (cc_state(p->cc, true) != CC_READY) {
    Diag *d = diag_add(diags, D_A003, (Span){0, 0}, "the C compiler cannot be used: %s",
                       cc_why(p->cc));
    diag_help(diags, d,
              "name a compiler in NUSIM_CC, or run without `--code cc`: the built-in compiler "
              "needs none");
    program_free(p);
    return NULL;
  }
  p->model = cc_model(p->cc);
  return p;
}

Program *load_program(const char *c_text, CodeChoice choice, Diags *diags) {
  Program *p = calloc(1, sizeof *p);
  if (!p)
    return refuse(p, diags, "the model cannot be loaded", "not enough memory");
  p->code = choice == CODE_CC ? CODE_CC : CODE_TCC;
  p = choice == CODE_CC ? with_cc(p, c_text, diags) : with_tcc(p, c_text, diags);
  if (p && choice == CODE_AUTO)
    p->later = later_new(c_text);
  return p;
}

Program *program_of_model(const DsModel *model, const char *c_text) {
  Program *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->model = model;
  p->code = CODE_EVAL;
  p->later = c_text ? later_new(c_text) : NULL;
  return p;
}

void program_free(Program *p) {
  if (!p)
    return;
  later_free(p->later);
  cc_free(p->cc);
  if (p->tcc)
    delete (p->tcc);
  free(p);
}
