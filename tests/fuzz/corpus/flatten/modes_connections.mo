package P connector C Real v; flow Real i; end C; model N C p; equation der(p.v) = p.i; end N; model M N a, b[3]; Boolean on[3] = {time > k for k in 1:3}; equation
for k in 1:3 loop if on[k] then connect(a.p, b[k].p); else if on[1] then connect(b[1].p, b[k].p); end if; end if; end for; end M; end P;
