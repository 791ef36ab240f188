// A bridge of two thyristors and two diodes with a resistor: when the source passes through 0, so does everything else, and only
// the past knows how large a voltage or a current is. A thyristor conducts after it has been fired, 0.3 S into its half wave. An
// average begins anew exactly where everything is 0.
// stop: 4.5
model Bridge
  parameter Real V = 1, A = 1, S = 1;
  constant Real pi = 3.141592653589793;
  parameter Real on = 1e-5*V/A, off = 1e-5*A/V "resistance, conductance";
  Real e = 7*V*sin(2*pi*time/S) "of the source, between the nodes a and b";
  Real a, b, p, n = 0*V;
  Real u[4], i[4], s[4];
  Boolean closed[4](each start = true), fire[2];
  Real load = p/(3*V/A), x(start = 0, fixed = true, nominal = A*S), mean(start = 0, fixed = true, nominal = A*S);
equation
  fire[1] = sin(2*pi*(time/S - 0.3)) > 0;
  fire[2] = sin(2*pi*(time/S - 0.8)) > 0;
  for k in 1:4 loop
    closed[k] = if k <= 2 then s[k] < 0 or (pre(closed[k]) and not fire[min(k, 2)]) else s[k] < 0;
    u[k] = s[k]*(if closed[k] then 1 else on*A/V);
    i[k] = s[k]*(if closed[k] then off*V/A else 1)*A/V;
  end for;
  u[1] = a - p;
  u[2] = b - p;
  u[3] = n - a;
  u[4] = n - b;
  a - b = e;
  i[1] + i[2] = load;
  i[3] + i[4] = load;
  der(x) = load;
  when sample(0.5*S, 0.5*S) then
    mean = pre(x);
    reinit(x, 0);
  end when;
end Bridge;
