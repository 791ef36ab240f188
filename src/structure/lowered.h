#pragma once
/* structure/lowered.h -- reading and joining lowered expressions and statements. */
#include "expr/func.h"
#include "structure/sorted.h"

/* Is it a VAR node? Then *var is its number. */
bool lowered_var(const ExprPool *p, ExprId e, uint32_t *var);
ExprId logic_and(ExprPool *p, ExprId a, ExprId b);
ExprId logic_or(ExprPool *p, ExprId a, ExprId b);
ExprId logic_not(ExprPool *p, ExprId a);
/* The VAR node of an SVar */
ExprId svar_expr(const Structure *s, uint32_t var);
/* Visits the expressions of statements but for targets, conditions of branches included */
void stmts_vars(const ExprPool *p, Stmt *const *body, uint32_t n,
                void (*visit)(void *user, ExprId e), void *user);
