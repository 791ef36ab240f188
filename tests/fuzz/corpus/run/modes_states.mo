model M Real x(start = 0, fixed = true), v(start = 1, fixed = true), F; Boolean c(start = false, fixed = true); equation der(x) = v; der(v) = F; c = x > 0.5 or pre(c);
if c then x = 0.5; elseif time > 2 then v = sin(time); else F = 0; end if; when abs(impulse(F)) > 0 then reinit(v, 0); end when; end M;
