package Fluids
  connector Port
    Real p;
    flow Real m_flow;
    Real h;
  end Port;
  model Source
    Port port;
    Real x = inStream(port.h);
  equation
    port.p = 1e5;
    port.h = 4e5;
  end Source;
end Fluids;
// expect X001 at 9:14
