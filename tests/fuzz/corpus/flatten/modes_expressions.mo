model M Real a(start = 1, fixed = true), b(start = 0, fixed = true), i, s; Boolean off(start = true); equation der(a) = -i; der(b) = i; a - b = if off then s else 0; i = if off then 0 else s; off = s < 0 or noEvent(a > 3);
if initial() then assert(a > 0, "positive"); end if; end M;
