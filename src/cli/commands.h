#pragma once
/* cli/commands.h -- the commands; each returns the exit code. */
#include "cli/options.h"

Command command_check, command_completion, command_diff, command_flatten, command_inspect,
    command_dump, command_format, command_new, command_plot, command_run, command_values;
/* inspect --vars of a stored result. */
int inspect_result(const Args *args);
/* inspect --modes of one. */
int inspect_result_modes(const Args *args);
