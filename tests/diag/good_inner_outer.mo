package Site "inner and outer: models, functions, values through two levels"
  model Weather
    parameter Real base = 280;
    Real T = base + 10*sin(time);
  end Weather;
  model Wall
    outer Weather weather;
    outer parameter Real k;
    Real q = k*(weather.T - T);
    Real T(start = 290, fixed = true);
  equation
    100*der(T) = q;
  end Wall;
  model Room
    Wall wall[2];
  end Room;
  model House
    inner Weather weather(base = 275);
    inner parameter Real k = 3;
    Room room;
  end House;
end Site;
// expect nothing
