#pragma once
/* tests/unit/run_models.h -- small models, each with something of its own that a run must remember
 * when it goes on later. */
#include <stddef.h>

typedef struct {
  const char *name, *text;
  double stop;
} Model;

static const Model models[] = {
    {"ball",
     "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); Integer n(start = 0, "
     "fixed = true);"
     " equation der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -0.7*pre(v)); n = pre(n) + "
     "1; end when; end M;",
     2.5},
    {"pendulum with chosen states",
     "model M Real x(start = 0.6), y(start = -0.8), vx(start = 0, fixed = true), vy, F;"
     " initial equation x = 0.6; equation der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y "
     "- 9.81; x^2 + y^2 = 1; end M;",
     4},
    {"delay",
     "model M Real x(start = 1, fixed = true), y, z; Boolean b;"
     " equation der(x) = -3*delay(x, 0.37) + (if b then 1 else 0); b = sin(5*time) > 0.3; y = "
     "delay(if b then 1.0 else 0.0, 0.21);"
     " z = delay(x*x, 0.1 + 0.05*sin(time), 0.2); end M;",
     4},
    {"transport",
     "model M Real x(start = 0, fixed = true), v, a, b, y(start = 0, fixed = true);"
     " equation v = 2*cos(2*time) + 0.3; der(x) = v; (a, b) = spatialDistribution(if sin(9*time) > "
     "0.3 then 2 else sin(time), y, x, v >= 0, {0, 0.4, 1}, {0, 1, 0});"
     " der(y) = b - a - y; end M;",
     4},
    {"sample",
     "model M Real x(start = 0, fixed = true); discrete Real u(start = 0, fixed = true), s(start = "
     "0, fixed = true);"
     " equation der(x) = u - x; when sample(0.05, 0.11) then u = 1 - x; end when; when {sample(0, "
     "0.3), x > 0.52} then s = pre(s) + x; end when; end M;",
     3},
    {"algebraic loop",
     "model M Real x(start = 1, fixed = true), y(start = 1), z(start = 0.5), w;"
     " equation der(x) = -y + 0.2*sin(3*time); y^3 + y = x + z; z + 0.3*cos(z + y) = 0.2*x; w = "
     "exp(w/4) - 1 + 0.1*x; end M;",
     5},
    {"texts",
     "model M Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); String s(start "
     "= \"none\", fixed = true), t; Real length;"
     " equation der(x) = 1; when sample(0.1, 0.25) then n = pre(n) + 1; s = pre(s) + String(n); "
     "end when;"
     " t = if x > 1.1 then s + \"!\" else \"early\"; length = if s == \"none1\" then 1 else 2; end "
     "M;",
     2},
    {"random numbers",
     "model M function set input Integer s[33]; input Integer id; output Boolean ok = true; "
     "external \"C\" ModelicaRandom_setInternalState_xorshift1024star(s, 33, id);"
     " end set;"
     " impure function draw input Integer id; output Real y; external \"C\" y = "
     "ModelicaRandom_impureRandom_xorshift1024star(id); end draw;"
     " Real x(start = 0, fixed = true); discrete Real r(start = 0, fixed = true); Boolean "
     "seeded(start = false, fixed = true);"
     " algorithm when initial() then seeded := set(integer(1000*(1:33)), 7); end when;"
     " when sample(0, 0.1) then r := draw(7); end when; equation der(x) = r - x; end M;",
     2},
    {"diodes",
     "model M Real u, i1(start = 0, fixed = true), v(start = 0, fixed = true), s1, s2, vd1, vd2, "
     "id1, id2; Boolean o1, o2;"
     " equation u = 5*sin(7*time); o1 = s1 < 0; vd1 = s1*(if o1 then 1 else 1e-3); id1 = s1*(if o1 "
     "then 1e-2 else 1);"
     " o2 = s2 < 0; vd2 = s2*(if o2 then 1 else 1e-3); id2 = s2*(if o2 then 1e-2 else 1);"
     " 0.1*der(i1) = u - vd1 - v; id1 = i1; 0.05*der(v) = id1 - id2 - v/10; vd2 = v - 2; end M;",
     2},
    {"friction",
     "model M Real w(start = 2, fixed = true), a, sa, tau; Integer mode(start = 1, fixed = true); "
     "Boolean up(start = false, fixed = true), down(start = false, fixed = true), locked;"
     " equation up = pre(mode) == 0 and (sa > 1.2 or pre(up) and sa > 1); down = pre(mode) == 0 "
     "and (sa < -1.2 or pre(down) and sa < -1);"
     " locked = not (pre(mode) == 1 or up or pre(mode) == -1 or down); der(w) = a;"
     " a = if locked then 0 elseif up or pre(mode) == 1 then sa - 1 else sa + 1;"
     " tau = if locked then sa elseif up or pre(mode) == 1 then sa - a else sa - a;"
     " mode = if (pre(mode) == 1 or up) and w > 0 then 1 elseif (pre(mode) == -1 or down) and w < "
     "0 then -1 else 0;"
     " a = 2*sin(2*time) - (if locked then sa else if up or pre(mode) == 1 then 1 else -1) - "
     "0.1*w; end M;",
     6},
    {"sliding",
     "model M Real x(start = 1, fixed = true), y(start = 0.5, fixed = true), w(start = 0, fixed = "
     "true), u, v;"
     " equation u = if x > 0.1*sin(3*time) then 1 else -1; v = if y + 0.2*x > 0 then 1 else -1; "
     "der(x) = -u + 0.3*v + time/4; der(y) = -v - 0.2*u + 0.1;"
     " der(w) = u*v - w; end M;",
     6},
    {"contact",
     "model M Real h(start = 0.3, fixed = true), v(start = 0, fixed = true), s(start = 0, fixed = "
     "true), c(start = 0, fixed = true);"
     " equation der(h) = v; der(v) = -9.81 - 0.1*v; der(s) = c; der(c) = -0.5*s + (if time < 2.5 "
     "then 0 else -8*(time - 2.5));"
     " when h <= s then reinit(v, c - 0.4*(pre(v) - c)); end when; end M;",
     5},
    {"contact beside a system with many solutions",
     "model M Real h(start = 0.25, fixed = true), v(start = 0, fixed = true), force, j(start = 0, "
     "fixed = true), a, b, c(start = 0, fixed = true);"
     " equation der(h) = v; der(v) = -8; force = der(v) + 8; der(j) = force; when h <= 0 then "
     "reinit(v, -0.6*pre(v)); end when;"
     " a + b = sin(3*time); (if time < 0.2 then 1 else 0)*(a - b) + (if time < 0.2 then 0 else "
     "1)*(a + b) = (if time < 0.2 then 0 else 1)*sin(3*time); der(c) = a; end M;",
     2.5},
    {"a step under noEvent that the motion chatters about",
     "model M Real x(start = 0.4, fixed = true), y(start = 0, fixed = true);"
     " equation der(x) = noEvent(if x > 0.1*sin(time) then -1 else 1.2) + 0.4; der(y) = x; end M;",
     3},
    {"stiff",
     "model M Real x(start = 2, fixed = true), y(start = 0, fixed = true); equation der(x) = y; "
     "der(y) = 50*((1 - x^2)*y) - x; end M;",
     20},
    {"time events and the end",
     "model M Real x(start = 0, fixed = true); Boolean b, over(start = false, fixed = true);"
     " equation b = time > 0.3 and time < 0.8; der(x) = if b then 1 else -0.5; when x > 0.35 then "
     "terminate(\"enough\"); end when;"
     " when terminal() then over = true; end when; end M;",
     2},
    {"capacitors that come and go",
     "model M Real a(start = 1, fixed = true), b(start = 0, fixed = true), i; Boolean on; discrete "
     "Real q(start = 0, fixed = true);"
     " equation der(a) = -i - 0.3*a; 3*der(b) = i - 0.2*b; on = sin(7*time) > 0.2; if on then a = "
     "b; else i = 0; end if;"
     " when abs(impulse(i)) > 0 then q = pre(q) + impulse(i); end when; end M;",
     3},
    {"carts that are hooked on",
     "model M Real x[3](start = {0, 1, 1.4}, each fixed = true), v[3](start = {3, 0, 1}, each "
     "fixed = true), F[2]; Boolean on[2](each start = false, each fixed = true);"
     " equation der(x) = v; 2*der(v[1]) = -F[1] - v[1]; der(v[2]) = F[1] - F[2]; 3*der(v[3]) = "
     "F[2]; for k in 1:2 loop on[k] = (x[k] >= x[k + 1] or pre(on[k])) and time < 2;"
     " if on[k] then x[k] = x[k + 1]; else F[k] = 0; end if; end for; end M;",
     3},
    {"a thread that is cut",
     "model M Real x(start = 1, fixed = true), y(start = 0, fixed = true), vx(start = 0, fixed = "
     "true), vy(start = 0, fixed = true), F;"
     " equation der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9.81; if time < 1.3 "
     "then x^2 + y^2 = 1; else F = 0; end if; end M;",
     2},
    {"held now and then",
     "model M Real x(start = 0, fixed = true), y; equation if time < 0.5 or time > 0.7 and time < "
     "1.1 or time > 1.5 then der(x) = 10; else x = sin(time); end if; y = 2*x; end M;",
     2},
    {"nothing to integrate",
     "model M Real y; Integer n(start = 0, fixed = true); equation y = sin(time) + n; when "
     "sin(9*time) > 0.5 then n = pre(n) + 1; end when; end M;",
     3},
    {"tables",
     "model M class Table extends ExternalObject; function constructor input Real table[:, :]; "
     "output Table t;"
     " external \"C\" t = ModelicaStandardTables_CombiTable1D_init2(\"NoName\", \"NoName\", table, "
     "size(table, 1), size(table, 2), {2}, 1, 1, 1, false); end constructor;"
     " function destructor input Table t; external \"C\" "
     "ModelicaStandardTables_CombiTable1D_close(t); end destructor; end Table;"
     " function value input Table t; input Real u; output Real y; external \"C\" y = "
     "ModelicaStandardTables_CombiTable1D_getValue(t, 1, u); end value;"
     " parameter Table t = Table([0, 0; 1, 2; 3, 1]); Real x(start = 0, fixed = true); equation "
     "der(x) = value(t, time) - x; end M;",
     3},
};
enum { MODELS = sizeof models / sizeof *models };
