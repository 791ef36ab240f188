model Thread
  parameter Real L=1, g=9.81, m=1, q=3.5;
  Real x(start=0,fixed=true), y(start=-1,fixed=true), vx(start=sqrt(q*g*L),fixed=true), vy(start=0,fixed=true), F, s;
  Boolean bound(start=true,fixed=true);
  Real r = sqrt(x^2+y^2);
  discrete Real P(start=0), w(start=0);
equation
  der(x) = vx;  der(y) = vy;  m*der(vx) = -F*x/L;  m*der(vy) = -F*y/L - m*g;
  if bound then x^2 + y^2 = L^2; s = F; else F = 0; s = r - L; end if;
  bound = s >= 0;
  when abs(impulse(F)) > 0 then P = impulse(F); w=(vy*x-vx*y)/L^2; end when;
  annotation(experiment(StopTime=3, Tolerance=1e-10));
end Thread;
