model M Real x, y, z(start = 0); Boolean b = time > 1; equation if b then x = 1; y = 2; der(z) = x; else if time > 2 then x + y = z; end if; z = time; end if; if not b then x = y; end if; end M;
