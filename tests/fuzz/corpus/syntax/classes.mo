encapsulated package P
  partial connector C flow Real i; stream Real h; Real v; end C;
  expandable connector Bus end Bus;
  type E = enumeration(a "first", b annotation(x=1)); type O = enumeration(:); type V = input Real[3](each unit="m");
  function d = der(f, x, y);
  operator record K encapsulated operator '+' import .P; function add output K r; end add; end '+'; end K;
  impure function rnd external "C" y = f(x, size(a, 1)) annotation(Library="m"); end rnd;
  pure function q input Real u; output Real y = u; algorithm y := u^2; return; end q;
  class extends Q(x=2) "c" Real z; end Q;
  replaceable model M = N(k=1) constrainedby B(p=2) "desc";
  redeclare final inner outer replaceable Real x[2] if b constrainedby T;
  import A.B; import C = A.B; import A.*; import A.{x, y};
  extends B(redeclare each final model X = Y, replaceable Real r = 2, each final k(start=1)=2 "c", break z, break connect(a, b), m = break);
end P;
final model Z end Z;
