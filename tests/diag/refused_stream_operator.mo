package Fluids
  connector Port
    Real p;
    flow Real m_flow;
  end Port;
  model Source
    Port port;
    Real x = inStream(port.p);
  equation
    port.p = 1e5;
  end Source;
end Fluids;
// expect X001 at 8:14
