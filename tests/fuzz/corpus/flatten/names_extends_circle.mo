package Circle
  model A
    extends B;
  end A;
  model B
    extends A;
  end B;
end Circle;
// expect N003 at 3:13
