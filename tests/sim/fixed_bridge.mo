// A bridge of ideal diodes that begins without current and voltage, by methods of fixed steps: where the model cannot be evaluated
// inside of a step, a shorter one is made.
// run: --stop 1.5 --solver-step 0.003
// solvers: euler rk4
// expect uc(1.5) = 0.6145097 +- 2e-3
// expect min(uc) >= -1e-9
model FixedBridge
  model Diode
    Real s, u, i;
    Boolean off;
  equation
    off = s < 0;
    u = if off then s else 0;
    i = if off then 0 else s;
  end Diode;
  Diode d1, d2, d3, d4;
  Real vp, vn, uc(start = 0, fixed = true), is, e = 1.3*sin(4*time);
equation
  d1.u = (e - 0.5*is) - vp;
  d2.u = -vp;
  d3.u = vn - (e - 0.5*is);
  d4.u = vn;
  is = d1.i - d3.i;
  is = d4.i - d2.i;
  der(uc) = d1.i + d2.i - uc;
  uc = vp - vn;
end FixedBridge;
