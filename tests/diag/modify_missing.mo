model Drive
  model Inertia
    parameter Real J = 1;
    Real w = J*time;
  end Inertia;
  Inertia load(j = 2);
end Drive;
// expect M001 at 6:16
