/* tests/fuzz/fuzz_flatten.c -- any bytes as a model: flattening and checking must be safe and end
 * soon; the flat text of a model without errors must read back without errors and flatten to a text
 * of the same counts. */
#include <stdlib.h>
#include <string.h>

#include "flat/flatten.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* frugal: a search wants many short runs */
enum { MEMORY_LIMIT = 512 << 20, LONGEST = 20000, FRUGAL = 50 };

typedef struct {
  FlatModel *model; /* NULL after errors */
  FlatCounts counts;
  bool sound; /* the checks found nothing */
  Text text;
} Flat;

/* The model that a program would take from the text. */
static Flat flatten(Memory *mem, const char *text, size_t n) {
  Arena *a = arena_new(mem);
  SourceMap *sources = sources_new(a);
  Diags *diags = diags_new(a, sources);
  Interner *names = interner_new(a);
  Library *lib = library_new(a, names, sources, diags);
  Flat f = {.text = {.arena = a}};
  library_load_text(lib, "F.mo", text, n);
  const char *name = diags_errors(diags) ? NULL : flatten_default_class(lib, a);
  FlattenOptions options = {.frugal = FRUGAL};
  f.model = name ? flatten_class(lib, name, &options, a, diags) : NULL;
  if (f.model) {
    f.counts = flat_count(f.model);
    f.sound = flat_check(f.model, a, diags);
    flat_check_units(f.model, a, diags);
    flat_print(f.model, diags, false, &f.text);
  } else if (name && !diags_errors(diags)) {
    abort(); /* no model, and no reason given */
  }
  Text shown = {.arena = a};
  for (uint32_t i = 0; i < diags_count(diags) && i < 20; i++)
    diag_render(diags, diags_at(diags, i), false, &shown);
  return f;
}

static void try_it(Memory *mem, const uint8_t *data, size_t size) {
  Arena *a = arena_new(mem);
  Flat first = flatten(mem, arena_strndup(a, (const char *)data, size), size);
  if (!first.model || !first.sound)
    return;
  Flat again = flatten(mem, text_str(&first.text), first.text.n);
  if (!again.model || memcmp(&first.counts, &again.counts, sizeof first.counts) != 0)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory mem = {.limit = MEMORY_LIMIT};
  jmp_buf recover;
  mem.recover = &recover;
  if (size < LONGEST && !setjmp(recover))
    try_it(&mem, data, size);
  mem_drop_since(&mem, NULL);
  return 0;
}
