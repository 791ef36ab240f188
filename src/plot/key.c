/* plot/key.c -- what the signs and shades of a picture mean, in rows at its bottom. */
#include "plot/layout.h"
#include "base/limits.h"

#include <math.h>

static const double SMALL = FONT_SIZE - 1, SIGN_ROOM = 8, SWATCH_ROOM = 14, GAP = 10;

static double room_of(const KeyEntry *e) {
  return e->kind == KEY_NOTE ? 0 : e->kind == KEY_SIGN ? SIGN_ROOM : SWATCH_ROOM;
}

void layout_key_add(Layout *l, KeyEntry e) {
  double width = room_of(&e) + draw_text_width(e.text, SMALL, false);
  if (l->key_x > 0 && l->key_x + width > l->right - l->left) {
    l->key_rows++;
    l->key_x = 0;
  }
  e.x = l->key_x;
  e.row = l->key_rows;
  l->key_x += width + GAP;
  if (e.row < MOST_KEY_ROWS)
    vec_push(l->d->arena, &l->key, e);
  else
    l->key_left++;
}

/* Where there is no room for all, the last entry says so. */
static void tell_left(Layout *l) {
  KeyEntry *last = &vec_last(&l->key);
  last->text = arena_printf(l->d->arena, "%s; %u more", last->text, l->key_left);
}

void layout_measure_key(Layout *l) {
  bool thinned;
  l->key.n = l->key_rows = l->key_left = 0;
  l->key_x = 0;
  unsigned shown = layout_marks_shown(l, &thinned);
  for (int k = 0; mark_name(k); k++)
    if (shown >> k & 1)
      layout_key_add(l, (KeyEntry){.kind = KEY_SIGN, .value = (uint32_t)k, .text = mark_name(k)});
  if (thinned)
    layout_key_add(l, (KeyEntry){.kind = KEY_NOTE, .text = "not all events are shown"});
  layout_strips_key(l);
  if (l->key_left)
    tell_left(l);
  l->key_height = l->key.n ? (fmin(l->key_rows, MOST_KEY_ROWS - 1) + 1) * LINE_HEIGHT + 3 : 0;
}

void layout_key(Layout *l, double bottom) {
  for (uint32_t k = 0; k < l->key.n; k++) {
    const KeyEntry *e = &l->key.at[k];
    double x = l->left + e->x, y = bottom + 3 + (e->row + 1) * LINE_HEIGHT - 3;
    if (e->kind == KEY_SIGN)
      mark_sign(l->d, (int)e->value, x + 3, y - 2.5);
    else if (e->kind == KEY_SWATCH)
      strip_swatch(l->d, (DrawBox){x, y - 6, x + 10, y + 0.5}, e->value);
    const char *text = draw_text_fit(e->text, SMALL, false, l->right - x - room_of(e), l->d->arena);
    draw_text(l->d, x + room_of(e), y, text, (DrawFont){.size = SMALL, .color = GREY_TEXT});
  }
}
