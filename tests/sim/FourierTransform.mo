// The transform behind Modelica.Math.FastFourierTransform: amplitudes are |U|/(n/2 + 1) with the sum U of n samples times
// roots of unity, so that a sine of amplitude 3 gives 3*(n/2)/(n/2 + 1); its phase against a cosine is -pi/2.
// expect a[1](0) = 0.5*12/7 +- 1e-12
// expect a[3](0) = 3*6/7 +- 1e-12
// expect a[5](0) = 2*6/7 +- 1e-12
// expect a[4](0) = 0 +- 1e-12
// expect phase3(0) = -pi/2 +- 1e-12
// expect phase5(0) = 0 +- 1e-12
model FourierTransform
  constant Integer n = 12;
  function transform
    input Real u[:];
    output Integer info;
    output Real amplitudes[div(size(u, 1), 2) + 1];
    output Real phases[div(size(u, 1), 2) + 1];
  protected
    Real work[3*size(u, 1) + 2*(div(size(u, 1), 2) + 1)];
    external "C" info = ModelicaFFT_kiss_fftr(u, size(u, 1), work, size(work, 1), amplitudes, phases);
  end transform;
  constant Real w = 2*3.14159265358979/n;
  parameter Real u[n] = {0.5 + 3*sin(2*w*k) + 2*cos(4*w*k) for k in 0:n - 1};
  parameter Integer info(fixed = false);
  parameter Real A[7](each fixed = false), P[7](each fixed = false);
  Real a[7] = A, phase3 = P[3], phase5 = P[5];
initial algorithm
  (info, A, P) := transform(u);
  annotation(experiment(StopTime = 1));
end FourierTransform;
