// Three descriptions of one angle: StateSelect decides.
model StateSelectModel
  Real phi(stateSelect = StateSelect.avoid), psi(stateSelect = StateSelect.prefer, start = 0.1, fixed = true), chi;
  Real a;
equation
  psi = 2*phi + 1;
  chi = phi - 3;
  der(phi) = a;
  der(chi) + der(psi) = -psi;
end StateSelectModel;
