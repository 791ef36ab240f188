package Constants
  constant Real g = 9.81;
end Constants;
// expect L005
