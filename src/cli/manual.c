/* cli/manual.c -- manual pages, in the macros of man(7). */
#include "cli/manual.h"

#include <string.h>

#include "nusim.h"

/* Text of a line: what roff would take for its own is escaped, and no line begins with a dot or a
 * quote. */
static void roff_part(FILE *out, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (text[i] == '\\')
      fputs("\\e", out);
    else if (text[i] == '-')
      fputs("\\-", out);
    else if ((text[i] == '.' || text[i] == '\'') && i == 0)
      fprintf(out, "\\&%c", text[i]);
    else if (text[i] == '"')
      fputs("\\(dq", out);
    else
      fputc(text[i], out);
  }
}

static void roff(FILE *out, const char *text) { roff_part(out, text, strlen(text)); }

static void line(FILE *out, const char *text) {
  roff(out, text);
  fputc('\n', out);
}

/* Words in capitals, such as TARGET, in italics: they stand for something. */
static void arguments(FILE *out, const char *text) {
  for (const char *at = text; *at;) {
    size_t n = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (n) {
      fputs("\\fI", out);
      roff_part(out, at, n);
      fputs("\\fR", out);
    } else {
      n = 1;
      roff_part(out, at, 1);
    }
    at += n;
  }
}

static void heading(const CommandInfo *command, FILE *out) {
  char name[64], upper[64];
  snprintf(name, sizeof name, "nusim%s%s", command ? "-" : "", command ? command->name : "");
  size_t n = strlen(name);
  for (size_t i = 0; i <= n; i++)
    upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
  fputs(".TH ", out);
  roff(out, upper);
  fprintf(out, " 1 \"\" \"NuSim %s\" \"NuSim\"\n.SH NAME\n", nu_version());
  roff(out, name);
  fputs(" \\- ", out);
  line(out, command ? command->summary : "simulate hybrid dynamic systems written in Modelica");
  fputs(".SH SYNOPSIS\n", out);
}

static void option(const Option *o, FILE *out) {
  fputs(".TP\n", out);
  if (o->letter)
    fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
  fputs("\\fB\\-\\-", out);
  roff(out, o->name);
  fputs("\\fR", out);
  if (o->value) {
    fputs(" ", out);
    arguments(out, o->value);
  }
  fputc('\n', out);
  line(out, o->help);
}

/* What the words of a synopsis stand for. */
static void meanings(FILE *out, const char *synopsis) {
  if (strstr(synopsis, "TARGET")) {
    fputs(".TP\n\\fITARGET\\fR\n", out);
    line(out, "is a .mo file, the directory of a package, a class that is found along "
              "MODELICAPATH, or - for standard input.");
  }
  if (strstr(synopsis, "RESULT")) {
    fputs(".TP\n\\fIRESULT\\fR\n", out);
    line(out, "is a .nus, .csv or .mat file.");
  }
}

/* ---- what all pages have ---- */

static void exit_status(const CommandInfo *command, FILE *out) {
  static const struct {
    const char *code, *text;
  } codes[] = {{"0", "everything went well"},
               {"1", "the model has errors"},
               {"2", "the command line is wrong"},
               {"3", "no initial values were found"},
               {"4", "the run failed"},
               {"5", "a limit was reached, or memory is short"},
               {"6", "a file cannot be read or written"},
               {"130", "the run was interrupted"}};
  bool compares = command &&
                  (strcmp(command->name, "diff") == 0 || strcmp(command->name, "fmt") == 0);
  bool runs = !command || strcmp(command->name, "run") == 0;
  fputs(".SH EXIT STATUS\n", out);
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
    if (!runs && (i == 3 || i == 4 || i == 7))
      continue;
    fprintf(out, ".TP\n.B %s\n", codes[i].code);
    line(out, compares && i == 1 ? "there is a difference" : codes[i].text);
  }
}

static void files(FILE *out) {
  fputs(".SH ENVIRONMENT\n.TP\n.B MODELICAPATH\n", out);
  line(out, "directories of libraries, separated by colons.");
  fputs(".TP\n.B NO_COLOR\n", out);
  line(out, "no colours, whatever the terminal can do.");
  fputs(".SH FILES\n.TP\n.I *.mo\n", out);
  line(out, "models in Modelica.");
  fputs(".TP\n.I *.nus\n", out);
  line(out, "what a run remembers: any variable can be had from it later, without the model.");
  fputs(".TP\n.IR *.csv \", \" *.mat\n", out);
  line(out, "values as text, and in the MATLAB format of other Modelica tools.");
}

static void see_also(const CommandInfo *command, FILE *out) {
  fputs(".SH SEE ALSO\n", out);
  if (command)
    fputs(".BR nusim (1)", out);
  bool first = !command;
  for (size_t i = 0; i < n_commands; i++)
    if (&commands[i] != command) {
      fprintf(out, "%s.BR nusim\\-%s (1)", first ? "" : ",\n", commands[i].name);
      first = false;
    }
  fputc('\n', out);
}

/* ---- pages ---- */

static void command_page(const CommandInfo *command, FILE *out) {
  fprintf(out, ".B nusim %s\n[\\fIoptions\\fR] ", command->name);
  arguments(out, command->arguments);
  fputs("\n.SH DESCRIPTION\n", out);
  fprintf(out, "\\fBnusim %s\\fR: ", command->name);
  roff(out, command->summary);
  fputs(".\n", out);
  if (command->alias) {
    fprintf(out, "\\fBnusim %s\\fR is the same.\n", command->alias);
  }
  if (command->more) {
    fputs(".PP\n", out);
    for (const char *at = command->more; *at;) {
      size_t n = strcspn(at, "\n");
      roff_part(out, at, n);
      fputc('\n', out);
      at += n + (at[n] == '\n');
    }
  }
  meanings(out, command->arguments);
  fputs(".SH OPTIONS\n", out);
  Option o;
  for (size_t i = 0; option_at(i, &o); i++)
    if (option_applies(&o, command))
      option(&o, out);
  exit_status(command, out);
  fputs(".SH EXAMPLES\n.EX\n", out);
  line(out, command->example);
  fputs(".EE\n", out);
  files(out);
  see_also(command, out);
}

static void program_page(FILE *out) {
  fputs(".B nusim\n\\fICOMMAND\\fR [\\fIoptions\\fR] ...\n.br\n.B nusim\n\\fICOMMAND\\fR "
        "\\fB\\-\\-help\\fR\n.br\n.B nusim \\-\\-explain\n\\fICODE\\fR\n",
        out);
  fputs(".SH DESCRIPTION\n", out);
  line(out, "NuSim reads models in Modelica whose equations may change with their mode, translates "
            "them and simulates them. Results go to");
  line(out, "standard output or files, everything else to standard error.");
  fputs(".SS Commands\n", out);
  for (size_t i = 0; i < n_commands; i++) {
    fprintf(out, ".TP\n\\fB%s\\fR ", commands[i].name);
    arguments(out, commands[i].arguments);
    fputc('\n', out);
    line(out, commands[i].summary);
  }
  fputs(".SS Arguments\n", out);
  meanings(out, "TARGET RESULT");
  fputs(".SH OPTIONS\n.TP\n.B \\-\\-help\n", out);
  line(out, "the commands; behind a command its options.");
  fputs(".TP\n\\fB\\-\\-explain\\fR \\fICODE\\fR\n", out);
  line(out, "what the code of a message means and what to do; without one: a list of all.");
  fputs(".TP\n.B \\-\\-version\n", out);
  line(out, "the version.");
  exit_status(NULL, out);
  fputs(".SH EXAMPLES\n.EX\n", out);
  line(out, "nusim run BouncingBall.mo -o ball.nus && nusim plot ball.nus h");
  for (size_t i = 1; i < n_commands; i++)
    line(out, commands[i].example);
  fputs(".EE\n", out);
  files(out);
  see_also(NULL, out);
}

void manual_page(const CommandInfo *command, FILE *out) {
  heading(command, out);
  if (command)
    command_page(command, out);
  else
    program_page(out);
}
