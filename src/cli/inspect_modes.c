/* cli/inspect_modes.c -- inspect --modes of a result: when it was in which mode, and for how long.
 * In:   NuModes.   Out: a line of characters per track, a table of time shares, numbers of events;
 *       or JSON.
 * Keep: shares of a track sum to 100.00 as they are printed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "base/limits.h"
#include "cli/report.h"
#include "cli/width.h"

enum { LEAST_BAR = 20, KINDS = 16 };

/* How long a track had a value, between `from` and `to`. */
typedef struct {
  size_t entered;
  double total, first, last; /* s */
  long hundredths;           /* of a per cent, so that the sum is 10000 */
  double rest;
} Share;

typedef struct {
  const Args *args;
  NuModes modes;
  NuResultInfo info;
  double from, to;
  size_t shown; /* tracks */
} View;

/* ---- shares ---- */

/* The largest remainders are rounded up. */
static void round_shares(Share *at, size_t n, double span) {
  long sum = 0;
  for (size_t k = 0; k < n; k++) {
    double exact = span > 0 ? 1e4 * at[k].total / span : 0;
    at[k].hundredths = (long)exact;
    at[k].rest = exact - (double)at[k].hundredths;
    sum += at[k].hundredths;
  }
  for (; sum < 10000 && n && span > 0; sum++) {
    size_t most = 0;
    for (size_t k = 1; k < n; k++)
      most = at[k].rest > at[most].rest ? k : most;
    at[most].hundredths++;
    at[most].rest = -1;
  }
}

static Share *shares_of(const View *v, const NuModeTrack *t) {
  Share *out = must_alloc(NULL, (t->n_values + 1) * sizeof *out);
  for (size_t k = 0; k < t->n_values; k++)
    out[k] = (Share){.first = NAN, .last = NAN};
  for (size_t k = 0; k < t->n_spans; k++) {
    double from = fmax(t->spans[k].from, v->from), to = fmin(t->spans[k].to, v->to);
    Share *s = &out[t->spans[k].value];
    if (!(to > from))
      continue;
    s->first = s->entered++ ? s->first : from;
    s->last = from;
    s->total += to - from;
  }
  round_shares(out, t->n_values, v->to - v->from);
  return out;
}

/* ---- the picture ---- */

/* Few values have patterns, many have letters. */
static const char *glyph(const View *v, size_t value, size_t n_values) {
  static const char *const patterns[] = {"─", "█", "▒", "░"};
  static const char *const plain[] = {"-", "#", "=", ":"};
  static char letter[2];
  if (n_values <= 4)
    return (v->args->ascii ? plain : patterns)[value];
  letter[0] = (char)(value < 26 ? 'a' + (int)value : value < 52 ? 'A' + (int)(value - 26) : '?');
  return letter;
}

/* Returns whether something was too fast to be drawn. */
static bool draw_track(const View *v, const NuModeTrack *t, size_t columns) {
  double width = (v->to - v->from) / (double)columns;
  bool fast = false;
  size_t k = 0;
  for (size_t c = 0; c < columns; c++) {
    double from = v->from + width * (double)c, to = c + 1 == columns ? v->to : from + width,
           most = -1;
    uint32_t best = 0;
    size_t changes = 0;
    while (k + 1 < t->n_spans && t->spans[k].to <= from)
      k++;
    for (size_t q = k; q < t->n_spans && t->spans[q].from < to; q++) {
      double part = fmin(t->spans[q].to, to) - fmax(t->spans[q].from, from);
      changes += q > k;
      best = part > most ? t->spans[q].value : best;
      most = fmax(most, part);
    }
    fputs(changes > 1 ? "*" : glyph(v, best, t->n_values), stdout);
    fast = fast || changes > 1;
  }
  fputc('\n', stdout);
  return fast;
}

/* A name, padded; of a long one the end. */
static void print_name(const char *name, size_t width) {
  size_t n = text_width(name), cut = n > width ? n - width + 2 : 0;
  const char *at = name;
  for (; cut; cut--)
    do
      at++;
    while ((*at & 0xc0) == 0x80);
  printf("%s%s%*s", at > name ? ".." : "", at, (int)(n < width ? width - n : 0), "");
}

static void draw_axis(const View *v, size_t indent, size_t columns) {
  char left[32], middle[32], right[32];
  snprintf(left, sizeof left, "%.6g", v->from);
  snprintf(middle, sizeof middle, "%.6g", (v->from + v->to) / 2);
  snprintf(right, sizeof right, "%.6g s", v->to);
  size_t a = strlen(left), b = strlen(middle), c = strlen(right),
         at = columns / 2 > b / 2 ? columns / 2 - b / 2 : 0;
  bool fits = a + 2 < at && at + b + 2 + c < columns;
  printf("%*s%s", (int)indent, "", left);
  if (fits)
    printf("%*s%s", (int)(at - a), "", middle);
  size_t used = fits ? at + b : a;
  printf("%*s%s\n", (int)(used + c < columns ? columns - used - c : 2), "", right);
}

static size_t name_width(const View *v) {
  size_t width = 5;
  for (size_t k = 0; k < v->shown; k++)
    width = text_width(v->modes.tracks[k].name) > width ? text_width(v->modes.tracks[k].name)
                                                        : width;
  return width < MOST_TRACK_NAME ? width : MOST_TRACK_NAME;
}

static void draw(const View *v) {
  size_t indent = name_width(v) + 2, all = terminal_width(v->args);
  size_t columns = all > indent + LEAST_BAR + 1 ? all - indent - 1 : LEAST_BAR;
  bool fast = false;
  for (size_t k = 0; k < v->shown; k++) {
    print_name(v->modes.tracks[k].name, indent - 2);
    fputs("  ", stdout);
    fast = draw_track(v, &v->modes.tracks[k], columns) || fast;
  }
  draw_axis(v, indent, columns);
  if (fast)
    printf("%*s* changes more often than once in a column\n", (int)indent, "");
}

/* ---- the table ---- */

static void table_row(const View *v, const NuModeTrack *t, size_t value, const Share *s) {
  printf("%3ld.%02ld    %7zu  %-10.6g  %-10.6g  %-10.6g  %s %s\n", s->hundredths / 100,
         s->hundredths % 100, s->entered, s->total, s->first, s->last, glyph(v, value, t->n_values),
         t->values[value]);
}

static void table_track(const View *v, const NuModeTrack *t, size_t width) {
  Share *shares = shares_of(v, t);
  size_t n = v->args->all || t->n_values <= MOST_VALUES_SHOWN ? t->n_values : MOST_VALUES_SHOWN,
         hidden = 0;
  for (size_t k = 0, shown = 0; k < t->n_values; k++) {
    if (!shares[k].entered)
      continue;
    if (shown == n) {
      hidden++;
      continue;
    }
    bool wide = text_width(t->name) > width && !shown;
    if (wide)
      puts(t->name); /* a long name has its own line */
    print_name(shown++ || wide ? "" : t->name, width);
    fputs("  ", stdout);
    table_row(v, t, k, &shares[k]);
  }
  if (hidden)
    printf("%*s... and %zu more values; --all shows them\n", (int)width + 2, "", hidden);
  free(shares);
}

static void table(const View *v) {
  size_t width = name_width(v);
  fputc('\n', stdout);
  print_name("track", width);
  puts("  share %   entered  total, s    first       last        value");
  for (size_t k = 0; k < v->shown; k++)
    table_track(v, &v->modes.tracks[k], width);
}

/* ---- events ---- */

typedef struct {
  const char *kind;
  size_t n;
} Count;

static bool within(const View *v, double time) { return time >= v->from && time <= v->to; }

/* By kind, in the order of docs/events.md. */
static size_t count_marks(const View *v, Count out[KINDS]) {
  static const char *const kinds[] = {"state",      "time",       "both",    "terminal",
                                      "sliding",    "contact",    "exit",    "mythical",
                                      "structural", "projection", "pinnacle"};
  size_t n = 0;
  for (size_t q = 0; q < sizeof kinds / sizeof *kinds; q++) {
    out[n] = (Count){kinds[q], 0};
    for (size_t k = 0; k < v->modes.n_marks; k++)
      out[n].n += within(v, v->modes.marks[k].time) && !strcmp(v->modes.marks[k].kind, kinds[q]);
    n += out[n].n > 0;
  }
  return n;
}

static size_t count_pulses(const View *v) {
  size_t n = 0;
  for (size_t k = 0; k < v->modes.n_pulses; k++)
    n += within(v, v->modes.pulses[k].time);
  return n;
}

static void events_line(const View *v) {
  Count counts[KINDS];
  size_t n = count_marks(v, counts), pulses = count_pulses(v);
  fputs("\nevents: ", stdout);
  for (size_t k = 0; k < n; k++)
    printf("%s%zu %s", k ? ", " : "", counts[k].n, counts[k].kind);
  fputs(n ? "" : "none", stdout);
  if (pulses)
    printf("; %zu Dirac pulse%s", pulses, pulses == 1 ? "" : "s");
  fputc('\n', stdout);
}

/* ---- text ---- */

static void print_text(View *v) {
  size_t most = v->args->all ? v->modes.n_tracks : MOST_TRACKS_SHOWN;
  while (v->shown < v->modes.n_tracks && v->shown < most &&
         (v->args->all || !v->modes.tracks[v->shown].minor))
    v->shown++;
  printf("modes of %s, %.6g to %.6g s", v->info.class_name, v->from, v->to);
  puts(v->info.ended && v->info.status == NU_OK ? "\n"
       : v->info.ended                          ? " (the run ended early)\n"
                                                : " (the run goes on, or was killed)\n");
  if (v->shown) {
    draw(v);
    table(v);
  } else {
    puts(v->modes.n_tracks ? "nothing that switches has changed"
                           : "nothing switches in this model");
  }
  size_t left = v->modes.n_tracks - v->shown, minor = 0;
  for (size_t k = v->shown; k < v->modes.n_tracks; k++)
    minor += v->modes.tracks[k].minor;
  if (left > minor)
    printf("... and %zu more tracks; --all shows them\n", left - minor);
  if (minor)
    printf("%s%zu track%s that never change%s, or follow%s from others: --all shows %s\n",
           left > minor ? "" : "... and ", minor, minor == 1 ? "" : "s", minor == 1 ? "s" : "",
           minor == 1 ? "s" : "", minor == 1 ? "it" : "them");
  events_line(v);
}

/* ---- JSON ---- */

static void json_member(const char *name, double value) {
  printf(",\"%s\":", name);
  json_number(stdout, value);
}

static void json_track(const View *v, const NuModeTrack *t) {
  Share *shares = shares_of(v, t);
  size_t n = 0;
  fputs("{\"name\":", stdout);
  json_string(stdout, t->name);
  printf(",\"minor\":%s,\"values\":[", t->minor ? "true" : "false");
  for (size_t k = 0; k < t->n_values; k++) {
    fputs(k ? ",{\"text\":" : "{\"text\":", stdout);
    json_string(stdout, t->values[k]);
    printf(",\"entered\":%zu", shares[k].entered);
    json_member("time", shares[k].total);
    json_member("share", v->to > v->from ? shares[k].total / (v->to - v->from) : 0);
    json_member("first", shares[k].first);
    json_member("last", shares[k].last);
    fputc('}', stdout);
  }
  fputs("],\"spans\":[", stdout);
  for (size_t k = 0; k < t->n_spans; k++) {
    double from = fmax(t->spans[k].from, v->from), to = fmin(t->spans[k].to, v->to);
    if (!(to > from))
      continue;
    fputs(n++ ? ",[" : "[", stdout);
    json_number(stdout, from);
    fputc(',', stdout);
    json_number(stdout, to);
    printf(",%u]", t->spans[k].value);
  }
  fputs("]}", stdout);
  free(shares);
}

static void json_marks(const View *v) {
  size_t n = 0;
  fputs("],\"marks\":[", stdout);
  for (size_t k = 0; k < v->modes.n_marks; k++) {
    const NuMark *m = &v->modes.marks[k];
    if (!within(v, m->time))
      continue;
    fputs(n++ ? ",\n{\"time\":" : "\n{\"time\":", stdout);
    json_number(stdout, m->time);
    printf(",\"k\":%d,\"kind\":\"%s\",\"text\":", m->k, m->kind);
    json_string(stdout, m->text);
    fputc('}', stdout);
  }
  fputs("],\"pulses\":[", stdout);
  n = 0;
  for (size_t k = 0; k < v->modes.n_pulses; k++) {
    const NuPulse *p = &v->modes.pulses[k];
    if (!within(v, p->time))
      continue;
    fputs(n++ ? ",\n{\"time\":" : "\n{\"time\":", stdout);
    json_number(stdout, p->time);
    fputs(",\"variable\":", stdout);
    json_string(stdout, p->variable);
    json_member("area", p->area);
    fputc('}', stdout);
  }
  fputc(']', stdout);
}

static void print_json(const View *v) {
  Count counts[KINDS];
  size_t n = count_marks(v, counts);
  fputs(",\"class\":", stdout);
  json_string(stdout, v->info.class_name);
  printf(",\"ended\":%s", v->info.ended ? "true" : "false");
  json_member("from", v->from);
  json_member("to", v->to);
  fputs(",\"events\":{", stdout);
  for (size_t k = 0; k < n; k++)
    printf("%s\"%s\":%zu", k ? "," : "", counts[k].kind, counts[k].n);
  fputs("},\"tracks\":[", stdout);
  for (size_t k = 0; k < v->modes.n_tracks; k++) {
    fputs(k ? ",\n" : "\n", stdout);
    json_track(v, &v->modes.tracks[k]);
  }
  json_marks(v);
}

/* ---- the command ---- */

/* The part to look at. */
static NuStatus choose_part(View *v) {
  const Args *args = v->args;
  v->from = isnan(args->from) ? v->modes.start : fmax(args->from, v->modes.start);
  v->to = isnan(args->to) ? v->modes.end : fmin(args->to, v->modes.end);
  if (isnan(v->modes.start)) {
    complain("F002", "`%s` has no point yet", args->targets.at[0]);
    return NU_FILE;
  }
  if (v->from <= v->to && (v->from < v->to || isnan(args->from) || isnan(args->to)))
    return NU_OK;
  usage_error(NULL, NULL, 0,
              "nothing lies between --from and --to: the result has times from %g to %g",
              v->modes.start, v->modes.end);
  return NU_USAGE;
}

int inspect_result_modes(const Args *args) {
  View v = {.args = args};
  Work w;
  NuResult *r = NULL;
  NuStatus status = work_open_empty(&w, args);
  if (status == NU_OK)
    status = nu_result_open(w.session, args->targets.at[0], &r);
  if (status == NU_OK)
    status = nu_result_modes(r, &v.modes);
  if (status == NU_OK) {
    v.info = nu_result_info(r);
    status = choose_part(&v);
  }
  if (args->json) {
    fputs("{\"schema\":\"nusim.modes/1\",\"result\":", stdout);
    json_string(stdout, args->targets.at[0]);
  }
  if (status == NU_OK && args->json)
    print_json(&v);
  else if (status == NU_OK)
    print_text(&v);
  report_finish(&w.report);
  if (args->json) {
    fputs(",\"status\":", stdout);
    json_string(stdout, nu_status_name(status));
    fputs(",\"diagnostics\":", stdout);
    json_diagnostics(stdout, &w.report);
    fputs("}\n", stdout);
  }
  nu_modes_free(&v.modes);
  nu_result_free(r);
  work_close(&w);
  return nu_exit_code(status);
}
