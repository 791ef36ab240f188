package Parts
  model Valve
    Real q = time;
  end Valve;
  model Valve
    Real q = 2*time;
  end Valve;
end Parts;
// expect N002 at 5:9
