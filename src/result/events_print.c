/* result/events_print.c -- a list of events as a table and as JSON.
 * The table has one line per pass and one more for each further cause. Numbers have six digits,
 * more where fewer would make two different ones look equal. A pass that only confirms what is
 * there (no change, no other mode, no cause but discrete variables) has no line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/events.h"
#include "base/limits.h"

enum { DIGITS = 6, ALL_DIGITS = 17, COLUMNS = 7 };

static const char *const kinds[] = {[EVENT_INITIAL] = "initial",
                                    [EVENT_TIME] = "time",
                                    [EVENT_STATE] = "state",
                                    [EVENT_BOTH] = "both",
                                    [EVENT_TERMINAL] = "terminal"};

static const char *const structure_kinds[] = {[EVENT_STRUCTURAL] = "structural",
                                              [EVENT_PROJECTION] = "projection",
                                              [EVENT_PINNACLE] = "pinnacle"};

const char *events_kind_text(EventKind kind) { return kinds[kind]; }
const char *events_structure_kind_text(EventStructureKind kind) { return structure_kinds[kind]; }

/* ---- numbers ---- */

/* The number with so many digits; the locale does not matter, because it is read back where it was
 * written. */
static double rounded(double value, int digits) {
  char text[64];
  snprintf(text, sizeof text, "%.*e", digits - 1, value);
  return isfinite(value) ? strtod(text, NULL) : value;
}

static bool look_equal(double a, double b, int digits) {
  return a != b && rounded(a, digits) == rounded(b, digits);
}

/* Digits that tell two numbers apart. */
static int digits_for(double a, double b) {
  int digits = DIGITS;
  while (digits < ALL_DIGITS && isfinite(a) && isfinite(b) && look_equal(a, b, digits))
    digits++;
  return digits;
}

static void put_real(Text *out, double value, int digits) {
  text_real(out, rounded(value, digits) + 0.0);
} /* no -0 */

/* Digits that tell the time of step k from the instants before and after it. */
static int digits_of_time(const EventList *list, uint32_t k) {
  const EventStep *at = list->steps.at;
  uint32_t before = k, after = k;
  while (before > 0 && at[before].time == at[k].time)
    before--;
  while (after + 1 < list->steps.n && at[after].time == at[k].time)
    after++;
  int digits = digits_for(at[before].time, at[k].time),
      more = digits_for(at[k].time, at[after].time);
  return digits > more ? digits : more;
}

/* ---- cells ---- */

static void put_value(Text *out, const EventValue *v, int digits) {
  switch (v->type) {
  case DS_REAL: put_real(out, v->r, digits); break;
  case DS_BOOLEAN: text_add(out, v->i ? "true" : "false"); break;
  case DS_INTEGER: text_integer(out, v->i); break;
  case DS_ENUMERATION: v->s ? text_add(out, v->s) : text_integer(out, v->i); break;
  case DS_STRING: text_json(out, v->s); break;
  }
}

static void put_change(Text *out, const EventChange *c) {
  int digits = c->before.type == DS_REAL ? digits_for(c->before.r, c->after.r) : DIGITS;
  text_printf(out, "%s ", c->name);
  put_value(out, &c->before, digits);
  text_add(out, " -> ");
  put_value(out, &c->after, digits);
}

static const char *effect_text(const EventStep *s, Arena *a) {
  Text out = {.arena = a};
  const EventChange **all = NEW_ARRAY(a, const EventChange *, s->n_changes + s->n_jumps + 1);
  uint32_t n = 0;
  for (uint32_t k = 0; k < s->n_jumps; k++)
    if (!s->structure || !events_is_error(&s->jumps[k]))
      all[n++] = &s->jumps[k];
  for (uint32_t k = 0; k < s->n_changes; k++)
    all[n++] = &s->changes[k];
  for (uint32_t k = 0; k < n; k++) {
    Text one = {.arena = a};
    put_change(&one, all[k]);
    if (k && out.n + one.n > MOST_EFFECT_LENGTH) {
      text_printf(&out, " and %u more", n - k);
      break;
    }
    text_add(&out, k ? ", " : "");
    text_addn(&out, one.at, one.n);
  }
  return text_str(&out);
}

static bool holds(const EventCause *c) {
  switch (c->op) {
  case DS_LT: return c->a < c->b;
  case DS_LE: return c->a <= c->b;
  case DS_GT: return c->a > c->b;
  case DS_GE: return c->a >= c->b;
  case DS_EQ: return c->a == c->b;
  case DS_NE: return c->a != c->b;
  }
  return false;
}

/* A relation on its limit takes the value that it is about to have. */
const char *events_cause_text(const EventCause *c, Arena *a) {
  static const char *const signs[] = {
      [DS_LT] = "<", [DS_LE] = "<=", [DS_GT] = ">", [DS_GE] = ">=", [DS_EQ] = "==", [DS_NE] = "<>"};
  Text out = {.arena = a};
  bool relation = event_is_relation(c->kind);
  if (event_is_slide(c->kind)) {
    bool leaves = c->kind == RUN_CAUSE_EXIT;
    text_printf(&out,
                leaves                       ? "leaves %s"
                : c->kind == RUN_CAUSE_SLIDE ? "slides along %s  (weight "
                                             : "contact, %s  (force ",
                c->text);
    if (leaves)
      return text_str(&out);
    put_real(&out, c->a, digits_for(c->a, c->a));
    text_add(&out, ")");
    return text_str(&out);
  }
  text_printf(&out, relation && !c->value ? "not (%s)" : "%s", c->text);
  if (relation && c->kind != RUN_CAUSE_TIME && !isnan(c->a) && !isnan(c->b)) {
    int digits = digits_for(c->a, c->b);
    text_add(&out, "  (");
    put_real(&out, c->a, digits);
    text_printf(&out, " %s ", signs[c->op]);
    put_real(&out, c->b, digits);
    text_add(&out, holds(c) == c->value ? ")" : ", about to change)");
  }
  return text_str(&out);
}

/* File names without their directories, but for package.mo, of which there are many. */
static const char *place_text(const char *place, Arena *a) {
  Text out = {.arena = a};
  for (const char *at = place, *stop; *at; at = stop) {
    stop = strstr(at, ", ");
    stop = stop ? stop + 2 : at + strlen(at);
    const char *from = stop;
    while (from > at && (from[-1] != '/' || !strncmp(from, "package.mo:", 11)))
      from--;
    text_addn(&out, from, (size_t)(stop - from));
  }
  return text_str(&out);
}

static const char *mode_text(const EventList *list, const EventStep *s, Arena *a) {
  if (s->mode_from != s->mode_to)
    return arena_printf(a, "%u -> %u", s->mode_from, s->mode_to);
  return s->kind == EVENT_INITIAL && list->n_relations ? arena_printf(a, "%u", s->mode_to) : "";
}

static const char *structure_text(const EventList *list, const EventStructure *s, uint32_t to,
                                  Arena *a) {
  Text out = {.arena = a};
  events_mode_text(list, s->from, to, &out);
  return text_str(&out);
}

/* Index, areas and energy of a change of structure. */
static const char *pulse_text(const EventStructure *s, Arena *a) {
  Text out = {.arena = a};
  if (s->index)
    text_printf(&out, "index %d", s->index);
  for (uint32_t k = 0; k < s->n_areas; k++) {
    if (k && out.n > MOST_EFFECT_LENGTH) {
      text_printf(&out, " and %u more", s->n_areas - k);
      break;
    }
    text_printf(&out, "%simpulse(%s) = ", out.n ? ", " : "", s->areas[k].name);
    put_real(&out, s->areas[k].area, DIGITS);
  }
  if (s->jumped && !isnan(s->energy)) {
    text_add(&out, ", energy lost ");
    put_real(&out, s->energy, DIGITS);
  }
  return text_str(&out);
}

/* ---- the table ---- */

typedef struct {
  Arena *a;
  VEC(const char *) cells; /* row by row */
} Table;

static void put_row(Table *t, const char *const cells[COLUMNS]) {
  for (uint32_t c = 0; c < COLUMNS; c++)
    vec_push(t->a, &t->cells, cells[c]);
}

static bool confirms(const EventStep *s) {
  return s->kind != EVENT_INITIAL && !s->structure && !s->ended && s->n_causes == 1 &&
         s->causes[0].kind == RUN_CAUSE_DISCRETE && !s->n_changes && !s->n_jumps &&
         s->mode_from == s->mode_to;
}

static const char *one_line(const char *text, Arena *a) {
  char *out = arena_strdup(a, text);
  for (char *c = out; *c; c++)
    *c = (unsigned char)*c < ' ' ? ' ' : *c;
  return out;
}

static void put_step(Table *t, const EventList *list, uint32_t number) {
  const EventStep *s = &list->steps.at[number];
  Text time = {.arena = t->a};
  put_real(&time, s->time, digits_of_time(list, number));
  const char *what = s->n_causes ? events_cause_text(s->causes, t->a) : "",
             *where = s->n_causes ? place_text(s->causes->place, t->a) : "";
  put_row(t, (const char *[]){text_str(&time), arena_printf(t->a, "%u", s->k), kinds[s->kind], what,
                              where, mode_text(list, s, t->a), effect_text(s, t->a)});
  for (uint32_t k = 1; k < s->n_causes; k++)
    put_row(t, (const char *[]){"", "", "", events_cause_text(&s->causes[k], t->a),
                                place_text(s->causes[k].place, t->a), "", ""});
  if (s->ended)
    put_row(t, (const char *[]){"", "", "terminate", one_line(s->ended, t->a),
                                place_text(s->ended_at, t->a), "", ""});
  const EventStructure *how = s->structure;
  if (!how)
    return;
  for (uint32_t k = 0; k < how->n_tried; k++)
    put_row(t, (const char *[]){"", "", "mythical", structure_text(list, how, how->tried[k], t->a),
                                "", "", ""});
  put_row(t, (const char *[]){"", "", structure_kinds[how->kind],
                              structure_text(list, how, how->to, t->a), "", "",
                              pulse_text(how, t->a)});
}

/* Characters, not bytes. */
static size_t width_of(const char *text) {
  size_t n = 0;
  for (; *text; text++)
    n += (*text & 0xc0) != 0x80;
  return n;
}

/* A cell that is very long moves the rest of its own line only. */
static void print_table(const Table *t, Text *out) {
  size_t width[COLUMNS] = {0};
  for (uint32_t k = 0; k < t->cells.n; k++) {
    size_t w = width_of(t->cells.at[k]);
    width[k % COLUMNS] = w > width[k % COLUMNS] && w <= MOST_EVENT_COLUMN ? w : width[k % COLUMNS];
  }
  for (uint32_t k = 0; k < t->cells.n; k += COLUMNS) {
    size_t missing = 0;
    for (uint32_t c = 0; c < COLUMNS; c++) {
      const char *cell = t->cells.at[k + c];
      if (*cell)
        text_printf(out, "%*s%s", (int)missing, "", cell);
      missing = *cell ? 0 : missing;
      missing += (width_of(cell) < width[c] ? width[c] - width_of(cell) : 0) + 2;
    }
    text_char(out, '\n');
  }
}

void events_text(const EventList *list, Text *out) {
  Table t = {.a = out->arena};
  put_row(&t, (const char *[]){"t", "#", "kind", "what", "where", "mode", "effect"});
  for (uint32_t k = 0; k < list->steps.n; k++)
    if (!confirms(&list->steps.at[k]))
      put_step(&t, list, k);
  print_table(&t, out);
}

/* ---- JSON ---- */

static void json_real(Text *out, double value) {
  if (isfinite(value))
    text_real(out, value + 0.0); /* no -0 */
  else
    text_add(out, "null");
}

static void json_value(Text *out, const EventValue *v) {
  if (v->type == DS_REAL)
    json_real(out, v->r);
  else if (v->type == DS_ENUMERATION && v->s)
    text_json(out, v->s);
  else
    put_value(out, v, ALL_DIGITS);
}

static void json_changes(Text *out, const char *name, const EventChange *c, uint32_t n) {
  text_printf(out, ",\"%s\":[", name);
  for (uint32_t k = 0; k < n; k++) {
    text_add(out, k ? ",{\"name\":" : "{\"name\":");
    text_json(out, c[k].name);
    text_add(out, ",\"before\":");
    json_value(out, &c[k].before);
    text_add(out, ",\"after\":");
    json_value(out, &c[k].after);
    text_add(out, "}");
  }
  text_add(out, "]");
}

/* Names of causes, and of their two numbers. */
static const struct {
  const char *name, *a, *b;
} cause_names[] = {
    [RUN_CAUSE_RELATION] = {"relation", "left", "right"},
    [RUN_CAUSE_SAMPLE] = {"sample", NULL, NULL},
    [RUN_CAUSE_DELAY] = {"delay", NULL, NULL},
    [RUN_CAUSE_REINIT] = {"reinit", "before", "after"},
    [RUN_CAUSE_DISCRETE] = {"discrete", NULL, NULL},
    [RUN_CAUSE_TERMINAL] = {"terminal", NULL, NULL},
    [RUN_CAUSE_TIME] = {"time", NULL, "instant"},
    [RUN_CAUSE_SET] = {"set", NULL, NULL},
    [RUN_CAUSE_DEPARTURE] = {"departure", "left", "right"},
    [RUN_CAUSE_SLIDE] = {"sliding", "weight", NULL},
    [RUN_CAUSE_EXIT] = {"exit", NULL, NULL},
    [RUN_CAUSE_CONTACT] = {"contact", "force", NULL},
};

static void json_cause(Text *out, const EventCause *c) {
  text_printf(out, "{\"kind\":\"%s\"", cause_names[c->kind].name);
  if (c->number >= 0)
    text_printf(out, ",\"number\":%d", c->number);
  text_add(out, ",\"text\":");
  text_json(out, c->text);
  text_add(out, ",\"place\":");
  text_json(out, c->place);
  if (event_is_relation(c->kind))
    text_add(out, c->value ? ",\"value\":true" : ",\"value\":false");
  if (cause_names[c->kind].a) {
    text_printf(out, ",\"%s\":", cause_names[c->kind].a);
    json_real(out, c->a);
  }
  if (cause_names[c->kind].b) {
    text_printf(out, ",\"%s\":", cause_names[c->kind].b);
    json_real(out, c->b);
  }
  text_add(out, "}");
}

static void json_structure(Text *out, const EventStructure *s) {
  text_printf(out, ",\"structure\":{\"kind\":\"%s\",\"from\":%u,\"to\":%u,\"mythical\":[",
              structure_kinds[s->kind], s->from, s->to);
  for (uint32_t k = 0; k < s->n_tried; k++)
    text_printf(out, "%s%u", k ? "," : "", s->tried[k]);
  text_printf(out, "],\"index\":%d,\"jumped\":%s,\"areas\":[", s->index,
              s->jumped ? "true" : "false");
  for (uint32_t k = 0; k < s->n_areas; k++) {
    text_add(out, k ? ",{\"name\":" : "{\"name\":");
    text_json(out, s->areas[k].name);
    text_add(out, ",\"area\":");
    json_real(out, s->areas[k].area);
    text_add(out, "}");
  }
  text_add(out, "],\"energy_lost\":");
  json_real(out, s->energy);
  text_add(out, "}");
}

static void json_step(Text *out, const EventStep *s) {
  text_add(out, "{\"time\":");
  json_real(out, s->time);
  text_printf(
      out, ",\"k\":%u,\"kind\":\"%s\",\"settled\":%s,\"mode\":{\"from\":%u,\"to\":%u},\"causes\":[",
      s->k, kinds[s->kind], s->settled ? "true" : "false", s->mode_from, s->mode_to);
  for (uint32_t k = 0; k < s->n_causes; k++) {
    text_add(out, k ? "," : "");
    json_cause(out, &s->causes[k]);
  }
  text_add(out, "]");
  json_changes(out, "changes", s->changes, s->n_changes);
  json_changes(out, "jumps", s->jumps, s->n_jumps);
  if (s->structure)
    json_structure(out, s->structure);
  if (s->ended) {
    text_add(out, ",\"terminate\":{\"text\":");
    text_json(out, s->ended);
    text_add(out, ",\"place\":");
    text_json(out, s->ended_at);
    text_add(out, "}");
  }
  text_add(out, "}");
}

/* The relations whose values a mode is made of. */
static void json_relations(Text *out, const EventList *list) {
  bool any = false;
  for (uint32_t k = 0; k < list->n_causes; k++) {
    const StoreCause *c = &list->causes[k];
    if (!event_is_relation(c->kind))
      continue;
    text_printf(out, "%s{\"number\":%u,\"text\":", any ? "," : "", c->number);
    text_json(out, c->text);
    text_add(out, ",\"place\":");
    text_json(out, c->place);
    text_add(out, "}");
    any = true;
  }
}

/* What decides about the structure, and the structures that appear. */
static void json_structures(Text *out, const EventList *list) {
  text_add(out, "],\"conditions\":[");
  for (uint32_t k = 0; k < list->conditions.n; k++) {
    text_add(out, k ? "," : "");
    text_json(out, list->conditions.at[k]);
  }
  text_add(out, "],\"structures\":[");
  for (uint32_t k = 0; k < list->structures.n; k++) {
    text_printf(out, "%s{\"structure\":%u,\"conditions\":\"%s\",\"text\":", k ? "," : "", k + 1,
                list->structures.at[k]);
    Text mode = {.arena = out->arena};
    events_mode_text(list, 0, k + 1, &mode);
    text_json(out, text_str(&mode));
    text_add(out, "}");
  }
}

void events_json(const EventList *list, Text *out) {
  text_add(out, "{\"schema\":\"nusim.events/1\",\"class\":");
  text_json(out, list->class_name);
  text_add(out, ",\"start\":");
  json_real(out, list->start);
  text_add(out, ",\"stop\":");
  json_real(out, list->stop);
  text_add(out, ",\"relations\":[");
  json_relations(out, list);
  text_add(out, "],\"modes\":[");
  for (uint32_t k = 0; k < list->modes.n; k++)
    text_printf(out, "%s{\"mode\":%u,\"relations\":\"%s\"}", k ? "," : "", k + 1,
                list->modes.at[k]);
  if (list->conditions.n)
    json_structures(out, list);
  text_add(out, "],\"substeps\":[");
  for (uint32_t k = 0; k < list->steps.n; k++) {
    text_add(out, k ? ",\n" : "\n");
    json_step(out, &list->steps.at[k]);
  }
  text_add(out, "\n]}\n");
}
