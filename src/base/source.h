#pragma once
/* base/source.h -- all source texts of a session in one address space.
 * A position is a number: the start of its file plus the offset in it. A span of 8 bytes thus names
 * a file, too, and any syntax node can carry one. */
#include "base/memory.h"

typedef struct {
  uint32_t lo, hi; /* [lo, hi); {0, 0} = nowhere */
} Span;

typedef struct {
  const char *name; /* as shown to the user */
  const char *text; /* `length` bytes, then a 0 */
  uint32_t length;
  uint32_t base;   /* position of its first byte; never 0 */
  uint32_t *lines; /* offsets of line starts; made on demand */
  uint32_t n_lines;
  bool is_file; /* its name is the path that it was read from */
} Source;

typedef struct SourceMap SourceMap;
SourceMap *sources_new(Arena *a);
Arena *sources_arena(const SourceMap *m); /* lives as long as the map */
/* Takes over `name` and `text` (they must live as long as the map). NULL when the 4 GB of positions
 * are used up. */
const Source *sources_add(SourceMap *m, const char *name, const char *text, size_t length);
/* The same of a file */
const Source *sources_add_file(SourceMap *m, const char *path, const char *text, size_t length);
/* In the order of adding; NULL: there are no more */
const Source *sources_at(const SourceMap *m, uint32_t i);
/* The sources that there are now, for threads: `m` may get more of them, and asking for places
 * changes nothing, because all line tables are made. The sources themselves are those of `m`. */
const SourceMap *sources_view(SourceMap *m, Arena *a);
const Source *sources_find(const SourceMap *m, uint32_t position); /* NULL if nowhere */

typedef struct {
  const Source *source;  /* NULL if nowhere */
  uint32_t line, column; /* from 1; column counts characters, not bytes */
} Place;
Place source_place(const SourceMap *m, uint32_t position);
/* The text of a line without its line end. */
const char *source_line(const Source *s, uint32_t line, size_t *length);

static inline Span span_join(Span a, Span b) { return (Span){a.lo, b.hi > a.lo ? b.hi : a.hi}; }
