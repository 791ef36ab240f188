#pragma once
/* structure/dump.h -- the sorted blocks as text: `nusim dump --structure`. */
#include "base/diag.h"
#include "base/text.h"
#include "structure/sorted.h"

void structure_dump(const Structure *s, const Diags *diags, Text *out);
