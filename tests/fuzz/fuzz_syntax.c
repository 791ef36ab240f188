/* tests/fuzz/fuzz_syntax.c -- any bytes as a source: reading must be safe, and a text without
 * errors must survive printing and formatting as the same tree. */
#include <stdlib.h>
#include <string.h>

#include "syntax/syntax.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY_LIMIT = 256 << 20 };

/* Reads the text again; it must have no errors and give the same tree. */
static void must_read_as(const AstFile *file, const char *name, const Text *text, Interner *names,
                         Arena *a) {
  SourceMap *sources = sources_new(a);
  Diags *diags = diags_new(a, sources);
  const Source *s = sources_add(sources, name, text_str(text), text->n);
  const AstFile *again = syntax_parse(s, names, a, diags);
  if (diags_count(diags) || !syntax_equal(file, again))
    abort();
}

static void try_it(Memory *mem, const uint8_t *data, size_t size) {
  Arena *a = arena_new(mem);
  SourceMap *sources = sources_new(a);
  Diags *diags = diags_new(a, sources);
  Interner *names = interner_new(a);
  const Source *s = sources_add(sources, "F.mo", arena_strndup(a, (const char *)data, size), size);
  const AstFile *file = syntax_parse(s, names, a, diags);
  Text dump = {.arena = a}, tokens = {.arena = a}, formatted = {.arena = a}, printed = {.arena = a},
       twice = {.arena = a};
  syntax_dump(file, &dump);
  syntax_dump_tokens(s, names, a, diags, &tokens);
  syntax_parse_expression(s, names, a, diags_new(a, sources));
  bool good = diags_errors(diags) == 0;
  if (syntax_format(s, names, a, diags, &formatted) != good)
    abort();
  syntax_print(file, &printed);
  if (!good)
    return;
  must_read_as(file, "printed", &printed, names, a);
  must_read_as(file, "formatted", &formatted, names, a);
  const Source *f = sources_add(sources, "formatted", text_str(&formatted), formatted.n);
  if (!syntax_format(f, names, a, diags, &twice) ||
      strcmp(text_str(&twice), text_str(&formatted)) != 0)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory mem = {.limit = MEMORY_LIMIT};
  jmp_buf recover;
  mem.recover = &recover;
  if (!setjmp(recover))
    try_it(&mem, data, size);
  mem_drop_since(&mem, NULL);
  return 0;
}
