#pragma once
/* base/explain.h -- the page of docs/errors about a code, built into the program
 * (tools/gen-errors). */

/* Markdown; NULL if there is no such code. Upper and lower case are the same. */
const char *nu_error_page(const char *code);
