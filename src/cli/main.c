/* cli/main.c -- the program `nusim`: finds the command and calls it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/complete.h"
#include "cli/report.h"
#include "nusim.h"

enum { ANY = 1000000 };

const CommandInfo commands[] = {
    {"run", "simulate", command_run, "TARGET", "simulate a model",
     "nusim run BouncingBall.mo --stop 3 -p e=0.7 -o ball.nus -o ball.csv",
     "A run that was interrupted goes on: nusim run --resume ball.nus. From a time on with other "
     "parameters:\n"
     "nusim run --from ball.nus@1.5 -p e=0.3\n",
     0, 1},
    {"check", NULL, command_check, "TARGET", "find errors in a model and count its equations",
     "nusim check BouncingBall.mo --units", NULL, 1, 1},
    {"flatten", NULL, command_flatten, "TARGET", "print the flat hybrid model",
     "nusim flatten BouncingBall.mo --origin", NULL, 1, 1},
    {"inspect", NULL, command_inspect, "TARGET|RESULT",
     "tell how a model is structured and initialised",
     "nusim inspect --structure --init BouncingBall.mo",
     "Without --structure, --init, --modes and --vars it is --structure. With --events TARGET is a "
     "result,\n"
     "RESULT.nus; with --modes and --vars it may be one.\n",
     1, 1},
    {"dump", NULL, command_dump, "TARGET", "print an intermediate form of a model",
     "nusim dump --structure BouncingBall.mo", NULL, 1, 1},
    {"fmt", NULL, command_format, "FILE...", "print files in the house layout",
     "nusim fmt --in-place Ball.mo", "FILE - is standard input.\n", 1, ANY},
    {"values", NULL, command_values, "RESULT [NAME...]",
     "print values of any variables of a stored result",
     "nusim values ball.nus h 'v*' --from 1 --to 2 -o part.csv",
     "NAME is a variable, der(x) of a state x, or a pattern with * and ?; without one: what the "
     "run was asked for. Variables that were\n"
     "not stored are computed from the states. Without -o values go to standard output as CSV.\n",
     1, ANY},
    {"plot", NULL, command_plot, "RESULT... [CURVE...]", "draw results in files or in the terminal",
     "nusim plot ball.nus h 'v vs h' --events -o ball.pdf",
     "CURVE is a variable over time, 'y vs x', or 'y @right' for the second axis; 'a, b' are two "
     "curves in one plot, else curves share a\n"
     "plot if they have the same unit; * and ? match. Several results are drawn over each other. "
     "Without CURVE: the figures that the model\n"
     "describes, else the first columns.\n",
     1, ANY},
    {"diff", NULL, command_diff, "RESULT REFERENCE [NAME...]", "compare two results",
     "nusim diff ball.nus reference.csv --tol 1e-3",
     "Signals are compared in a tube round the reference, wide in time and in value, so that "
     "events may be shifted a little. Without NAME:\n"
     "all signals that both have. RESULT and REFERENCE are .nus, .csv or .mat files, also of other "
     "tools.\n"
     "Exit codes: 0 same, 1 they differ, 2 usage, 6 a file cannot be read.\n",
     2, ANY},
    {"new", NULL, command_new, "NAME", "make a model to begin with",
     "nusim new ball && cd ball && nusim run Ball.mo",
     "NAME is a directory that is made, with the model in it; NAME.mo is a file. Nothing is "
     "overwritten.\n",
     1, 1},
    {"completion", NULL, command_completion, "bash|zsh|fish|man [COMMAND]",
     "print a script that completes words in a shell, or a manual page",
     "eval \"$(nusim completion bash)\"",
     "man: the page nusim(1), or that of a command. make install puts all of them where shells and "
     "man find them.\n",
     1, 2},
};
const size_t n_commands = sizeof commands / sizeof *commands;

static int explain(const char *code) {
  const char *page = code ? nu_explain(code) : NULL;
  if (page) {
    fputs(page, stdout);
    return 0;
  }
  const char *codes[512], *title = NULL;
  size_t n = 0;
  while (n < sizeof codes / sizeof *codes && nu_code(n, &codes[n], &title))
    n++;
  if (code)
    return usage_error(code, codes, n, "there is no code `%s`", code);
  for (size_t i = 0; i < n && nu_code(i, &codes[i], &title); i++)
    printf("%s  %s\n", codes[i], title);
  return 0;
}

/* Words that are no command. */
static int other(int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : "";
  if (strcmp(word, "--version") == 0) {
    printf("nusim %s\n", nu_version());
    return 0;
  }
  if (strncmp(word, "--explain", 9) == 0 && (word[9] == 0 || word[9] == '='))
    return explain(word[9] ? word + 10 : argc > 2 ? argv[2] : NULL);
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
      (strcmp(word, "help") == 0 && argc < 3)) {
    help_program(stdout);
    return 0;
  }
  if (strcmp(word, "help") == 0) {
    const CommandInfo *command = command_find(argv[2]);
    if (command)
      help_command(command, stdout);
    return command ? 0 : EXIT_USAGE;
  }
  if (*word == '-')
    return usage_error(word, (const char *const[]){"--help", "--version", "--explain"}, 3,
                       "there is no option `%s`", word);
  return -1;
}

int main(int argc, char **argv) {
  /* a limit on the size of files is an error of writing, which is reported */
  signal(SIGXFSZ, SIG_IGN);
  if (argc < 2) {
    help_program(stderr);
    return EXIT_USAGE;
  }
  int code = strcmp(argv[1], "__complete") == 0 ? complete_words(argc - 2, argv + 2)
                                                : other(argc, argv);
  if (code < 0) {
    const CommandInfo *command = command_find(argv[1]);
    Args args = {0};
    if (!command || !options_parse(command, argc - 2, argv + 2, &args)) {
      code = EXIT_USAGE;
    } else if (args.help) {
      help_command(command, stdout);
      code = 0;
    } else {
      code = command->run(&args);
    }
    options_free(&args);
  }
  /* A full disk or a closed pipe is seen here at the latest. */
  if (fflush(stdout) != 0 || ferror(stdout)) {
    complain("F001", "cannot write to standard output");
    return code ? code : EXIT_FILE;
  }
  return code;
}
