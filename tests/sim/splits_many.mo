// 300 if-expressions may bind a state, each under a condition of its own: none of them is overlooked, also not the last ones.
// expect p[300].v(2) = 0 +- 1e-9
// expect p[299].v(2) = 0 +- 1e-9
// expect p[298].v(2) = 2 +- 1e-6
// expect p[1].v(2) = 0 +- 1e-9
// expect p[300].F(2) = 1 +- 1e-9
// expect events = 3
model splits_many
  model Brake
    parameter Real closes = 10;
    Real v(start = 0, fixed = true), F;
    Boolean held = time > closes;
  equation
    der(v) = 1 - F;
    0 = if held then v else F;
  end Brake;
  Brake p[300](closes = cat(1, {0.5}, fill(10, 297), {0.75, 1.25}));
  annotation(experiment(StopTime = 2));
end splits_many;
