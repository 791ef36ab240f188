/* run/snapshot.c -- everything that decides how a run goes on, as one piece of memory, and back.
 * What:  values, memory of relations, samples, delays, transports, starting points of iterations, the solvers with their steps, the phase under way,
 *        position in the output grid, random generators, counts. Not what follows from options and parameters alone, nor what only
 *        lasts for one evaluation.
 * How:   one walk (base/tape.h) counts, writes and reads; most of it is the block of values.
 * Keep:  a field of Run that one step leaves for the next is walked over here. Texts are kept as characters: they must outlive their
 *        run. External objects belong to the run that made them. */
#include "run/run_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Options that the saved numbers depend on. */
typedef struct {
  double start, stop, rtol, atol_factor, fixed;
  const StepperKind *asked;
  uint32_t intervals;
  bool dae;
} Settings;

struct RunSnapshot {
  const Program *program;
  Settings settings;
  uint64_t run; /* that it was taken from */
  uint32_t n_objects;
  bool begun;
  double time;
  size_t size; /* bytes of `at`; the texts follow */
  unsigned char at[];
};

static Settings settings_of(const Run *run) {
  const RunOptions *o = run->options;
  return (Settings){.start = run->start, .stop = run->stop, .rtol = run->rtol, .atol_factor = o->atol_factor, .fixed = run->fixed,
                    .asked = run->asked, .intervals = run->intervals, .dae = o->dae};
}

static bool same_settings(Settings a, Settings b) {
  return a.start == b.start && a.stop == b.stop && a.rtol == b.rtol && a.atol_factor == b.atol_factor && a.fixed == b.fixed && a.asked == b.asked &&
         a.intervals == b.intervals && a.dae == b.dae;
}

/* ---- the walk ---- */

/* A part by its number; -1: none. */
static void walk_current(Run *run, Tape *t, const Part **part) {
  int number = *part ? (*part)->number : -1;
  tape_value(t, number);
  *part = number >= 0 ? &run->parts[number] : NULL;
}

static void walk_values(Run *run, Tape *t) {
  const DsModel *m = run->m;
  tape_value(t, run->d.time), tape_value(t, run->d.initial), tape_value(t, run->d.terminal);
  walk_current(run, t, &run->current);
  tape_array(t, run->block, run->block_size);
  tape_array(t, run->given, m->n_variables);
  tape_value(t, run->look.on), tape_value(t, run->look.shown_time);
  if (!run->look.on)
    return;
  /* in the middle of a step: also what the run goes on with */
  tape_array(t, run->look.block, run->block_size);
  tape_value(t, run->look.time), tape_value(t, run->look.failed), tape_value(t, run->look.evaluations);
  walk_current(run, t, &run->look.current);
}

static void walk_events(Run *run, Tape *t) {
  const DsModel *m = run->m;
  int n = m->n_relations;
  tape_array(t, run->relations, n), tape_array(t, run->fired, n), tape_array(t, run->instants, n);
  tape_array(t, run->z_start, n), tape_array(t, run->z_before, n), tape_array(t, run->side, n);
  tape_array(t, run->side_a, n), tape_array(t, run->side_b, n);
  tape_array(t, run->mode, n + run->n_booleans);
  tape_array(t, run->sample_start, m->n_samples), tape_array(t, run->sample_interval, m->n_samples);
  tape_array(t, run->sample_next, m->n_samples);
  tape_value(t, run->n_sliding), tape_value(t, run->n_events), tape_value(t, run->last_event), tape_value(t, run->underway);
  tape_value(t, run->in_event), tape_value(t, run->terminated), tape_value(t, run->terminated_at);
  tape_value(t, run->row_time), tape_value(t, run->step);
  tape_value(t, run->pause), tape_value(t, run->next_grid);
}

/* Starting points of iterations. */
static void walk_guesses(Run *run, Tape *t) {
  tape_array(t, run->is_iterated, run->m->n_real), tape_array(t, run->guess, run->m->n_real);
}

static void walk_generators(Run *run, Tape *t) {
  uint32_t n = run->n_random, aside = run->look.on ? run->look.n_random : 0;
  tape_value(t, n), tape_value(t, aside);
  if (t->way == TAPE_READ)
    run_random_room(run, n), run_look_room(run, aside);
  tape_array(t, run->random, n), tape_array(t, run->look.random, aside);
}

/* A method by its number in the table; -1: none. */
static int number_of(const Stepper *s) {
  int k = 0;
  while (s && stepper_kind_at((size_t)k) != s->kind)
    k++;
  return s ? k : -1;
}

static void walk_events_of(Run *run, Part *p, Tape *t) {
  tape_value(t, p->phase), tape_value(t, p->due), tape_value(t, p->soon), tape_value(t, p->over);
  tape_value(t, p->h_before), tape_value(t, p->hint), tape_value(t, p->hint_trial), tape_value(t, p->guess_trial), tape_value(t, p->rescues);
  tape_value(t, p->n_iterated);
  tape_array(t, p->iterated, p->n_iterated);
  tape_value(t, p->slide), tape_value(t, p->contact), tape_value(t, p->aside);
  tape_value(t, p->n_events);
  if (p->n_events && !p->crowd)
    p->crowd = NEW_ARRAY(run->a, double, CROWD);
  tape_array(t, p->crowd, p->n_events < CROWD ? p->n_events : CROWD);
}

static void walk_part(Run *run, Part *p, Tape *t) {
  Solver *so = &p->solver;
  walk_events_of(run, p, t);
  tape_value(t, p->h);
  tape_value(t, so->used), tape_value(t, so->stiff), tape_value(t, so->easy), tape_value(t, so->calm), tape_value(t, so->returns);
  tape_value(t, so->patience), tape_value(t, so->on_trial), tape_value(t, so->cost), tape_value(t, so->steps), tape_value(t, so->events);
  tape_value(t, so->grid_steps), tape_value(t, so->grid), tape_value(t, so->look), tape_value(t, so->rescue_time), tape_value(t, so->rescues);
  int gave_up = number_of(so->gave_up), at_work = number_of(p->stepper);
  tape_value(t, gave_up), tape_value(t, at_work);
  unsigned made = 0;
  for (int k = 0; stepper_kind_at((size_t)k); k++)
    made |= so->made[k] ? 1u << k : 0;
  tape_value(t, made);
  for (int k = 0; stepper_kind_at((size_t)k); k++) {
    Stepper *s = so->made[k];
    if (made >> k & 1 && t->way == TAPE_READ && !(s = run_solver_of(run, stepper_kind_at((size_t)k))))
      mem_exhausted(arena_memory(run->a));
    if (made >> k & 1)
      stepper_keep(s, t);
    else if (s)
      stepper_forget(s);
  }
  if (t->way != TAPE_READ)
    return;
  so->gave_up = gave_up >= 0 ? so->made[gave_up] : NULL;
  p->stepper = at_work >= 0 ? so->made[at_work] : NULL;
}

static void walk_parts(Run *run, Tape *t) {
  tape_array(t, run->atol, run->m->nx), tape_array(t, run->nominal, run->m->nx);
  for (int k = 0; k < run->n_parts; k++) {
    run_work_on(run, &run->parts[k]);
    walk_part(run, run->part, t);
  }
  tape_array(t, run->queue, run->n_parts), tape_array(t, run->queued, run->n_parts);
  run->part = run->parts;
  run->scope = &run->whole;
}

static void walk_stats(Run *run, Tape *t) {
  RunStats mine = run->stats;
  tape_value(t, run->stats);
  /* the code is that of the run which goes on */
  run->stats.code = mine.code, run->stats.cc_from = mine.cc_from, run->stats.code_note = mine.code_note;
}

static void walk_rest(Run *run, Tape *t) {
  walk_events(run, t);
  run_contact_keep(run, t);
  walk_guesses(run, t);
  walk_generators(run, t);
  run_delays_keep(run, t);
  run_transports_keep(run, t);
  walk_parts(run, t);
  walk_stats(run, t);
}

/* ---- texts ---- */

/* Characters of the present Strings and their pre values, and of those put aside by a look. */
static size_t write_texts(const Run *run, unsigned char *to) {
  size_t n = 0, texts = 2 * (size_t)run->m->n_string, offset = (size_t)((unsigned char *)run->d.s - run->block);
  for (size_t k = 0; k < texts * (run->look.on ? 2 : 1); k++) {
    const unsigned char *block = k < texts ? run->block : run->look.block;
    const char *text;
    memcpy(&text, block + offset + (k % texts) * sizeof text, sizeof text);
    size_t length = strlen(text) + 1;
    if (to)
      memcpy(to + n, text, length);
    n += length;
  }
  return n;
}

/* The run gets them as texts of its own. */
static void read_texts(Run *run, const unsigned char *from) {
  size_t texts = 2 * (size_t)run->m->n_string, offset = (size_t)((unsigned char *)run->d.s - run->block);
  for (size_t k = 0; k < texts * (run->look.on ? 2 : 1); k++) {
    unsigned char *block = k < texts ? run->block : run->look.block;
    const char *text = run_keep_text(run, (const char *)from);
    memcpy(block + offset + (k % texts) * sizeof text, &text, sizeof text);
    from += strlen(text) + 1;
  }
}

/* ---- taking and putting back ---- */

RunSnapshot *run_snapshot(Run *run) {
  Tape t = {.way = TAPE_COUNT};
  walk_values(run, &t), walk_rest(run, &t);
  RunSnapshot *s = malloc(sizeof *s + t.n + write_texts(run, NULL));
  if (!s)
    return NULL;
  *s = (RunSnapshot){.program = run->program, .settings = settings_of(run), .run = run->serial, .n_objects = run->n_objects, .begun = run->begun,
                     .time = run->d.time, .size = t.n};
  t = (Tape){TAPE_WRITE, s->at, 0};
  walk_values(run, &t), walk_rest(run, &t);
  write_texts(run, s->at + t.n);
  return s;
}

double run_snapshot_time(const RunSnapshot *s) { return s->time; }
bool run_snapshot_begun(const RunSnapshot *s) { return s->begun; }
void run_snapshot_free(RunSnapshot *s) { free(s); }

/* May it be put into this run? */
static bool fits(Run *run, const RunSnapshot *s) {
  const char *why = NULL;
  if (s->program != run->program)
    why = "the snapshot belongs to a run of another program";
  else if (!same_settings(s->settings, settings_of(run)))
    why = "the snapshot belongs to a run with other times, tolerances or another solver";
  else if (s->n_objects && s->run != run->serial)
    why = "the snapshot holds external objects, such as tables, that belong to another run";
  if (why)
    diag_add(run->diags, D_A001, (Span){0, 0}, "%s", why);
  return !why;
}

/* The history of a multistep method cannot be put back: it begins anew from the present values. Then so do all parts. */
static RunStatus begin_anew(Run *run) {
  bool complete = true;
  for (int k = 0; k < run->n_parts; k++)
    complete = complete && (!run->parts[k].stepper || run->parts[k].stepper->kind->keep);
  if (complete || run->terminated)
    return RUN_OK;
  run->look.on = false;
  memset(run->fired, 0, (size_t)run->m->n_relations * sizeof *run->fired);
  return run_begin_all(run, run->d.time);
}

RunStatus run_restore(Run *run, const RunSnapshot *s, RunRowFunction *row, void *user) {
  if (!fits(run, s))
    return RUN_USAGE;
  run->row = row;
  run->row_user = user;
  run->failure.any = run->warning.any = run->stop_asked = false;
  run->bad_time = NAN;
  run->settings.n = 0;
  run_forget_matrices(run);
  run->parameters_set = true;
  if (!run->begun && s->begun)
    run_code_begin(run);
  run->begun = s->begun;
  Tape t = {TAPE_READ, (unsigned char *)(uintptr_t)s->at, 0};
  walk_values(run, &t);
  read_texts(run, s->at + s->size);
  if (run_mode_again(run) != RUN_OK)
    return RUN_FAILED;
  /* in another run: what follows from the parameters alone */
  if (s->begun && s->run != run->serial && run_read_tolerances(run) != RUN_OK)
    return RUN_FAILED;
  walk_rest(run, &t);
  return begin_anew(run);
}
