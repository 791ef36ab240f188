/* cli/width.c -- how much fits on a line. */
#include "cli/width.h"
#include "base/limits.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 80 };

size_t terminal_width(const Args *args) {
  struct winsize size = {0};
  size_t width = DEFAULT_WIDTH;
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
    width = size.ws_col;
  width = args->width ? args->width : width;
  return width < MOST_SCREEN_COLUMNS ? width : MOST_SCREEN_COLUMNS;
}

size_t text_width(const char *text) {
  size_t n = 0;
  for (; *text; text++)
    n += (*text & 0xc0) != 0x80;
  return n;
}
