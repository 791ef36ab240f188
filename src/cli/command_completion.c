/* cli/command_completion.c -- completion: the scripts for shells, and the manual pages. The scripts
 * ask the program itself (cli/complete.c), so that they know every option of the version that is
 * there. */
#include <string.h>

#include "cli/commands.h"
#include "cli/manual.h"
#include "cli/report.h"

static const char bash_script
    [] = "# Completion of nusim for bash:  eval \"$(nusim completion bash)\"\n"
         "_nusim() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} word meaning quoted\n"
         "  COMPREPLY=()\n"
         "  while IFS=$'\\t' read -r word meaning; do\n"
         "    case $word in\n"
         "    @*)\n"
         "      local IFS=$'\\n' patterns='*' pattern\n"
         "      [[ $word == @mo ]] && patterns='*.mo'\n"
         "      [[ $word == @result ]] && patterns=$'*.nus\\n*.csv\\n*.mat'\n"
         "      while read -r pattern; do\n"
         "        COMPREPLY+=($(compgen -f -X \"!$pattern\" -- \"$current\"))\n"
         "      done <<< \"$patterns\"\n"
         "      [[ $word == @file ]] || COMPREPLY+=($(compgen -d -- \"$current\"))\n"
         "      compopt -o filenames 2>/dev/null\n"
         "      ;;\n"
         "    *)\n"
         "      quoted=$word\n"
         "      [[ $current == [\\\"\\']* || $word == -* ]] || printf -v quoted %q \"$word\"\n"
         "      COMPREPLY+=(\"$quoted\")\n"
         "      ;;\n"
         "    esac\n"
         "  done < <(\"${COMP_WORDS[0]/#\\~/$HOME}\" __complete \"${COMP_WORDS[@]:1:COMP_CWORD}\" "
         "2>/dev/null)\n"
         "}\n"
         "complete -F _nusim nusim\n";

static const char
    zsh_script[] = "#compdef nusim\n"
                   "# Completion of nusim for zsh: a file _nusim in a directory of $fpath.\n"
                   "_nusim() {\n"
                   "  local line word\n"
                   "  local -a found\n"
                   "  for line in \"${(@f)$(\"${words[1]}\" __complete \"${(@)words[2,CURRENT]}\" "
                   "2>/dev/null)}\"; do\n"
                   "    word=${line%%$'\\t'*}\n"
                   "    case $word in\n"
                   "      '') ;;\n"
                   "      @mo) _files -g '*.mo' ;;\n"
                   "      @result) _files -g '*.(nus|csv|mat)' ;;\n"
                   "      @file) _files ;;\n"
                   "      *) found+=(\"${word//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
                   "    esac\n"
                   "  done\n"
                   "  (( $#found )) && _describe nusim found\n"
                   "}\n"
                   "compdef _nusim nusim\n";

static const char fish_script
    [] = "# Completion of nusim for fish:  nusim completion fish > "
         "~/.config/fish/completions/nusim.fish\n"
         "function __nusim_complete\n"
         "    set -l before (commandline -opc)\n"
         "    set -l current (commandline -ct)\n"
         "    $before[1] __complete $before[2..-1] \"$current\" 2>/dev/null | while read -l line\n"
         "        switch $line\n"
         "            case @mo\n"
         "                __fish_complete_suffix .mo\n"
         "            case @result\n"
         "                __fish_complete_suffix .nus\n"
         "                __fish_complete_suffix .csv\n"
         "                __fish_complete_suffix .mat\n"
         "            case @file\n"
         "                __fish_complete_path \"$current\"\n"
         "            case '*'\n"
         "                echo $line\n"
         "        end\n"
         "    end\n"
         "end\n"
         "complete -c nusim -f -a '(__nusim_complete)'\n";

int command_completion(const Args *args) {
  static const struct {
    const char *name, *script;
  } shells[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
  const char *word = args->targets.at[0], *what = args->targets.n > 1 ? args->targets.at[1] : NULL;
  const char *names[] = {"bash", "zsh", "fish", "man"};
  if (strcmp(word, "man") == 0) {
    const CommandInfo *command = what ? command_find(what) : NULL;
    if (what && !command)
      return EXIT_USAGE;
    manual_page(command, stdout);
    return 0;
  }
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
    if (strcmp(word, shells[i].name) == 0) {
      if (what)
        return usage_error(NULL, NULL, 0, "`%s` is one argument too many for `completion %s`", what,
                           word);
      fputs(shells[i].script, stdout);
      return 0;
    }
  return usage_error(word, names, sizeof names / sizeof *names,
                     "there is no completion for `%s`; there are bash, zsh, fish, man", word);
}
