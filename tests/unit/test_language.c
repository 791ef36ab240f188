/* tests/unit/test_language.c -- the rules of the language: small texts, what they must give.
 * A row is a name, a text with a class M, and what is expected of M: "ok", the error codes in
 * order, or ~CODE for a warning; then, if given, a piece of the flat model's text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "flat/flatten.h"

typedef struct {
  const char *name, *text, *expected, *flat;
} Row;

static const Row rows[] = {
    /* ---- redeclaration and constraining types (7.3) ---- */
    {"constraint modifies the declaration",
     "model M model A Real x; end A; model B Real x = 1; end B; replaceable B b constrainedby A(x "
     "= 2); end M;",
     "ok", "'b.x' = 2.0"},
    {"declaration goes over its constraint",
     "model M model A Real x; end A; model B Real x = 1; end B; replaceable B b(x = 3) "
     "constrainedby A(x = 2); end M;",
     "ok", "'b.x' = 3.0"},
    {"constraint of a short class lies below it",
     "model M model A Real x = 1; Real y = 1; end A; replaceable model B = A(x = 3) constrainedby "
     "A(x = 2, y = 4); B b; end M;",
     "ok", "'b.x' = 3.0;\n  'b.y' = 4.0"},
    {"redeclaration keeps what was said of the element",
     "model M model A Real x = 1; Real y = 2; end A; model C replaceable A a constrainedby A(x = "
     "5, y = 6); end C;"
     " model D extends C(a(x = 7)); end D; model E extends D(redeclare A a(y = 8)); end E; E e; "
     "end M;",
     "ok", "'e.a.x' = 7.0;\n  'e.a.y' = 8.0"},
    {"redeclaration goes over what was said before",
     "model M model A Real x = 1; end A; model C replaceable A a; end C; model D extends C(a(x = "
     "7)); end D;"
     " model E extends D(redeclare A a(x = 9)); end E; E e; end M;",
     "ok", "'e.a.x' = 9.0"},
    {"what is said of a redeclared element goes over it",
     "model M model A Real x = 1; end A; model C replaceable A a; end C; model D extends "
     "C(redeclare replaceable A a(x = 9)); end D;"
     " D d(a(x = 3)); end M;",
     "ok", "'d.a.x' = 3.0"},
    {"own modification of a redeclaration in between is dropped",
     "model M model R parameter Real r = 1; parameter Real t = 2; end R; model C replaceable model "
     "N = R(r = 100); N n; end C;"
     " model D extends C(redeclare replaceable model N = R(t = 300)); end D; model E extends "
     "D(redeclare replaceable model N = R); end E;"
     " E e; end M;",
     "ok", "'e.n.r' = 100.0;\n  parameter Real 'e.n.t' = 2.0"},
    {"redeclaration in an array of components",
     "model M model A Real x = 1; end A; model B Real x = 2; end B; model C replaceable A a; end "
     "C; C c[2](redeclare B a(x = {3, 4})); end M;",
     "ok", "'c[2].a.x' = 4.0"},
    {"redeclaration of what is not replaceable",
     "model M model A Real x = 1; end A; model B Real x = 2; end B; model C A a; end C; C "
     "c(redeclare B a); end M;",
     "M004", NULL},
    {"sizes of what is not replaceable may be redeclared",
     "model M model A Real x[:] = ones(size(x, 1)); end A; A a(redeclare Real x[2]); end M;", "ok",
     "'a.x[2]' = 1.0"},
    {"second redeclaration needs replaceable",
     "model M model A Real x = 1; end A; model C replaceable A a; end C; model D extends "
     "C(redeclare A a); end D;"
     " model B Real x = 2; end B; D d(redeclare B a); end M;",
     "M004", NULL},
    {"redeclaration of a final element",
     "model M model C final replaceable Real x = 1; end C; C c(redeclare Real x = 2); end M;",
     "M002", NULL},
    {"redeclaration of a constant",
     "model M model C replaceable constant Real x = 1; end C; C c(redeclare Real x = 2); end M;",
     "M004", NULL},
    {"redeclared element changes from protected to public",
     "model M model A protected replaceable Real x = 1; end A; extends A; redeclare Real x = 2; "
     "end M;",
     "M004", NULL},
    {"redeclared type lacks an element",
     "model M model A Real x = 1; end A; model B Real y = 1; end B; model C replaceable A a; end "
     "C; C c(redeclare B a); end M;",
     "M005", NULL},
    {"redeclared type has an element of another type",
     "model M model A Real x = 1; end A; model B Boolean x = true; end B; model C replaceable A a; "
     "end C; C c(redeclare B a); end M;",
     "M005", NULL},
    {"redeclared class against its constraint",
     "model M model A Real x = 1; end A; model B Real x = 1; Real y = 2; end B; model C "
     "replaceable model N = B; N n; end C;"
     " C c(redeclare model N = A); end M;",
     "M005", NULL},
    {"a structural subtype fits",
     "model M model A Real x = 1; end A; model B Real x = 1; Real y = 2; end B; model C "
     "replaceable model N = A; N n; end C;"
     " C c(redeclare model N = B); end M;",
     "ok", "'c.n.y' = 2.0"},
    {"declaration against its own constraint",
     "model M model A Real x = 1; Real y = 2; end A; replaceable model B Real x = 1; end B "
     "constrainedby A; B b; end M;",
     "M005", NULL},
    {"class extends needs a replaceable class",
     "model M model A model B Real x = 1; end B; end A; extends A; redeclare model extends B Real "
     "y = 2; end B; B b; end M;",
     "M004", NULL},
    {"class extends",
     "model M model A replaceable model B Real x = 1; end B; end A; extends A; redeclare model "
     "extends B Real y = 2*x; end B; B b; end M;",
     "ok", "'b.y' = 2.0*'b.x'"},
    /* ---- inner and outer (5.4) ---- */
    {"missing inner is added",
     "model M model W parameter Real g = 9.81; end W; model B outer W w; Real a = w.g; end B; B b; "
     "end M;",
     "~N009", "'b.a' = 'w.g'"},
    {"missing inner of two classes",
     "model M model W parameter Real g = 9.81; end W; model V parameter Real g = 1; end V; model B "
     "outer W w; end B; model C outer V w; end C;"
     " B b; C c; end M;",
     "N008", NULL},
    {"missing inner of a partial class",
     "model M partial model W end W; model B outer W w; end B; B b; end M;", "N008", NULL},
    {"inner of another type",
     "model M model B outer Integer t; end B; inner Real t = 1; B b; end M;", "N008", NULL},
    {"inner of other dimensions",
     "model M model B outer Real t; end B; inner Real t[2] = {1, 2}; B b; end M;", "N008", NULL},
    {"outer with a value",
     "model M model B outer parameter Real t = 2; end B; inner parameter Real t = 1; B b; end M;",
     "M002", NULL},
    {"outer modified from outside",
     "model M model B outer parameter Real t; end B; inner parameter Real t = 1; B b(t = 3); end "
     "M;",
     "M002", NULL},
    {"outer shows its own class only",
     "model M record R Real x; end R; record S extends R; Real y; end S; model B outer R r; Real z "
     "= r.y; end B; inner S r(x = 1, y = 2); B b; end M;",
     "N001", NULL},
    {"inner outer",
     "model M model C outer Real t; Real x = t; end C; model B inner outer Real t = 2*t; C c; end "
     "B; inner Real t = 1; B b; end M;",
     "ok", "'b.t' = 2.0*t"},
    {"outer function",
     "model M partial function F input Real u; output Real y; end F; function G extends F; "
     "algorithm y := 2*u; end G;"
     " model B outer function f = F; Real y = f(3); end B; inner function f = G; B b; end M;",
     "ok", "'b.y' = 6.0"},
    /* ---- loops and iterators (8.3.2, 10.4.1, 11.2.2) ---- */
    {"loop over an enumeration",
     "model M type E = enumeration(a, b); Integer x[E]; equation for e in E loop x[e] = "
     "Integer(e); end for; end M;",
     "ok", "'x[2]' = 2"},
    {"loop over Boolean",
     "model M Real x[Boolean]; algorithm for b in Boolean loop x[b] := if b then 1 else 2; end "
     "for; end M;",
     "ok", "'x[2]' := 1.0"},
    {"deduced range",
     "model M Real x[3], y[3] = {1, 2, 3}; equation for i loop x[i] = 2*y[i]; end for; end M;",
     "ok", "'x[3]' = 2.0*'y[3]'"},
    {"deduced ranges of two iterators",
     "model M Real x[2, 3]; equation for i, j loop x[i, j] = i + j; end for; end M;", "ok",
     "'x[2,3]' = 5.0"},
    {"deduced range over components",
     "model M model A Real x; end A; A a[2]; equation for i loop a[i].x = i; end for; end M;", "ok",
     "'a[2].x' = 2.0"},
    {"deduced range of a reduction",
     "model M Real x[3] = {1, 2, 3}; Real y = sum(x[i]^2 for i); end M;", "ok", "y = "},
    {"deduced range in a function",
     "model M function f input Real x[:]; output Real y = 0; algorithm for i loop y := y + x[i]; "
     "end for; end f; constant Real y = f({1, 2, 4}); Real z = y; end M;",
     "ok", "z = 7.0"},
    {"deduced ranges that differ",
     "model M Real x[3], y[4]; equation for i loop x[i] = y[i]; end for; end M;", "T302", NULL},
    {"range that cannot be deduced", "model M Real x; algorithm for i loop x := i; end for; end M;",
     "T307", NULL},
    {"loop over a variable",
     "model M Integer x[3]; Integer y[3] = {1, 2, 3}; algorithm for i in y loop x[i] := y[i]; end "
     "for; end M;",
     "ok", "for"},
    {"loop over a matrix",
     "model M Real x; algorithm for i in [1, 2; 3, 4] loop x := i; end for; end M;", "T301", NULL},
    /* ---- arrays (10) ---- */
    {"subscript of another type than the dimension",
     "model M Real x[Boolean] = {1, 2}; Real y = x[1]; end M;", "T301", NULL},
    {"enumeration as subscript of an ordinary dimension",
     "model M type E = enumeration(a, b); Real x[2] = {1, 2}; Real y = x[E.a]; end M;", "T301",
     NULL},
    {"list of subscripts out of range",
     "model M Real x[3] = {1, 2, 3}; Real y[2] = x[{1, 5}]; end M;", "T303", NULL},
    {"size that refers to the array itself",
     "model M function f input Real a[:, size(a, 1)]; output Real y = a[1, 1]; algorithm end f; "
     "Real x = f({{1, 2}, {3, 4}}); end M;",
     "ok", NULL},
    /* ---- functions (12) ---- */
    {"function as an argument",
     "model M partial function F input Real x; output Real y; end F; function g input F f; output "
     "Real y = f(2); algorithm end g;"
     " function sq extends F; algorithm y := x^2; end sq; constant Real c = g(sq); Real z = c; end "
     "M;",
     "ok", "z = 4.0"},
    {"partial application of a functional input",
     "model M partial function F input Real x; output Real y; end F; partial function G input Real "
     "a; input Real b; output Real y; end G;"
     " function at input F f; output Real y = f(3); algorithm end at; function h input G g; output "
     "Real y = at(function g(b = 10)); algorithm end h;"
     " function add extends G; algorithm y := a + b; end add; constant Real c = h(add); Real z = "
     "c; end M;",
     "ok", "z = 13.0"},
    {"prefix from the type",
     "model M type In = input Real; function f In u; output Real y = u; algorithm end f; constant "
     "Real c = f(2); Real z = c; end M;",
     "ok", "z = 2.0"},
    {"public variable that is no argument",
     "model M function f input Real u; output Real y; Real t; algorithm t := u; y := t; end f; "
     "Real z = f(time); end M;",
     "N010", NULL},
    {"two algorithms",
     "model M function f input Real u; output Real y; algorithm y := u; algorithm y := 2*u; end f; "
     "Real z = f(time); end M;",
     "N010", NULL},
    {"equations in a function",
     "model M function f input Real u; output Real y; equation y = u; end f; Real z = f(time); end "
     "M;",
     "N010", NULL},
    {"call of a partial function",
     "model M partial function f input Real u; output Real y; algorithm y := u; end f; Real z = "
     "f(time); end M;",
     "M006", NULL},
    {"break outside of a loop",
     "model M Real x; algorithm x := 1; if x > 3 then break; end if; end M;", "T308", NULL},
    {"return outside of a function", "model M Real x; algorithm x := 1; return; end M;", "T308",
     NULL},
    {"break in a loop",
     "model M Real x; algorithm x := 1; for i in 1:5 loop x := 2*x; if noEvent(x > 9) then break; "
     "end if; end for; end M;",
     "ok", NULL},
    /* ---- kinds of classes (4.5, 4.6, 7.1.3) ---- */
    {"record with equations", "model M record R Real x; equation x = 1; end R; R r; end M;", "N010",
     NULL},
    {"record with a protected element",
     "model M record R Real x = 1; protected Real y = 2; end R; R r; end M;", "N010", NULL},
    {"record with an input", "model M record R input Real x = 1; end R; R r; end M;", "N010", NULL},
    {"record with a model", "model M model A Real x = 1; end A; record R A a; end R; R r; end M;",
     "N010", NULL},
    {"connector with an algorithm",
     "model M connector C Real e; flow Real f; algorithm e := 1; end C; C c; end M;", "N010", NULL},
    {"connector with an inner element",
     "model M connector C inner Real e = 1; flow Real f; end C; C c; end M;", "N010", NULL},
    {"package with a parameter",
     "model M package P parameter Real p = 1; end P; Real x = P.p; end M;", "N010", NULL},
    {"block with an acausal connector",
     "model M connector C Real e; flow Real f; end C; block B C c(e = 1); end B; B b; end M;",
     "N010", NULL},
    {"model extends a package",
     "model M package P constant Real k = 1; end P; model A extends P; Real x = k; end A; A a; end "
     "M;",
     "N011", NULL},
    {"model extends a block and a record",
     "model M record R Real x = 1; end R; block B Real y = 2; end B; model A extends R; extends B; "
     "end A; A a; end M;",
     "ok", "'a.y' = 2.0"},
    {"block extends a model",
     "model M model A Real x = 1; end A; block B extends A; end B; B b; end M;", "N011", NULL},
    {"function extends a record",
     "model M record R Real x = 1; end R; function f extends R; output Real y = 1; algorithm end "
     "f; Real z = f(); end M;",
     "N011 N010", NULL},
    {"simple type with a component beside it",
     "model M type T extends Real; Real e = 1; end T; T t; end M;", "N011", NULL},
    {"array class with a component beside it",
     "model M model A Real x = 1; end A; model A3 = A[3]; model B extends A3; Real y = 2; end B; B "
     "b; end M;",
     "N011", NULL},
    {"replaceable base class", "model M replaceable model A Real x = 1; end A; extends A; end M;",
     "N011", NULL},
    {"base class that is inherited",
     "model M model A model B end B; end A; extends A; extends B; end M;", "N013", NULL},
    {"short form of a partial class",
     "model M partial model A Real x = 1; end A; model B = A; B b; end M;", "M006", NULL},
    {"prefix on a model", "model M model A Real x = 1; end A; parameter A a; end M;", "N012", NULL},
    {"prefix on a connector whose element has one",
     "model M connector C Real e; flow Real f; input Real x; end C; input C c(e = 1, x = 2); end "
     "M;",
     "N012", NULL},
    {"input that is a parameter", "model M parameter input Real x = 1; end M;", "N012", NULL},
    {"flow outside of a connector gives no equation", "model M flow Real x = 3; end M;", "ok",
     "x = 3.0"},
    /* ---- names (4.8, 5.3, 7.1, 13.2) ---- */
    {"predefined type declared again", "model M model A Real Integer = 1; end A; A a; end M;",
     "N002", NULL},
    {"StateSelect may be hidden",
     "model M class StateSelect Real x = 1; end StateSelect; StateSelect s; end M;", "ok",
     "'s.x' = 1.0"},
    {"literal twice", "model M type E = enumeration(a, b, a); E e = E.b; end M;", "N002", NULL},
    {"literal called like an attribute", "model M type E = enumeration(a, min); E e = E.a; end M;",
     "N002", NULL},
    {"inherited twice, the same",
     "model M model A Real x = 1; end A; model B Real x = 1; end B; extends A; extends B; end M;",
     "ok", "x = 1.0"},
    {"inherited twice, not the same",
     "model M model A Real x = 1; end A; extends A; Integer x = 1; end M;", "N002", NULL},
    {"variable of the enclosing class",
     "model M Real k = 2; model A Real x = k; end A; A a; end M;", "N013", NULL},
    {"constant of the enclosing class",
     "model M constant Real k = 2; model A Real x = k; end A; A a; end M;", "ok", "'a.x' = 2.0"},
    {"class inside a model",
     "model M model A Real x = 1; model B Real y = 2; end B; end A; A.B b; end M;", "N013", NULL},
    {"encapsulated class inside a model",
     "model M model A Real x = 1; encapsulated model B Real y = 2; end B; end A; A.B b; end M;",
     "ok", "'b.y' = 2.0"},
    {"class inside a class that is as good as a package",
     "model M class A constant Real k = 3; model B Real y = 2; end B; end A; A.B b; Real z = A.k; "
     "end M;",
     "ok", "z = 3.0"},
    {"class through a component",
     "model M model A Real x = 1; model B Real y = 2; end B; end A; A a; a.B b; end M;", "N013",
     NULL},
    {"function of a component",
     "model M model A function f input Real u; output Real y = u; algorithm end f; end A; A a; "
     "constant Real k = a.f(2); Real z = k; end M;",
     "ok", "z = 2.0"},
    {"function of an array of components",
     "model M model A function f input Real u; output Real y = u; algorithm end f; end A; A a[2]; "
     "Real z = a.f(time); end M;",
     "N013", NULL},
    {"protected class",
     "model M package P protected model A Real x = 1; end A; end P; P.A a; end M;", "N005", NULL},
    {"protected constant",
     "model M package P protected constant Real k = 1; end P; Real x = P.k; end M;", "N005", NULL},
    {"protected element modified",
     "model M model A protected Real x = 1; end A; A a(x = 2); end M;", "N005", NULL},
    {"protected element modified by a derived class",
     "model M model A protected Real x = 1; end A; extends A(x = 2); end M;", "ok", "x = 2.0"},
    {"protected element redeclared",
     "model M model A protected replaceable Real x = 1; end A; A a(redeclare Real x = 2); end M;",
     "N005", NULL},
    {"encapsulated class sees nothing around it",
     "model M constant Real k = 1; encapsulated model A Real x = k; end A; A a; end M;", "N001",
     NULL},
    {"two imports of one name",
     "encapsulated package P model A Real x = 1; end A; end P; encapsulated package Q model A Real "
     "x = 2; end A; end Q;"
     " model M import P.A; import Q.A; A a; end M;",
     "N002", NULL},
    {"name from two open imports",
     "package P constant Real x = 1; end P; package Q constant Real x = 2; end Q; model M import "
     "P.*; import Q.*; Real y = x; end M;",
     "N006", NULL},
    {"import of a protected element",
     "package P protected constant Real x = 1; end P; model M import P.x; Real y = x; end M;",
     "N005", NULL},
    {"import from a model",
     "model P Real y = 1; constant Real x = 1; encapsulated model A Real z = 1; end A; end P; "
     "model M import P.A; A a; end M;",
     "N006", NULL},
    /* ---- predefined operators (3.7) ---- */
    {"argument outside of the domain", "model M Real x = sqrt(-4); end M;", "T305", NULL},
    {"logarithm of zero", "model M Real x = log(0); end M;", "T305", NULL},
    {"delay that varies without a maximum", "model M Real x = delay(time, x); end M;", "V001",
     NULL},
    {"delay above its maximum", "model M Real x = delay(time, 5, 1); end M;", "T305", NULL},
    {"sample with a variable start",
     "model M Integer i(start = 0, fixed = true); equation when sample(time, 0.1) then i = pre(i) "
     "+ 1; end when; end M;",
     "V001", NULL},
    {"derivative of an Integer", "model M constant Integer k = 1; Real x = der(k); end M;", "D404",
     NULL},
    /* ---- conditional components (4.4.5) ---- */
    {"conditional component in an equation",
     "model M parameter Boolean b = true; Real x = 1 if b; Real y = x; end M;", "N007", NULL},
    {"conditional component in a connection",
     "model M connector I = input Real; connector O = output Real; parameter Boolean b = false; "
     "block A I u; Real y = u; end A; block B O y = 1; end B;"
     " A a(u = 2); B c if b; A d if b; equation connect(c.y, d.u); end M;",
     "ok", "'a.u' = 2.0"},
    /* ---- connections (9.1 to 9.3) ---- */
    {"connectors inside of a component's component",
     "model M connector C Real e; flow Real f; end C; model A C c(e = 1); end A; model B A a; C d; "
     "end B; B b; C x; equation connect(b.a.c, x); end M;",
     "C002", NULL},
    {"protected connector",
     "model M connector C Real e; flow Real f; end C; model A protected C c(e = 1); end A; A a; C "
     "x; equation connect(a.c, x); end M;",
     "N005", NULL},
    {"input connected with a potential",
     "model M connector C input Real x; Real e; flow Real f; end C; connector D Real x; output "
     "Real e; flow Real f; end D;"
     " C c(x = 1, e = 1); D d(x = 1); equation connect(c, d); end M;",
     "C001", NULL},
    {"parameter connected with a constant",
     "model M connector C parameter Real p = 1; Real e; flow Real f; end C; connector D constant "
     "Real p = 1; Real e; flow Real f; end D;"
     " C c(e = 1); D d; equation connect(c, d); end M;",
     "C001", NULL},
    {"connected constants that differ",
     "model M connector C constant Real p; Real e; flow Real f; end C; C c(p = 1, e = 1), d(p = "
     "2); equation connect(c, d); end M;",
     "C001", NULL},
    {"connected parameters are compared at run time",
     "model M connector C parameter Real p = 1; Real e; flow Real f; end C; model A C c(e = 1); "
     "end A; model B C c; equation c.f = 2; end B;"
     " A a; B b; equation connect(a.c, b.c); end M;",
     "ok", "assert('a.c.p' == 'b.c.p'"},
    {"two sources along several connections",
     "model M connector I = input Real; connector O = output Real; block A I u; O y = 1; end A; "
     "block B I u; end B; A a, c; B b;"
     " equation connect(a.y, b.u); connect(b.u, c.y); end M;",
     "C001", NULL},
    {"a signal handed down through two levels",
     "model M connector I = input Real; connector O = output Real; block S O y = time; end S; "
     "block A I u; Real x = u; end A;"
     " block B I u; A a; equation connect(u, a.u); end B; S s; B b; equation connect(s.y, b.u); "
     "end M;",
     "ok", "'b.a.x' = 'b.a.u'"},
    {"connector declared as a parameter",
     "model M connector C Real e; flow Real f; end C; parameter C c; end M;", "N012", NULL},
    {"connector that is not balanced",
     "model M connector C Real e; Real t; flow Real f; end C; C c(e = 1, t = 2); end M;", "C004",
     NULL},
    {"connector of connectors that is balanced",
     "model M connector C Real e; flow Real f; end C; connector P parameter Integer n = 2; C c[n]; "
     "end P; P p(c(e = {1, 2})); end M;",
     "ok", "'p.c[2].e' = 2.0"},
    {"flow of an operator record without a group",
     "operator record R Real a; encapsulated operator function '+' import R; input R x; input R y; "
     "output R z; algorithm z.a := x.a + y.a; end '+'; end R;"
     " model M connector C R e; flow R f; end C; C c(e(a = 1)); end M;",
     "N012", NULL},
    {"cardinality of a variable", "model M Real x = 1; Integer n = cardinality(x); end M;", "C002",
     NULL},
    /* ---- when, if, reinit (8.3, 11.2) ---- */
    {"when in an if that changes",
     "model M Integer i(start = 0, fixed = true); equation if time > 0.5 then when sample(0, 0.1) "
     "then i = pre(i) + 1; end when; else i = 0; end if; end M;",
     "D403", NULL},
    {"when in an if with a parameter",
     "model M parameter Boolean b = true; Integer i(start = 0, fixed = true); equation if b then "
     "when sample(0, 0.1) then i = pre(i) + 1; end when; else i = 0; end if; end M;",
     "ok", NULL},
    {"when in a while-loop",
     "model M Integer i(start = 0); algorithm while i < 3 loop when time > 1 then i := 1; end "
     "when; end while; end M;",
     "D403", NULL},
    {"when in an if-statement",
     "model M Integer i(start = 0); algorithm if time > 1 then when time > 2 then i := 1; end "
     "when; end if; end M;",
     "D403", NULL},
    {"branches of a when for different variables",
     "model M discrete Real a(start = 0, fixed = true), b(start = 0, fixed = true); equation when "
     "time > 1 then a = 1; elsewhen time > 2 then b = 2; end when; end M;",
     "D403", NULL},
    {"branches of a when for the same variables",
     "model M discrete Real a(start = 0, fixed = true), b(start = 0, fixed = true); equation when "
     "time > 1 then a = 1; b = pre(b); elsewhen time > 2 then b = 2; a = pre(a); end when; end M;",
     "ok", NULL},
    {"reinit in two when-clauses",
     "model M Real x(start = 0, fixed = true); equation der(x) = 1; when x > 1 then reinit(x, 0); "
     "end when; when time > 2 then reinit(x, 1); end when; end M;",
     "S104", NULL},
    {"Connections.root in a when",
     "type A extends Real; function equalityConstraint input A a; input A b; output Real r[0]; "
     "algorithm end equalityConstraint; end A;"
     " model M connector C A t; Real e; flow Real f; end C; C c(t = 1, e = 1); equation when time "
     "> 1 then Connections.root(c.t); end when; end M;",
     "D403", NULL},
    /* ---- what varies how (3.8, 4.4.4) ---- */
    {"Boolean without event", "model M Boolean b = noEvent(time > 1); end M;", "V001", NULL},
    {"Integer that follows a function of time",
     "model M function f input Real x; output Integer y; algorithm y := integer(x); end f; Integer "
     "i = f(time); end M;",
     "ok", NULL},
    {"String that follows a function of time",
     "model M function f input Real x; output String y; algorithm y := String(x); end f; String i "
     "= f(time); end M;",
     "V001", NULL},
    {"Integer by an event function",
     "model M Integer i = integer(3*time); Boolean b = time > 1 and i > 2; end M;", "ok", NULL},
    {"relations in the arguments of a function make events",
     "model M function f input Boolean b[2]; output Boolean y; algorithm y := b[1] and not b[2] "
     "and (if b[1] then 1 else 0) > 0; end f;"
     " Boolean b = f({time > 1, time > 2}); end M;",
     "ok", "f({time > 1.0, time > 2.0})"},
    {"when f(initial()) is not when initial()",
     "model M function f input Boolean b; output Boolean y; algorithm y := b; end f; Integer "
     "i(start = 0); equation when f(initial()) then i = 1; end when; end M;",
     "ok", "when f(initial())"},
    {"attribute that depends on a variable",
     "model M Real y = time; Real x(start = y) = time; end M;", "V001", NULL},
    {"time in a function",
     "model M function f output Real y; algorithm y := time; end f; Real x = f(); end M;", "N013",
     NULL},
    {"time in a record", "model M record R Real x = time; end R; R r; end M;", "N013", NULL},
    {"constant of a partial package",
     "model M partial package P constant Real k = 1; end P; Real x = P.k; end M;", "M006", NULL},
    /* ---- modifications (7.2) ---- */
    {"each without an array", "model M model A Real x = 1; end A; A a(each x = 2); end M;", "~M007",
     "'a.x' = 2.0"},
    {"each further in",
     "model M model C parameter Real a[2] = {0, 0}; parameter Real d = 0; end C; model B C c[2]; "
     "end B; B b[2](each c(each a = {1, 2}, d = {3, 4})); end M;",
     "ok", "'b[2].c[2].d' = 4.0"},
    {"attribute of an array without each", "model M Real x[2](start = 1) = {time, time}; end M;",
     "T302", NULL},
    {"attribute that the type lacks", "model M Boolean b(unit = \"m\") = true; end M;", "M001",
     NULL},
    {"value for a class",
     "model M model A model B Real x = 1; end B; B b; end A; A a(B = 2); end M;", "M001", NULL},
    {"redeclare without an inherited element", "model M redeclare Real x = 2; end M;", "M004",
     NULL},
    {"final redeclaration of a class that is modified by a component",
     "model M model A Real x = 1; end A; model C replaceable model N = A; N n(x = 3); end C; C "
     "c(redeclare final model N = A); end M;",
     "ok", "'c.n.x' = 3.0"},
    /* ---- records, sums ---- */
    {"record with its fields in another order",
     "model M record A Real x; Real y; end A; record B Real y; Real x; end B; function f input A "
     "a; output Real z = 10*a.x + a.y; algorithm end f;"
     " constant Real k = f(B(y = 1, x = 2)); Real z = k; end M;",
     "ok", "z = 21.0"},
    {"sum of vectors", "model M Real x[2] = sum({i, 2*i} for i in 1:3); end M;", "ok",
     "'x[2]' = 12.0"},
    {"sum of vectors over nothing",
     "model M function f input Real x[:]; output Real y; algorithm y := max(sum(x*i for i in "
     "1:size(x, 1))); end f; constant Real k = f({1, 2}); Real z = k; end M;",
     "ok", "z = 6.0"},
    {"product of vectors", "model M Real x = product({i, i} for i in 1:3); end M;", "T302", NULL},
    {"size from the start value",
     "model M Real x[:](start = {1, 2, 3}, each fixed = true); equation der(x) = -x; end M;", "ok",
     "der('x[3]')"},
    {"sizes that refer to the value",
     "model M parameter Real a[:, size(a, 1)] = [1, 2; 3, 4]; Real x = a[2, 2]; end M;", "ok",
     "'a[2,2]' = 4.0"},
    {"output that never gets a value",
     "model M function f input Real x; output Real y; output Real z; algorithm y := x; end f; Real "
     "a = f(time); end M;",
     "T309", NULL},
};

static const char *codes(Arena *a, const Diags *diags, Severity severity) {
  Text t = {.arena = a};
  const char *last = "";
  for (uint32_t i = 0; i < diags_count(diags); i++) {
    const Diag *d = diags_at(diags, i);
    const char *code = diag_code_name(d->code);
    if (d->severity != severity || strcmp(code, last) == 0)
      continue;
    text_printf(&t, "%s%s", t.n ? " " : "", code);
    last = code;
  }
  return t.n ? text_str(&t) : "ok";
}

static void check_row(Arena *a, const Row *row) {
  Interner *names = interner_new(a);
  SourceMap *sources = sources_new(a);
  Diags *diags = diags_new(a, sources);
  Library *lib = library_new(a, names, sources, diags);
  library_load_text(lib, "M.mo", row->text, strlen(row->text));
  FlatModel *m = flatten_class(lib, "M", NULL, a, diags);
  if (m)
    flat_check(m, a, diags);
  bool warning = row->expected[0] == '~';
  Text said = {.arena = a};
  for (uint32_t i = 0; i < diags_count(diags); i++)
    diag_render(diags, diags_at(diags, i), false, &said);
  const char *errors = codes(a, diags, SEV_ERROR), *wanted = warning ? "ok" : row->expected;
  if (strcmp(errors, wanted) != 0)
    fail_msg("%s: expected %s, got %s\n%s", row->name, wanted, errors, text_str(&said));
  if (warning && !strstr(codes(a, diags, SEV_WARNING), row->expected + 1))
    fail_msg("%s: no warning %s\n%s", row->name, row->expected + 1, text_str(&said));
  if (!row->flat)
    return;
  Text flat = {.arena = a};
  flat_print(m, diags, false, &flat);
  if (!strstr(text_str(&flat), row->flat))
    fail_msg("%s: the flat model lacks `%s`\n%s", row->name, row->flat, text_str(&flat));
}

static void run_row(void **state) {
  Memory memory = {0};
  jmp_buf exhausted;
  memory.recover = &exhausted;
  if (setjmp(exhausted))
    fail_msg("memory is exhausted");
  check_row(arena_new(&memory), *state);
  mem_drop_since(&memory, NULL);
}

int main(void) {
  enum { COUNT = sizeof rows / sizeof *rows };
  static struct CMUnitTest tests[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    tests[i] = (struct CMUnitTest){rows[i].name, run_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
  return cmocka_run_group_tests_name("language", tests, NULL, NULL);
}
