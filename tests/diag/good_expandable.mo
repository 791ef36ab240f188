package Buses
  expandable connector Bus
  end Bus;
  connector Out = output Real;
  block Source
    Out y = time;
  end Source;
  model Car
    Bus bus;
    Source speed;
  equation
    connect(speed.y, bus.speed);
  end Car;
end Buses;
// expect nothing
