#pragma once
/* cli/options.h -- one table of commands and one of options feed parsing, --help and completion. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Words given by a repeatable option or as plain arguments, in order. They point into argv. */
typedef struct {
  const char **at;
  size_t n;
} Words;

/* Everything that the command line can say. Not given: NULL, NaN, 0 or false. */
typedef struct {
  Words targets; /* plain arguments */
  const char *class_name;
  Words parameters, starts; /* NAME=VALUE */
  double start, stop, step, rtol, atol, solver_step, time_limit, from, to, at, checkpoint;
  uint64_t intervals, max_events;
  const char *resume, *from_result;
  const char *solver, *formulation, *event_rows, *islands, *pulses, *chatter, *zeno, *bounds, *code;
  Words variables, outputs, ideal;
  const char *color;
  double memory; /* GB */
  double tolerance, nominal; /* of diff */
  uint64_t most;
  bool strict_diff, watch;
  const char *template_name;
  bool json, stats, quiet, units, strict, origin, in_place, check_only, ascii, help;
  bool trust, jump_path, events, tokens, ast, instance, flat, structure, c_text, init, vars, modes, all;
  uint64_t width, height;
  const char *figure, *title, *log, *size; /* of a plot */
  Words show_units;                         /* NAME=UNIT */
} Args;

typedef int Command(const Args *args);

typedef struct {
  const char *name, *alias; /* alias: NULL if none */
  Command *run;
  const char *arguments; /* "TARGET" */
  const char *summary;
  const char *example;
  const char *more;   /* further lines of the help; NULL if none */
  size_t least, most; /* number of plain arguments */
} CommandInfo;

typedef enum { OPT_FLAG, OPT_WORD, OPT_WORDS, OPT_REAL, OPT_COUNT, OPT_CHOICE } OptionKind;

typedef struct {
  const char *name; /* without the dashes */
  char letter;      /* 0 if none */
  OptionKind kind;
  size_t field;         /* in Args */
  const char *commands; /* separated by blanks; "*" for all */
  const char *value;    /* what to write for the value; OPT_CHOICE: the choices separated by | */
  const char *help;
} Option;

extern const Option option_table[]; /* in the order of --help */
extern const size_t n_options;
bool option_applies(const Option *o, const CommandInfo *command);

extern const CommandInfo commands[];
extern const size_t n_commands;

/* The command of that name; NULL after a message with the nearest names. */
const CommandInfo *command_find(const char *name);
/* Fills `args` from the words after the command. False after a message. */
bool options_parse(const CommandInfo *command, int argc, char **argv, Args *args);
void options_free(Args *args);

void help_program(FILE *out);
void help_command(const CommandInfo *command, FILE *out);
