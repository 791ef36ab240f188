model Thermostat
  Boolean on;
  Real T = time;
equation
  on = T > 1 && T < 3;
end Thermostat;
// expect P001 at 5:14
