#pragma once
/* flat/unit.h -- units of measure (MLS 3.6 chapter 19): reading, computing, printing. */
#include <stdbool.h>

#include "base/text.h"

enum { UNIT_BASES = 7 };  /* kg m s A K mol cd */
enum { UNIT_POWER = 60 }; /* an exponent is stored times 60, so that roots have one, too */

/* x [unit] = (x * scale + offset) in base units. Angles have none: rad and sr are 1. */
typedef struct {
  int power[UNIT_BASES];
  double scale, offset;
} Unit;

bool unit_parse(const char *text, Unit *out);
Unit unit_one(void);
/* a*b or, with -1, a/b; offsets are dropped */
Unit unit_product(const Unit *a, const Unit *b, int sign);
/* unit^(numerator/denominator); false when an exponent becomes too fine to store. */
bool unit_power(const Unit *u, int numerator, int denominator, Unit *out);
bool unit_same_dimension(const Unit *a, const Unit *b);
/* Scale and offset; to be asked about units of the same dimension */
bool unit_same_scale(const Unit *a, const Unit *b);
/* "N.m", "kg.m2/s3", "1": a name of the SI where there is one. */
void unit_print(const Unit *u, Text *out);
