/* cli/command_plot.c -- figures of results, in files or in the terminal. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/report.h"

static size_t terminal_width(void) {
  struct winsize size = {0};
  return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Results come first: words that end in .nus, .csv or .mat, or name a file. */
static bool is_result(const char *word) {
  const char *dot = strrchr(word, '.');
  for (int k = 0; dot && dot > word && k < OUT_FORMATS; k++)
    if (strcmp(dot, output_extensions[k]) == 0)
      return true;
  return access(word, F_OK) == 0;
}

/* "16x10" */
static bool read_size(const char *word, NuFigureOptions *o) {
  char x = 0, rest = 0;
  if (!word)
    return true;
  if (sscanf(word, "%lf%c%lf%c", &o->width, &x, &o->height, &rest) == 3 && x == 'x' &&
      o->width >= 3 && o->height >= 2 && o->width <= 200 && o->height <= 200)
    return true;
  usage_error(
      NULL, NULL, 0,
      "`--size` needs width x height in cm between 3x2 and 200x200, such as 16x10, not `%s`", word);
  return false;
}

static int draw(const Args *args, const NuFigureOptions *o) {
  Work w;
  char *text = NULL;
  NuStatus status = work_open_empty(&w, args);
  if (status == NU_OK && !args->outputs.n)
    status = nu_figure_text(w.session, NULL, 0, o, &text);
  for (size_t k = 0; k < args->outputs.n && status == NU_OK; k++)
    status = nu_figure_write(w.session, NULL, 0, o, args->outputs.at[k]);
  if (text)
    fputs(text, stdout);
  nu_free(text);
  work_close(&w);
  return nu_exit_code(status);
}

int command_plot(const Args *args) {
  size_t n = 0;
  while (n < args->targets.n && is_result(args->targets.at[n]))
    n++;
  if (n == 0) {
    complain("F002", "cannot read `%s`: there is no such result file", args->targets.at[0]);
    return EXIT_FILE;
  }
  NuFigureOptions o = nu_figure_options();
  o.results = args->targets.at;
  o.n_results = n;
  o.curves = args->targets.at + n;
  o.n_curves = args->targets.n - n;
  o.figure = args->figure;
  o.title = args->title;
  o.log_x = args->log == LOG_X || args->log == LOG_XY;
  o.log_y = args->log == LOG_Y || args->log == LOG_XY;
  o.from = args->from;
  o.to = args->to;
  o.units = args->show_units.at;
  o.n_units = args->show_units.n;
  o.events = args->events;
  o.modes = args->modes;
  o.columns = args->width ? (size_t)args->width : terminal_width();
  o.lines = (size_t)args->height;
  o.ascii = args->ascii;
  return read_size(args->size, &o) ? draw(args, &o) : EXIT_USAGE;
}
