// class: Square
function Square
  input Real x;
  output Real y;
algorithm
  y := x*x;
end Square;
// expect L005 at 2:10
