/* tests/fuzz/fuzz_diag.c -- any bytes as source text, message and places of a diagnostic: showing
 * it must be safe. */
#include <stdlib.h>

#include "base/diag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  SourceMap *sources = sources_new(a);
  Diags *diags = diags_new(a, sources);
  const char *text = arena_strndup(a, (const char *)data, size);
  const Source *s = sources_add(sources, "F.mo", text, size);
  /* The first bytes are places, too; the end of a span may lie before its start or behind the
   * text. */
  uint32_t lo = s->base + (size > 2 ? data[0] % (uint32_t)size : 0),
           hi = s->base + (size > 2 ? data[1] : 0);
  Diag *d = diag_add(diags, D_N001, (Span){lo, hi}, "%s", text);
  diag_label(diags, d, (Span){lo / 2 + 1, hi}, "%s", text);
  diag_label(diags, d, (Span){hi, s->base + (uint32_t)size}, "to the end");
  diag_note(diags, d, "%s", text);
  Text out = {.arena = a};
  diag_render(diags, d, size && data[0] & 1, &out);
  diag_json(diags, d, &out);
  for (const char *p = text_str(&out); *p; p++)
    if (*p != '\033' && *p != '\n' && (unsigned char)*p < 0x20)
      abort();
  mem_drop_since(&mem, NULL);
  return 0;
}
