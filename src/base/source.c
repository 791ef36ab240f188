/* base/source.c -- see source.h. Line tables are made when the first diagnostic needs them. */
#include "base/source.h"

#include "base/vec.h"

struct SourceMap {
  Arena *arena;
  VEC(Source *) files; /* ascending base */
  uint32_t next;
};

SourceMap *sources_new(Arena *a) {
  SourceMap *m = NEW(a, SourceMap);
  m->arena = a;
  m->next = 1;
  return m;
}

Arena *sources_arena(const SourceMap *m) { return m->arena; }

const Source *sources_add(SourceMap *m, const char *name, const char *text, size_t length) {
  if (length > UINT32_MAX - 2u - m->next)
    return NULL;
  Source *s = NEW(m->arena, Source);
  *s = (Source){.name = name, .text = text, .length = (uint32_t)length, .base = m->next};
  m->next += (uint32_t)length + 1;
  vec_push(m->arena, &m->files, s);
  return s;
}

const Source *sources_add_file(SourceMap *m, const char *path, const char *text, size_t length) {
  const Source *s = sources_add(m, path, text, length);
  if (s)
    vec_last(&m->files)->is_file = true;
  return s;
}

const Source *sources_at(const SourceMap *m, uint32_t i) {
  return i < m->files.n ? m->files.at[i] : NULL;
}

const Source *sources_find(const SourceMap *m, uint32_t position) {
  uint32_t lo = 0, hi = m->files.n;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    const Source *s = m->files.at[mid];
    if (position < s->base)
      hi = mid;
    else if (position > s->base + s->length)
      lo = mid + 1;
    else
      return s;
  }
  return NULL;
}

static void find_lines(Arena *a, Source *s) {
  VEC(uint32_t) starts = {0};
  vec_push(a, &starts, 0);
  for (uint32_t i = 0; i < s->length; i++)
    if (s->text[i] == '\n' || (s->text[i] == '\r' && s->text[i + 1] != '\n'))
      vec_push(a, &starts, i + 1);
  s->lines = starts.at;
  s->n_lines = starts.n;
}

const SourceMap *sources_view(SourceMap *m, Arena *a) {
  SourceMap *view = sources_new(a);
  for (uint32_t i = 0; i < m->files.n; i++) {
    if (!m->files.at[i]->lines)
      find_lines(m->arena, m->files.at[i]);
    vec_push(a, &view->files, m->files.at[i]);
  }
  view->next = m->next;
  return view;
}

Place source_place(const SourceMap *m, uint32_t position) {
  Source *s = (Source *)sources_find(m, position);
  if (!position || !s)
    return (Place){0};
  if (!s->lines)
    find_lines(m->arena, s);
  uint32_t offset = position - s->base, lo = 0, hi = s->n_lines;
  while (hi - lo > 1) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (s->lines[mid] <= offset)
      lo = mid;
    else
      hi = mid;
  }
  uint32_t column = 1;
  for (uint32_t i = s->lines[lo]; i < offset; i++)
    /* Continuation bytes of UTF-8 do not count */
    column += ((unsigned char)s->text[i] & 0xC0) != 0x80;
  return (Place){s, lo + 1, column};
}

const char *source_line(const Source *s, uint32_t line, size_t *length) {
  uint32_t start = s->lines[line - 1];
  uint32_t end = line < s->n_lines ? s->lines[line] : s->length;
  while (end > start && (s->text[end - 1] == '\n' || s->text[end - 1] == '\r'))
    end--;
  *length = end - start;
  return s->text + start;
}
