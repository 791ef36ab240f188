/* run/mat_file.c -- matrices in MATLAB files.
 * Version 4: 20-byte headers, names, numbers column by column. Versions 6 and 7 ("MAT-File Level
 * 5"): 128 bytes of header, then elements of a tag (type, size) and data, padded to 8 bytes; a
 * matrix is an element made of elements (flags, sizes, name, numbers); version 7 has each matrix
 * compressed by zlib.
 * Keep: every size in a file is checked against what the file holds; what unpacks to more than
 *       `most_unpacked` is refused. */
#include "run/mat_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const size_t most_unpacked = (size_t)1 << 30;

typedef enum {
  N_I8,
  N_U8,
  N_I16,
  N_U16,
  N_I32,
  N_U32,
  N_F32,
  N_F64,
  N_I64,
  N_U64,
  N_NONE
} NumberKind;
static const size_t number_sizes[] = {1, 1, 2, 2, 4, 4, 4, 8, 8, 8};

static double number_at(const char *at, NumberKind kind, bool swap) {
  unsigned char b[8] = {0};
  size_t n = number_sizes[kind];
  for (size_t k = 0; k < n; k++)
    b[k] = (unsigned char)at[swap ? n - 1 - k : k];
  union {
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    float f32;
    double f64;
    int64_t i64;
    uint64_t u64;
    unsigned char bytes[8];
  } v;
  memcpy(v.bytes, b, sizeof b);
  switch (kind) {
  case N_I8: return v.i8;
  case N_U8: return v.u8;
  case N_I16: return v.i16;
  case N_U16: return v.u16;
  case N_I32: return v.i32;
  case N_U32: return v.u32;
  case N_F32: return (double)v.f32;
  case N_F64: return v.f64;
  case N_I64: return (double)v.i64;
  case N_U64: return (double)v.u64;
  case N_NONE: break;
  }
  return 0;
}

/* Columns become rows. */
static double *take_numbers(const char *at, NumberKind kind, bool swap, size_t rows, size_t columns,
                            const char **why) {
  double *to = malloc(rows * columns * sizeof *to);
  if (!to)
    *why = "not enough memory for it";
  for (size_t i = 0; to && i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      to[i * columns + j] = number_at(at + (j * rows + i) * number_sizes[kind], kind, swap);
  return to;
}

static uint32_t swapped(uint32_t v) {
  return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

/* ---- version 4 ---- */

typedef struct {
  uint32_t type, rows, columns, imaginary, name_length;
} Head4;

static double *read_4(const char *data, size_t length, const char *name, size_t *rows,
                      size_t *columns, const char **why) {
  static const NumberKind kinds[] = {N_F64, N_F32, N_I32, N_I16, N_U16, N_U8};
  for (size_t at = 0; length - at >= sizeof(Head4);) {
    Head4 h;
    memcpy(&h, data + at, sizeof h);
    bool swap = h.type > 9999; /* numbers of the other byte order */
    if (swap)
      h = (Head4){swapped(h.type), swapped(h.rows), swapped(h.columns), swapped(h.imaginary),
                  swapped(h.name_length)};
    uint32_t type = h.type / 10 % 10;
    at += sizeof h;
    uint64_t rest = length - at;
    uint64_t cells = (uint64_t)h.rows * h.columns;
    if (h.type > 5000 || type > 5 || h.imaginary > 1 || !h.name_length || h.name_length > rest) {
      *why = "it is no MATLAB file of version 4, 6 or 7";
      return NULL;
    }
    const char *own = data + at;
    size_t size = number_sizes[kinds[type]];
    at += h.name_length;
    rest -= h.name_length;
    if (cells > rest / size / (1 + h.imaginary)) {
      *why = "it ends too early";
      return NULL;
    }
    if (!strncmp(own, name, h.name_length) && strlen(name) < h.name_length && h.type % 10 == 0 &&
        cells) {
      *rows = h.rows;
      *columns = h.columns;
      return take_numbers(data + at, kinds[type], swap, h.rows, h.columns, why);
    }
    at += (size_t)cells * size * (1 + h.imaginary);
  }
  return NULL;
}

/* ---- versions 6 and 7 ---- */

enum {
  ELEMENT_MATRIX = 14,
  ELEMENT_PACKED = 15,
  CLASS_STRUCT = 2,
  CLASS_FIRST_NUMBER = 6,
  CLASS_LAST_NUMBER = 15,
  HEADER_5 = 128
};

typedef struct {
  const char *at, *end;
  bool swap;
  const char *why;
} Stream5;

typedef struct {
  uint32_t type;
  const char *data;
  size_t size;
} Element;

static uint32_t word_at(const Stream5 *s, const char *at) {
  uint32_t v;
  memcpy(&v, at, sizeof v);
  return s->swap ? swapped(v) : v;
}

/* The next element; false at the end or when it does not fit. */
static bool next_element(Stream5 *s, Element *e) {
  size_t rest = (size_t)(s->end - s->at);
  if (rest < 8)
    return false;
  uint32_t first = word_at(s, s->at);
  if (first >> 16) { /* small: type, size and up to 4 bytes in one */
    *e = (Element){first & 0xffff, s->at + 4, first >> 16};
    s->at += 8;
    return e->size <= 4;
  }
  *e = (Element){first, s->at + 8, word_at(s, s->at + 4)};
  if (e->size > rest - 8) {
    s->why = "it ends too early";
    return false;
  }
  size_t step = e->type == ELEMENT_PACKED ? e->size : (e->size + 7) / 8 * 8;
  s->at = step > rest - 8 ? s->end : s->at + 8 + step;
  return true;
}

static NumberKind kind_of(uint32_t type) {
  static const NumberKind kinds[] = {N_NONE, N_I8,   N_U8,  N_I16,  N_U16,  N_I32, N_U32,
                                     N_F32,  N_NONE, N_F64, N_NONE, N_NONE, N_I64, N_U64};
  return type < sizeof kinds / sizeof *kinds ? kinds[type] : N_NONE;
}

typedef struct {
  Stream5 parts; /* behind its name */
  uint32_t kind; /* class of the array */
  const char *name;
  size_t name_length;
  size_t rows, columns;
} Matrix5;

static bool read_head(const Stream5 *around, const Element *e, Matrix5 *m) {
  Element flags, sizes, name;
  *m = (Matrix5){.parts = {e->data, e->data + e->size, around->swap, NULL}};
  if (!next_element(&m->parts, &flags) || flags.size < 8 || !next_element(&m->parts, &sizes) ||
      sizes.size < 8 || !next_element(&m->parts, &name))
    return false;
  m->kind = word_at(around, flags.data) & 0xff;
  m->rows = word_at(around, sizes.data);
  /* More than two sizes: no matrix */
  m->columns = sizes.size == 8 ? word_at(around, sizes.data + 4) : 0;
  m->name = name.data;
  m->name_length = name.size;
  return true;
}

static double *read_numbers(Matrix5 *m, size_t *rows, size_t *columns, const char **why) {
  Element e;
  NumberKind kind = next_element(&m->parts, &e) ? kind_of(e.type) : N_NONE;
  bool number = m->kind >= CLASS_FIRST_NUMBER && m->kind <= CLASS_LAST_NUMBER;
  if (!number || kind == N_NONE || !m->rows || !m->columns ||
      m->columns > e.size / number_sizes[kind] / m->rows) {
    *why = "what has this name is no matrix of numbers";
    return NULL;
  }
  *rows = m->rows;
  *columns = m->columns;
  return take_numbers(e.data, kind, m->parts.swap, m->rows, m->columns, why);
}

/* Field `name` of a structure: lengths of names, names, then one matrix each. */
static bool find_field(Matrix5 *m, const char *name, size_t n, Matrix5 *field) {
  Element length, names, e;
  if (m->kind != CLASS_STRUCT || m->rows * m->columns != 1 || !next_element(&m->parts, &length) ||
      length.size < 4 || !next_element(&m->parts, &names))
    return false;
  size_t room = word_at(&m->parts, length.data);
  for (size_t k = 0; room && (k + 1) * room <= names.size && next_element(&m->parts, &e); k++)
    if (n < room && !strncmp(names.data + k * room, name, n) && !names.data[k * room + n] &&
        e.type == ELEMENT_MATRIX)
      return read_head(&m->parts, &e, field);
  return false;
}

/* Is it this matrix, or does it have the field? NULL and no *why: go on. */
static double *look_into(const Stream5 *s, const Element *e, const char *name, size_t *rows,
                         size_t *columns, const char **why) {
  Matrix5 m;
  size_t n = strcspn(name, ".");
  if (e->type != ELEMENT_MATRIX || !read_head(s, e, &m) || m.name_length != n ||
      memcmp(m.name, name, n))
    return NULL;
  while (name[n]) {
    Matrix5 field;
    name += n + 1;
    n = strcspn(name, ".");
    if (!find_field(&m, name, n, &field))
      return NULL;
    m = field;
  }
  return read_numbers(&m, rows, columns, why);
}

/* What a compressed element holds (malloc). */
static char *unpack(const Element *e, size_t *length, const char **why) {
  z_stream z = {.next_in = (Bytef *)(uintptr_t)e->data, .avail_in = (uInt)e->size};
  size_t room = 4 * e->size + 1024;
  char *out = malloc(room);
  int status = out && inflateInit(&z) == Z_OK ? Z_OK : Z_MEM_ERROR;
  bool begun = status == Z_OK;
  while (status == Z_OK && z.total_out < most_unpacked) {
    if (z.total_out == room) {
      char *more = realloc(out, 2 * room);
      if (!more)
        break;
      out = more;
      room *= 2;
    }
    z.next_out = (Bytef *)out + z.total_out;
    z.avail_out = (uInt)(room - z.total_out);
    status = inflate(&z, Z_NO_FLUSH);
    if (status == Z_BUF_ERROR && z.avail_out == 0)
      status = Z_OK;
  }
  *length = z.total_out;
  if (begun)
    inflateEnd(&z);
  if (status == Z_STREAM_END)
    return out;
  free(out);
  *why = status == Z_OK || status == Z_MEM_ERROR ? "a matrix in it is too large"
                                                 : "a compressed matrix in it is damaged";
  return NULL;
}

static double *read_5(const char *data, size_t length, const char *name, size_t *rows,
                      size_t *columns, const char **why) {
  Stream5 s = {.at = data + HEADER_5, .end = data + length, .swap = !memcmp(data + 126, "MI", 2)};
  Element e;
  double *found = NULL;
  while (!found && !*why && next_element(&s, &e)) {
    if (e.type != ELEMENT_PACKED) {
      found = look_into(&s, &e, name, rows, columns, why);
      continue;
    }
    size_t n = 0;
    char *inner = unpack(&e, &n, why);
    Stream5 in = {.at = inner, .end = inner ? inner + n : NULL, .swap = s.swap};
    Element matrix;
    if (inner && next_element(&in, &matrix))
      found = look_into(&in, &matrix, name, rows, columns, why);
    free(inner);
  }
  *why = *why ? *why : s.why;
  return found;
}

static bool is_level_5(const char *data, size_t length) {
  return length >= HEADER_5 && (!memcmp(data + 126, "IM", 2) || !memcmp(data + 126, "MI", 2));
}

double *mat_read(const char *data, size_t length, const char *name, size_t *rows, size_t *columns,
                 const char **why) {
  *why = NULL;
  if (!is_level_5(data, length))
    return read_4(data, length, name, rows, columns, why);
  if (data[124] == 2 || data[125] == 2) {
    *why = "it is of version 7.3, which cannot be read: save it as version 7";
    return NULL;
  }
  return read_5(data, length, name, rows, columns, why);
}

/* ---- writing ---- */

static void put_word(char **p, uint32_t v) {
  memcpy(*p, &v, sizeof v);
  *p += sizeof v;
}

static void put_columns(char **p, const double *matrix, size_t rows, size_t columns) {
  for (size_t j = 0; j < columns; j++)
    for (size_t i = 0; i < rows; i++, *p += sizeof *matrix)
      memcpy(*p, &matrix[i * columns + j], sizeof *matrix);
}

static size_t padded(size_t n) { return (n + 7) / 8 * 8; }

/* The bytes of a matrix in version 4 or 6 (malloc). */
static char *bytes_of(const char *name, const double *matrix, size_t rows, size_t columns,
                      bool level_5, size_t *n) {
  size_t length = strlen(name);
  size_t numbers = rows * columns * sizeof *matrix;
  size_t parts = 16 + 16 + 8 + padded(length) + 8 + numbers;
  *n = level_5 ? 8 + parts : sizeof(Head4) + length + 1 + numbers;
  char *bytes = calloc(1, *n), *p = bytes;
  if (!bytes)
    return NULL;
  const uint32_t head_4[] = {0, (uint32_t)rows, (uint32_t)columns, 0, (uint32_t)length + 1};
  /* matrix; flags: double; sizes; name; numbers */
  const uint32_t head_5[] = {
      ELEMENT_MATRIX,  (uint32_t)parts, 6, 8, 6, 0, 5, 8, (uint32_t)rows, (uint32_t)columns, 1,
      (uint32_t)length};
  for (size_t k = 0; k < (level_5 ? sizeof head_5 : sizeof head_4) / sizeof *head_4; k++)
    put_word(&p, level_5 ? head_5[k] : head_4[k]);
  memcpy(p, name, length);
  p += level_5 ? padded(length) : length + 1;
  if (level_5) {
    put_word(&p, 9);
    put_word(&p, (uint32_t)numbers);
  }
  put_columns(&p, matrix, rows, columns);
  return bytes;
}

/* Replaces the bytes by a compressed element. */
static char *pack(char *bytes, size_t *n) {
  uLongf size = compressBound(*n);
  char *out = malloc(size + 8), *p = out;
  if (out && compress((Bytef *)out + 8, &size, (const Bytef *)bytes, *n) == Z_OK) {
    put_word(&p, ELEMENT_PACKED);
    put_word(&p, (uint32_t)size);
    *n = size + 8;
  } else {
    free(out);
    out = NULL;
  }
  free(bytes);
  return out;
}

/* Is what is there to be kept, and of this kind? */
static bool may_append(const char *file, bool level_5, bool *empty, const char **why) {
  char head[HEADER_5];
  FILE *f = fopen(file, "rb");
  size_t n = f ? fread(head, 1, sizeof head, f) : 0;
  if (f)
    fclose(f);
  *empty = n == 0;
  if (n && is_level_5(head, n) != level_5)
    *why = "it is a MATLAB file of another version";
  return !*why;
}

bool mat_write(const char *file, const char *name, const double *matrix, size_t rows,
               size_t columns, int version, bool append, const char **why) {
  bool level_5 = version != 4, empty = true;
  size_t n = 0;
  *why = NULL;
  if (rows > INT32_MAX || columns > INT32_MAX ||
      (columns && rows > (size_t)INT32_MAX / sizeof *matrix / columns)) {
    *why = "the matrix is too large";
    return false;
  }
  if (append && !may_append(file, level_5, &empty, why))
    return false;
  char *bytes = bytes_of(name, matrix, rows, columns, level_5, &n), header[HEADER_5];
  if (bytes && version == 7)
    bytes = pack(bytes, &n);
  FILE *f = bytes ? fopen(file, append ? "ab" : "wb") : NULL;
  bool ok = f;
  if (ok && level_5 && empty) {
    memset(header, ' ', sizeof header);
    memcpy(header, "MATLAB 5.0 MAT-file", 19);
    memset(header + 116, 0, 8);
    const uint16_t marks[] = {0x0100, 0x4d49}; /* version; the order of bytes */
    memcpy(header + 124, marks, sizeof marks);
    ok = fwrite(header, sizeof header, 1, f) == 1;
  }
  ok = ok && fwrite(bytes, n, 1, f) == 1;
  if (f)
    ok = fclose(f) == 0 && ok;
  free(bytes);
  return ok;
}
