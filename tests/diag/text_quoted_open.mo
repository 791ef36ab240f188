model Named
  Real 'supply pressure = time;
end Named;
// expect P002 at 2:8
