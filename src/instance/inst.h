#pragma once
/* instance/inst.h -- the instance tree: classes as they are in their place, with all modifications
 * applied.
 * A Class is a definition seen from one place with one modification: the type of one component, a
 * package, or the base named in an extends-clause. Its Elements are shared between a class and its
 * bases: an inherited component is one object, found from the base's text and from the derived
 * class alike. Everything is made on demand: a class is expanded when a name is looked for in it, a
 * component gets type and size when somebody asks (element_resolve).
 * Keep: expansion of a class never needs the types of its components, only names; so recursion ends
 *       where the text is sound. */
#include "base/map.h"
#include "base/vec.h"
#include "expr/eval.h"
#include "instance/library.h"
#include "syntax/ast.h"

typedef struct World World;
typedef struct Class Class;
typedef struct Element Element;
typedef struct Mod Mod;
typedef struct Elab Elab;

/* A modification: what is said about an element from outside. Merged ones are new objects; parts
 * are shared. */
struct Mod {
  const char *name; /* of the element it modifies; NULL at the root */
  bool each, final;
  AstExp *value; /* NULL if it gives no value */
  Class *scope;  /* where `value` is looked up */
  ExprId typed;  /* a value that is already typed, instead of `value` */
  /* The value belongs to an array of components; this element's index in it, outermost first */
  const int64_t *index;
  uint32_t n_index;
  /* NULL if none; then value and subs are what is said over the redeclaration */
  AstElement *redeclare;
  Class *redeclare_scope;
  Mod *own;   /* redeclare: the modification that the redeclaration itself has */
  Mod *below; /* redeclare: what is said of the element that is redeclared */
  Mod **subs;
  uint32_t n_subs;
  Span span;      /* the value, if there is one */
  Span name_span; /* the name where it was written last */
};

typedef enum { ELEMENT_COMPONENT, ELEMENT_CLASS } ElementKind;
typedef enum { STATE_NEW, STATE_BUSY, STATE_DONE, STATE_FAILED } WorkState;
typedef enum {
  FAULT_NONE,
  FAULT_TOLD,    /* a message was given */
  FAULT_VARIES,  /* neither parameter nor constant */
  FAULT_MISSING, /* no value */
  FAULT_LATE,    /* computed at initialisation */
  FAULT_FAILS,   /* its value cannot be computed */
  FAULT_ENDLESS, /* its computation reached a limit */
  FAULT_CIRCLE   /* it depends on itself */
} ValueFault;

/* A dimension that comes from a type: type Axis = Real[3] */
typedef struct {
  AstExp *size;
  Class *scope;
} TypeDim;

struct Element {
  ElementKind kind;
  const char *name;
  /* The declaration in force; NULL for classes that have a file of their own and predefined ones */
  AstElement *ast;
  /* What `ast` redeclares: gives prefixes, sizes and condition where `ast` has none; else NULL */
  AstElement *original;
  Class *original_scope;
  /* The declaration whose constraining type (or own type) a redeclaration must fit; NULL: `ast` */
  AstElement *constraint;
  Class *constraint_scope;
  /* The declaration whose constraint that of `constraint` replaced; NULL if none */
  AstElement *wider;
  Class *wider_scope;
  Mod *kept; /* what a redeclaration takes over from this declaration; valid if kept_known */
  bool kept_known;
  /* The class whose text declares it: names in the declaration are looked up there */
  Class *scope;
  Class *owner;  /* the class instance that has it (not a base): gives the path */
  Mod *mod;      /* from outside, over the declaration's own */
  Element *same; /* inherited twice: the one that counts (MLS 7.1.2); else NULL */
  bool is_protected, is_final, is_inherited, is_replaceable;
  bool mod_failed; /* a message about its modification was given */
  /* classes */
  AstClass *def;
  /* Short class from a redeclaration: its own modification, instead of that of `def`; else NULL */
  Mod *own;
  Mod *under;        /* short class: what the constraining type says, below its own modification */
  LibClass *lib;     /* if the class has a file of its own */
  Element *previous; /* class extends: what it extends */
  Class *view;       /* the class as a name space; made on demand */
  TypeBase predefined; /* Real, Integer ...: TY_NONE if not */
  /* prim_* below are valid: a class that is a predefined type with attributes */
  bool prim_known;
  TypeBase prim_base; /* TY_NONE: not a predefined type */
  Mod *prim_mod;
  const TypeDecl *prim_decl; /* enumeration */
  AstDirection prim_direction;
  AstFlow prim_flow;
  AstClassKind prim_kind; /* connector if any class on the way is one */
  VEC(TypeDim) prim_dims;
  /* components; valid after element_resolve */
  WorkState state;
  bool absent; /* its condition is false */
  TypeId type; /* with dimensions */
  uint32_t n_dims;
  int32_t *dims;
  /* Per dimension: type of its subscripts, NO_TYPE for Integer; NULL: all Integer */
  TypeId *dim_index;
  /* Class instances, one per array element (one if scalar); NULL for predefined types */
  Class **items;
  uint32_t n_items;
  Element *type_class; /* the class element of its type */
  Class *sample;       /* an instance that shows the structure when there are no items */
  Mod *attributes;     /* of a predefined type */
  AstVariability variability;
  AstDirection direction; /* own prefix or that of its class or of the component around it */
  AstFlow flow;
  AstClassKind class_kind; /* of its type; CLASS_TYPE for predefined types outside of connectors */
  bool is_connector;
  bool in_use; /* an element of an expandable connector that is connected */
  bool is_inner, is_outer;
  bool is_added;  /* an inner element that the text lacks */
  Element *inner; /* an outer element: what it stands for */
  /* An `inner outer` element: the one further out, which its own class's text means */
  Element *around;
  bool evaluate;         /* annotation Evaluate = true */
  bool structural;       /* its value shaped the model */
  bool hidden_from_flat; /* in a package: no variable of its own */
  /* value of a parameter or constant */
  WorkState value_state;
  Value value;
  ValueFault fault; /* why it has no value, after a failure */
  const char *why;  /* the same in words */
  Element *culprit; /* after a failure: the element that is to blame, maybe itself */
  ExprId literal;   /* the value of a constant as an expression, once it was asked for */
  WorkState binding_state;
  ExprId binding;        /* typed, of the element's type; NO_EXPR if none */
  bool binding_is_start; /* of a function's output or protected variable */
  /* flattening */
  uint32_t first_var; /* number of its first scalar in the flat model + 1; 0: none yet */
  /* functions: number as LOCAL + 1; 0 if it is none */
  uint32_t local;
  ExprId *dim_exprs; /* sizes that depend on inputs; NO_EXPR elsewhere */
};

typedef struct {
  Class *cls;
  AstElement *ast; /* NULL for the base of a short class */
} Base;

typedef struct {
  const char *name; /* alias, or last name; NULL: A.* */
  AstRef *path;
  const char *last; /* A.{x}: x */
  Span span;
  Element *found;
  bool busy, failed;
} Import;

struct Class {
  const char *path;      /* instance path of a component's class, full name of a class */
  const char *full_name; /* of the definition */
  AstClass *ast;         /* NULL for predefined types and the root */
  Element *element;      /* the class element it was made from */
  LibClass *lib;
  Class *parent;          /* the class around the text; NULL for the root */
  Class *derived;         /* it is a base of this class; NULL if it stands for itself */
  Class *instance_parent; /* it is the type of a component in this class; NULL for packages */
  Element *component;
  uint32_t item;  /* which element of an array component; 0 if scalar */
  uint32_t depth; /* of nesting of components */
  Mod *mod;
  WorkState state;
  TypeBase predefined;     /* it is one of the predefined types */
  Map table;               /* name -> Element* */
  Map missing;             /* names that were looked for in vain among files */
  VEC(Element *) elements; /* own and inherited, in order of the text */
  VEC(Base) bases;
  VEC(Import) imports;
  AstClassKind kind;
  bool is_record; /* a record, or a connector or type that is one by a short definition */
  bool is_function;
  bool is_external_object;
  bool lookup_failed;   /* a base is missing: absent names are not reported */
  const TypeDecl *decl; /* of a record, enumeration or external object; made on demand */
  Func *func;
  WorkState func_state;
  /* flattening */
  uint32_t origin; /* number of its component in the flat model + 1 */
};

struct World {
  Arena *arena;
  Interner *names;
  Library *lib;
  Diags *diags;
  ExprPool *pool;
  Class *root;       /* holds the top-level classes */
  Class *predefined; /* Real, Integer ... and the enumerations of MLS 4.9.8 */
  VEC(const TypeDecl *) decls;
  VEC(Class *) decl_classes; /* the class of each */
  VEC(Func *) funcs;         /* in order of first use */
  const TypeDecl *state_select, *assertion_level;
  bool strict;
  Class *model; /* the class being flattened */
  Map compared; /* declarations that compat.c has seen */
  Map endless;  /* expression -> steps within which it did not end */
  Map checked;  /* definitions and declarations that restrict.c has seen */
  Map builtins; /* name -> row of the table of predefined functions + 1 */
  /* Func -> its one expression, calls of such functions put in place (ExprId); 0: it is none */
  Map bodies;
  Diag *told;               /* the last message of elab_error */
  Element *culprit;         /* at which the last evaluation failed; NULL: at none */
  VEC(Element *) evaluated; /* whose values are being computed, outermost first */
  uint32_t eval_depth;
  uint32_t frugal;  /* what the limits of steps and rounds are divided by */
  uint64_t steps;   /* of all evaluations so far */
  bool steps_short; /* one evaluation reached its limit: the next ones get less */
  /* Answers what depends on the connections of the whole model: cardinality(c),
   * Connections.isRoot(r), Connections.rooted(r). NULL until they are known. Returns NO_EXPR after
   * an error. */
  ExprId (*ask_connections)(void *user, Elab *el, const AstExp *call);
  void *connections;
  uint32_t n_iterators; /* LOCAL numbers used by loops in algorithms of the model */
  uint32_t n_rounds;    /* of all loops that were unrolled so far */
};

World *world_new(Library *lib, Interner *names, Arena *a, Diags *diags);

/* ---- names (lookup.c) ---- */
/* A simple name seen from the text of `scope`, by the rules of MLS 5.3.1. NULL if there is none (no
 * diagnostic). */
Element *lookup_simple(World *w, Class *scope, const char *name);
/* Only in one class: its elements and imports. NULL if there is none. */
Element *lookup_here(World *w, Class *c, const char *name);
/* An element of a class, own or inherited. NULL if there is none. */
Element *lookup_in(World *w, Class *c, const char *name);
/* The class that a (dotted) name means, if it is one; NULL else (no diagnostic). */
Element *lookup_type_name(World *w, Class *scope, const AstRef *ref);
/* A class by a (dotted) name, with diagnostics. NULL after an error. */
Element *lookup_class(World *w, Class *scope, const AstRef *ref);
/* The same for the function of a call, which may belong to a component: pump.characteristic(x). */
Element *lookup_function(World *w, Class *scope, const AstRef *ref);
/* Length of the first identifier of a dotted name; a quoted one may hold dots. */
size_t lookup_first_name(const char *name);
/* The class that a full name means, from the top. NULL if there is none (no diagnostic). */
Element *lookup_full_name(World *w, const char *name);
/* Reports N001 with the nearest names visible in `scope` (or inside `c` if not NULL). */
void lookup_report(World *w, Class *scope, Class *c, const char *name, Span span, const char *what);
/* Reports each import of the class's own text that finds nothing, used or not. */
void lookup_check_imports(World *w, Class *c);
/* The class element as a name space. Never NULL. */
Class *class_view(World *w, Element *e);

/* ---- what a dotted name may go through (reach.c) ---- */
/* Declared as one, or with nothing but classes and constants */
bool reach_is_package(World *w, Class *c);
/* May element `next` of class `from` be named from.next? Reports N005, N013. */
bool reach_element(World *w, Class *from, const Element *next, Span span);
/* May the text of `scope` use the component e, which a simple name found? Reports N013. */
bool reach_enclosing(World *w, Class *scope, const Element *e, Span span);

/* ---- classes (class.c) ---- */
/* The class of element `e` under a modification, as the type of `component` inside `around` (both
 * NULL for a package). */
Class *class_new(World *w, Element *e, Mod *mod, Class *around, Element *component, uint32_t item);
bool class_expand(World *w, Class *c); /* false after an error */
const char *class_full_name(const Class *c);
/* The class instance itself or what it is a base of. */
static inline Class *class_self(Class *c) {
  while (c->derived)
    c = c->derived;
  return c;
}
/* If the class element is (an alias of) a predefined type: fills prim_*; returns its base or
 * TY_NONE. */
TypeBase class_primitive(World *w, Element *e);
bool class_is_a(World *w, Class *c, AstClassKind kind);
bool class_is_partial(const Class *c); /* declared so, or a short form of such a class */
/* A class and its bases (depth first, bases in order) have a text; calls `visit` for each, bases
 * first. */
void class_texts(Class *c, void (*visit)(void *user, Class *text), void *user);

/* ---- does a class fit where another is wanted? (compat.c) ---- */
bool compat_fits(World *w, Element *actual, Element *wanted, const char **why); /* class elements */
/* a redeclared or constrained element against its constraint: M005 */
void compat_check(World *w, Element *e);
void compat_check_outer(World *w, Element *e); /* an outer component against its inner one: N008 */

/* ---- what classes may contain (restrict.c) ---- */
const char *class_kind_text(AstClassKind kind);
void restrict_class(World *w, Class *c);       /* its text; after it was expanded */
void restrict_component(World *w, Element *e); /* after it got its type */
/* What is said of a component (restrict_mod.c) */
void restrict_mods(World *w, const Element *e, const Class *shape);
/* The same for one of a predefined type */
void restrict_attributes(World *w, const Element *e, TypeBase base);
/* The elements of a class instance that is part of the model */
void restrict_instance(World *w, Class *c);

/* ---- modifications (mod.c) ---- */
Mod *mod_of_ast(World *w, const AstMod *ast, Class *scope);
/* What `outer` says, then what `inner` says. Reports M002 where outer touches a final of inner.
 * Either may be NULL. */
Mod *mod_merge(World *w, Mod *outer, Mod *inner);
Mod *mod_find(const Mod *m, const char *name);
/* The modification of element number `index` of an array of components. */
Mod *mod_item(World *w, Mod *m, const int64_t *index, uint32_t n);
bool mod_has_value(const Mod *m);
/* The same without its redeclaration. */
Mod *mod_plain(World *w, Mod *m);

/* ---- redeclarations (redeclare.c) ---- */
/* `redeclare` from a modification takes the place of the declaration. */
void redeclare_by_mod(World *w, Element *e, Mod *m);
/* An element declared with `redeclare` (or class extends) takes the place of the inherited one, in
 * place. */
void redeclare_inherited(World *w, Element *old, Element *own);
/* Takes over what a declaration says of itself. */
void element_declare(Element *e, AstElement *ast, Class *scope);

/* ---- inner and outer (outer.c) ---- */
/* The inner component that an outer one stands for, resolved; `required`: one is added or its
 * absence reported. NULL if none. */
Element *outer_component(World *w, Element *e, bool required);
/* The inner class of an outer class inside a component; any other class itself. */
Element *outer_class(World *w, Element *e);

/* ---- components (component.c) ---- */
/* Type, dimensions, condition. False after an error; an absent component is resolved, too. */
bool element_resolve(World *w, Element *e);
/* Its declaration's or modification's value, typed, of the element's type; NO_EXPR if none. */
ExprId element_binding(World *w, Element *e);
/* Value of a parameter or constant; marks parameters as structural. `why` (may be NULL) gets the
 * reason of a failure. */
bool element_value(World *w, Element *e, Value *out, const char **why);
const char *element_path(World *w, const Element *e);
/* What an outer element stands for; any other element itself. Resolves it. */
Element *element_actual(World *w, Element *e);
/* The same for an element that a text names: of an `inner outer` element the one further out. */
Element *element_meant(World *w, Element *e);
/* An attribute of a predefined type (start, unit ...): typed value with the element's dimensions or
 * scalar; NO_EXPR if none. */
ExprId element_attribute(World *w, Element *e, const char *name, TypeBase base);
/* The (first) class instance of a component with elements of its own; NULL else */
Class *element_item(World *w, Element *e);

/* ---- typed expressions (elab*.c) ---- */
typedef struct Binder {
  const char *name;
  ExprId value; /* a literal in models, a LOCAL in functions */
  struct Binder *next;
} Binder;

struct Elab {
  World *w;
  Class *scope;    /* where names are looked up */
  Binder *binders; /* iterators, innermost first */
  Func *function;  /* the function whose body this is; NULL in models */
  Class *function_class;
  ExprId end_of; /* the array that `end` refers to; NO_EXPR outside of subscripts */
  uint32_t end_dim;
  bool in_when, in_initial, in_loop;
  bool in_branch; /* of an if that is decided at run time */
  bool quiet;     /* no diagnostics: a trial */
  /* Why elab_evaluate failed; NULL if it is just not a constant or parameter expression */
  const char *why;
  bool endless; /* it failed because it reached a limit */
  /* ... because the expression has no value at all: a division by zero, a subscript out of range */
  bool wrong;
};

/* Typed expression, NO_EXPR after an error. */
ExprId elab_exp(Elab *el, const AstExp *e);
/* The same, converted to a type (Integer to Real, dimensions checked where known; NO_TYPE: any).
 * `what` names the place. */
ExprId elab_as(Elab *el, const AstExp *e, TypeId wanted, const char *what);
ExprId elab_convert(Elab *el, ExprId e, TypeId wanted, Span span, const char *what);
ExprId elab_ref(Elab *el, const AstRef *ref);
ExprId elab_call(Elab *el, const AstExp *e);
/* {e for i in r}, sum(e for i in r) and the like (elab_reduce.c) */
ExprId elab_reduction(Elab *el, const AstExp *e);
/* Connections.root(...) and its kin (MLS 9.4.1) */
bool elab_is_connections(const AstExp *call);
ExprId elab_ask_connections(Elab *el, const AstExp *call);
/* The table of predefined functions; NO_EXPR after an error. `row` from World.builtins. */
ExprId elab_builtin(Elab *el, uint32_t row, const AstExp *e);
ExprId elab_spatial(Elab *el, const AstExp *e); /* elab_spatial.c: spatialDistribution */
bool elab_is_builtin(World *w, const char *name, uint32_t *row);
void elab_init_builtins(World *w);
const char *elab_builtin_name(uint32_t i); /* NULL behind the last one */
/* A call of a typed function with typed arguments (vectorised where arguments have more dimensions
 * than inputs). */
ExprId elab_apply(Elab *el, Func *f, uint32_t n, const ExprId *args, Span span);
/* The same with the first n arguments given, the others by default; and with the arguments of a
 * written call. */
ExprId elab_apply_first(Elab *el, Func *f, uint32_t n, const ExprId *given, Span span);
ExprId elab_call_function(Elab *el, Func *f, const AstExp *e);
ExprId elab_binary(Elab *el, AstOp op, ExprId a, ExprId b, Span span);
/* Operators on operator records such as Complex (overload.c); `op` is the operator's text. NO_EXPR
 * after an error. */
ExprId elab_overload_binary(Elab *el, const char *op, ExprId a, ExprId b, Span span);
ExprId elab_overload_unary(Elab *el, const char *op, ExprId a, Span span);
/* A call of an operator record's name: its 'constructor' that takes these arguments. False when it
 * has none. */
bool elab_overload_constructor(Elab *el, Class *c, const AstExp *e, ExprId *out);
/* A value of type `from` can stand where `to` is wanted. */
bool elab_convertible(Elab *el, TypeId from, TypeId to);
ExprId elab_index(Elab *el, ExprId array, uint32_t n, AstExp **subs, Span span);
ExprId elab_error(Elab *el, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* An extension of Modelica (in the plural): X002 in strict mode, else X001. */
ExprId elab_extension(Elab *el, Span span, const char *what);
/* Adds what to do, or a further place, to the last elab_error. */
void elab_help(Elab *el, const char *format, ...) __attribute__((format(printf, 2, 3)));
void elab_label(Elab *el, Span span, const char *text);
/* "`p`": what was written there if it is short, else "this". */
const char *elab_written(Elab *el, Span span);
const char *elab_type_text(Elab *el, TypeId t);
/* Value of a parameter or constant expression; false if it is none or fails (then with diagnostics
 * unless quiet). */
bool elab_evaluate(Elab *el, ExprId e, Span span, Value *out);
bool elab_integer(Elab *el, const AstExp *e, int64_t *out, const char *what);
/* How much a typed expression varies. */
AstVariability elab_variability(World *w, ExprId e);
/* Applies `make` to the elements of arrays that go beyond what a scalar function takes: f(x[1]),
 * f(x[2]) ... (MLS 12.4.6). extra = number of leading dimensions to run over; args with fewer
 * dimensions are used whole. */
typedef ExprId (*ElabMake)(Elab *el, const void *user, uint32_t n, const ExprId *args, Span span);
ExprId elab_vectorize(Elab *el, ElabMake make, const void *user, uint32_t extra, uint32_t n,
                      const ExprId *args, const uint32_t *own_dims, Span span);
ExprId elab_array(Elab *el, uint32_t n, ExprId *items, Span span);
/* The type that both can be converted to; NO_TYPE if there is none. Dimensions must agree where
 * known. */
TypeId elab_common(Elab *el, TypeId a, TypeId b);
TypeId elab_type(Elab *el, ExprId e);
const Type *elab_type_get(Elab *el, ExprId e);
/* Subscripts in a model are parameter expressions: evaluates them where possible. */
ExprId elab_fixed_index(Elab *el, ExprId sub);

/* ---- loops (iterate.c) ---- */
/* Where an iterator is used; one of them is given. */
typedef struct {
  const AstExp *exp;
  AstEquation *const *equations;
  AstStatement *const *statements;
  uint32_t n; /* of equations or statements */
} LoopBody;
/* The vector that an iterator runs over: as written, the values of a type, or deduced from its use
 * as a subscript. */
ExprId elab_loop_range(Elab *el, const AstIterator *it, const LoopBody *body);
/* Its values, for a loop that is unrolled; false after an error. */
bool elab_loop_values(Elab *el, const AstIterator *it, const LoopBody *body, Value *out);

/* ---- functions (function.c) ---- */
/* typed, complete on return except in recursion; NULL after an error */
Func *function_get(World *w, Class *c);
/* Of a record, enumeration or external object class */
const TypeDecl *class_decl(World *w, Class *c);
TypeId class_type(World *w, Class *c);
/* ---- statements (statement.c) ---- */
bool elab_statements(Elab *el, AstStatement **body, uint32_t n, Stmt ***out, uint32_t *n_out);
/* Before each round of a loop that is unrolled: false, with K001, when there were too many. */
bool elab_one_round(Elab *el, Span span);
/* assert(condition, message, level) typed; false after an error. */
bool elab_assert(Elab *el, const AstExp *call, ExprId *condition, ExprId *message, ExprId *level);
/* The when-condition: Boolean, or a vector of Booleans. */
ExprId elab_when_condition(Elab *el, const AstExp *e);
/* The name of a call if it is a simple one, else "". */
const char *elab_call_name(const AstExp *call);
