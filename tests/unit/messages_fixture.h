#pragma once
/* tests/unit/messages_fixture.h -- a sink that keeps the diagnostics of a test as text, "CODE:
 * message" line by line. */
#include <stdio.h>
#include <string.h>

#include "nusim.h"

static char messages[4000];

static void note(void *user, const NuDiagnostic *d) {
  (void)user;
  size_t n = strlen(messages);
  snprintf(messages + n, sizeof messages - n, "%s: %s\n", d->code, d->message);
}
