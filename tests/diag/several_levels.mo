package Plant "mistakes in equations, declarations and components of one model"
  model Pump
    parameter Real k = 2;
    Real q = k*speed;
  end Pump;
  model Station
    Pump pump(kk = 3);
    Real level(start = 1, fixed = true);
    Boolean full;
  equation
    der(level) = inflow - pump.q;
    full = level;
    when level then
      reinit(level, 0);
    end when;
  end Station;
end Plant;
// expect N001 at 4:16
// expect M001 at 7:15
// expect N001 at 11:18
// expect T301 at 12:5
// expect T301 at 13:10
