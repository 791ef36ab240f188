/* cli/complete.c -- what can stand at a place of the command line: the scripts of `nusim
 * completion` ask `nusim __complete WORD...`, whose last word is the one that is being written.
 * Everything follows from the tables of commands and options.
 * Out:  a line per candidate, "word", a tab, and what it means; or "@mo", "@result", "@file": files
 *       of that kind. */
#include "cli/complete.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "cli/report.h"

typedef struct {
  const char *prefix; /* what is there of the word */
  const char *before; /* "--solver=", which the shell takes for a part of the word */
  const CommandInfo *command;
  const char *result; /* the first result among the words; NULL: none */
} Question;

/* Words from the table may have line ends in their texts. */
static void offer(const Question *q, const char *word, const char *meaning) {
  if (strncmp(word, q->prefix, strlen(q->prefix)) == 0)
    printf("%s%s\t%.*s\n", q->before, word, (int)strcspn(meaning, "\n"), meaning);
}

static void offer_parts(const Question *q, const char *list) {
  char part[64];
  for (const char *at = list; *at; at += strspn(at, "|")) {
    size_t n = strcspn(at, "|");
    snprintf(part, sizeof part, "%.*s", (int)n, at);
    offer(q, part, "");
    at += n;
  }
}

static void offer_commands(const Question *q) {
  for (size_t i = 0; i < n_commands; i++) {
    offer(q, commands[i].name, commands[i].summary);
    if (commands[i].alias && *q->prefix)
      offer(q, commands[i].alias, commands[i].summary);
  }
}

/* ---- variables of a result ---- */

static bool ends_in(const char *word, const char *end) {
  size_t n = strlen(word), m = strlen(end);
  return n > m && strcmp(word + n - m, end) == 0;
}

static bool is_result(const char *word) {
  return ends_in(word, ".nus") || ends_in(word, ".csv") || ends_in(word, ".mat");
}

static void offer_variables(const Question *q) {
  struct stat info;
  NuSession *s = NULL;
  NuResult *r = NULL;
  NuVariable v;
  NuTable t = {0};
  if (!q->result || stat(q->result, &info) != 0 || nu_session_new(NULL, &s) != NU_OK)
    return;
  if (ends_in(q->result, ".nus")) {
    nu_result_open(s, q->result, &r);
    for (size_t i = 0; r && nu_result_variable(r, i, &v); i++)
      offer(q, v.name, v.comment);
    nu_result_free(r);
  } else if (info.st_size <= MOST_COMPLETE_BYTES && nu_table_read(s, q->result, &t) == NU_OK) {
    for (size_t i = 1; i < t.n_columns; i++)
      offer(q, t.names[i], "");
  }
  nu_table_free(&t);
  nu_session_free(s);
}

/* ---- plain arguments ---- */

/* A word of "RESULT... [CURVE...]", without brackets and dots. */
typedef struct {
  char text[64];
  bool repeated;
} Argument;

static const char *next_argument(const char *at, Argument *a) {
  at += strspn(at, " [");
  size_t n = strcspn(at, " []");
  a->repeated = n > 3 && strncmp(at + n - 3, "...", 3) == 0;
  snprintf(a->text, sizeof a->text, "%.*s", (int)(a->repeated ? n - 3 : n), at);
  at += n;
  return at + strspn(at, "]");
}

static void offer_argument(const Question *q, const char *kind) {
  if (islower((unsigned char)*kind)) {
    offer_parts(q, kind);
    return;
  }
  if (strstr(kind, "TARGET") || strcmp(kind, "FILE") == 0)
    puts("@mo");
  if (strstr(kind, "RESULT") || strcmp(kind, "REFERENCE") == 0)
    puts("@result");
  if (strcmp(kind, "COMMAND") == 0)
    offer_commands(q);
  if (strcmp(kind, "NAME") == 0 || strcmp(kind, "CURVE") == 0)
    offer_variables(q);
}

/* The kinds that argument number n may be: behind one that may be repeated also the next. */
static void offer_place(const Question *q, size_t n) {
  Argument a;
  for (const char *at = q->command->arguments; *at;) {
    at = next_argument(at, &a);
    if (n == 0 || a.repeated || !*at)
      offer_argument(q, n == 0 || a.repeated ? a.text : "");
    if (n == 0)
      return;
    n--;
  }
}

/* ---- options ---- */

/* The option that a word names, with or without a value behind `=`. */
static bool option_of(const CommandInfo *command, const char *word, Option *o) {
  size_t n = strcspn(word, "=");
  for (size_t i = 0; option_at(i, o); i++) {
    if (!option_applies(o, command))
      continue;
    if (word[0] == '-' && word[1] == '-' && strlen(o->name) == n - 2 &&
        strncmp(o->name, word + 2, n - 2) == 0)
      return true;
    if (word[0] == '-' && o->letter && word[1] == o->letter && !word[2])
      return true;
  }
  return false;
}

static void offer_options(const Question *q) {
  char word[64];
  Option o;
  for (size_t i = 0; option_at(i, &o); i++) {
    if (!option_applies(&o, q->command))
      continue;
    snprintf(word, sizeof word, "--%s", o.name);
    offer(q, word, o.help);
  }
}

static void offer_value(const Question *q, const Option *o) {
  const char *name, *summary;
  if (option_has_words(o))
    offer_parts(q, o->value);
  else if (strcmp(o->name, "solver") == 0)
    for (size_t i = 0; nu_solver(i, &name, &summary); i++)
      offer(q, name, summary);
  else if (o->value && strncmp(o->value, "FILE", 4) == 0)
    puts(o->value[4] == '.' ? "@result" : "@file");
  else if (o->value && strcmp(o->value, "NAME|GLOB") == 0)
    offer_variables(q);
}

/* ---- the question ---- */

/* The word after the command: where in the line is it? Bash gives `--solver=rk` as three words. */
static void complete_arguments(Question *q, int n, char **words) {
  size_t plain = 0;
  Option o;
  bool open = false; /* the value of o comes next */
  bool only_plain = false;
  for (int i = 0; i + 1 < n; i++) {
    const char *word = words[i];
    if (open && strcmp(word, "=") == 0)
      continue;
    if (open) {
      open = false;
    } else if (!only_plain && strcmp(word, "--") == 0) {
      only_plain = true;
    } else if (!only_plain && word[0] == '-' && word[1]) {
      open = option_of(q->command, word, &o) && o.value && !strchr(word, '=');
    } else {
      q->result = !q->result && is_result(word) ? word : q->result;
      plain++;
    }
  }
  const char *equal = strchr(q->prefix, '=');
  if (open) {
    q->prefix += strcmp(q->prefix, "=") == 0;
    offer_value(q, &o);
  } else if (equal && q->prefix[0] == '-' && !only_plain && option_of(q->command, q->prefix, &o)) {
    char *before = strndup(q->prefix, (size_t)(equal - q->prefix) + 1);
    q->before = before ? before : "";
    q->prefix = equal + 1;
    offer_value(q, &o);
    free(before);
  } else if (*q->prefix == '-' && !only_plain) {
    offer_options(q);
  } else {
    offer_place(q, plain);
  }
}

static const CommandInfo *command_of(const char *name) {
  for (size_t i = 0; i < n_commands; i++)
    if (strcmp(name, commands[i].name) == 0 ||
        (commands[i].alias && strcmp(name, commands[i].alias) == 0))
      return &commands[i];
  return NULL;
}

int complete_words(int n, char **words) {
  const char *last = n ? words[n - 1] : "", *code, *title;
  Question q = {.prefix = last + strspn(last, "'\""), .before = ""};
  if (n <= 1) {
    offer_commands(&q);
    offer(&q, "help", "the options of a command");
    if (*q.prefix == '-')
      for (int k = 0; k < 3; k++)
        offer(&q, (const char *const[]){"--help", "--version", "--explain"}[k], "");
  } else if (strcmp(words[0], "help") == 0 && n == 2) {
    offer_commands(&q);
  } else if (strcmp(words[0], "--explain") == 0) {
    for (size_t i = 0; nu_code(i, &code, &title); i++)
      offer(&q, code, title);
  } else if ((q.command = command_of(words[0]))) {
    complete_arguments(&q, n - 1, words + 1);
  }
  return 0;
}
