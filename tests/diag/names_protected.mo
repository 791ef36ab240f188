model Controller
  model Inside
    Real y = 2*state;
  protected
    Real state = time;
  end Inside;
  Inside c;
  Real x = c.state;
end Controller;
// expect N005 at 8:14
