model M parameter Integer n = 4; Real u[n](start = 1:n, each fixed = true), i[n - 1]; equation for k in 1:n loop der(u[k]) = (if k > 1 then i[k - 1] else 0) - (if k < n then i[k] else 0); end for;
for k in 1:n - 1 loop if sin(k*time) > 0.2 then u[k] = u[k + 1]; else i[k] = 0; end if; end for; end M;
