/* cli/ideal.c -- `run --ideal`: elements made ideal, and the time constants that go with it.
 * Both models are linearised where they start. Eigenvalues that are near each other are taken for
 * the same, the nearest pairs first. Of the rest the fastest answer to each other: what the model
 * has without --ideal is dropped if it is much faster than its counterpart, or has none. */
#include "cli/ideal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double same = 10;     /* factor between eigenvalues that may be one */
static const double noise = 1e-13; /* of the fastest: a slower eigenvalue is 0 */

NuStatus ideal_choose(Ideal *i, Work *w, const Args *args) {
  NuStatus status = nu_levels(w->session, &w->target, args->ideal.at, args->ideal.n, &i->levels,
                              &i->n);
  size_t n = w->target.n_overrides;
  i->overrides = must_alloc(NULL, (n + i->n + 1) * sizeof *i->overrides);
  for (size_t k = 0; k < n; k++)
    i->overrides[k] = w->target.overrides[k];
  for (size_t k = 0; k < i->n; k++)
    i->overrides[n + k] = i->levels[k].ideal;
  w->target.overrides = i->overrides;
  w->target.n_overrides = n + i->n;
  return status;
}

/* Where the program starts; false: it does not. */
static bool rates_of(const NuProgram *program, const NuRunOptions *options, NuRate **rates,
                     size_t *n) {
  NuRun *run = NULL;
  NuRunOptions o = *options;
  o.store = o.csv = o.mat = NULL;
  o.progress = NULL;
  o.events = false;
  o.n_variables = 0;
  bool done = nu_run_new(program, &o, &run) == NU_OK && nu_run_start(run) == NU_OK &&
              nu_run_rates(run, rates, n) == NU_OK;
  nu_run_free(run);
  return done;
}

/* How far apart, as a factor; infinite if one of them is 0, or if they do not turn the same way. */
static double apart(NuRate a, NuRate b, double zero) {
  double p = hypot(a.re, a.im), q = hypot(b.re, b.im);
  if (p <= zero || q <= zero)
    return p <= zero && q <= zero ? 1 : INFINITY;
  return (a.im > 0) - (a.im < 0) != (b.im > 0) - (b.im < 0) && fabs(a.im) > noise * p &&
                 fabs(b.im) > noise * q
             ? INFINITY
             : fmax(p / q, q / p);
}

/* Marks in `gone` what nothing in `now` answers to. */
static void match(const NuRate *was, size_t n_was, const NuRate *now, size_t n_now, bool *gone) {
  bool *taken = must_alloc(NULL, n_now + 1);
  memset(taken, 0, n_now + 1);
  memset(gone, 1, n_was);
  double fastest = n_was ? hypot(was[n_was - 1].re, was[n_was - 1].im) : 0;
  for (;;) {
    double best = same;
    size_t a = n_was, b = 0;
    for (size_t p = 0; p < n_was; p++)
      for (size_t q = 0; gone[p] && q < n_now; q++)
        if (!taken[q] && apart(was[p], now[q], noise * fastest) < best)
          best = apart(was[p], now[q], noise * fastest), a = p, b = q;
    if (a == n_was)
      break;
    gone[a] = false;
    taken[b] = true;
  }
  for (size_t p = n_was, q = n_now; p-- > 0;) {
    if (!gone[p])
      continue;
    while (q > 0 && taken[q - 1])
      q--;
    double slow = q > 0 ? hypot(now[q - 1].re, now[q - 1].im) : 0;
    q -= q > 0;
    gone[p] = hypot(was[p].re, was[p].im) > fmax(noise * fastest, same * slow);
  }
  free(taken);
}

void ideal_compare(Ideal *i, Work *w, const NuProgram *program, const NuRunOptions *options) {
  NuTarget before = w->target;
  before.n_overrides -= i->n;
  NuProgram *detailed = NULL;
  NuRate *was = NULL, *now = NULL;
  size_t n_was = 0, n_now = 0;
  i->known = nu_compile(w->session, &before, &detailed) == NU_OK &&
             rates_of(detailed, options, &was, &n_was) && rates_of(program, options, &now, &n_now);
  if (i->known) {
    bool *gone = must_alloc(NULL, n_was + 1);
    i->dropped = must_alloc(NULL, (n_was + 1) * sizeof *i->dropped);
    match(was, n_was, now, n_now, gone);
    for (size_t k = n_was; k-- > 0;) /* the fastest first; of a conjugate pair one */
      if (gone[k] && (was[k].im >= 0 || -was[k].im <= noise * fabs(was[k].re)))
        i->dropped[i->n_dropped++] = 1 / hypot(was[k].re, was[k].im);
    free(gone);
  }
  nu_free(was);
  nu_free(now);
  nu_program_free(detailed);
}

void ideal_text(const Ideal *i) {
  for (size_t k = 0; k < i->n; k++)
    fprintf(stderr, "%s %s: %s -> Ideal\n", k ? "     " : "ideal", i->levels[k].parameter,
            i->levels[k].level ? i->levels[k].level : "?");
  if (!i->known) {
    fputs("      time constants that are dropped are not known: there is no linearisation at the "
          "start\n",
          stderr);
    return;
  }
  fputs(i->n_dropped ? "      time constants dropped (at the start):"
                     : "      no time constant is dropped (at the start)",
        stderr);
  for (size_t k = 0; k < i->n_dropped; k++)
    fprintf(stderr, "%s %.4g s", k ? "," : "", i->dropped[k]);
  fputc('\n', stderr);
}

void ideal_json(const Ideal *i) {
  fputs(",\"ideal\":{\"elements\":[", stdout);
  for (size_t k = 0; k < i->n; k++) {
    fputs(k ? ",{\"component\":" : "{\"component\":", stdout);
    json_string(stdout, i->levels[k].component);
    fputs(",\"parameter\":", stdout);
    json_string(stdout, i->levels[k].parameter);
    fputs(",\"level\":", stdout);
    json_string(stdout, i->levels[k].level);
    fputs("}", stdout);
  }
  fputs(i->known ? "],\"dropped\":[" : "],\"dropped\":null}", stdout);
  for (size_t k = 0; k < i->n_dropped; k++) {
    fputs(k ? "," : "", stdout);
    json_number(stdout, i->dropped[k]);
  }
  fputs(i->known ? "]}" : "", stdout);
}

void ideal_free(Ideal *i, Work *w) {
  if (i->overrides)
    w->target.n_overrides -= i->n; /* the rest belongs to it */
  nu_free(i->levels);
  free(i->overrides);
  free(i->dropped);
}
