#pragma once
/* cli/complete.h -- candidates for the word of a command line that is being written. */

/* Words behind `nusim`; the last is that word. Prints the candidates. */
int complete_words(int n, char **words);
