/* result/column.c -- columns of numbers in few bytes, exactly.
 * How:  a smooth signal is nearly a polynomial: differences of order 0 to 3 of its values, taken as
 *       whole numbers (which wrap around, so nothing is lost), are small. The order with the fewest
 *       significant bytes is taken; the differences are folded to small unsigned numbers and
 *       written byte plane by byte plane (all lowest bytes first, ...), where upper planes are zero
 *       and left out, and planes with few different bytes are deflated.
 * Form: order (1 byte); the first `order` values, 8 bytes each; kinds of the eight planes, 2 bits
 * each (2 bytes, lowest plane first); the planes: nothing if zero, n bytes if plain, a packed piece
 * if deflated. All numbers little-endian. */
#include "result/column.h"
#include "base/limits.h"

#include <string.h>
#include <zlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "stored numbers are little-endian");

enum { PLANES = 8, ORDER_LAST = 3 };
typedef enum { PLANE_ZERO, PLANE_PLAIN, PLANE_DEFLATED } PlaneKind;

struct ColumnCoder {
  z_stream deflate, inflate;
  bool has_deflate, has_inflate;
  Arena *a;
  uint64_t *words;      /* COLUMN_MOST */
  unsigned char *plane; /* COLUMN_MOST */
  unsigned char *room;  /* for what is packed or unpacked */
  size_t n_room;
};

enum { DEFLATE_RATIO = 1032 };                /* of deflate */
enum { LEVEL = 1, WINDOW = -13, MEMORY = 7 }; /* raw deflate; what repeats here is near */

ColumnCoder *column_coder_new(Arena *a) {
  ColumnCoder *c = NEW(a, ColumnCoder);
  c->a = a;
  c->words = NEW_ARRAY(a, uint64_t, COLUMN_MOST);
  c->plane = NEW_ARRAY(a, unsigned char, COLUMN_MOST);
  c->has_deflate = deflateInit2(&c->deflate, LEVEL, Z_DEFLATED, WINDOW, MEMORY, Z_RLE) == Z_OK;
  c->has_inflate = inflateInit2(&c->inflate, WINDOW) == Z_OK;
  if (c->has_deflate && c->has_inflate)
    return c;
  column_coder_free(c);
  return NULL;
}

void column_coder_free(ColumnCoder *c) {
  if (c && c->has_deflate)
    deflateEnd(&c->deflate);
  if (c && c->has_inflate)
    inflateEnd(&c->inflate);
}

static unsigned char *room(ColumnCoder *c, size_t n) {
  if (n > c->n_room) {
    c->n_room = n + n / 2;
    c->room = arena_alloc(c->a, c->n_room);
  }
  return c->room;
}

/* ---- numbers ---- */

/* Doubles with a sign are their magnitude, counted down. */
uint64_t column_of_real(double value) {
  uint64_t w;
  memcpy(&w, &value, sizeof w);
  return w >> 63 ? w ^ (UINT64_MAX >> 1) : w;
}

double column_to_real(uint64_t word) {
  double value;
  word = word >> 63 ? word ^ (UINT64_MAX >> 1) : word;
  memcpy(&value, &word, sizeof value);
  return value;
}

uint64_t column_fold(int64_t value) { return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0); }
int64_t column_unfold(uint64_t value) {
  return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
}

void column_put_number(Text *out, uint64_t value) {
  for (; value >= 128; value >>= 7)
    text_char(out, (char)(value | 128));
  text_char(out, (char)value);
}

bool column_get_number(const unsigned char **at, const unsigned char *end, uint64_t *value) {
  *value = 0;
  for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
    unsigned char c = *(*at)++;
    *value |= (uint64_t)(c & 127) << shift;
    if (c < 128)
      return true;
  }
  return false;
}

/* ---- bytes ---- */

/* Deflates n bytes into the coder's room; 0 if that does not save anything worth it. */
static size_t squeeze(ColumnCoder *c, const unsigned char *bytes, size_t n) {
  size_t most = n - n / 8;
  if (n < 16 || n > UINT32_MAX || deflateReset(&c->deflate) != Z_OK)
    return 0;
  c->deflate.next_out = room(c, most);
  c->deflate.next_in = (unsigned char *)(uintptr_t)bytes;
  c->deflate.avail_in = (uInt)n;
  c->deflate.avail_out = (uInt)most;
  return deflate(&c->deflate, Z_FINISH) == Z_STREAM_END ? most - c->deflate.avail_out : 0;
}

static bool expand(ColumnCoder *c, const unsigned char **at, size_t packed, unsigned char *out,
                   size_t n) {
  if (n > UINT32_MAX || packed > UINT32_MAX || inflateReset(&c->inflate) != Z_OK)
    return false;
  c->inflate.next_in = (unsigned char *)(uintptr_t)*at;
  c->inflate.avail_in = (uInt)packed;
  c->inflate.next_out = out;
  c->inflate.avail_out = (uInt)n;
  *at += packed;
  return inflate(&c->inflate, Z_FINISH) == Z_STREAM_END && c->inflate.avail_out == 0 &&
         c->inflate.avail_in == 0;
}

void column_pack(ColumnCoder *c, const void *bytes, size_t n, Text *out) {
  size_t packed = squeeze(c, bytes, n);
  column_put_number(out, n);
  column_put_number(out, packed);
  text_addn(out, packed ? (const char *)c->room : bytes, packed ? packed : n);
}

const unsigned char *column_unpack(ColumnCoder *c, const unsigned char **at,
                                   const unsigned char *end, size_t most, size_t *n) {
  uint64_t size, packed;
  if (!column_get_number(at, end, &size) || !column_get_number(at, end, &packed) || size > most ||
      (packed ? packed : size) > (size_t)(end - *at))
    return NULL;
  *n = size;
  if (!packed)
    return *at += size, *at - size;
  if (size / DEFLATE_RATIO > packed) /* no such bytes exist: the room would be taken for nothing */
    return NULL;
  unsigned char *out = room(c, size + 1);
  return expand(c, at, packed, out, size) ? out : NULL;
}

/* ---- differences ---- */

static unsigned significant(uint64_t folded) {
  return folded ? 8 - (unsigned)__builtin_clzll(folded) / 8 : 0;
}

enum { SAMPLED = 4 }; /* of so many values one is looked at, to choose how to write all */

/* The order of differences with the fewest significant bytes; the first values do not count. */
static unsigned best_order(const uint64_t *v, uint32_t n) {
  uint64_t bytes[ORDER_LAST + 1] = {0};
  for (uint32_t k = ORDER_LAST; k < n; k += SAMPLED) {
    uint64_t d1 = v[k] - v[k - 1], b1 = v[k - 1] - v[k - 2], c1 = v[k - 2] - v[k - 3], d2 = d1 - b1;
    bytes[0] += significant(column_fold((int64_t)v[k]));
    bytes[1] += significant(column_fold((int64_t)d1));
    bytes[2] += significant(column_fold((int64_t)d2));
    bytes[3] += significant(column_fold((int64_t)(d2 - (b1 - c1))));
  }
  unsigned best = 0;
  for (unsigned o = 1; o <= ORDER_LAST; o++)
    if (bytes[o] < bytes[best])
      best = o;
  return n <= ORDER_LAST ? 0 : best;
}

static void difference(const uint64_t *v, uint32_t n, unsigned order, uint64_t *out) {
  memcpy(out, v, n * sizeof *v);
  for (unsigned o = 0; o < order; o++)
    for (uint32_t k = n - 1; k > o; k--)
      out[k] -= out[k - 1];
  for (uint32_t k = order; k < n; k++)
    out[k] = column_fold((int64_t)out[k]);
}

static void sum_up(uint64_t *v, uint32_t n, unsigned order) {
  for (uint32_t k = order; k < n; k++)
    v[k] = (uint64_t)column_unfold(v[k]);
  for (unsigned o = order; o > 0; o--)
    for (uint32_t k = o; k < n; k++)
      v[k] += v[k - 1];
}

/* ---- planes ---- */

/* Bytes of all values are noise: not worth a try. */
static bool looks_regular(const unsigned char *plane, uint32_t n) {
  unsigned zeros = 0, most = 0;
  for (uint32_t k = 0; k < n; k += SAMPLED) {
    zeros += plane[k] == 0;
    most = plane[k] > most ? plane[k] : most;
  }
  return most < 96 || zeros > n / SAMPLED / 8;
}

static PlaneKind encode_plane(ColumnCoder *c, const uint64_t *words, uint32_t n, unsigned p,
                              Text *out) {
  unsigned char any = 0;
  for (uint32_t k = 0; k < n; k++) {
    c->plane[k] = (unsigned char)(words[k] >> 8 * p);
    any |= c->plane[k];
  }
  if (!any)
    return PLANE_ZERO;
  size_t packed = looks_regular(c->plane, n) ? squeeze(c, c->plane, n) : 0;
  if (packed)
    column_put_number(out, packed);
  text_addn(out, (const char *)(packed ? c->room : c->plane), packed ? packed : n);
  return packed ? PLANE_DEFLATED : PLANE_PLAIN;
}

void column_encode(ColumnCoder *c, const uint64_t *values, uint32_t n, Text *out) {
  unsigned order = best_order(values, n), kinds = 0;
  difference(values, n, order, c->words);
  text_char(out, (char)order);
  text_addn(out, (const char *)c->words, order * sizeof(uint64_t));
  size_t at = out->n;
  text_addn(out, "\0\0", 2);
  uint64_t all = 0;
  for (uint32_t k = order; k < n; k++)
    all |= c->words[k];
  for (unsigned p = 0; p < significant(all); p++)
    kinds |= (unsigned)encode_plane(c, c->words + order, n - order, p, out) << 2 * p;
  out->at[at] = (char)(kinds & 255);
  out->at[at + 1] = (char)(kinds >> 8);
}

/* One plane, added to the words; NULL end of what follows if it is none. */
static bool decode_plane(ColumnCoder *c, PlaneKind kind, const unsigned char **at,
                         const unsigned char *end, uint64_t *words, uint32_t n, unsigned p) {
  const unsigned char *plane = *at;
  uint64_t packed;
  switch (kind) {
  case PLANE_ZERO: return true;
  case PLANE_PLAIN:
    if ((size_t)(end - *at) < n)
      return false;
    *at += n;
    break;
  case PLANE_DEFLATED:
    if (!column_get_number(at, end, &packed) || packed > (size_t)(end - *at) ||
        !expand(c, at, packed, c->plane, n))
      return false;
    plane = c->plane;
    break;
  }
  for (uint32_t k = 0; k < n; k++)
    words[k] |= (uint64_t)plane[k] << 8 * p;
  return true;
}

bool column_decode(ColumnCoder *c, const unsigned char **at, const unsigned char *end,
                   uint64_t *values, uint32_t n) {
  if (n > COLUMN_MOST || end - *at < 1)
    return false;
  unsigned order = *(*at)++;
  if (order > ORDER_LAST || order > n || (size_t)(end - *at) < order * sizeof *values + 2)
    return false;
  memcpy(values, *at, order * sizeof *values);
  *at += order * sizeof *values;
  unsigned kinds = (unsigned)(*at)[0] | (unsigned)(*at)[1] << 8;
  *at += 2;
  memset(values + order, 0, (n - order) * sizeof *values);
  for (unsigned p = 0; p < PLANES; p++) {
    unsigned kind = kinds >> 2 * p & 3;
    if (kind > PLANE_DEFLATED ||
        !decode_plane(c, (PlaneKind)kind, at, end, values + order, n - order, p))
      return false;
  }
  sum_up(values, n, order);
  return true;
}
