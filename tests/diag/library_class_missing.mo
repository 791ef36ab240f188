// class: Car
package Engines
  model Petrol
    Real w = time;
  end Petrol;
end Engines;
model Car
  Engines.Petroll engine;
end Car;
// expect N001 at 8:11
