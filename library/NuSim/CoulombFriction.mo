within NuSim;
partial model CoulombFriction "Dry friction; who extends it gives f0, connects v and f, and says when there is none at all"
  // Otter, Elmqvist, Mattsson 1999, section 4.2. At rest the curve parameter belongs to the acceleration: v stays a state, and
  // a contact that starts to slide waits in mode Stuck until the speed has the sign of the acceleration. Unlike there the curve
  // goes on at `peak` where sliding begins: with a = sa - 1 nothing agrees with sa > peak while the acceleration is small.
  type Mode = enumeration(Backward, Stuck, Forward, Free);
  parameter Level level = Level.Ideal;
  parameter Real peak(min = 1, unit = "1") = 1 "Largest force at rest over the force where sliding begins";
  parameter Real table[:, 2] = [0, 1] "Rows (speed, sliding force over f0)";
  parameter Real f1(min = 0) = 0 "Viscous part, force per speed";
  parameter Real vSmall(min = 0) = 1e-3 "Speed where the full force is reached; piecewise linear and smooth";
  Real v(start = 0, stateSelect = StateSelect.prefer) "Relative speed of the surfaces";
  Real a "Relative acceleration";
  Real f "Friction force";
  Real f0 "Force where sliding begins";
  Real sa "Curve parameter at rest: force over f0; the part beyond +-peak is the acceleration";
  Boolean free "The surfaces do not touch";
  Boolean startFor "Forward sliding begins", startBack "Backward sliding begins";
  Boolean stuck "No relative motion";
  Mode mode(start = Mode.Stuck, fixed = true);
protected
  Boolean forward, backward;
equation
  a = der(v);
  if level == Level.Ideal then
    // a part of the mixed system at rest
    startFor = pre(mode) == Mode.Stuck and sa > peak
               or (initial() or pre(mode) == Mode.Free) and not free and v > 0;
    startBack = pre(mode) == Mode.Stuck and sa < -peak
                or (initial() or pre(mode) == Mode.Free) and not free and v < 0;
    forward = not free and (pre(mode) == Mode.Forward or startFor);
    backward = not free and (pre(mode) == Mode.Backward or startBack);
    stuck = not (free or forward or backward);
    a = if free then sa else if forward then sa - peak else if backward then sa + peak else 0;
    f = if free then 0 else if forward then f0*interpolate(table, v) + f1*v else
        if backward then -f0*interpolate(table, -v) + f1*v else f0*sa;
    // which configuration holds from now on
    mode = if free then Mode.Free else if forward and v > 0 then Mode.Forward else if backward and v < 0 then Mode.Backward else Mode.Stuck;
  else
    startFor = false;
    startBack = false;
    forward = level == Level.PiecewiseLinear and v > vSmall;
    backward = level == Level.PiecewiseLinear and v < -vSmall;
    stuck = false;
    sa = v/vSmall;
    if level == Level.PiecewiseLinear then
      f = if free then 0 else f1*v + f0*(if forward then interpolate(table, v) else
          if backward then -interpolate(table, -v) else interpolate(table, vSmall)*sa);
      mode = if free then Mode.Free else if forward then Mode.Forward else if backward then Mode.Backward else Mode.Stuck;
    else
      f = if free then 0 else f1*v + f0*tanh(sa)*(interpolate(table, sqrt(v^2 + vSmall^2) - vSmall) + (peak - 1)*exp(-sa^2));
      mode = if free then Mode.Free else Mode.Stuck;
    end if;
  end if;
end CoulombFriction;
