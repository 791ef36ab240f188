model Dynamic
  Integer n = if time > 1 then 2 else 3;
  Real x[n];
end Dynamic;
// expect T307 at 3:10
