/* emit/emit_model.c -- the description of the model as C text: the tables of describe/describe.h,
 * field by field as describe/model.def lists them.
 * How:  a row is written by position, its lists before it under the name of table, row and field;
 *       the model itself by name, without what is 0. Entry points have the names of their fields.
 * Keep: what has an address is written once: who has the address refers to its name. */
#include "emit/emit_impl.h"

#include <math.h>

/* ---- lists ---- */

typedef struct {
  const char *type;  /* of C */
  const char *empty; /* name of all lists without items */
  void (*item)(Emit *em, Text *out, const void *at, int k);
} ListKind;

static void add_number(Emit *em, Text *out, const void *at, int k) {
  (void)em, text_integer(out, ((const int *)at)[k]);
}
static void add_byte(Emit *em, Text *out, const void *at, int k) {
  (void)em, text_integer(out, ((const unsigned char *)at)[k]);
}
static void add_real(Emit *em, Text *out, const void *at, int k) {
  double value = ((const double *)at)[k];
  text_add(out, value == 0 && !signbit(value) ? "0" : c_real(em, value));
}
static void add_text(Emit *em, Text *out, const void *at, int k) {
  (void)em, c_add_string(out, ((const char *const *)at)[k]);
}

static const ListKind number_list = {"int ", "no_numbers", add_number},
                      byte_list = {"unsigned char ", "no_bytes", add_byte},
                      real_list = {"double ", "no_reals", add_real},
                      text_list = {"char *const ", "no_texts", add_text};

/* The name of the C table with n items, which is written if it is new. */
static const char *c_list(Emit *em, Text *out, const ListKind *kind, const char *name,
                          const void *at, int n) {
  const void *key = n ? at : kind;
  const char *known = map_get_ptr(&em->lists, key);
  if (known)
    return known;
  char *own = arena_printf(em->a, "%s", n ? name : kind->empty);
  text_printf(out, "static const %s%s[] = {", kind->type, own);
  for (int k = 0; k < n; k++) {
    if (k)
      text_addn(out, ", ", 2);
    kind->item(em, out, at, k);
  }
  text_add(out, n ? "};\n" : "0};\n");
  map_put_ptr(em->a, &em->lists, key, own);
  return own;
}

const char *c_numbers(Emit *em, Text *out, const char *name, const int *at, int n) {
  return c_list(em, out, &number_list, name, at, n);
}

/* ---- fields ---- */

typedef struct {
  Emit *em;
  const DsModel *m;
  bool whole;
  Text *tables;      /* those that are finished */
  Text *row;         /* at work */
  const char *table; /* which the row belongs to; NULL: it is the model */
  int number;        /* of the row; -1: there is only one */
  bool begun;        /* it has a field already */
} Print;

static void begin_field(Print *p, const char *field) {
  if (!p->table)
    text_printf(p->row, "  .%s = ", field);
  else if (p->begun)
    text_addn(p->row, ", ", 2);
  p->begun = true;
}

static void end_field(Print *p) {
  if (!p->table)
    text_addn(p->row, ",\n", 2);
}

static void put_number(Print *p, const char *field, long long value) {
  if (!p->table && value == 0)
    return;
  begin_field(p, field);
  text_integer(p->row, value);
  end_field(p);
}

/* A name or a number in C. */
static void put_name(Print *p, const char *field, const char *name) {
  begin_field(p, field);
  text_add(p->row, name);
  end_field(p);
}

static void put_none(Print *p, const char *field) { put_number(p, field, 0); }

static void put_real(Print *p, const char *field, double value) {
  put_name(p, field, c_real(p->em, value));
}

static void put_text(Print *p, const char *field, const char *text) {
  begin_field(p, field);
  c_add_string(p->row, text);
  end_field(p);
}

static void put_list(Print *p, const char *field, const ListKind *kind, const void *at, int n) {
  if (!at) {
    put_none(p, field);
    return;
  }
  const char *name = !p->table ? field
                     : p->number >= 0
                         ? arena_printf(p->em->a, "%s%d_%s", p->table, p->number, field)
                         : arena_printf(p->em->a, "%s_%s", p->table, field);
  put_name(p, field, c_list(p->em, p->tables, kind, name, at, n));
}

static void put_numbers(Print *p, const char *field, const int *at, int n) {
  put_list(p, field, &number_list, at, n);
}
static void put_bytes(Print *p, const char *field, const unsigned char *at, int n) {
  put_list(p, field, &byte_list, at, n);
}
static void put_reals(Print *p, const char *field, const double *at, int n) {
  put_list(p, field, &real_list, at, n);
}
static void put_texts(Print *p, const char *field, const char *const *at, int n) {
  put_list(p, field, &text_list, at, n);
}

/* ---- rows ---- */

typedef void PutRow(Print *p, const void *at);

static void put_row(Print *p, const void *at, PutRow *put) {
  text_char(p->row, '{');
  p->begun = false;
  put(p, at);
  text_char(p->row, '}');
  p->begun = true;
}

/* A row inside of another. */
static void put_inner(Print *p, const char *field, const void *at, PutRow *put) {
  begin_field(p, field);
  put_row(p, at, put);
}

/* A table of the model. */
typedef struct {
  const char *name, *type;
  const void *at;
  size_t size; /* of a row */
  int n;       /* rows; -1: one, that is no array */
  PutRow *put;
} Rows;

static void add_rows(Print *p, const Rows *rows) {
  bool one = rows->n < 0;
  Text text = {.arena = p->em->a};
  Print inner = {p->em, p->m, p->whole, p->tables, &text, rows->name, one ? -1 : 0, false};
  for (int k = 0; k < (one ? 1 : rows->n); k++) {
    inner.number = one ? -1 : k;
    text_add(&text, one ? "" : "  ");
    put_row(&inner, (const char *)rows->at + (size_t)k * rows->size, rows->put);
    text_add(&text, one ? "" : ",\n");
  }
  text_printf(p->tables, "static const %s %s%s", rows->type, rows->name, one ? " = " : "[] = {\n");
  text_addn(p->tables, text.at, text.n);
  text_add(p->tables, one ? ";\n" : "};\n");
}

static void put_rows(Print *p, const Rows *rows) {
  if (!rows->at)
    return;
  if (!map_get_ptr(&p->em->lists, rows->at))
    add_rows(p, rows);
  put_name(p, rows->name, rows->n < 0 ? arena_printf(p->em->a, "&%s", rows->name) : rows->name);
}

static const char *const type_names[] = {"DS_REAL", "DS_INTEGER", "DS_BOOLEAN", "DS_ENUMERATION",
                                         "DS_STRING"},
                         *const variability_names[] = {"DS_CONTINUOUS", "DS_DISCRETE",
                                                       "DS_PARAMETER", "DS_CONSTANT"},
                         *const access_names[] = {"DS_LOCAL", "DS_INPUT", "DS_OUTPUT"},
                         *const property_names[] = {"DS_KNOWN", "DS_STATE", "DS_EXPLICIT",
                                                    "DS_IMPLICIT", "DS_DISCRETE_STATE"},
                         *const compare_names[] = {"DS_LT", "DS_LE", "DS_GT",
                                                   "DS_GE", "DS_EQ", "DS_NE"};

/* put_DsPlace ... put_DsModel */
#define ROW_OF(Type)                                                                               \
  static void put_##Type(Print *p, const void *at) {                                               \
    const Type *const row = at;                                                                    \
    const DsModel *const m = p->m;                                                                 \
    const bool whole = p->whole;                                                                   \
    (void)m, (void)whole;
#define END(Type) }
#define NUMBER(f) put_number(p, #f, row->f);
#define NAMED(f, names) put_name(p, #f, names[row->f]);
#define REAL(f) put_real(p, #f, row->f);
#define TEXT(f) put_text(p, #f, row->f);
#define PLACE(f) put_inner(p, #f, &row->f, put_DsPlace);
#define NUMBERS(f, n) put_numbers(p, #f, row->f, n);
#define BYTES(f, n) put_bytes(p, #f, row->f, n);
#define REALS(f, n) put_reals(p, #f, row->f, n);
#define TEXTS(f, n) put_texts(p, #f, row->f, n);
#define ROWS(Type, f, n) put_rows(p, &(Rows){#f, #Type, row->f, sizeof *row->f, n, put_##Type});
#define ONE(Type, f) put_rows(p, &(Rows){#f, #Type, row->f, sizeof *row->f, -1, put_##Type});
#define ENTRY(f, when)                                                                             \
  if (when)                                                                                        \
    put_name(p, #f, #f);
#define FUNCTION(f) put_name(p, #f, #f);
#include "describe/model.def"

/* Rows are written by position: a field that model.def forgets does not compile here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
#define ROW_OF(Type)                                                                               \
  __attribute__((unused)) static Type all_of_##Type(const Type *row) {                             \
    return (Type) {
#define FIELD(f) row->f,
#define END(Type)                                                                                  \
  }                                                                                                \
  ;                                                                                                \
  }
#include "describe/model.def"
#pragma GCC diagnostic pop

/* ---- the model ---- */

static Print begin_print(Emit *em, Text *tables, Text *fields) {
  return (Print){.em = em,
                 .m = &em->about->model,
                 .whole = !em->about->slice,
                 .tables = tables,
                 .row = fields};
}

void emit_places(Emit *em, Text *out) {
  Print p = begin_print(em, out, NULL);
  const DsPlace *at = p.m->places;
  if (!at)
    return;
  add_rows(&p, &(Rows){"places", "DsPlace", at, sizeof *at, p.m->n_places, put_DsPlace});
  map_put_ptr(em->a, &em->lists, at, "places");
}

void emit_model(Emit *em, Text *out) {
  Text fields = {.arena = em->a};
  Print p = begin_print(em, out, &fields);
  put_DsModel(&p, p.m);
  text_printf(out, "\nstatic const DsModel model = {\n%s};\n\n", text_str(&fields));
  text_add(out, "const DsModel *dsblock(void) { return &model; }\n");
}
