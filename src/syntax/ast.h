#pragma once
/* syntax/ast.h -- the syntax tree: what was written, nothing more.
 * Follows the grammar of the Modelica Language Specification 3.6, appendix A. Names are interned
 * (compare by address; a quoted identifier keeps its quotes). Lists are arrays with a count. Every
 * node has a span. Nodes live in the arena of the file that was parsed and are never changed
 * afterwards. */
#include "base/source.h"

typedef struct AstExp AstExp;
typedef struct AstMod AstMod;
typedef struct AstClass AstClass;
typedef struct AstElement AstElement;
typedef struct AstEquation AstEquation;
typedef struct AstStatement AstStatement;
typedef struct AstChart AstChart;

/* ---- names ---- */

typedef struct {
  const char *name;
  Span span;
  AstExp **subs; /* subscripts; AST_COLON for `:` */
  uint32_t n_subs;
} AstRefPart;

/* component_reference and name: a.b[2].c, with a leading dot if global */
typedef struct {
  AstRefPart *parts;
  uint32_t n;
  bool global;
  Span span;
} AstRef;

/* ---- expressions ---- */

typedef enum {
  AST_INTEGER,
  AST_REAL,
  AST_STRING,
  AST_BOOLEAN,
  AST_REF,   /* a.b[2].c; `time` too */
  AST_END,   /* `end` in a subscript */
  AST_COLON, /* `:` as a subscript, or [:] as a dimension */
  AST_UNARY,
  AST_BINARY,
  AST_IF,
  AST_RANGE,  /* a:c or a:b:c */
  AST_CALL,   /* f(x, n = y), also der, initial, pure ... */
  AST_REDUCE, /* f(e for i in r) and {e for i in r} (ref == NULL) */
  AST_ARRAY,  /* {a, b} */
  AST_MATRIX, /* [a, b; c, d]: items are AST_ARRAY, one per row */
  AST_TUPLE,  /* (a, , b): items may be NULL; (a) alone is not a tuple */
  AST_PARTIAL /* function f(x = 1) as an argument */
} AstExpKind;

typedef enum {
  AST_ADD,
  AST_SUB,
  AST_MUL,
  AST_DIV,
  AST_POW,
  AST_ADD_EL,
  AST_SUB_EL,
  AST_MUL_EL,
  AST_DIV_EL,
  AST_POW_EL, /* .+ .- .* ./ .^ */
  /* Binary only, with the ones above */
  AST_LT,
  AST_LE,
  AST_GT,
  AST_GE,
  AST_EQ,
  AST_NE,
  AST_AND,
  AST_OR,
  AST_NOT,
  AST_NEG,
  AST_PLUS,
  AST_NEG_EL,
  AST_PLUS_EL /* unary: not - + .- .+ */
} AstOp;

typedef struct {
  const char *name; /* NULL if positional */
  AstExp *value;    /* NULL only in AST_TUPLE */
  Span span;
} AstArg;

typedef struct {
  const char *name;
  AstExp *range; /* NULL: implied by use as a subscript */
  Span span;
} AstIterator;

struct AstExp {
  AstExpKind kind;
  AstOp op;           /* AST_UNARY, AST_BINARY */
  bool parenthesised; /* was written in ( ) */
  Span span;
  uint32_t n; /* of items, args or iterators */
  union {
    int64_t integer; /* AST_INTEGER, AST_BOOLEAN */
    double real;
    const char *string; /* AST_STRING: escapes decoded; interned */
    AstRef *ref;        /* AST_REF */
    struct {
      /* UNARY a; BINARY a b; RANGE start, step or NULL, stop; IF condition, then, else (elseif
       * nests in c) */
      AstExp *a, *b, *c;
    };
    AstExp **items; /* ARRAY, MATRIX, TUPLE */
    struct {
      AstRef *function; /* CALL, PARTIAL, REDUCE */
      union {
        AstArg *args; /* CALL, PARTIAL */
        struct {
          AstExp *body; /* REDUCE */
          AstIterator *iterators;
        };
      };
    };
  };
};

/* ---- modifications and annotations ---- */

/* argument: name(sub...) = value, with prefixes; or an element redeclaration or replaceable
 * element. The modification that belongs to a declaration or class has no ref. Annotations use the
 * same form. */
struct AstMod {
  AstRef *ref; /* NULL: modification of the declaration itself */
  bool each, final;
  bool has_parens;  /* ( ) was written, even if empty */
  bool break_value; /* `= break` */
  /* `break name` or `break connect(a, b)` in an extends clause: names ref or removed_connect */
  bool removes;
  AstElement *element; /* redeclare or replaceable: then ref, subs and value are empty */
  AstMod **subs;
  uint32_t n_subs;
  AstExp *value;                /* NULL if none */
  AstEquation *removed_connect; /* NULL if none */
  const char *comment;
  Span span;
};

/* ---- elements ---- */

typedef enum { AST_IMPORT, AST_EXTENDS, AST_COMPONENT, AST_CLASS_DEF } AstElementKind;
typedef enum { VIS_PUBLIC, VIS_PROTECTED } AstVisibility;
/* ascending: varies less */
typedef enum { VAR_CONTINUOUS, VAR_DISCRETE, VAR_PARAMETER, VAR_CONSTANT } AstVariability;
typedef enum { DIR_NONE, DIR_INPUT, DIR_OUTPUT } AstDirection;
typedef enum { FLOW_NONE, FLOW_FLOW, FLOW_STREAM } AstFlow;

/* One declared name. `Real a, b;` gives two elements that share type and prefixes. */
struct AstElement {
  AstElementKind kind;
  AstVisibility visibility;
  bool redeclare, final, inner, outer, replaceable;
  bool dynamic;         /* extension: dynamic component */
  bool event;           /* extension: input event / output event */
  bool first_of_clause; /* the first name of `Real a, b;` (for printing) */
  Span span;            /* the declaration; for a component without its type */
  /* AST_IMPORT: import A.B;  import C = A.B;  import A.*;  import A.{x, y}; */
  AstRef *path;        /* import path, extends base or component type */
  const char *name;    /* alias of an import (NULL if none), component name */
  bool import_all;     /* A.* */
  AstRefPart *imports; /* A.{x, y}: n_imports > 0 */
  uint32_t n_imports;
  /* AST_EXTENDS: path and mod; AST_COMPONENT: also the following */
  AstVariability variability;
  bool has_variability; /* a variability prefix was written */
  AstDirection direction;
  AstFlow flow;
  AstExp **dims; /* of the type, then of the name: Real[2] x[3] has dims {3, 2} */
  uint32_t n_dims;
  uint32_t n_type_dims; /* how many of them, at the end, were written at the type */
  AstExp *condition;
  AstMod *mod; /* NULL if none */
  /* AST_CLASS_DEF */
  AstClass *class_def;
  /* constrainedby */
  AstRef *constraint; /* NULL if none */
  AstMod *constraint_mod;
  const char *constraint_comment;
  AstMod *constraint_annotation;
  const char *comment; /* NULL if none */
  AstMod *annotation;
};

/* ---- classes ---- */

typedef enum {
  CLASS_CLASS,
  CLASS_MODEL,
  CLASS_RECORD,
  CLASS_OPERATOR_RECORD,
  CLASS_BLOCK,
  CLASS_CONNECTOR,
  CLASS_EXPANDABLE,
  CLASS_TYPE,
  CLASS_PACKAGE,
  CLASS_FUNCTION,
  CLASS_OPERATOR_FUNCTION,
  CLASS_OPERATOR,
  CLASS_ATOMIC /* extension */
} AstClassKind;

typedef enum {
  FORM_LONG,    /* class A ... end A */
  FORM_EXTENDS, /* class extends A(...) ... end A */
  FORM_SHORT,   /* class A = prefix B[n](...) */
  FORM_ENUM,    /* type A = enumeration(...) or (:) */
  FORM_DER      /* function f = der(g, x, y) */
} AstClassForm;

typedef enum { PURITY_NONE, PURITY_PURE, PURITY_IMPURE } AstPurity;

typedef struct {
  const char *name, *comment;
  AstMod *annotation;
  Span span;
} AstEnumLiteral;

typedef enum { SECTION_EQUATION, SECTION_ALGORITHM, SECTION_HFSS, SECTION_CHART } AstSectionKind;

typedef struct {
  AstSectionKind kind;
  bool initial;
  Span span;
  union {
    AstEquation **equations; /* EQUATION and HFSS */
    AstStatement **statements;
    AstChart *chart;
  };
  uint32_t n;
} AstSection;

typedef struct {
  const char *language; /* "C" if not written */
  AstRef *result;       /* NULL if none */
  const char *name;     /* NULL: that of the function */
  AstExp **args;
  uint32_t n_args;
  bool has_call; /* a call was written; else the default argument list is meant */
  AstMod *annotation;
  Span span;
} AstExternal;

struct AstClass {
  AstClassKind kind;
  AstClassForm form;
  bool partial, encapsulated;
  AstPurity purity;
  const char *name;
  Span name_span, span;
  const char *comment;
  AstMod *annotation;
  /* FORM_LONG, FORM_EXTENDS */
  AstElement **elements;
  uint32_t n_elements;
  AstSection *sections;
  uint32_t n_sections;
  AstExternal *external;
  /* FORM_SHORT, FORM_DER: base; FORM_SHORT and FORM_EXTENDS: mod */
  AstRef *base;
  AstDirection direction; /* prefixes of a short class */
  AstFlow flow;
  AstExp **dims;
  uint32_t n_dims;
  AstMod *mod;
  /* FORM_ENUM */
  AstEnumLiteral *literals;
  uint32_t n_literals;
  bool enum_open; /* enumeration(:) */
  /* FORM_DER */
  const char **der_names;
  uint32_t n_der_names;
};

/* ---- equations and statements ---- */

typedef enum {
  EQN_EQUAL,
  EQN_CONNECT,
  EQN_IF,
  EQN_FOR,
  EQN_WHEN,
  EQN_CALL,
  EQN_HFSS
} AstEquationKind;

typedef struct {
  AstExp *condition; /* NULL: else */
  AstEquation **body;
  uint32_t n;
} AstEquationBranch;

/* One equation of an hfss section (extension): `initial elapsed = r`, `timeToInput = r`, or
 * transition ... end transition */
typedef enum { HFSS_INITIAL, HFSS_TRANSITION } AstHfssKind;

struct AstEquation {
  AstEquationKind kind;
  Span span;
  const char *comment;
  AstMod *annotation;
  union {
    struct {
      AstExp *lhs, *rhs;
    }; /* EQUAL */
    struct {
      AstRef *from, *to;
    };            /* CONNECT */
    AstExp *call; /* CALL: assert, reinit, terminate, Connections.branch ... */
    struct {
      AstEquationBranch *branches; /* IF, WHEN (elsewhen) */
      uint32_t n_branches;
    };
    struct {
      AstIterator *iterators; /* FOR */
      uint32_t n_iterators;
      AstEquation **body;
      uint32_t n_body;
    };
    struct {
      AstHfssKind hfss;
      AstExp *hfss_lhs, *hfss_rhs; /* INITIAL */
      AstStatement **hfss_body;    /* TRANSITION */
      uint32_t n_hfss_body;
    };
  };
};

typedef enum {
  STM_ASSIGN,
  STM_CALL,
  STM_IF,
  STM_FOR,
  STM_WHILE,
  STM_WHEN,
  STM_BREAK,
  STM_RETURN
} AstStatementKind;

typedef struct {
  AstExp *condition; /* NULL: else */
  AstStatement **body;
  uint32_t n;
} AstStatementBranch;

struct AstStatement {
  AstStatementKind kind;
  Span span;
  const char *comment;
  AstMod *annotation;
  union {
    struct {
      AstExp *lhs; /* ASSIGN: AST_REF or AST_TUPLE */
      AstExp *rhs; /* for a tuple: AST_CALL */
    };
    AstExp *call; /* CALL */
    struct {
      AstStatementBranch *branches; /* IF, WHEN; WHILE has one */
      uint32_t n_branches;
    };
    struct {
      AstIterator *iterators; /* FOR */
      uint32_t n_iterators;
      AstStatement **body;
      uint32_t n_body;
    };
  };
};

/* ---- charts (extensions): statechart and sfc ---- */

typedef struct {
  bool negated;
  enum { TRIGGER_EVENT, TRIGGER_AFTER, TRIGGER_ENTERED, TRIGGER_EXITED } kind;
  AstRef *ref;   /* EVENT, ENTERED, EXITED */
  AstExp *delay; /* AFTER */
} AstTrigger;

typedef struct {
  AstTrigger *triggers; /* any of them; n = 0: none */
  uint32_t n_triggers;
  AstExp *guard; /* NULL if none */
  AstStatement **body;
  uint32_t n_body;
  Span span;
} AstReaction;

typedef struct {
  AstRef **from, **to; /* several only in an sfc */
  uint32_t n_from, n_to;
  AstReaction reaction;
  bool has_priority;
  int64_t priority;
  Span span;
} AstTransition;

typedef struct {
  AstRef *name;
  const char *qualifier;
  AstExp *duration; /* NULL if none */
  Span span;
} AstAction;

typedef struct {
  const char *name;
  bool deep;
  const char *otherwise; /* default; NULL if none */
  Span span;
} AstHistory;

typedef struct AstState AstState;
struct AstState {
  const char *name;
  bool initial, parallel;
  bool short_form; /* state A; */
  Span span;
  AstElement **elements;
  uint32_t n_elements;
  const char **events;
  uint32_t n_events;
  AstState **states;
  uint32_t n_states;
  AstTransition *transitions;
  uint32_t n_transitions;
  AstHistory *histories;
  uint32_t n_histories;
  AstStatement **entry, **exit;
  uint32_t n_entry, n_exit;
  AstReaction *during;
  uint32_t n_during;
  AstEquation **equations;
  uint32_t n_equations;
  AstAction *actions; /* of an sfc step */
  uint32_t n_actions;
};

/* A statechart or sfc section. The chart itself is the root state: its items are those of
 * `root`. */
struct AstChart {
  bool is_sfc;
  const char *name;
  AstArg *args;
  uint32_t n_args;
  AstState root;
  Span span;
};

/* ---- a file ---- */

typedef struct {
  bool has_within;
  AstRef *within; /* NULL: none written, or `within;` */
  AstClass **classes;
  bool *finals; /* `final` before the class */
  uint32_t n_classes;
  const Source *source;
} AstFile;
