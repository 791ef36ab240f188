/* emit/emit_foreign.c -- calls of functions in shared libraries (MLS 3.6 section 12.9.1).
 * The function of the model puts the arguments into cells a[1] ... and asks its host to make the
 * call; a small C function x<n> takes them from there, calls, and puts the result into a[0] and
 * what came out into the cells of the arguments. So the host stands around every foreign call and
 * can end it (ModelicaError never returns).
 * C: double, int, const char *, void *, size_t for size(); arrays row by row; what comes out by
 * address; records as structs, by address. FORTRAN 77: everything by address, arrays column by
 * column, the lengths of texts behind all other arguments.
 * Keep: protected variables go in with their value and come out, like outputs; texts that come out
 *       are copied. */
#include "emit/emit_impl.h"
#include "base/limits.h"

#include <string.h>

static const Type *type_of(const Emit *em, TypeId t) { return type_get(em->p, t); }

typedef struct {
  Emit *em;
  const Func *f;
  const char *cells;          /* of the model's function: a of x<n> */
  uint32_t n;                 /* of those in use */
  Text types, args;           /* parameters of the foreign function, and their values */
  Text lengths, length_types; /* FORTRAN: of texts */
  Text before, after;         /* statements of x<n> around the call */
  Text back;                  /* statements of the model's function after it */
  bool fortran, ok;
} Foreign;

static const char *c_kind(TypeBase base) {
  switch (base) {
  case TY_REAL: return "double";
  case TY_STRING: return "const char *";
  case TY_EXTERNAL: return "void *";
  case TY_INTEGER:
  case TY_BOOLEAN:
  case TY_ENUM: return "int";
  case TY_NONE:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_FUNCTION:
  case TY_TUPLE: break;
  }
  return NULL;
}

static bool is_whole(TypeBase base) {
  return base == TY_INTEGER || base == TY_BOOLEAN || base == TY_ENUM;
}

/* One more parameter: its type, and its value in terms of a[]. */
static void parameter(Foreign *c, const char *type, const char *value) {
  text_printf(&c->types, "%s%s", c->types.n ? ", " : "", type);
  text_printf(&c->args, "%s%s", c->args.n ? ", " : "", value);
}

/* ---- texts that come out ---- */

/* The library may use its memory again: copies last as long as other texts of the evaluation. */
static void copy_text(Foreign *c, const char *place) {
  text_printf(&c->back, "%s = d->host->text_join(d, %s ? %s : \"\", \"\");\n", place, place, place);
  text_printf(&c->back,
              "if (!%s) {\n  status = d->host->fail(d, &places[%u], \"not enough memory for a "
              "text\");\n  goto done;\n}\n",
              place, c_place(c->em, c->f->span));
  c->em->uses_mask |= USES_STATUS;
}

/* Integers have 64 bits, an int of C has 32. */
static void must_be_int(Foreign *c, const char *value) {
  c_fail_if(c->em, arena_printf(c->em->a, "%s != (int)%s", value, value),
            "an Integer argument does not fit into an int of C");
}

/* ---- records ---- */

/* The members of a struct for record type t, and copies between it and cells from number *cell on.
 * False if it has none. */
static bool record_members(Foreign *c, TypeId t, const char *value, uint32_t slot, uint32_t *cell,
                           Text *members) {
  const TypeDecl *decl = type_of(c->em, t)->decl;
  for (uint32_t k = 0; k < decl->n; k++) {
    const Type *field = type_of(c->em, decl->types[k]);
    const char *inner = arena_printf(c->em->a, "%s.m%u", value, k), *kind = c_kind(field->base);
    if (field->n_dims || (field->base != TY_RECORD && !kind) || field->base == TY_EXTERNAL)
      return false;
    if (field->base == TY_RECORD) {
      text_add(members, "struct { ");
      if (!record_members(c, decl->types[k], inner, slot, cell, members))
        return false;
      text_printf(members, "} m%u; ", k);
      continue;
    }
    text_printf(members, "%s m%u; ", kind, k);
    const char *member = c_member(field->base);
    text_printf(&c->before, "  %s = (%s)a[%u].p[%u]%s;\n", inner, kind, slot, *cell, member);
    text_printf(&c->after, "  a[%u].o[%u]%s = %s;\n", slot, (*cell)++, member, inner);
  }
  return true;
}

/* Declares struct t<slot> s<slot> in x<n>. Only what comes out is copied back. */
static bool declare_record(Foreign *c, TypeId t, uint32_t slot, bool in, bool out) {
  Arena *arena = c->em->a;
  Text members = {.arena = arena}, before = c->before, after = c->after;
  c->before = c->after = (Text){.arena = arena};
  uint32_t cell = 0;
  bool ok = record_members(c, t, arena_printf(arena, "s%u", slot), slot, &cell, &members) && cell;
  const char *copies = text_str(&c->before), *back = text_str(&c->after);
  c->before = before, c->after = after;
  text_printf(&c->before, "  struct t%u { %s};\n  struct t%u s%u;\n%s", slot, text_str(&members),
              slot, slot, in ? copies : "");
  text_add(&c->after, out ? back : "");
  return ok;
}

static void copy_texts_of(Foreign *c, TypeId t, const char *at, uint32_t *cell) {
  const TypeDecl *decl = type_of(c->em, t)->decl;
  for (uint32_t k = 0; k < decl->n; k++) {
    TypeBase base = type_of(c->em, decl->types[k])->base;
    if (base == TY_RECORD)
      copy_texts_of(c, decl->types[k], at, cell);
    else if (base == TY_STRING)
      copy_text(c, arena_printf(c->em->a, "%s[%u].s", at, (*cell)++));
    else
      ++*cell;
  }
}

static void must_be_ints(Foreign *c, TypeId t, const char *at, uint32_t *cell) {
  const TypeDecl *decl = type_of(c->em, t)->decl;
  for (uint32_t k = 0; k < decl->n; k++) {
    TypeBase base = type_of(c->em, decl->types[k])->base;
    if (base == TY_RECORD)
      must_be_ints(c, decl->types[k], at, cell);
    else if (base == TY_INTEGER)
      must_be_int(c, arena_printf(c->em->a, "%s[%u].i", at, (*cell)++));
    else
      ++*cell;
  }
}

static void pass_record(Foreign *c, const CVal *v, uint32_t slot, bool out) {
  Emit *em = c->em;
  uint32_t cell = 0;
  c_line(em, "%s[%u]%s = %s;", c->cells, slot, out ? ".o" : ".p", v->at);
  c->ok = c->ok && !c->fortran && declare_record(c, v->type, slot, true, out);
  parameter(c, "void *", arena_printf(em->a, "&s%u", slot));
  if (c->ok)
    must_be_ints(c, v->type, v->at, &cell);
  cell = 0;
  if (c->ok && out)
    copy_texts_of(c, v->type, v->at, &cell);
}

/* ---- arrays ---- */

/* Whole numbers as int: in before the call, out after it. */
static const char *int_cells(Foreign *c, const CVal *v, bool out) {
  Emit *em = c->em;
  const char *n = c_cell_count(em, v), *t = c_temp(em), *k = c_temp(em),
             *cells = c_cells(em, c_plus(em, n, "1LL"));
  c_line(em, "int *const %s = (int *)(void *)%s;", t, cells);
  c_open(em, "for (long long %s = 0; %s < %s; %s++)", k, k, n, k);
  must_be_int(c, arena_printf(em->a, "%s[%s].i", v->at, k));
  c_line(em, "%s[%s] = (int)%s[%s].i;", t, k, v->at, k);
  c_close(em);
  if (out)
    text_printf(&c->back, "for (long long %s = 0; %s < %s; %s++)\n  %s[%s].i = %s[%s];\n", k, k, n,
                k, v->at, k, t, k);
  return t;
}

/* A copy in the order of FORTRAN. */
static CVal by_columns(Foreign *c, const CVal *v) {
  Emit *em = c->em;
  CVal copy = *v;
  const char *n = c_cell_count(em, v);
  copy.at = c_cells(em, c_plus(em, n, "1LL"));
  if (type_of(em, v->type)->n_dims == 2)
    c_line(em, "ds_transpose(%s, %s, %s, %s, 1);", copy.at, v->at, v->dims[0], v->dims[1]);
  else
    c_copy(em, copy.at, v->at, n);
  return copy;
}

static void columns_back(Foreign *c, const CVal *v, const CVal *copy) {
  if (type_of(c->em, v->type)->n_dims == 2)
    text_printf(&c->back, "ds_transpose(%s, %s, %s, %s, 1);\n", v->at, copy->at, v->dims[1],
                v->dims[0]);
  else
    text_printf(&c->back, "ds_copy(%s, %s, %s);\n", v->at, copy->at, c_cell_count(c->em, v));
}

static void pass_array(Foreign *c, const CVal *v, uint32_t slot, bool out) {
  Emit *em = c->em;
  const Type *t = type_of(em, v->type);
  const char *constant = out ? "" : "const ", *to = out ? ".o" : ".p", *type;
  if (t->base == TY_EXTERNAL || !c_kind(t->base) ||
      (c->fortran && (t->n_dims > 2 || t->base == TY_STRING))) {
    c->ok = false;
    return;
  }
  CVal own = c->fortran ? by_columns(c, v) : *v;
  if (is_whole(t->base)) {
    type = arena_printf(em->a, "%sint *", constant);
    c_line(em, "%s[%u]%s = (DsCell *)(void *)%s;", c->cells, slot, to, int_cells(c, &own, out));
  } else {
    type = t->base == TY_REAL ? arena_printf(em->a, "%sdouble *", constant)
                              : arena_printf(em->a, "const char *%s*", constant);
    c_line(em, "%s[%u]%s = %s;", c->cells, slot, to, own.at);
  }
  if (out && c->fortran)
    columns_back(c, v, &own);
  if (out && t->base == TY_STRING) {
    const char *k = c_temp(em);
    text_printf(&c->back, "for (long long %s = 0; %s < %s; %s++) {\n", k, k, c_cell_count(em, v),
                k);
    copy_text(c, arena_printf(em->a, "%s[%s].s", v->at, k));
    text_add(&c->back, "}\n");
  }
  parameter(c, type,
            arena_printf(em->a, "(%s)(%svoid *)a[%u]%s", type, out ? "" : "const ", slot, to));
}

/* ---- scalars ---- */

/* FORTRAN: a copy that may be written, and its length at the end. */
static void pass_characters(Foreign *c, uint32_t slot) {
  const int room = MOST_FORTRAN_LENGTH + 1;
  Arena *a = c->em->a;
  const char *n = c_temp(c->em);
  c_line(c->em, "long long %s = 0;", n);
  c_open(c->em, "while (%s < %d && %s[%u].s[%s])", n, room, c->cells, slot, n);
  c_line(c->em, "%s++;", n);
  c_close(c->em);
  c_fail_if(c->em, arena_printf(a, "%s == %d", n, room),
            arena_printf(a, "a text of more than %d characters cannot be handed to FORTRAN",
                         MOST_FORTRAN_LENGTH));
  text_printf(&c->before, "  char c%u[%d];\n  unsigned long n%u = 0;\n", slot, room, slot);
  text_printf(
      &c->before,
      "  while (n%u < %d && a[%u].s[n%u])\n    c%u[n%u] = a[%u].s[n%u], n%u++;\n  c%u[n%u] = 0;\n",
      slot, MOST_FORTRAN_LENGTH, slot, slot, slot, slot, slot, slot, slot, slot, slot);
  parameter(c, "char *", arena_printf(a, "c%u", slot));
  text_printf(&c->lengths, ", n%u", slot);
  text_add(&c->length_types, ", unsigned long");
}

static void scalar_by_address(Foreign *c, TypeBase base, uint32_t slot) {
  Arena *a = c->em->a;
  const char *kind = c_kind(base), *member = c_member(base);
  if (c->fortran && base == TY_STRING) {
    pass_characters(c, slot);
    return;
  }
  text_printf(&c->before, "  %s p%u = (%s)a[%u]%s;\n", kind, slot, kind, slot, member);
  text_printf(&c->after, "  a[%u]%s = p%u;\n", slot, member, slot);
  parameter(c, arena_printf(a, "%s *", kind), arena_printf(a, "&p%u", slot));
}

static void pass_object(Foreign *c, const CVal *v, uint32_t slot) {
  Emit *em = c->em;
  c_line(em, "%s[%u].o = d->host->object_at(d, %s);", c->cells, slot, v->at);
  c_fail_if(em, arena_printf(em->a, "!%s[%u].o", c->cells, slot),
            "an external object does not exist");
  parameter(c, "void *", arena_printf(em->a, "a[%u].o", slot));
  c->ok = c->ok && !c->fortran;
}

/* local: of a variable that comes out; NULL for what only goes in */
static void pass_scalar(Foreign *c, const CVal *v, const Expr *x, uint32_t slot,
                        const uint32_t *local) {
  Emit *em = c->em;
  TypeBase base = type_of(em, v->type)->base;
  const char *kind = c_kind(base), *member = kind ? c_member(base) : NULL;
  if (!kind || (local && base == TY_EXTERNAL)) {
    c->ok = false;
    return;
  }
  if (base == TY_EXTERNAL) {
    pass_object(c, v, slot);
    return;
  }
  c_line(em, "%s[%u]%s = %s;", c->cells, slot, member, v->at);
  if (base == TY_INTEGER && x->op != OP_SIZE)
    must_be_int(c, arena_printf(em->a, "%s[%u].i", c->cells, slot));
  if (local || c->fortran)
    scalar_by_address(c, base, slot);
  else
    parameter(c, x->op == OP_SIZE ? "unsigned long" : kind,
              arena_printf(em->a, "(%s)a[%u]%s", x->op == OP_SIZE ? "unsigned long" : kind, slot,
                           member));
  /* of a text FORTRAN gives nothing back */
  bool text = base == TY_STRING;
  c->ok = c->ok && !(local && c->fortran && text && *local < c->f->n_inputs + c->f->n_outputs);
  if (!local || (c->fortran && text))
    return;
  text_printf(&c->back, "v%u = %s[%u]%s;\n", *local, c->cells, slot, member);
  if (text)
    copy_text(c, arena_printf(em->a, "v%u", *local));
}

static void pass(Foreign *c, ExprId e) {
  Emit *em = c->em;
  const Expr *x = expr_get(em->p, e);
  const Type *t = type_of(em, x->type);
  uint32_t local, slot = ++c->n;
  CVal v;
  bool out = extern_comes_out(em, c->f, e, &local);
  if (!c->ok || !emit_cells(em, e, &v)) {
    c->ok = false;
    return;
  }
  if (t->n_dims && t->base != TY_RECORD)
    pass_array(c, &v, slot, out);
  else if (t->base == TY_RECORD && !t->n_dims)
    pass_record(c, &v, slot, out);
  else if (!t->n_dims)
    pass_scalar(c, &v, x, slot, out ? &local : NULL);
  else
    c->ok = false;
}

/* ---- results ---- */

/* What ends an object that this constructor makes. */
static const char *destructor_of(Emit *em, const Func *f) {
  const Func *end = f->destructor;
  bool fits = end && end->external && end->n_inputs == 1 && end->n_external_args == 1 &&
              end->n_libraries;
  return fits ? arena_printf(em->a, "(void (*)(void *))d->external[%u]",
                             describe_external(em->about, end))
              : "0";
}

/* The C type of the result, and statements that take it from a[0]. */
static const char *take_result(Foreign *c) {
  Emit *em = c->em;
  uint32_t local = 0, cell = 0;
  if (!c->f->external_result.i)
    return "void";
  bool out = extern_comes_out(em, c->f, c->f->external_result, &local);
  const Type *t = out ? type_of(em, c->f->vars[local].type) : NULL;
  if (!t || t->n_dims || (!c_kind(t->base) && t->base != TY_RECORD) ||
      (c->fortran && t->base != TY_REAL && !is_whole(t->base))) {
    c->ok = false;
    return "void";
  }
  if (t->base == TY_RECORD) {
    c_line(em, "%s[0].o = v%u;", c->cells, local);
    c->ok = c->ok && declare_record(c, c->f->vars[local].type, 0, false, true);
    if (c->ok)
      copy_texts_of(c, c->f->vars[local].type, arena_printf(em->a, "v%u", local), &cell);
    return "struct t0";
  }
  if (t->base == TY_EXTERNAL) {
    text_printf(&c->back, "v%u = d->host->object(d, %s[0].o, %s);\n", local, c->cells,
                destructor_of(em, c->f));
    return "void *";
  }
  text_printf(&c->back, "v%u = %s[0]%s;\n", local, c->cells, c_member(t->base));
  if (t->base == TY_STRING)
    copy_text(c, arena_printf(em->a, "v%u", local));
  return c_kind(t->base);
}

/* Where x<n> puts the value of the call. */
static const char *result_place(const Foreign *c) {
  if (!c->f->external_result.i)
    return "";
  TypeBase base = type_of(c->em, expr_get(c->em->p, c->f->external_result)->type)->base;
  return base == TY_RECORD     ? "s0 = "
         : base == TY_EXTERNAL ? "a[0].o = "
                               : arena_printf(c->em->a, "a[0]%s = ", c_member(base));
}

void emit_foreign(Emit *em, const Func *f) {
  Text none = {.arena = em->a};
  Foreign c = {.em = em,
               .f = f,
               .cells = c_temp(em),
               .types = none,
               .args = none,
               .lengths = none,
               .length_types = none,
               .before = none,
               .after = none,
               .back = none,
               .fortran = describe_is_fortran(f),
               .ok = true};
  c_line(em, "DsCell %s[%u];", c.cells, f->n_external_args + 1);
  for (uint32_t k = 0; k < f->n_external_args; k++)
    pass(&c, f->external_args[k]);
  const char *result = take_result(&c);
  if (!c.ok) {
    extern_refuse(em, f, " with arguments or results of these types");
    return;
  }
  uint32_t number = em->n_tables++;
  const char *types = c.types.n ? arena_printf(em->a, "%s%s", text_str(&c.types),
                                               text_str(&c.length_types))
                                : "void";
  text_printf(&em->tables, "static void x%u(void (*f)(void), DsCell *a) {\n%s", number,
              c.n || *result_place(&c) ? "" : "  (void)a;\n");
  text_printf(&em->tables, "%s  %s((%s (*)(%s))f)(%s%s);\n%s}\n", text_str(&c.before),
              result_place(&c), result, types, text_str(&c.args), text_str(&c.lengths),
              text_str(&c.after));
  c_check(em, arena_printf(em->a, "d->host->foreign(d, &places[%u], x%u, d->external[%u], %s)",
                           c_place(em, f->span), number, describe_external(em->about, f), c.cells));
  text_add(&em->body, text_str(&c.back));
}
