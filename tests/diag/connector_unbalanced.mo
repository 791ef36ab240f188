package Fluid
  connector Port
    Real p;
    Real T;
    flow Real m_flow;
  end Port;
  model Vessel
    Port port;
  equation
    port.p = 1;
    port.T = 300;
  end Vessel;
end Fluid;
// expect C004 at 2:13
