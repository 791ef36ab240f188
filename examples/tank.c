/* examples/tank.c -- a program that uses NuSim as a library: it controls the level of a tank, and
 * looks ahead before it acts. docs/api.md explains it. */
#include <nusim.h>
#include <stdio.h>
#include <string.h>

static const char model[] =
    "model Tank\n"
    "  parameter Real area = 2 \"m2\", outlet = 0.05 \"m2\", full = 3 \"m\";\n"
    "  input Real inflow(start = 0, min = 0, max = 1) \"m3/s\";\n"
    "  Real level(start = 1, fixed = true, min = 0);\n"
    "  Boolean alarm = level > full;\n"
    "equation\n"
    "  area*der(level) = inflow - outlet*sqrt(2*9.81*level);\n"
    "end Tank;\n";

static void show(void *user, const NuDiagnostic *d) {
  (void)user;
  char *text = nu_diagnostic_text(d, false);
  fputs(text, stderr);
  nu_free(text);
}

/* Would this inflow be too much during the next 20 s? The run is where it was afterwards. */
static bool too_much(NuRun *run, double time, double inflow) {
  NuSnapshot *now;
  double alarm = 1;
  if (nu_run_snapshot(run, &now) != NU_OK)
    return true;
  nu_run_set(run, "inflow", NU_VALUE, inflow);
  if (nu_run_advance(run, time + 20, NULL) == NU_OK)
    nu_run_get(run, "alarm", &alarm);
  nu_run_restore(run, now);
  nu_snapshot_free(now);
  return alarm != 0;
}

static NuStatus control(NuRun *run) {
  NuStatus status = nu_run_start(run);
  for (double time = 0, level; status == NU_OK && time < 100; time += 20) {
    double inflow = 0.6;
    while (inflow > 0 && too_much(run, time, inflow))
      inflow -= 0.1;
    nu_run_set(run, "inflow", NU_VALUE, inflow);
    status = nu_run_advance(run, time + 20, NULL);
    if (status == NU_OK && nu_run_get(run, "level", &level) == NU_OK)
      printf("t = %3.0f  inflow %.1f  level %.2f\n", time + 20, inflow, level);
  }
  NuStatus ended = nu_run_end(run);
  return status != NU_OK ? status : ended;
}

int main(void) {
  NuSessionOptions so = nu_session_options();
  so.sink = show;
  NuSession *session = NULL;
  NuProgram *program = NULL;
  NuRun *run = NULL;
  NuRunOptions ro = nu_run_options();
  ro.stop = 200;
  NuStatus status = nu_session_new(&so, &session);
  if (status == NU_OK)
    status = nu_load_text(session, "Tank.mo", model, strlen(model));
  if (status == NU_OK)
    status = nu_compile(session, &(NuTarget){.class_name = "Tank"}, &program);
  if (status == NU_OK)
    status = nu_run_new(program, &ro, &run);
  if (status == NU_OK)
    status = control(run);
  nu_run_free(run);
  nu_program_free(program);
  nu_session_free(session);
  return nu_exit_code(status);
}
