model B
  Real x "a
b";
end B;
