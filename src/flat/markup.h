#pragma once
/* flat/markup.h -- texts of figures (MLS 3.6 sections 18.2.2.3 to 18.2.2.5) as pieces. */
#include "base/memory.h"

typedef enum {
  MARKUP_TEXT,
  MARKUP_VALUE,    /* %{name}: the value of a variable at the end */
  MARKUP_VARIABLE, /* %[shown](variable:name) */
  MARKUP_PLOT,     /* %[shown](plot:identifier) */
  MARKUP_LINK,     /* %[shown](address) */
  MARKUP_BREAK     /* between paragraphs */
} MarkupKind;

typedef struct {
  MarkupKind kind;
  const char *text;  /* what to show; name without blanks; identifier; address */
  const char *shown; /* of links: text in brackets; NULL: none */
} MarkupPiece;

/* Links and paragraphs exist in captions only. What begins with % and means nothing stays as it
 * is. */
uint32_t markup_split(const char *text, bool caption, Arena *a, const MarkupPiece **pieces);
