/* instance/restrict_mod.c -- what a modification of a component may say (MLS 3.6 sections 4.1, 4.8,
 * 7.2.5).
 * Protected elements are not modified from outside; `each` needs an array, and an array of
 * attributes needs `each` or one value per element; classes have no value; attributes belong to
 * their type. */
#include "instance/inst.h"

#include <string.h>

static void check_protected(World *w, const Mod *sub, const Element *part, const Class *shape) {
  Diag *d = diag_add(w->diags, D_N005, sub->span,
                     "`%s` is protected in `%s` and cannot be modified from outside", part->name,
                     class_full_name(shape));
  if (part->ast)
    diag_label(w->diags, d, part->ast->span, "declared here");
}

static void check_each(World *w, const Element *e, const Mod *sub) {
  for (const Element *around = e; sub->each && around;
       around = class_self(around->owner)->component)
    if (around->n_dims)
      return; /* it may be meant for an array further out: a[3](b(each c = 1)) */
  if (!sub->each)
    return;
  Diag *d = diag_add(w->diags, D_M007, sub->name_span, "`each` is for arrays, but `%s` is none",
                     e->name);
  diag_label(w->diags, d, e->ast->span, "declared here");
  diag_help(w->diags, d, "leave `each` out");
}

void restrict_mods(World *w, const Element *e, const Class *shape) {
  for (uint32_t i = 0; e->mod && i < e->mod->n_subs; i++) {
    const Mod *sub = e->mod->subs[i];
    const Element *part = map_get_ptr(&shape->table, sub->name);
    if (part && part->is_protected)
      check_protected(w, sub, part, shape);
    if (part && part->kind == ELEMENT_CLASS && mod_has_value(sub))
      diag_add(w->diags, D_M001, sub->span, "`%s` is a class and cannot have a value", part->name);
    check_each(w, e, sub);
  }
}

/* ---- attributes ---- */

enum { OF_REAL = 1, OF_INTEGER = 2, OF_BOOLEAN = 4, OF_STRING = 8, OF_ENUM = 16 };

static const struct {
  const char *name;
  int types; /* which have it */
} attributes[] = {
    {"quantity", OF_REAL | OF_INTEGER | OF_BOOLEAN | OF_STRING | OF_ENUM},
    {"unit", OF_REAL},
    {"displayUnit", OF_REAL},
    {"nominal", OF_REAL},
    {"unbounded", OF_REAL},
    {"stateSelect", OF_REAL},
    {"min", OF_REAL | OF_INTEGER | OF_ENUM},
    {"max", OF_REAL | OF_INTEGER | OF_ENUM},
    {"start", OF_REAL | OF_INTEGER | OF_BOOLEAN | OF_STRING | OF_ENUM},
    {"fixed", OF_REAL | OF_INTEGER | OF_BOOLEAN | OF_STRING | OF_ENUM},
};

static int type_bit(TypeBase base) {
  switch (base) {
  case TY_REAL: return OF_REAL;
  case TY_INTEGER: return OF_INTEGER;
  case TY_BOOLEAN: return OF_BOOLEAN;
  case TY_STRING: return OF_STRING;
  case TY_ENUM: return OF_ENUM;
  case TY_NONE:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_EXTERNAL:
  case TY_FUNCTION:
  case TY_TUPLE: break;
  }
  return 0;
}

void restrict_attributes(World *w, const Element *e, TypeBase base) {
  static const char *const names[] = {"Real", "Integer", "Boolean", "String", "an enumeration"};
  int bit = type_bit(base);
  for (uint32_t i = 0; e->mod && i < e->mod->n_subs; i++) {
    const Mod *sub = e->mod->subs[i];
    for (uint32_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
      if (strcmp(attributes[k].name, sub->name) == 0 && bit && !(attributes[k].types & bit)) {
        const char *type = names[bit == OF_REAL      ? 0
                                 : bit == OF_INTEGER ? 1
                                 : bit == OF_BOOLEAN ? 2
                                 : bit == OF_STRING  ? 3
                                                     : 4];
        diag_add(w->diags, D_M001, sub->span, "%s has no attribute `%s`", type, sub->name);
      }
    check_each(w, e, sub);
  }
}
