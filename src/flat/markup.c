/* flat/markup.c -- texts of figures: variable replacements, escape sequences, links, vendors'
 * markup.
 * Keep: names of variables and addresses are taken as they stand; a closing mark inside a quoted
 *       identifier closes nothing. */
#include "flat/markup.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"

typedef struct {
  Arena *a;
  const char *at;
  bool caption;
  Text plain; /* text that is not yet a piece */
  VEC(MarkupPiece) pieces;
} Splitter;

static void flush(Splitter *s) {
  if (!s->plain.n)
    return;
  vec_push(s->a, &s->pieces, (MarkupPiece){MARKUP_TEXT, text_str(&s->plain), NULL});
  s->plain = (Text){.arena = s->a};
}

static void add(Splitter *s, MarkupKind kind, const char *text, const char *shown) {
  flush(s);
  vec_push(s->a, &s->pieces, (MarkupPiece){kind, text, shown});
}

/* A result reference up to `close`, without blanks; NULL if it does not end. *end: behind the
 * closing mark. */
static const char *take_name(Splitter *s, const char *c, char close, const char **end) {
  Text name = {.arena = s->a};
  uint32_t depth = 0;
  bool quoted = false;
  for (; *c && (quoted || depth || *c != close); c++) {
    if (quoted && *c == '\\' && c[1])
      text_char(&name, *c++);
    else if (*c == '\'')
      quoted = !quoted;
    else if (!quoted)
      depth = *c == '(' ? depth + 1 : *c == ')' && depth ? depth - 1 : depth;
    if (quoted || !isspace((unsigned char)*c))
      text_char(&name, *c);
  }
  *end = c + 1;
  return *c && name.n ? text_str(&name) : NULL;
}

/* Text in [ ], in which %% and %] are escaped; NULL if it does not end. */
static const char *take_shown(Splitter *s, const char *c, const char **end) {
  Text out = {.arena = s->a};
  for (c++; *c && *c != ']'; c++) {
    c += *c == '%' && (c[1] == '%' || c[1] == ']');
    text_char(&out, *c);
  }
  *end = c + 1;
  return *c ? text_str(&out) : NULL;
}

/* %[text](link) or %(link), from the character behind % on. */
static bool take_link(Splitter *s, const char *c) {
  const char *shown = NULL, *end;
  if (*c == '[') {
    shown = take_shown(s, c, &end);
    if (!shown)
      return false;
    c = end;
  }
  if (*c++ != '(')
    return false;
  if (!strncmp(c, "variable:", 9)) {
    const char *name = take_name(s, c + 9, ')', &s->at);
    if (name)
      add(s, MARKUP_VARIABLE, name, shown);
    return name != NULL;
  }
  const char *close = strchr(c, ')');
  if (!close)
    return false;
  bool plot = !strncmp(c, "plot:", 5);
  c += plot ? 5 : 0;
  add(s, plot ? MARKUP_PLOT : MARKUP_LINK, arena_strndup(s->a, c, (size_t)(close - c)), shown);
  s->at = close + 1;
  return true;
}

/* %__Vendor(data)...[text]: only the text is for us. */
static bool take_vendor(Splitter *s, const char *c) {
  while (!strncmp(c, "__", 2)) {
    for (c += 2; isalnum((unsigned char)*c); c++)
      ;
    c = *c == '(' ? strchr(c, ')') : NULL;
    if (!c)
      return false;
    c++;
  }
  const char *end, *text = *c == '[' ? take_shown(s, c, &end) : NULL;
  if (!text)
    return false;
  text_add(&s->plain, text);
  s->at = end;
  return true;
}

/* What begins with %; false: it means nothing. */
static bool take_markup(Splitter *s) {
  const char *c = s->at + 1;
  if (*c == '%' || *c == ']') {
    text_char(&s->plain, *c);
    s->at += 2;
    return true;
  }
  if (*c == '{') {
    const char *end, *name = take_name(s, c + 1, '}', &end);
    if (!name)
      return false;
    add(s, MARKUP_VALUE, name, NULL);
    s->at = end;
    return true;
  }
  return s->caption &&
         (*c == '_' ? take_vendor(s, c) : (*c == '[' || *c == '(') && take_link(s, c));
}

uint32_t markup_split(const char *text, bool caption, Arena *a, const MarkupPiece **pieces) {
  Splitter s = {.a = a, .at = text, .caption = caption, .plain = {.arena = a}};
  while (*s.at) {
    if (*s.at == '%' && take_markup(&s))
      continue;
    if (*s.at != '\n' || !caption) {
      text_char(&s.plain, *s.at++);
      continue;
    }
    s.at += strspn(s.at, " \t\r\n");
    if (*s.at && (s.plain.n || s.pieces.n))
      add(&s, MARKUP_BREAK, "", NULL);
  }
  flush(&s);
  *pieces = s.pieces.at;
  return s.pieces.n;
}
