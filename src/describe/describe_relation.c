/* describe/describe_relation.c -- relations and their formulas, mixed systems, initial conditions
 * beyond those that were needed. */
#include "describe/describe_impl.h"
#include "structure/formula.h"
#include "structure/name.h"
#include "structure/sorted.h"
#include "structure/tables.h"

static SFormulas describe_formulas(Description *d) {
  SFormulas f = structure_formulas(d->s, d->a);
  DsTerm *terms = NEW_ROWS(d, DsTerm, f.terms.n);
  for (uint32_t k = 0; k < f.terms.n; k++)
    terms[k] = (DsTerm){f.terms.at[k].op, f.terms.at[k].a, f.terms.at[k].b, f.terms.at[k].c};
  d->model.terms = terms;
  d->model.numbers = f.numbers.at;
  return f;
}

void describe_relations(Description *d) {
  const Structure *s = d->s;
  SFormulas f = describe_formulas(d);
  DsRelation *out = NEW_ROWS(d, DsRelation, s->relations.n);
  for (uint32_t k = 0; k < s->relations.n; k++) {
    const SRelation *r = &s->relations.at[k];
    out[k] = (DsRelation){.op = (unsigned char)(r->op - OP_LT),
                          .timed = r->timed,
                          .rising = r->rising,
                          .mixed = r->mixed,
                          .field = r->field,
                          .direct = r->direct,
                          .swapped = r->swapped,
                          .modal = r->modal,
                          .chatter = r->chatter,
                          .surface = (int)r->surface,
                          .watch = structure_watch(s, k),
                          .place = describe_where(d, r->span),
                          .term = (int)f.first[k],
                          .n_terms = (int)f.n[k]};
  }
  d->model.relations = out;
}

void describe_mixed(Description *d) {
  const Structure *s = d->s;
  DsMixed *out = NEW_ROWS(d, DsMixed, s->mixed.n);
  for (uint32_t k = 0; k < s->mixed.n; k++) {
    const SMixed *g = &s->mixed.at[k];
    out[k] = (DsMixed){.n_relations = (int)g->relations.n,
                       .n_integers = (int)g->discrete.n,
                       .n_strings = (int)g->strings.n,
                       .relations = describe_numbers(d, g->relations.at, g->relations.n),
                       .integers = describe_places_of(d, g->discrete.at, g->discrete.n),
                       .strings = describe_places_of(d, g->strings.at, g->strings.n),
                       .place = describe_where(d, g->span)};
  }
  d->model.mixed = out, d->model.n_mixed = (int)s->mixed.n;
}

static const char *side_text(Description *d, ExprId e) {
  Text t = {.arena = d->a};
  structure_print(d->s, e, &t);
  return text_str(&t);
}

void describe_redundant(Description *d) {
  const Structure *s = d->s;
  DsRedundant *out = NEW_ROWS(d, DsRedundant, s->redundant.n);
  for (uint32_t k = 0; k < s->redundant.n; k++) {
    const SRedundant *r = &s->redundant.at[k];
    bool number = expr_is_literal(d->flat->pool, r->rhs);
    out[k] = (DsRedundant){.left_text = side_text(d, r->lhs),
                           .right_text = number ? "" : side_text(d, r->rhs),
                           .others = describe_text(r->others),
                           .place = describe_where(d, r->span)};
  }
  d->model.redundant = out, d->model.n_redundant = (int)s->redundant.n;
}
