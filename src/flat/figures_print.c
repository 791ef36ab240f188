/* flat/figures_print.c -- figures of a flat model as the annotation that they came from. */
#include <math.h>

#include "flat/print_impl.h"

/* Fields of one record: what stands between them. */
typedef struct {
  Printer *p;
  const char *before; /* the next field */
} Fields;

static void field(Fields *f, const char *name) {
  text_printf(f->p->out, "%s%s = ", f->before, name);
  f->before = ", ";
}

static void text_field(Fields *f, const char *name, const char *value) {
  if (!value)
    return;
  field(f, name);
  flat_print_string(f->p->out, value);
}

static void real_field(Fields *f, const char *name, double value) {
  if (isnan(value))
    return;
  field(f, name);
  text_real(f->p->out, value);
}

static void print_axis(Fields *around, const char *name, const FigureAxis *axis) {
  if (isnan(axis->min) && isnan(axis->max) && !axis->unit && !axis->label && !axis->log)
    return;
  field(around, name);
  Fields f = {around->p, ""};
  text_add(f.p->out, "Axis(");
  real_field(&f, "min", axis->min);
  real_field(&f, "max", axis->max);
  text_field(&f, "unit", axis->unit);
  text_field(&f, "label", axis->label);
  if (axis->log) {
    field(&f, "scale");
    text_add(f.p->out, "Log()");
  }
  text_add(f.p->out, ")");
}

static void print_reference(Printer *p, FigureRef ref) {
  text_add(p->out, ref.der ? "der(" : "");
  if (ref.var == FIGURE_TIME)
    text_add(p->out, "time");
  else
    flat_print_identifier(p->out, p->m->vars.at[ref.var].name);
  text_add(p->out, ref.der ? ")" : "");
}

static void print_curve(Printer *p, const FigureCurve *c) {
  Fields f = {p, ""};
  flat_print_line(p);
  text_add(p->out, "Curve(");
  if (c->x.var != FIGURE_TIME) {
    field(&f, "x");
    print_reference(p, c->x);
  }
  field(&f, "y");
  print_reference(p, c->y);
  text_field(&f, "legend", c->legend);
  if (c->z_order) {
    field(&f, "zOrder");
    text_integer(p->out, c->z_order);
  }
  if (c->right)
    text_printf(p->out, "%s__NuSim_right = true", f.before);
  text_add(p->out, ")");
}

static void print_plot(Printer *p, const FigurePlot *plot) {
  Fields f = {p, ""};
  flat_print_line(p);
  text_add(p->out, "Plot(");
  text_field(&f, "title", plot->title);
  text_field(&f, "identifier", plot->identifier);
  print_axis(&f, "x", &plot->x);
  print_axis(&f, "y", &plot->y);
  print_axis(&f, "__NuSim_right", &plot->y2);
  field(&f, "curves");
  text_add(p->out, "{");
  p->indent++;
  for (uint32_t i = 0; i < plot->n_curves; i++) {
    print_curve(p, &plot->curves[i]);
    text_add(p->out, i + 1 < plot->n_curves ? "," : "");
  }
  p->indent--;
  text_add(p->out, "})");
}

static void print_figure(Printer *p, const FlatFigure *figure) {
  Fields f = {p, ""};
  flat_print_line(p);
  text_add(p->out, "Figure(");
  text_field(&f, "title", figure->title);
  text_field(&f, "identifier", figure->identifier);
  text_field(&f, "group", figure->group);
  if (figure->preferred) {
    field(&f, "preferred");
    text_add(p->out, "true");
  }
  text_field(&f, "caption", figure->caption);
  field(&f, "plots");
  text_add(p->out, "{");
  p->indent++;
  for (uint32_t i = 0; i < figure->n_plots; i++) {
    print_plot(p, &figure->plots[i]);
    text_add(p->out, i + 1 < figure->n_plots ? "," : "");
  }
  p->indent--;
  text_add(p->out, "})");
}

void flat_print_figures(Printer *p) {
  text_add(p->out, "Documentation(figures = {");
  p->indent++;
  for (uint32_t i = 0; i < p->m->figures.n; i++) {
    print_figure(p, &p->m->figures.at[i]);
    text_add(p->out, i + 1 < p->m->figures.n ? "," : "");
  }
  p->indent--;
  text_add(p->out, "})");
}
