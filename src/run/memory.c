/* run/memory.c -- what an evaluation of the model needs and nobody knows beforehand: cells of
 * arrays, texts, external objects. Cells come from two stacks (intermediate values, variables of
 * functions) that the model cuts back itself. Texts that are made on the way last until the
 * evaluation ends; those that are then values of variables are kept, each once.
 * Keep: while the model is on the stack nothing comes from an arena: it must see a failure as a
 *       value. run_release gives everything back. */
#include "run/memory.h"
#include "run/core.h"
#include "run/external.h"
#include "base/limits.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CELLS = 1 << 12, FIRST_TEXT = 1 << 12 };

/* ---- cells ---- */

struct CellChunk {
  CellChunk *next, *before;
  long long base, size; /* cells base .. base+size-1 of the stack */
  DsCell at[];
};

/* A chunk behind c with room for n cells; NULL if there is none. Longer ones behind c are given
 * back. */
static CellChunk *chunk_behind(CellChunk *c, long long n) {
  /* smaller ones behind are given up: they have been too small */
  while (c && c->next) {
    CellChunk *old = c->next;
    c->next = old->next;
    if (old->next)
      old->next->before = c;
    free(old);
  }
  /* each twice as large: few pieces, however much is asked for */
  long long size = c ? 2 * c->size : FIRST_CELLS, base = c ? c->base + c->size : 0;
  size = size < n ? n : size;
  if (base + size > MOST_RUN_CELLS)
    return NULL;
  CellChunk *fresh = malloc(sizeof *fresh + (size_t)size * sizeof(DsCell));
  if (!fresh)
    return NULL;
  *fresh = (CellChunk){.before = c, .base = base, .size = size};
  if (c)
    c->next = fresh;
  return fresh;
}

/* n cells from *top on, or from the chunk behind. */
static DsCell *take(CellChunk **chunk, long long *top, long long n) {
  if (n < 0 || n > MOST_RUN_CELLS)
    return NULL;
  /* back to the piece that holds the top */
  while (*chunk && (*chunk)->base > *top)
    *chunk = (*chunk)->before;
  if (!*chunk || *top + n > (*chunk)->base + (*chunk)->size) {
    CellChunk *next = *chunk ? (*chunk)->next : NULL;
    if (!next || next->size < n)
      next = chunk_behind(*chunk, n);
    if (!next)
      return NULL;
    *chunk = next;
    *top = next->base;
  }
  DsCell *at = (*chunk)->at + (*top - (*chunk)->base);
  *top += n;
  return at;
}

DsCell *run_cells(DsData *d, long long n) {
  return take(&((Run *)d->run)->memory->temps, &d->top, n);
}
DsCell *run_room(DsData *d, long long n) {
  return take(&((Run *)d->run)->memory->vars, &d->vars, n);
}

static void free_chunks(CellChunk **chunk) {
  CellChunk *c = *chunk;
  while (c && c->before)
    c = c->before;
  while (c) {
    CellChunk *next = c->next;
    free(c);
    c = next;
  }
  *chunk = NULL;
}

/* ---- texts ---- */

struct TextChunk {
  TextChunk *before;
  size_t size, used;
  char at[];
};

char *run_text(Run *run, size_t n) {
  TextChunk *c = run->memory->scratch;
  if (!c || c->size - c->used <= n) {
    size_t size = c ? 2 * c->size : FIRST_TEXT;
    size = size <= n ? n + 1 : size;
    TextChunk *fresh = size < MOST_RUN_TEXT ? malloc(sizeof *fresh + size) : NULL;
    if (!fresh)
      return NULL;
    *fresh = (TextChunk){.before = c, .size = size};
    run->memory->scratch = c = fresh;
  }
  char *text = c->at + c->used;
  c->used += n + 1;
  text[n] = 0;
  return text;
}

const char *run_text_of(Run *run, const char *text, size_t n) {
  char *copy = run_text(run, n);
  if (copy)
    memcpy(copy, text, n);
  return copy;
}

/* Forgets all texts of the evaluation but the largest piece of memory. */
void run_clear_texts(Run *run) {
  while (run->memory->scratch && run->memory->scratch->before) {
    TextChunk *c = run->memory->scratch->before;
    run->memory->scratch->before = c->before;
    free(c);
  }
  if (run->memory->scratch)
    run->memory->scratch->used = 0;
}

static bool is_scratch(const Run *run, const char *text) {
  /* as numbers: pointers into different pieces must not be compared */
  for (const TextChunk *c = run->memory->scratch; c; c = c->before)
    if ((uintptr_t)text - (uintptr_t)c->at < c->used)
      return true;
  return false;
}

/* One text that variables hold. */
struct KeptText {
  KeptText *next; /* of the same slot */
  uint64_t hash;
  char at[];
};

static uint64_t hash_of(const char *text) {
  uint64_t h = 1469598103934665603u;
  for (; *text; text++)
    h = (h ^ (unsigned char)*text) * 1099511628211u;
  return h;
}

const char *run_keep_text(Run *run, const char *text) {
  /* each text once: variables that hold equal texts hold the same one */
  uint64_t h = hash_of(text);
  KeptText **slot = &run->memory->kept_texts[h % TEXT_SLOTS];
  for (KeptText *k = *slot; k; k = k->next)
    if (k->hash == h && !strcmp(k->at, text))
      return k->at;
  size_t n = strlen(text) + 1;
  KeptText *fresh = arena_alloc(run->a, sizeof *fresh + n);
  *fresh = (KeptText){*slot, h};
  memcpy(fresh->at, text, n);
  *slot = fresh;
  return fresh->at;
}

void run_message(Run *run, const char *text) {
  /* a loop of messages must not fill memory */
  const char *copy = run->memory->n_messages < MOST_MESSAGES ? run_text_of(run, text, strlen(text))
                                                             : NULL;
  if (copy)
    run->memory->messages[run->memory->n_messages++] = copy;
  else
    run->memory->n_unheard++;
}

static void tell_messages(Run *run) {
  for (uint32_t k = 0; k < run->memory->n_messages; k++)
    diag_add(run->diags, D_R611, (Span){0, 0}, "%s", run->memory->messages[k]);
  if (run->memory->n_unheard)
    diag_add(run->diags, D_R611, (Span){0, 0}, "and %u more messages of the same evaluation",
             run->memory->n_unheard);
  run->memory->n_messages = run->memory->n_unheard = 0;
}

void run_end_evaluation(Run *run) {
  /* what variables hold outlives the evaluation */
  for (int k = 0; k < run->m->n_string; k++)
    if (is_scratch(run, run->d.s[k]))
      run->d.s[k] = run_keep_text(run, run->d.s[k]);
  if (run->memory->n_messages)
    tell_messages(run);
}

/* ---- String() ---- */

/* Prints in the C locale, so that a point is a point. */
static const char *print(Run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *print(Run *run, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t before = uselocale(plain);
  /* twice: how long it is, then the text */
  int n = vsnprintf(NULL, 0, format, args);
  char *text = n < 0 ? NULL : run_text(run, (size_t)n);
  if (text)
    vsnprintf(text, (size_t)n + 1, format, again);
  uselocale(before);
  freelocale(plain);
  va_end(again);
  va_end(args);
  return text;
}

static bool fits(long long width) { return width >= 0 && width <= MOST_TEXT_WIDTH; }

const char *run_text_real(DsData *d, double value, long long digits, long long width, int left) {
  if (!fits(width) || digits < 1 || digits > MOST_TEXT_DIGITS)
    return NULL;
  return print(d->run, "%*.*g", left ? -(int)width : (int)width, (int)digits, value);
}

const char *run_text_integer(DsData *d, long long value, long long width, int left) {
  return fits(width) ? print(d->run, "%*lld", left ? -(int)width : (int)width, value) : NULL;
}

const char *run_text_pad(DsData *d, const char *text, long long width, int left) {
  return fits(width) ? print(d->run, "%*s", left ? -(int)width : (int)width, text) : NULL;
}

const char *run_text_join(DsData *d, const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  char *text = run_text(d->run, n + m);
  if (text) {
    memcpy(text, a, n);
    memcpy(text + n, b, m);
  }
  return text;
}

/* One conversion without its %: flags, width, precision, letter. Put together again, nothing else
 * reaches printf. */
typedef struct {
  char flags[6];
  int width, precision;
  char letter;
} Format;

static int read_count(const char **p, int limit) {
  int n = 0;
  /* -1 from then on: too large, whatever follows */
  for (; **p >= '0' && **p <= '9'; ++*p)
    if (n >= 0 && (n = n * 10 + (**p - '0')) > limit)
      n = -1;
  return n;
}

static bool read_format(const char *p, Format *f) {
  size_t n = 0;
  *f = (Format){.precision = -1};
  /* each flag once, so that the format put together is short */
  for (; *p && strchr("-+ #0", *p); p++)
    if (!strchr(f->flags, *p))
      f->flags[n++] = *p;
  f->width = read_count(&p, MOST_TEXT_WIDTH);
  if (*p == '.') {
    p++;
    f->precision = read_count(&p, MOST_TEXT_DIGITS);
    if (f->precision < 0)
      return false;
  }
  f->letter = *p;
  return f->width >= 0 && *p && !p[1] && strchr("feEgGdioxXuc", *p);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
const char *run_format_integer(DsData *d, long long value, const char *format) {
  Format f;
  char text[24];
  if (!read_format(format, &f))
    return NULL;
  if (strchr("feEgG", f.letter))
    return run_format_real(d, (double)value, format);
  bool character = f.letter == 'c';
  /* other bytes are no characters of their own */
  if (character && (value < 1 || value > 127))
    return NULL;
  snprintf(text, sizeof text, "%%%s*.*%s%c", f.flags, character ? "" : "ll", f.letter);
  return character ? print(d->run, text, f.width, f.precision, (int)value)
                   : print(d->run, text, f.width, f.precision, value);
}

const char *run_format_real(DsData *d, double value, const char *format) {
  Format f;
  char text[24];
  if (!read_format(format, &f))
    return NULL;
  if (!strchr("feEgG", f.letter)) { /* deprecated: rounded */
    /* the largest whole numbers are no doubles */
    double whole = round(value);
    return whole >= -0x1p63 && whole < 0x1p63 ? run_format_integer(d, (long long)whole, format)
                                              : NULL;
  }
  snprintf(text, sizeof text, "%%%s*.*%c", f.flags, f.letter);
  return print(d->run, text, f.width, f.precision, value);
}
#pragma GCC diagnostic pop

/* ---- external objects ---- */

struct RunObject {
  void *at;
  void (*end)(void *object);
  const void *kind; /* of a native object */
};

static long long add_object(Run *run, RunObject o) {
  /* handles are numbers from 1 on: 0 is none */
  if (run->memory->n_objects == run->memory->room_objects) {
    uint32_t room = run->memory->room_objects ? 2 * run->memory->room_objects : 8;
    RunObject *more = realloc(run->memory->objects, room * sizeof *more);
    if (!more)
      return 0;
    run->memory->objects = more;
    run->memory->room_objects = room;
  }
  run->memory->objects[run->memory->n_objects++] = o;
  return run->memory->n_objects;
}

long long run_add_native(Run *run, void *object, void (*end)(void *object), const void *kind) {
  long long handle = add_object(run, (RunObject){object, end, kind});
  if (!handle)
    end(object);
  return handle;
}

void *run_native(const Run *run, long long handle, const void *kind) {
  /* the kind says who has made it: no function gets an object of another */
  bool known = handle >= 1 && handle <= run->memory->n_objects &&
               run->memory->objects[handle - 1].kind == kind;
  return known ? run->memory->objects[handle - 1].at : NULL;
}

uint32_t run_objects(const Run *run) { return run->memory->n_objects; }

bool run_objects_are_native(const Run *run) {
  bool native = true;
  for (uint32_t k = 0; k < run->memory->n_objects; k++)
    native = native && run->memory->objects[k].kind;
  return native;
}

long long run_add_object(DsData *d, void *object, void (*end)(void *object)) {
  return object ? add_object(d->run, (RunObject){object, end, NULL}) : 0;
}

void *run_object(DsData *d, long long handle) { return run_native(d->run, handle, NULL); }

/* ---- the end ---- */

void run_release_memory(Run *run) {
  free_chunks(&run->memory->temps);
  free_chunks(&run->memory->vars);
  run_clear_texts(run);
  free(run->memory->scratch);
  run->memory->scratch = NULL;
}

void run_release(Run *run) {
  /* the last one first: later ones may hold earlier ones */
  while (run->memory->n_objects) {
    RunObject *o = &run->memory->objects[--run->memory->n_objects];
    if (o->end && o->kind)
      o->end(o->at);
    else if (o->end)
      run_end_foreign(run, o->end, o->at);
  }
  free(run->memory->objects);
  run->memory->objects = NULL;
  run->memory->room_objects = 0;
  free(run->memory->random);
  run->memory->random = NULL;
  run->memory->n_random = 0;
  run_release_memory(run);
}

/* ---- generators ---- */

RandomState *run_generator(Run *run, long long id, bool make) {
  /* few: a search costs less than a map */
  RunMemory *m = run->memory;
  for (uint32_t k = 0; k < m->n_random; k++)
    if (m->random[k].id == id)
      return &m->random[k];
  RandomState *more = make ? realloc(m->random, (m->n_random + 1) * sizeof *more) : NULL;
  if (!more)
    return NULL;
  m->random = more;
  return &m->random[m->n_random++];
}

void run_random_room(Run *run, uint32_t n) {
  RunMemory *m = run->memory;
  RandomState *room = n > m->n_random ? realloc(m->random, n * sizeof *room) : m->random;
  if (!room && n)
    mem_exhausted(arena_memory(run->a));
  m->random = room;
  m->n_random = n;
}
