#pragma once
/* expr/partial.h -- what a function gives whatever the unknown ones among its arguments are; a call
 * as expressions. */
#include "expr/func.h"

/* args: one per input, scalars or constructors of scalars; what is no literal counts as unknown,
 * and so does a missing one without default. results[k]: output k as a scalar or constructor whose
 * scalars are literals where they are known; any other node stands for an unknown value and means
 * nothing. False if nothing can be said: sizes or loops depend on what is unknown. */
bool func_partial(ExprPool *p, Arena *a, const Func *f, uint32_t n_args, const ExprId *args,
                  ExprId *results);

/* The same call with its arguments as they are: results[k] becomes output k as a scalar or
 * constructor of scalars, written in terms of the arguments; calls of functions with GenerateEvents
 * = true are written out, too. False if that is not possible: loops depend on what is not known, or
 * there are assertions. */
bool func_written_out(ExprPool *p, Arena *a, const Func *f, uint32_t n_args, const ExprId *args,
                      ExprId *results);
