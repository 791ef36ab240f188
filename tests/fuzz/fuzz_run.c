/* tests/fuzz/fuzz_run.c -- any bytes as a model that is run: structures, modes, jumps and events
 * must be safe and end soon, whatever the equations say. Without machine code: what is searched is
 * in this program. A run that ends well holds finite numbers only. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nusim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 4000, MOST_EVENTS = 200 };
static const size_t MEMORY_LIMIT = 512 << 20;
static const double SECONDS = 0.5;

static size_t columns;

static bool take_row(void *user, double time, const double *values) {
  (void)user;
  if (!isfinite(time))
    abort();
  for (size_t k = 0; k < columns; k++)
    if (isinf(values[k])) /* Strings are none */
      abort();
  return true;
}

static void run_it(const NuProgram *program, const char *solver) {
  NuRunOptions o = nu_run_options();
  o.start = 0, o.stop = 1, o.intervals = 5, o.solver = solver, o.max_events = MOST_EVENTS,
  o.time_limit = SECONDS;
  o.row = take_row;
  NuRun *run;
  if (nu_run_new(program, &o, &run) != NU_OK)
    return;
  const char *const *names;
  columns = nu_run_columns(run, &names);
  nu_run_simulate(run);
  nu_run_free(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > LONGEST ||
      memmem(data, size, "external", 8)) /* functions of the system can do anything */
    return 0;
  char *text = calloc(size + 1, 1);
  memcpy(text, data, size);
  NuSessionOptions so = nu_session_options();
  so.memory_limit = MEMORY_LIMIT;
  NuSession *session = NULL;
  NuProgram *program = NULL;
  if (nu_session_new(&so, &session) == NU_OK &&
      nu_load_text(session, "F.mo", text, size) == NU_OK &&
      nu_compile(session, &(NuTarget){.code = NU_CODE_EVAL}, &program) == NU_OK) {
    run_it(program, "rk45");
    run_it(program, "rosenbrock");
  }
  nu_program_free(program);
  nu_session_free(session);
  free(text);
  return 0;
}
