// Parts that make one step where others make many: an array of ramps, each a part of its own, beside a fast oscillator; and one that reads another.
// sin(60 x[k]) > 0.9999, x[k] = w[k] t: around 60 x = pi/2 + 2 pi j; the windows are 0.2 to 0.7 ms long, a step is seconds.
// x[2] - 2 z with z = x[2]^2/4 is 1/2 - (x[2] - 1)^2/2: above 0.49999 once, for 13 ms.
// run: --stop 6 --intervals 1 --rtol 1e-8
// solvers: auto rk45 rkf45 rosenbrock cvode ida
// expect n[1](6) = floor((60*0.4*6 - pi/2)/(2*pi)) + 1
// expect n[2](6) = floor((60*0.7*6 - pi/2)/(2*pi)) + 1
// expect n[3](6) = floor((60*1.1*6 - pi/2)/(2*pi)) + 1
// expect n[4](6) = floor((60*1.3*6 - pi/2)/(2*pi)) + 1
// expect one(6) = 1
// expect entered(6) = (1 - sqrt(2e-5))/0.7 +- 1e-8
model CrossingParts
  constant Real w[4] = {0.4, 0.7, 1.1, 1.3};
  Real x[4](each start = 0, each fixed = true), z, y(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n[4](each start = 0, each fixed = true), one(start = 0, fixed = true);
  discrete Real entered(start = 0, fixed = true);
equation
  for k in 1:4 loop
    der(x[k]) = w[k];
    when sin(60*x[k]) > 0.9999 then
      n[k] = pre(n[k]) + 1;
    end when;
  end for;
  der(y) = 50*v;
  der(v) = -50*y;
  z = x[2]^2/4;
  when x[2] - 2*z > 0.49999 then
    one = pre(one) + 1;
    entered = time;
  end when;
end CrossingParts;
