model E
  Real x
  Real y = (1 + ;
equation
  if x then y = 2; end for;
  z = [1 2; 3];
end F;
