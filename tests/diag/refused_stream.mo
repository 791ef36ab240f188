package Fluids
  connector Port
    Real p;
    flow Real m_flow;
    stream Real h;
  end Port;
  model Source
    Port port;
  equation
    port.p = 1e5;
    port.h = 4e5;
  end Source;
end Fluids;
// expect X001 at 5:17
