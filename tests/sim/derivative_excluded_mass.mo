// Two masses that turn together, the angle of one being a function of the angle, speed and acceleration of the other with
// derivatives given by annotation. Speed and acceleration are arguments of position(), but it does not depend on them: they
// must not count as unknowns of its equation. (2 + 3)*a = 10*sin(time), so a = 2*sin(time), w = 2 - 2*cos(time).
// run: --stop 2 --rtol 1e-9
// solvers: rk45 ida rosenbrock
// expect a1(2) = 2*sin(2) +- 1e-6
// expect w1(2) = 2 - 2*cos(2) +- 1e-6
// expect phi1(2) = 2*2 - 2*sin(2) +- 1e-6
// expect tau(2) = 2*2*sin(2) +- 1e-6
package derivative_excluded_mass
  function position
    input Real u[3];
    input Real t;
    output Real q;
  algorithm
    q := u[1];
    annotation(derivative(noDerivative = u) = speed, InlineAfterIndexReduction = true);
  end position;
  function speed
    input Real u[3];
    input Real t;
    input Real der_t;
    output Real q;
  algorithm
    q := u[2];
    annotation(derivative(noDerivative = u, order = 2) = acceleration, InlineAfterIndexReduction = true);
  end speed;
  function acceleration
    input Real u[3];
    input Real t;
    input Real der_t;
    input Real der_2_t;
    output Real q;
  algorithm
    q := u[3];
    annotation(InlineAfterIndexReduction = true);
  end acceleration;
  model Masses
    parameter Real J1 = 2, J2 = 3;
    Real phi1, w1, a1, tau, a2;
    Real phi2(start = 0, fixed = true), w2(start = 0, fixed = true);
  equation
    phi1 = position({phi2, w2, a2}, time);
    w1 = der(phi1);
    a1 = der(w1);
    J1*a1 = tau;
    der(phi2) = w2;
    der(w2) = a2;
    J2*a2 = 10*sin(time) - tau;
  end Masses;
end derivative_excluded_mass;
