/* flat/check_declared.c -- V006: attributes of declarations that can mean nothing where they stand:
 * a nominal value that is no size, a state that is discrete or a parameter. Other attributes are
 * refused when they are read (M001). */
#include "flat/check_impl.h"

static void check_nominal(Check *c, const FlatVar *v) {
  double nominal;
  if (!v->nominal.i || !expr_as_real(c->m->pool, v->nominal, &nominal) || nominal > 0)
    return;
  Diag *d = diag_add(c->diags, D_V006, v->span,
                     "the nominal value of `%s` is %g: a size is positive, and %s is taken",
                     v->name, nominal, nominal < 0 ? "its absolute value" : "1");
  diag_help(c->diags, d, "give the size that the variable typically has, or none");
}

static void check_select(Check *c, const FlatVar *v) {
  if (v->select != SELECT_ALWAYS || v->variability == FLAT_CONTINUOUS)
    return;
  diag_add(c->diags, D_V006, v->span,
           "`%s` cannot be a state, as its stateSelect asks for: it is %s", v->name,
           v->variability == FLAT_DISCRETE    ? "discrete"
           : v->variability == FLAT_PARAMETER ? "a parameter"
                                              : "a constant");
}

void check_declared(Check *c) {
  for (uint32_t k = 0; k < c->m->vars.n && !c->stored; k++) {
    check_nominal(c, &c->m->vars.at[k]);
    check_select(c, &c->m->vars.at[k]);
  }
}
