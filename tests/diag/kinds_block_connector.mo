package Parts
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  block Filter
    Pin p;
  end Filter;
end Parts;
// expect N010 at 7:9
