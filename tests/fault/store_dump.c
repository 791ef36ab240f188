/* tests/fault/store_dump.c -- everything that a store holds, as text: the first line is about the
 * run, then each point with its recorded Reals, changes and events. The text of a shorter store of
 * the same run is the beginning of that of a longer one. store_dump x.nus */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "result/store.h"

static void print_change(const StoreChange *c) {
  uint64_t bits;
  memcpy(&bits, &c->value.r, sizeof bits);
  printf(" %u.%" PRIu32 "=", (unsigned)c->bank, c->place);
  switch (c->bank) {
  case STORE_REAL: printf("%016" PRIx64, bits); break;
  case STORE_INTEGER:
  case STORE_RELATION: printf("%" PRId64, c->value.i); break;
  case STORE_STRING: printf("%s", c->value.s); break;
  }
}

/* All events of a store. */
typedef struct {
  StoreEvent *at;
  uint32_t n, next;
} Events;

static bool read_events(Store *s, Events *e, Arena *a, Diags *diags) {
  for (uint32_t room = 1 << 16;; room *= 2) {
    e->at = NEW_ARRAY(a, StoreEvent, room);
    if (!store_events(s, 0, e->at, room, &e->n, diags))
      return false;
    if (e->n < room)
      return true;
  }
}

static void print_events(Events *e, uint64_t point) {
  for (; e->next < e->n && e->at[e->next].point <= point; e->next++) {
    const StoreEvent *x = &e->at[e->next];
    printf(" e%u.%d:%.17g,%.17g", (unsigned)x->kind, x->number, x->a, x->b);
  }
}

static bool print_piece(Store *s, const StorePiece *piece, uint32_t number, Events *events,
                        Diags *diags) {
  StorePoints p;
  if (!store_read(s, number, NULL, &p, diags))
    return false;
  for (uint32_t k = 0, c = 0; k < p.n; k++) {
    printf("%.17g %u %u", p.time[k], (unsigned)p.kind[k], p.step[k]);
    for (uint32_t j = 0; j < s->columns.n; j++) {
      uint64_t bits;
      if (p.columns[j])
        memcpy(&bits, &p.columns[j][k], sizeof bits), printf(" %016" PRIx64, bits);
    }
    for (; c < p.n_changes && p.changes[c].point == k; c++)
      print_change(&p.changes[c]);
    print_events(events, piece->first + k);
    printf("\n");
  }
  return true;
}

static bool dump(const char *path, Arena *a, Diags *diags) {
  Store *s = store_open(path, a, diags);
  if (!s)
    return false;
  uint32_t n;
  const StorePiece *pieces = store_pieces(s, &n);
  printf("# %s %s %" PRIu64 "\n", s->class_name, s->ended ? "ended" : "running", store_points(s));
  Events events = {0};
  bool ok = read_events(s, &events, a, diags);
  for (uint32_t k = 0; ok && k < n; k++)
    ok = print_piece(s, &pieces[k], k, &events, diags);
  store_close(s);
  return ok;
}

int main(int argc, char **argv) {
  Memory mem = {0};
  jmp_buf recover;
  mem.recover = &recover;
  if (argc != 2 || setjmp(recover))
    return 2;
  Arena *a = arena_new(&mem);
  Diags *diags = diags_new(a, sources_new(a));
  bool ok = dump(argv[1], a, diags);
  Text said = {.arena = a};
  for (uint32_t k = 0; k < diags_count(diags); k++)
    diag_render(diags, diags_at(diags, k), false, &said);
  fputs(text_str(&said), stderr);
  mem_drop_since(&mem, NULL);
  return ok ? 0 : 6;
}
