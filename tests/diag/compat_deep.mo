// expect M005 at 30:29
// says: `j` differs: `i` differs: `h` differs: `g` differs: `f` differs: `e` differs: `d` differs: `c` differs: `b` differs: `a` differs
package compat_deep "classes are compared to the last level, and each pair of them once"
  record A0 Real x = 1; end A0;
  record A1 A0 a; A0 a2; end A1;
  record A2 A1 b; A1 b2; end A2;
  record A3 A2 c; A2 c2; end A3;
  record A4 A3 d; A3 d2; end A4;
  record A5 A4 e; A4 e2; end A5;
  record A6 A5 f; A5 f2; end A6;
  record A7 A6 g; A6 g2; end A7;
  record A8 A7 h; A7 h2; end A8;
  record A9 A8 i; A8 i2; end A9;
  record A10 A9 j; A9 j2; end A10;
  record B0 Integer x = 1; end B0;
  record B1 B0 a; B0 a2; end B1;
  record B2 B1 b; B1 b2; end B2;
  record B3 B2 c; B2 c2; end B3;
  record B4 B3 d; B3 d2; end B4;
  record B5 B4 e; B4 e2; end B5;
  record B6 B5 f; B5 f2; end B6;
  record B7 B6 g; B6 g2; end B7;
  record B8 B7 h; B7 h2; end B8;
  record B9 B8 i; B8 i2; end B9;
  record B10 B9 j; B9 j2; end B10;
  model Holder replaceable parameter A10 r; Real y = time; end Holder;
  // class: compat_deep.Test
  model Test
    extends Holder(
    redeclare parameter B10 r);
  end Test;
end compat_deep;
