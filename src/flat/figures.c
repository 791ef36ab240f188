/* flat/figures.c -- Figure annotations of a class and its base classes (MLS 3.6 section 18.2.2) ->
 * figures of the flat model.
 * How:  the records Figure, Plot, Axis, Curve are calls in the syntax tree; each has a table of its
 *       fields. Names of curves are names of scalar variables of the flat model: elements of base
 *       classes have the same names in the class that inherits them.
 * Keep: nothing that is wrong with a figure is an error of the model: it is a warning (G010, G011),
 *       and the part is left out. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "flat/flatten_impl.h"
#include "flat/markup.h"
#include "flat/print_impl.h"
#include "flat/unit.h"

typedef struct {
  FlatModel *m;
  Arena *a;
  Diags *diags;
  Map by_name;                /* hash of the name -> place in vars + 1 */
  VEC(const AstClass *) seen; /* classes that were read: one may be inherited twice */
} Figures;

typedef enum { FIELD_TEXT, FIELD_REAL, FIELD_INTEGER, FIELD_BOOLEAN, FIELD_OTHER } FieldKind;

/* A field of a record: its name, what it holds, where to. FIELD_OTHER: the expression itself. */
typedef struct {
  const char *name;
  FieldKind kind;
  void *to;
} Field;

/* ---- fields ---- */

static Diag *complain(Figures *f, Span span, const char *text, const char *name) {
  return diag_add(f->diags, D_G011, span, text, name);
}

/* A literal, or literals joined by +; the parser bounds how deeply. */
static bool text_value(const AstExp *e, Text *out) {
  if (e->kind == AST_STRING)
    text_add(out, e->string);
  return e->kind == AST_STRING || (e->kind == AST_BINARY && e->op == AST_ADD &&
                                   text_value(e->a, out) && text_value(e->b, out));
}

static double number_value(const AstExp *e) {
  double sign = 1;
  if (e->kind == AST_UNARY && (e->op == AST_NEG || e->op == AST_PLUS)) {
    sign = e->op == AST_NEG ? -1 : 1;
    e = e->a;
  }
  return e->kind == AST_REAL      ? sign * e->real
         : e->kind == AST_INTEGER ? sign * (double)e->integer
                                  : NAN;
}

static void set_field(Figures *f, const Field *field, const AstExp *e) {
  static const char *const wanted[] = {[FIELD_TEXT] = "a String literal",
                                       [FIELD_REAL] = "a number",
                                       [FIELD_INTEGER] = "a whole number",
                                       [FIELD_BOOLEAN] = "true or false",
                                       [FIELD_OTHER] = ""};
  bool ok = true;
  Text text = {.arena = f->a};
  double number = number_value(e);
  switch (field->kind) {
  case FIELD_TEXT:
    if ((ok = text_value(e, &text)))
      *(const char **)field->to = text.n ? text_str(&text) : "";
    break;
  case FIELD_REAL:
    if ((ok = isfinite(number)))
      *(double *)field->to = number;
    break;
  case FIELD_INTEGER:
    if ((ok = number == floor(number) && fabs(number) <= INT_MAX))
      *(int64_t *)field->to = (int64_t)number;
    break;
  case FIELD_BOOLEAN:
    if ((ok = e->kind == AST_BOOLEAN))
      *(bool *)field->to = e->integer;
    break;
  case FIELD_OTHER: *(const AstExp **)field->to = e; break;
  }
  if (!ok)
    diag_help(f->diags,
              complain(f, e->span, "`%s` of a figure has a value that it cannot have", field->name),
              "it is %s", wanted[field->kind]);
}

static void unknown_field(Figures *f, const AstArg *arg, const char *record, const Field *fields,
                          uint32_t n) {
  const char *names[16], *best[1];
  for (uint32_t k = 0; k < n; k++)
    names[k] = fields[k].name;
  Diag *d = diag_add(f->diags, D_G011, arg->span,
                     arg->name ? "`%s` has no field `%s`" : "fields of `%s` have names", record,
                     arg->name);
  if (arg->name && nearest_names(arg->name, names, n, best, 1))
    diag_help(f->diags, d, "did you mean `%s`?", best[0]);
}

static bool is_call(const AstExp *e, const char *name) {
  return e->kind == AST_CALL && e->function->n == 1 && !strcmp(e->function->parts[0].name, name);
}

/* The fields of Record(field = value, ...); false if it is something else. Fields of other vendors
 * mean nothing here. */
static bool read_record(Figures *f, const AstExp *e, const char *record, const Field *fields,
                        uint32_t n) {
  if (!is_call(e, record)) {
    complain(f, e->span, "here only `%s(...)` has a meaning", record);
    return false;
  }
  for (uint32_t i = 0; i < e->n; i++) {
    const AstArg *arg = &e->args[i];
    uint32_t k = 0;
    while (k < n && arg->name && strcmp(fields[k].name, arg->name))
      k++;
    if (arg->name && k < n)
      set_field(f, &fields[k], arg->value);
    else if (!arg->name || strncmp(arg->name, "__", 2) || !strncmp(arg->name, "__NuSim", 7))
      unknown_field(f, arg, record, fields, n);
  }
  return true;
}

#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof *(list)))

/* Elements of {a, b}; none after a warning if it is something else or is missing. */
static uint32_t read_list(Figures *f, const AstExp *e, Span around, const char *name,
                          AstExp *const **items) {
  if (e && e->kind == AST_ARRAY) {
    *items = e->items;
    return e->n;
  }
  complain(f, e ? e->span : around, "`%s` of a figure is a list in braces, {...}", name);
  return 0;
}

/* ---- variables ---- */

static bool find_variable(const Figures *f, const char *name, uint32_t *var) {
  uint64_t at;
  if (!map_get(&f->by_name, hash_bytes(name, strlen(name)) >> 1, &at) ||
      strcmp(f->m->vars.at[at].name, name))
    return false;
  *var = (uint32_t)at;
  return true;
}

/* The name that a variable has in the flat model; NULL if a subscript is no number. */
static const char *reference_name(const Figures *f, const AstRef *ref) {
  Text name = {.arena = f->a};
  for (uint32_t i = 0; i < ref->n; i++) {
    const AstRefPart *part = &ref->parts[i];
    text_printf(&name, "%s%s", i ? "." : "", part->name);
    for (uint32_t k = 0; k < part->n_subs; k++) {
      if (part->subs[k]->kind != AST_INTEGER)
        return NULL;
      text_printf(&name, "%s%lld", k ? "," : "[", (long long)part->subs[k]->integer);
    }
    text_add(&name, part->n_subs ? "]" : "");
  }
  return text_str(&name);
}

static void unknown_name(Figures *f, const char *name, Span span) {
  const char **names = NEW_ARRAY(f->a, const char *, f->m->vars.n + 1), *best[3];
  size_t n = strlen(name);
  bool whole = false;
  for (uint32_t i = 0; i < f->m->vars.n; i++) {
    names[i] = f->m->vars.at[i].name;
    whole = whole || (!strncmp(names[i], name, n) && (names[i][n] == '.' || names[i][n] == '['));
  }
  Diag *d = diag_add(f->diags, D_G010, span,
                     whole ? "`%s` in a figure is no scalar variable"
                           : "`%s` in a figure is no variable of the model",
                     name);
  uint32_t found = whole ? 0 : nearest_names(name, names, f->m->vars.n, best, 3);
  if (whole)
    diag_help(f->diags, d, "name one of its elements");
  else if (found == 1)
    diag_help(f->diags, d, "did you mean `%s`?", best[0]);
  else if (found)
    diag_help(f->diags, d,
              found == 2 ? "did you mean `%s` or `%s`?" : "did you mean `%s`, `%s` or `%s`?",
              best[0], best[1], best[2]);
}

/* result-reference: a variable, time, der(variable). */
static bool read_reference(Figures *f, const AstExp *e, FigureRef *out) {
  const AstExp *of = e;
  bool der = is_call(e, "der") &&
             (e->n == 1 || (e->n == 2 && e->args[1].value->kind == AST_INTEGER &&
                            e->args[1].value->integer == 1));
  if (der)
    of = e->args[0].value;
  const char *name = of->kind == AST_REF ? reference_name(f, of->ref) : NULL;
  if (!name) {
    Diag *d = diag_add(f->diags, D_G011, e->span,
                       "a curve shows a variable, its derivative or time, no other expression");
    diag_help(f->diags, d, "declare a variable for it");
    return false;
  }
  *out = (FigureRef){FIGURE_TIME, der};
  if (!der && !strcmp(name, "time"))
    return true;
  if (!find_variable(f, name, &out->var)) {
    unknown_name(f, name, of->span);
    return false;
  }
  const FlatVar *v = &f->m->vars.at[out->var];
  TypeBase base = type_get(f->m->pool, v->type)->base;
  bool ok = der ? v->has_der : base != TY_STRING && base != TY_EXTERNAL;
  if (!ok)
    complain(f, e->span,
             der ? "no equation has the derivative of `%s`"
                 : "`%s` cannot be drawn: it is no number",
             name);
  return ok;
}

/* Names in a text; those that are none stay as they are written. Text that was flat before has
 * names in quotes. */
static void check_text(Figures *f, const char *text, bool caption, const FlatFigure *figure) {
  const MarkupPiece *pieces;
  uint32_t n = text ? markup_split(text, caption, f->a, &pieces) : 0, var;
  for (uint32_t i = 0; i < n; i++) {
    const char *name = pieces[i].text;
    size_t length = strlen(name);
    if (pieces[i].kind == MARKUP_PLOT) {
      bool found = false;
      for (uint32_t k = 0; k < figure->n_plots; k++)
        found = found ||
                (figure->plots[k].identifier && !strcmp(figure->plots[k].identifier, name));
      if (!found)
        complain(f, figure->span,
                 "the caption of the figure names a plot `%s` that it does not have", name);
    }
    if (pieces[i].kind != MARKUP_VALUE && pieces[i].kind != MARKUP_VARIABLE)
      continue;
    if (length > 5 && !strncmp(name, "der(", 4) && name[length - 1] == ')')
      name = arena_strndup(f->a, name + 4, length - 5);
    Text quoted = {.arena = f->a};
    flat_print_identifier(&quoted, name);
    if (strcmp(name, "time") && !find_variable(f, name, &var) &&
        !find_variable(f, text_str(&quoted), &var))
      unknown_name(f, name, figure->span);
  }
}

/* ---- records ---- */

static void read_axis(Figures *f, const AstExp *e, FigureAxis *axis) {
  const AstExp *scale = NULL;
  double base = 10;
  const Field fields[] = {{"min", FIELD_REAL, &axis->min},
                          {"max", FIELD_REAL, &axis->max},
                          {"unit", FIELD_TEXT, &axis->unit},
                          {"label", FIELD_TEXT, &axis->label},
                          {"scale", FIELD_OTHER, &scale}};
  const Field log_fields[] = {{"base", FIELD_REAL, &base}};
  if (!e || !read_record(f, e, "Axis", fields, COUNT(fields)))
    return;
  if (axis->unit && !*axis->unit)
    axis->unit = NULL;
  Unit unit;
  if (axis->unit && !unit_parse(axis->unit, &unit)) {
    complain(f, e->span, "`%s` cannot be read as a unit; the axis has none", axis->unit);
    axis->unit = NULL;
    axis->min = axis->max = NAN;
  }
  axis->log = scale && is_call(scale, "Log");
  if (axis->log && read_record(f, scale, "Log", log_fields, 1) && base != 10)
    diag_add(f->diags, D_G011, scale->span, "logarithmic axes have powers of 10, not of %g", base);
  else if (scale && !axis->log && !is_call(scale, "Linear"))
    diag_add(f->diags, D_G011, scale->span, "a scale is `Linear()` or `Log()`");
  if (axis->log && (axis->min <= 0 || axis->max <= 0))
    diag_add(f->diags, D_G011, e->span, "a logarithmic axis has no value of 0 or below");
}

/* The unit of an axis must fit what is drawn against it. */
static bool unit_fits(Figures *f, const FigureAxis *axis, FigureRef ref, Span span) {
  const FlatVar *v = ref.var == FIGURE_TIME ? NULL : &f->m->vars.at[ref.var];
  const char *unit = v ? v->unit : "s";
  Unit of_axis, second, own;
  if (!axis->unit || !unit || !*unit || !unit_parse(axis->unit, &of_axis) ||
      !unit_parse(unit, &own) || !unit_parse("s", &second))
    return true;
  if (ref.der)
    own = unit_product(&own, &second, -1);
  if (unit_same_dimension(&of_axis, &own))
    return true;
  Diag *d = diag_add(f->diags, D_G011, span, "the unit of the axis, `%s`, does not fit the curve",
                     axis->unit);
  diag_note(f->diags, d, "`%s` has the unit `%s`", v ? v->name : "time", unit);
  return false;
}

static bool read_curve(Figures *f, const AstExp *e, const FigurePlot *plot, FigureCurve *curve) {
  const AstExp *x = NULL, *y = NULL;
  const Field fields[] = {{"x", FIELD_OTHER, &x},
                          {"y", FIELD_OTHER, &y},
                          {"legend", FIELD_TEXT, &curve->legend},
                          {"zOrder", FIELD_INTEGER, &curve->z_order},
                          {"__NuSim_right", FIELD_BOOLEAN, &curve->right}};
  curve->x.var = FIGURE_TIME;
  if (!read_record(f, e, "Curve", fields, COUNT(fields)))
    return false;
  if (!y) {
    diag_add(f->diags, D_G011, e->span, "a curve needs `y`, the variable that it shows");
    return false;
  }
  return (!x || read_reference(f, x, &curve->x)) && read_reference(f, y, &curve->y) &&
         unit_fits(f, &plot->x, curve->x, x ? x->span : e->span) &&
         unit_fits(f, curve->right ? &plot->y2 : &plot->y, curve->y, y->span);
}

static bool read_plot(Figures *f, const AstExp *e, FigurePlot *plot) {
  const AstExp *curves = NULL, *x = NULL, *y = NULL, *y2 = NULL;
  const Field fields[] = {{"title", FIELD_TEXT, &plot->title},
                          {"identifier", FIELD_TEXT, &plot->identifier},
                          {"curves", FIELD_OTHER, &curves},
                          {"x", FIELD_OTHER, &x},
                          {"y", FIELD_OTHER, &y},
                          {"__NuSim_right", FIELD_OTHER, &y2}};
  plot->x.min = plot->x.max = plot->y.min = plot->y.max = plot->y2.min = plot->y2.max = NAN;
  if (!read_record(f, e, "Plot", fields, COUNT(fields)))
    return false;
  read_axis(f, x, &plot->x);
  read_axis(f, y, &plot->y);
  read_axis(f, y2, &plot->y2);
  AstExp *const *items;
  uint32_t n = read_list(f, curves, e->span, "curves", &items);
  plot->curves = NEW_ARRAY(f->a, FigureCurve, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    plot->curves[plot->n_curves] = (FigureCurve){0};
    plot->n_curves += read_curve(f, items[i], plot, &plot->curves[plot->n_curves]);
  }
  return true;
}

static void check_texts(Figures *f, const FlatFigure *figure) {
  check_text(f, figure->title, false, figure);
  check_text(f, figure->caption, true, figure);
  for (uint32_t i = 0; i < figure->n_plots; i++) {
    const FigurePlot *p = &figure->plots[i];
    const char *const texts[] = {p->title, p->x.label, p->y.label, p->y2.label};
    for (uint32_t k = 0; k < COUNT(texts); k++)
      check_text(f, texts[k], false, figure);
    for (uint32_t k = 0; k < p->n_curves; k++)
      check_text(f, p->curves[k].legend, false, figure);
    for (uint32_t k = 0; k < i; k++)
      if (p->identifier && *p->identifier && figure->plots[k].identifier &&
          !strcmp(figure->plots[k].identifier, p->identifier))
        complain(f, figure->span, "two plots of the figure have the identifier `%s`",
                 p->identifier);
  }
}

/* Plots whose curves were all left out are left out, too. */
static void drop_empty(FlatFigure *figure) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < figure->n_plots; i++)
    if (figure->plots[i].n_curves)
      figure->plots[n++] = figure->plots[i];
  figure->n_plots = n;
}

static void read_figure(Figures *f, const AstExp *e) {
  const AstExp *plots = NULL;
  FlatFigure figure = {.span = e->span};
  const Field fields[] = {{"title", FIELD_TEXT, &figure.title},
                          {"identifier", FIELD_TEXT, &figure.identifier},
                          {"group", FIELD_TEXT, &figure.group},
                          {"caption", FIELD_TEXT, &figure.caption},
                          {"preferred", FIELD_BOOLEAN, &figure.preferred},
                          {"plots", FIELD_OTHER, &plots}};
  if (!read_record(f, e, "Figure", fields, COUNT(fields)))
    return;
  AstExp *const *items;
  uint32_t n = read_list(f, plots, e->span, "plots", &items);
  figure.plots = NEW_ARRAY(f->a, FigurePlot, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    figure.plots[figure.n_plots] = (FigurePlot){0};
    figure.n_plots += read_plot(f, items[i], &figure.plots[figure.n_plots]);
  }
  check_texts(f, &figure);
  drop_empty(&figure);
  for (uint32_t i = 0; i < f->m->figures.n; i++) {
    const FlatFigure *other = &f->m->figures.at[i];
    if (!figure.identifier || !*figure.identifier || !other->identifier ||
        strcmp(other->identifier, figure.identifier))
      continue;
    Diag *d = complain(f, e->span, "two figures have the identifier `%s`", figure.identifier);
    diag_label(f->diags, d, other->span, "the other one");
  }
  if (figure.n_plots)
    vec_push(f->a, &f->m->figures, figure);
}

/* ---- classes ---- */

static const AstMod *part_of(const AstMod *m, const char *name) {
  for (uint32_t i = 0; m && i < m->n_subs; i++)
    if (m->subs[i]->ref && m->subs[i]->ref->n == 1 && !strcmp(m->subs[i]->ref->parts[0].name, name))
      return m->subs[i];
  return NULL;
}

/* The figures of a class, then those of its base classes. */
static void read_class(Figures *f, const Class *c) {
  for (uint32_t i = 0; i < f->seen.n; i++)
    if (f->seen.at[i] == c->ast)
      return;
  if (c->ast)
    vec_push(f->a, &f->seen, c->ast);
  const AstMod *figures = c->ast ? part_of(part_of(c->ast->annotation, "Documentation"), "figures")
                                 : NULL;
  if (figures && figures->value) {
    AstExp *const *items;
    uint32_t n = read_list(f, figures->value, figures->span, "figures", &items);
    for (uint32_t i = 0; i < n; i++)
      read_figure(f, items[i]);
  }
  for (uint32_t i = 0; i < c->bases.n; i++)
    read_class(f, c->bases.at[i].cls);
}

static bool has_figures(const Class *c) {
  bool any = c->ast && part_of(part_of(c->ast->annotation, "Documentation"), "figures");
  for (uint32_t i = 0; !any && i < c->bases.n; i++)
    any = has_figures(c->bases.at[i].cls);
  return any;
}

void flatten_figures(Flattener *fl, const Class *c) {
  if (!has_figures(c))
    return;
  Figures f = {.m = fl->m, .a = fl->arena, .diags = fl->diags};
  for (uint32_t i = 0; i < fl->m->vars.n; i++)
    map_put(f.a, &f.by_name,
            hash_bytes(fl->m->vars.at[i].name, strlen(fl->m->vars.at[i].name)) >> 1, i);
  read_class(&f, c);
}
