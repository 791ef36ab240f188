/* describe/describe_variable.c -- variables of the model as the user knows them, and the tree of
 * components that they belong to. */
#include "describe/describe_impl.h"
#include "structure/tables.h"

/* The initial equations determine it: a parameter, or what keeps its value in this mode. */
static bool is_solved(const Structure *s, uint32_t v) {
  const SVar *sv = &s->vars.at[v];
  const SSystem *sys = &s->initial;
  bool found = sv->known && sv->free && !sv->absent;
  for (uint32_t r = 0; r < sys->rows.n && sv->absent && sv->free && !found; r++)
    found = sys->match[r] == v;
  return found;
}

static unsigned char flags_of(const Description *d, uint32_t k) {
  const FlatVar *v = &d->flat->vars.at[k];
  const SVar *sv = &d->s->vars.at[k];
  int64_t fixed = 0;
  bool is_fixed = (v->fixed.i && expr_as_integer(d->flat->pool, v->fixed, &fixed) && fixed) ||
                  (sv->state && !sv->free);
  return (unsigned char)((is_fixed ? DS_FIXED : 0) |
                         (v->structural || sv->shapes ? DS_STRUCTURAL : 0) |
                         (v->is_final ? DS_FINAL : 0) | (v->is_protected ? DS_IS_PROTECTED : 0) |
                         (v->is_flow ? DS_FLOW : 0) | (v->start.i ? DS_HAS_START : 0) |
                         (is_solved(d->s, k) ? DS_SOLVED : 0) | (sv->absent ? DS_ABSENT : 0));
}

static DsType type_of(TypeBase base) {
  switch (base) {
  case TY_REAL: return DS_REAL;
  case TY_BOOLEAN: return DS_BOOLEAN;
  case TY_STRING: return DS_STRING;
  case TY_ENUM: return DS_ENUMERATION;
  case TY_INTEGER:
  case TY_NONE:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_EXTERNAL:
  case TY_FUNCTION:
  case TY_TUPLE: break;
  }
  return DS_INTEGER;
}

static DsProperty property_of(const SVar *sv, bool implicit) {
  return sv->known      ? DS_KNOWN
         : sv->state    ? DS_STATE
         : sv->discrete ? DS_DISCRETE_STATE
         : implicit     ? DS_IMPLICIT
                        : DS_EXPLICIT;
}

static DsVariable describe_variable(const Description *d, uint32_t k, bool implicit) {
  static const DsVariability variability[] = {DS_CONTINUOUS, DS_DISCRETE, DS_PARAMETER,
                                              DS_CONSTANT};
  static const DsAccess access[] = {DS_LOCAL, DS_INPUT, DS_OUTPUT};
  const FlatVar *v = &d->flat->vars.at[k];
  const SVar *sv = &d->s->vars.at[k];
  const Type *t = type_get(d->flat->pool, v->type);
  const TypeDecl *decl = t->base == TY_ENUM && t->decl && t->decl->n ? t->decl : NULL;
  return (DsVariable){.name = describe_text(v->name),
                      .unit = describe_text(v->unit),
                      .display_unit = describe_text(v->display_unit),
                      .quantity = describe_text(v->quantity),
                      .comment = describe_text(v->comment),
                      .literals = decl ? decl->names : NULL,
                      .n_literals = decl ? (int)decl->n : 0,
                      .component = (int)v->origin,
                      .place = (int)sv->place,
                      .der = structure_der_place(d->s, k),
                      .type = (unsigned char)type_of(t->base),
                      .variability = (unsigned char)variability[v->variability],
                      .access = (unsigned char)access[v->causality],
                      .property = (unsigned char)property_of(sv, implicit),
                      .flags = flags_of(d, k)};
}

/* Per SVar: it is solved together with others, or for. */
static bool *find_implicit(const Description *d) {
  bool *implicit = NEW_ARRAY(d->a, bool, d->s->vars.n + 1);
  for (uint32_t b = 0; b < d->s->simulation.blocks.n; b++) {
    const SBlock *bl = &d->s->simulation.blocks.at[b];
    for (uint32_t k = 0; k < bl->n && bl->kind != BLOCK_EXPLICIT; k++)
      implicit[bl->unknowns[k]] = true;
  }
  return implicit;
}

static void describe_components(Description *d) {
  uint32_t n = d->flat->origins.n;
  DsComponent *out = NEW_ROWS(d, DsComponent, n);
  for (uint32_t k = 0; k < n; k++) {
    const FlatOrigin *o = &d->flat->origins.at[k];
    out[k] = (DsComponent){describe_text(o->path), describe_text(o->class_name), (int)o->parent};
  }
  d->model.components = out, d->model.n_components = (int)n;
}

void describe_variables(Description *d) {
  uint32_t n = d->flat->vars.n;
  const bool *implicit = find_implicit(d);
  DsVariable *out = NEW_ROWS(d, DsVariable, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = describe_variable(d, k, implicit[k]);
  d->model.variables = out, d->model.n_variables = (int)n;
  describe_components(d);
}
