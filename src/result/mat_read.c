/* result/mat_read.c -- a trajectory in a MATLAB file of version 4 -> columns of numbers. It may
 * come from other tools: numbers are double or float, text is padded with blanks or zeros, matrices
 * may lie the other way round ("binNormal").
 * Keep: every size and index in the file is checked against what the file holds. What stands behind
 *       data_2 is not looked at, since a file whose run was killed may end anyhow. */
#include "result/mat_impl.h"

#include <math.h>
#include <string.h>

#include "flat/unit.h"

typedef struct {
  MatHead head;
  const char *name, *data;
  bool turned; /* rows are columns in the file */
} Matrix;

/* 0: not of a kind that trajectories have. */
static size_t number_size(int32_t type) {
  return type == MAT_DOUBLE                       ? 8
         : type == MAT_FLOAT || type == MAT_INT32 ? 4
         : type == MAT_BYTES || type == MAT_TEXT  ? 1
                                                  : 0;
}

/* The matrix at a place, and the place behind it; false when it does not fit. */
static bool matrix_at(const MatSource *from, size_t *at, Matrix *m) {
  MatHead h;
  if (from->length - *at < sizeof h)
    return false;
  memcpy(&h, from->data + *at, sizeof h);
  const char *name = from->data + *at + sizeof h;
  size_t rest = from->length - *at - sizeof h, size = number_size(h.type);
  if (!size || h.rows < 0 || h.columns < 0 || h.imaginary || h.name_length < 1 ||
      (size_t)h.name_length > rest || name[h.name_length - 1])
    return false;
  uint64_t cells = (uint64_t)h.rows * (uint64_t)h.columns;
  if (cells > (rest - (size_t)h.name_length) / size)
    return false;
  *m = (Matrix){h, name, name + h.name_length, false};
  *at += sizeof h + (size_t)h.name_length + (size_t)cells * size;
  return true;
}

static size_t rows_of(const Matrix *m) {
  return (size_t)(m->turned ? m->head.columns : m->head.rows);
}
static size_t columns_of(const Matrix *m) {
  return (size_t)(m->turned ? m->head.rows : m->head.columns);
}

static double number_at(const Matrix *m, size_t row, size_t column) {
  size_t at = m->turned ? row * (size_t)m->head.rows + column : column * (size_t)m->head.rows + row;
  const char *from = m->data + at * number_size(m->head.type);
  double d;
  float f;
  int32_t i;
  if (m->head.type == MAT_DOUBLE)
    return memcpy(&d, from, sizeof d), d;
  if (m->head.type == MAT_FLOAT)
    return memcpy(&f, from, sizeof f), (double)f;
  if (m->head.type == MAT_INT32)
    return memcpy(&i, from, sizeof i), i;
  return (unsigned char)*from;
}

/* The text in a column. */
static const char *text_at(const Matrix *m, size_t column, Arena *a) {
  size_t n = rows_of(m);
  char *text = arena_alloc(a, n + 1);
  for (size_t k = 0; k < n; k++)
    text[k] = (char)(unsigned char)number_at(m, k, column);
  text[n] = 0;
  while (n && (text[n - 1] == ' ' || !text[n - 1]))
    text[--n] = 0;
  for (size_t k = 0; k < n; k++)
    if (!text[k])
      text[k] = ' ';
  return text;
}

/* ---- the parts of a trajectory ---- */

enum {
  PART_CLASS,
  PART_NAME,
  PART_INFO,
  PART_FIXED,
  PART_VARYING,
  PART_ABOUT,
  PARTS,
  PARTS_NEEDED = PART_ABOUT
};

typedef struct {
  Matrix at[PARTS];
  bool there[PARTS];
} Trajectory;

static bool find_parts(const MatSource *from, Trajectory *t) {
  static const char *const names[PARTS] = {"Aclass", "name",   "dataInfo",
                                           "data_1", "data_2", "description"};
  Matrix m;
  for (size_t at = 0; !t->there[PART_VARYING] && matrix_at(from, &at, &m);)
    for (int k = 0; k < PARTS; k++)
      if (strcmp(m.name, names[k]) == 0)
        t->at[k] = m, t->there[k] = true;
  const Matrix *class = &t->at[PART_CLASS];
  bool all = true,
       normal = t->there[PART_CLASS] && class->head.rows == 4 && class->head.columns >= 9;
  for (size_t k = 0; normal && k < 9; k++)
    normal = number_at(class, 3, k) == "binNormal"[k];
  for (int k = 0; k < PARTS; k++) {
    t->at[k].turned = normal;
    all = all && (t->there[k] || k >= PARTS_NEEDED);
  }
  return all && t->at[PART_NAME].head.type == MAT_TEXT && rows_of(&t->at[PART_INFO]) == 4 &&
         columns_of(&t->at[PART_INFO]) == columns_of(&t->at[PART_NAME]) &&
         columns_of(&t->at[PART_NAME]) > 0 && rows_of(&t->at[PART_VARYING]) > 0;
}

/* Which matrix and row a variable is in, and its sign; NULL: the file is wrong. */
static const Matrix *values_of(const Trajectory *t, size_t variable, size_t *row, bool *negated) {
  double which = number_at(&t->at[PART_INFO], 0, variable),
         index = number_at(&t->at[PART_INFO], 1, variable);
  const Matrix *m = &t->at[which == 1 ? PART_FIXED : PART_VARYING];
  *negated = index < 0;
  index = fabs(index);
  if (!(index >= 1 && index <= (double)rows_of(m)) || (which != 0 && which != 1 && which != 2) ||
      columns_of(m) == 0)
    return NULL;
  *row = (size_t)index - 1;
  return m;
}

bool mat_is_trajectory(const char *data, size_t length) {
  static const char name[] = "Aclass";
  return length >= sizeof(MatHead) + sizeof name &&
         !memcmp(data + sizeof(MatHead), name, sizeof name);
}

/* ---- columns ---- */

static double *column_of(const Trajectory *t, size_t variable, uint32_t rows, Arena *a) {
  size_t row = 0;
  bool negated = false;
  const Matrix *m = values_of(t, variable, &row, &negated);
  double *column = NEW_ARRAY(a, double, rows + 1);
  for (size_t k = 0; k < rows && m; k++) {
    double value = number_at(m, row, m == &t->at[PART_FIXED] ? 0 : k);
    column[k] = negated ? -value : value;
  }
  return column;
}

/* Does the file say where each variable is? */
static bool check_variables(const Trajectory *t) {
  size_t row;
  bool negated, good = true, any = columns_of(&t->at[PART_VARYING]) > 0;
  for (size_t k = 0; any && good && k < columns_of(&t->at[PART_INFO]); k++)
    good = values_of(t, k, &row, &negated) != NULL;
  return good && columns_of(&t->at[PART_INFO]) < UINT32_MAX &&
         columns_of(&t->at[PART_VARYING]) < UINT32_MAX;
}

typedef struct {
  const char **at; /* of all variables */
  uint32_t n;
} Names;

/* The unit in "comment [unit]" or "comment [unit|displayUnit]"; "" if there is none. */
static const char *unit_of(const Trajectory *t, size_t variable, Arena *a) {
  const Matrix *about = &t->at[PART_ABOUT];
  Unit read;
  if (!t->there[PART_ABOUT] || about->head.type != MAT_TEXT || variable >= columns_of(about))
    return "";
  const char *text = text_at(about, variable, a), *open = strrchr(text, '[');
  size_t n = open ? strcspn(open + 1, "|]") : 0;
  const char *unit = open ? arena_strndup(a, open + 1, n) : "";
  return open && text[strlen(text) - 1] == ']' && unit_parse(unit, &read) ? unit : "";
}

/* The number of a variable; false after A002. */
static bool find_name(const MatSource *from, const Names *all, const char *name, uint32_t *k,
                      Diags *diags) {
  for (*k = 0; *k < all->n; ++*k)
    if (strcmp(all->at[*k], name) == 0)
      return true;
  const char *best;
  Diag *d = diag_add(diags, D_A002, (Span){0, 0}, "`%s` has no variable `%s`", from->path, name);
  if (nearest_names(name, all->at, all->n, &best, 1))
    diag_help(diags, d, "did you mean `%s`?", best);
  return false;
}

/* False after F002. */
static bool open_trajectory(const MatSource *from, Trajectory *t, Names *all, Arena *a,
                            Diags *diags) {
  if (!find_parts(from, t) || !check_variables(t)) {
    diag_add(diags, D_F002, (Span){0, 0},
             "cannot read `%s`: it is no whole trajectory in a MATLAB file of version 4",
             from->path);
    return false;
  }
  *all = (Names){NULL, (uint32_t)columns_of(&t->at[PART_NAME])};
  all->at = NEW_ARRAY(a, const char *, all->n);
  for (uint32_t k = 0; k < all->n; k++)
    all->at[k] = text_at(&t->at[PART_NAME], k, a);
  all->at[0] = "time";
  return true;
}

const char **mat_trajectory_names(const MatSource *from, Arena *a, Diags *diags, uint32_t *n,
                                  const bool **varying) {
  Trajectory t = {0};
  Names all;
  if (!open_trajectory(from, &t, &all, a, diags))
    return NULL;
  bool *vary = NEW_ARRAY(a, bool, all.n);
  for (uint32_t k = 0; k < all.n; k++)
    vary[k] = number_at(&t.at[PART_INFO], 0, k) != 1;
  *n = all.n;
  *varying = vary;
  return all.at;
}

CsvTable *mat_read_trajectory(const MatSource *from, const char *const *names, size_t n, Arena *a,
                              Diags *diags) {
  Trajectory t = {0};
  VEC(uint32_t) taken = {0};
  Names all;
  if (!open_trajectory(from, &t, &all, a, diags))
    return NULL;
  vec_push(a, &taken, 0);
  for (uint32_t k = 1; k < all.n && !n; k++)
    if (number_at(&t.at[PART_INFO], 0, k) != 1)
      vec_push(a, &taken, k);
  for (size_t q = 0; q < n; q++) {
    uint32_t k;
    if (!find_name(from, &all, names[q], &k, diags))
      return NULL;
    vec_push(a, &taken, k);
  }
  CsvTable *table = NEW(a, CsvTable);
  *table = (CsvTable){NEW_ARRAY(a, const char *, taken.n), NEW_ARRAY(a, double *, taken.n), taken.n,
                      (uint32_t)columns_of(&t.at[PART_VARYING]),
                      NEW_ARRAY(a, const char *, taken.n)};
  for (uint32_t k = 0; k < taken.n; k++) {
    table->names[k] = all.at[taken.at[k]];
    table->units[k] = unit_of(&t, taken.at[k], a);
    table->columns[k] = column_of(&t, taken.at[k], table->rows, a);
  }
  return table;
}
