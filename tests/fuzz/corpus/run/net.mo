model Net
connector P Real v; flow Real i; end P; model Node P p; parameter Real C, I; equation C*der(p.v) = p.i + I; end Node;
model Edge P a, b; equation a.i + b.i = 0; a.v = b.v; end Edge;
Real u[3](start = {-6,5,2}, each fixed = true), i[2]; Boolean on[2]; 
Edge e[2]; Node n[3](C = {2.5, 1,1}, I = {0,0,0});
equation
n[1].p.v = u[1];
n[2].p.v = u[2];
n[3].p.v = u[3];
i[1] = e[1].a.i;
i[2] = e[2].a.i;
on[1] = time > 65/100 and time < 95/100;
if on[1] then connect(n[1].p, e[1].a); end if; connect(e[1].b, n[2].p);
on[2] = time > 25/100 and time < 50/100;
if on[2] then connect(n[1].p, e[2].a); end if; connect(e[2].b, n[3].p);
end Net;
