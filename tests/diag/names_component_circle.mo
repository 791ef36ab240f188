package Family
  model Parent
    Child child;
  end Parent;
  model Child
    Parent parent;
    Real x = time;
  end Child;
end Family;
// expect N003 at 6:12
