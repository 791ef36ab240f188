/* flat/expand.c -- expandable connectors: what they contain follows from what is connected to them
 * (MLS 3.6 section 9.1.3). A connect that names an element which a bus does not have gives it one
 * like the other side; buses that are connected with each other share their elements. Repeated
 * until nothing is added; then elements that no connect has reached disappear.
 * Keep: elements are added in order of the connects, so equal models give equal buses. */
#include "flat/flatten_impl.h"

static Mod *without_value(Flattener *fl, const Mod *m) {
  if (!m)
    return NULL;
  Mod *plain = NEW(fl->arena, Mod);
  *plain = *m;
  plain->value = NULL;
  plain->typed = NO_EXPR;
  plain->n_index = 0;
  return plain;
}

/* An element of the bus that looks like `like`, or like one item of it. */
static Element *add_element(Flattener *fl, Class *bus, const char *name, const Element *like,
                            bool item) {
  Element *e = NEW(fl->arena, Element);
  *e = (Element){.kind = ELEMENT_COMPONENT,
                 .name = name,
                 .ast = like->ast,
                 .original = like->original,
                 .scope = like->scope,
                 .original_scope = like->original_scope,
                 .owner = class_self(bus),
                 .in_use = true};
  e->mod = without_value(fl, like->mod);
  if (item) { /* one of an array: without the dimensions of the whole */
    AstElement *ast = NEW(fl->arena, AstElement);
    *ast = *like->ast;
    ast->n_dims = ast->n_type_dims = 0;
    e->ast = ast;
    e->original = NULL;
  }
  map_put_ptr(fl->arena, &bus->table, name, e);
  vec_push(fl->arena, &bus->elements, e);
  fl->expanded = true;
  return e;
}

static void use(Flattener *fl, Element *e) {
  fl->expanded |= !e->in_use;
  e->in_use = true;
}

/* Both buses have what one of them has in use. */
static void share(Flattener *fl, Class *from, Class *to) {
  class_expand(fl->w, from);
  for (uint32_t i = 0; i < from->elements.n; i++) {
    Element *e = from->elements.at[i];
    if (e->kind != ELEMENT_COMPONENT || !e->in_use)
      continue;
    Element *other = lookup_in(fl->w, to, e->name);
    if (!other)
      other = add_element(fl, to, e->name, e, false);
    else if (other->kind == ELEMENT_COMPONENT)
      use(fl, other);
    if (!element_resolve(fl->w, e) || !element_resolve(fl->w, other))
      continue;
    for (uint32_t k = 0; e->items && other->items && k < e->n_items && k < other->n_items;
         k++) /* buses inside of buses */
      if (e->items[k]->kind == CLASS_EXPANDABLE && other->items[k]->kind == CLASS_EXPANDABLE) {
        share(fl, e->items[k], other->items[k]);
        share(fl, other->items[k], e->items[k]);
      }
  }
}

static bool is_bus(const End *end) {
  return end->e->items && end->e->items[end->item]->kind == CLASS_EXPANDABLE;
}

static void pair_ends(Flattener *fl, const End *a, const End *b) {
  use(fl, a->e);
  use(fl, b->e);
  if (is_bus(a) && is_bus(b)) {
    share(fl, a->e->items[a->item], b->e->items[b->item]);
    share(fl, b->e->items[b->item], a->e->items[a->item]);
  }
}

static void fill_missing(Flattener *fl, Elab *el, const MissingElement *missing, const Ends *like) {
  if (missing->name->n_subs) {
    elab_error(el, D_X001, missing->name->span,
               "an element of an expandable connector that is an array only by its subscripts is "
               "not supported yet");
    return;
  }
  if (!like->n)
    return; /* the other side does not exist yet either: the next round may know more */
  const Element *e = like->at[0].e;
  add_element(fl, missing->bus, missing->name->name, e, e->n_dims && like->n == 1);
}

void expand_connect(Flattener *fl, Elab *el, const AstEquation *eq) {
  Ends a = {0}, b = {0};
  bool absent = false;
  MissingElement missing_a = {0}, missing_b = {0};
  uint32_t mark = diags_count(fl->diags);
  bool ok = connect_ends_or_missing(fl, el, eq->from, &a, &absent, &missing_a) &&
            connect_ends_or_missing(fl, el, eq->to, &b, &absent, &missing_b);
  diags_rewind(fl->diags, mark); /* what is wrong is told when it is connected */
  if (!ok || absent)
    return;
  if (missing_a.bus)
    fill_missing(fl, el, &missing_a, &b);
  if (missing_b.bus)
    fill_missing(fl, el, &missing_b, &a);
  for (uint32_t i = 0; i < a.n && i < b.n; i++)
    pair_ends(fl, &a.at[i], &b.at[i]);
}

/* Also in buses inside of this one: they may have been added. */
static void hide_unused(Flattener *fl, Class *bus) {
  class_expand(fl->w, bus);
  for (uint32_t i = 0; i < bus->elements.n; i++) {
    Element *e = bus->elements.at[i];
    if (e->kind != ELEMENT_COMPONENT || !element_resolve(fl->w, e))
      continue;
    e->absent |= !e->in_use;
    for (uint32_t k = 0; !e->absent && e->items && k < e->n_items; k++)
      if (e->items[k]->kind == CLASS_EXPANDABLE)
        hide_unused(fl, e->items[k]);
  }
}

void expand_connectors(Flattener *fl, Class *model) {
  do {
    fl->expanded = false;
    flatten_equations(fl, model, PASS_EXPAND);
  } while (fl->expanded && !diags_errors(fl->diags));
  for (uint32_t k = 0; k < fl->buses.n; k++)
    hide_unused(fl, fl->buses.at[k]);
  fl->buses.n = 0;
}
