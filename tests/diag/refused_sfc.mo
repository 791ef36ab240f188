model Batch
  Boolean start = time > 1;
sfc recipe
  initial step idle;
  step fill;
  transition idle to fill when start;
end recipe;
end Batch;
// expect X001 at 3:1
