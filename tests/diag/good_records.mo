package Gas "records: constructors, arrays, nested, as inputs and results"
  record State
    Real p(unit = "Pa");
    Real T(unit = "K");
  end State;
  record Mixture
    State state;
    Real share[2];
  end Mixture;
  function density
    input State s;
    input Real R = 287;
    output Real d;
  algorithm
    d := s.p/(R*s.T);
  end density;
  function heated
    input State s;
    input Real dT;
    output State r;
  algorithm
    r := s;
    r.T := s.T + dT;
  end heated;
  model Test
    parameter State ambient = State(p = 1e5, T = 290);
    State hot;
    State pair[2] = {ambient, heated(ambient, 10)};
    Mixture m(state = hot, share = {0.2, 0.8});
    Real d = density(hot);
    Real t = m.state.T + pair[2].T;
  equation
    hot = heated(ambient, 5*time);
  end Test;
end Gas;
// expect nothing
