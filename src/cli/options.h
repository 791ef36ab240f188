#pragma once
/* cli/options.h -- one table of commands and one of options feed parsing, --help and completion.
 * Options of a run come from nu_run_option, those of the program itself from options.c. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "nusim.h"

/* Words given by a repeatable option or as plain arguments, in order. They point into argv. */
typedef struct {
  const char *const *at;
  size_t n;
} Words;

/* Choices in the order of their words. */
typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } Color;
typedef enum { TEMPLATE_BALL, TEMPLATE_CIRCUIT, TEMPLATE_CONTROL } TemplateChoice;
typedef enum { LOG_NONE, LOG_X, LOG_Y, LOG_XY } LogAxes;

/* Everything that the command line can say. Not given: NULL, NaN, 0 or false. */
typedef struct {
  Words targets;    /* plain arguments */
  NuRunOptions run; /* options of nu_run_option; their lists belong to us */
  bool *given;      /* per option_at */
  const char *class_name;
  double from, to, at;
  const char *resume, *from_result;
  NuCode code;
  Words outputs, ideal;
  Color color;
  double memory;             /* GB */
  double tolerance, nominal; /* of diff */
  uint64_t most;
  bool strict_diff, watch;
  TemplateChoice template;
  bool json, stats, quiet, units, strict, origin, in_place, check_only, ascii, help;
  bool trust, events, tokens, ast, instance, flat, structure, c_text, init, vars, modes, all;
  uint64_t width, height;
  const char *figure, *title, *size; /* of a plot */
  LogAxes log;
  Words show_units; /* NAME=UNIT */
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

typedef struct {
  const char *name; /* without the dashes */
  char letter;      /* 0 if none */
  NuOptionKind kind;
  size_t at, count_at;  /* in Args; count_at: number of texts */
  const char *commands; /* separated by blanks; "*" for all */
  const char *value;    /* see NuOption */
  const char *help;
  bool fixed;          /* with --resume and --from it must not be given */
  double least, most;  /* of a number */
  const char *expects; /* that in words; NULL: any */
} Option;

/* Option number i, in the order of --help, those of a run first; false when i is past the end. */
bool option_at(size_t i, Option *o);
bool option_applies(const Option *o, const CommandInfo *command);
bool option_has_words(const Option *o); /* to choose from */

extern const CommandInfo commands[];
extern const size_t n_commands;

/* The command of that name; NULL after a message with the nearest names. */
const CommandInfo *command_find(const char *name);
/* Fills `args` from the words after the command. False after a message. */
bool options_parse(const CommandInfo *command, int argc, char **argv, Args *args);
void options_free(Args *args);
/* The options of the run that were given, as a JSON object. */
void options_json(FILE *out, const Args *args);

void help_program(FILE *out);
void help_command(const CommandInfo *command, FILE *out);
